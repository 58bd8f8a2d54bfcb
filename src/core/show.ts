/**
 * Text of somebody else's, made safe to show.
 *
 * @module
 */

/** Control and format characters (bidirectional ones among them), separators of lines, unpaired surrogates. */
const UNSAFE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/** A text in one line, its unsafe characters as escapes that can be seen: `\u{202e}`, unless told otherwise. */
export function escapeText(text: string, escape: (character: string) => string = spell): string {
  return text.replace(UNSAFE, (character) => escape(character));
}

function spell(character: string): string {
  return `\\u{${character.codePointAt(0)!.toString(16)}}`;
}
