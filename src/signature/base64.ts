/**
 * Base64 (RFC 4648) in its one canonical spelling: padded, no blanks, no stray bits.
 *
 * @module
 */

/** The base64 text of bytes. */
export function encodeBase64(bytes: Uint8Array): string {
  let text = ""; // byte by byte: a call with as many arguments as bytes fails past some number of them
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text);
}

/** The bytes of a base64 text; `undefined` for any spelling but the canonical one. Meant for keys and signatures. */
export function decodeBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(text) || text.length % 4 !== 0) return undefined;
  const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  return encodeBase64(bytes) === text ? bytes : undefined;
}
