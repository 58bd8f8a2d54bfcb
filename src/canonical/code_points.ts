/**
 * Unicode order and well-formedness of JavaScript texts, which are sequences of UTF-16 code units.
 *
 * @module
 */

/** Orders texts by code point, which is the order of their UTF-8 bytes and not that of their UTF-16 units. */
export function compareCodePoints(a: string, b: string): number {
  const shorter = Math.min(a.length, b.length);
  let at = 0;
  while (at < shorter && a.charCodeAt(at) === b.charCodeAt(at)) at++;
  // When the difference is the second half of a pair, its first half belongs to the comparison.
  if (
    at > 0 && isHigh(a.charCodeAt(at - 1)) && (isLow(a.charCodeAt(at)) || isLow(b.charCodeAt(at)))
  ) at--;
  return (a.codePointAt(at) ?? -1) - (b.codePointAt(at) ?? -1);
}

/** Has the text no unpaired surrogate? */
export function isWellFormed(text: string): boolean {
  return !/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/.test(text);
}

function isHigh(unit: number): boolean {
  return unit >> 10 === 0x36;
}

function isLow(unit: number): boolean {
  return unit >> 10 === 0x37;
}
