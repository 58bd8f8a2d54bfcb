/**
 * White space as the first writer of these records knows it, which is not JavaScript's: it has U+001C to U+001F and
 * U+0085, and lacks U+FEFF.
 *
 * Rule: `docs/spec/records.md`, "Text".
 *
 * @module
 */

/** White space as the inside of a character class. */
export const WHITE_SPACE: string =
  "\\t-\\r\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000";

const LEADING = new RegExp(`^[${WHITE_SPACE}]+`);
const SPACE = new RegExp(`[${WHITE_SPACE}]`);

/** The text without white space around it. */
export function trim(text: string): string {
  let end = text.length;
  while (end > 0 && SPACE.test(text[end - 1]!)) end--; // an expression for this would be quadratic
  return text.slice(0, end).replace(LEADING, "");
}

/** Is there nothing but white space? */
export function isBlank(text: string): boolean {
  return trim(text) === "";
}

/**
 * The text with its percent escapes decoded, each run of them as UTF-8; what is no UTF-8 becomes U+FFFD. A stray `%` stays.
 */
export function decodePercent(text: string): string {
  return text.replace(/(?:%[0-9A-Fa-f]{2})+/g, (escapes) => {
    const bytes = escapes.slice(1).split("%").map((pair) => parseInt(pair, 16));
    return new TextDecoder("utf-8", { ignoreBOM: true }).decode(Uint8Array.from(bytes));
  });
}

/** The text with A to Z in lower case and nothing else changed. */
export function lowerAscii(text: string): string {
  return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}
