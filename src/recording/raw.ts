/**
 * Parts of a JSON text as they were written: parsing a value and writing it again loses its spaces, the order of its
 * members and how its numbers are spelled.
 *
 * @module
 */

const QUOTE = 0x22, BACKSLASH = 0x5c, COMMA = 0x2c;

/** The texts of the items of a list, or of the members of an object with their names; the text must be JSON. */
export function splitParts(text: string): string[] {
  const parts: string[] = [];
  let depth = 0, from = 0;
  for (let at = 0; at < text.length; at++) {
    const character = text.charCodeAt(at);
    if (character === QUOTE) at = endOfString(text, at);
    else if (character === 0x5b || character === 0x7b) { // [ {
      if (++depth === 1) from = at + 1;
    } else if (character === 0x5d || character === 0x7d) { // ] }
      if (--depth === 0) parts.push(text.slice(from, at).trim());
    } else if (character === COMMA && depth === 1) {
      parts.push(text.slice(from, at).trim());
      from = at + 1;
    }
  }
  return parts.length === 1 && parts[0] === "" ? [] : parts;
}

/** The text of a member's value, the last one of that name; `undefined` when there is none. */
export function memberText(text: string, name: string): string | undefined {
  const member = splitParts(text).filter((part) => JSON.parse(nameOf(part)) === name).at(-1);
  return member?.slice(member.indexOf(":", nameOf(member).length) + 1).trim();
}

function nameOf(member: string): string {
  return member.slice(0, endOfString(member, 0) + 1);
}

/** Where the quote stands that closes the string whose first quote stands there. */
function endOfString(text: string, start: number): number {
  let at = start + 1;
  for (; at < text.length && text.charCodeAt(at) !== QUOTE; at++) {
    if (text.charCodeAt(at) === BACKSLASH) at++;
  }
  return at;
}
