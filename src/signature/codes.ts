/**
 * The codes of keys and signatures; each has a row in `docs/errors.md`.
 *
 * @module
 */

/** What reading a key refuses with. */
export const KEY_CODES = [
  "signature.key_malformed",
  "signature.key_wrong_kind",
  "signature.weak_key",
] as const;

/** What this runtime may lack. */
export const SIGNATURE_CODES = ["signature.unavailable"] as const;

/** A code of {@linkcode KEY_CODES}. */
export type KeyCode = typeof KEY_CODES[number];

/** A code of {@linkcode SIGNATURE_CODES}. */
export type SignatureCode = typeof SIGNATURE_CODES[number];
