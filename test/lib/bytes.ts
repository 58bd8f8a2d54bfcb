/**
 * Bytes for tests.
 *
 * @module
 */

/** The bytes that hexadecimal digits spell. */
export function hexBytes(digits: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(digits.match(/../g) ?? [], (pair) => parseInt(pair, 16));
}
