/**
 * Bytes of files of a task set or variant as text.
 *
 * @module
 */

/** Takes bytes that are not UTF-8 as well, since the digest is that of the bytes; a byte order mark stays. */
export function decodeTolerantly(bytes: Uint8Array): string {
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
}
