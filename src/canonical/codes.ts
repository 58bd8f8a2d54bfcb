/**
 * The codes of reading JSON and of writing canonical text; each has a row in `docs/errors.md`.
 *
 * @module
 */

/** What the reader of the capsule formats refuses with. */
export const JSON_CODES = ["json.syntax", "json.too_deep"] as const;

/** What the strict reader refuses with, besides. */
export const STRICT_JSON_CODES = [
  "json.too_large",
  "json.byte_order_mark",
  "json.bad_utf8",
  "json.trailing",
  "json.duplicate_key",
] as const;

/** What a canonical form refuses a value with. */
export const CANONICAL_CODES = [
  "canonical.no_text",
  "canonical.too_deep",
  "canonical.not_encodable",
  "canonical.non_finite_number",
  "canonical.ambiguous_number",
] as const;

/** What a commitment that does not hold is refused with. */
export const COMMITMENT_CODES = [
  "canonical.commitment_malformed",
  "canonical.commitment_mismatch",
] as const;

/** A code of {@linkcode JSON_CODES}. */
export type JsonCode = typeof JSON_CODES[number];

/** A code of {@linkcode JSON_CODES} or {@linkcode STRICT_JSON_CODES}. */
export type StrictJsonCode = JsonCode | typeof STRICT_JSON_CODES[number];

/** A code of {@linkcode CANONICAL_CODES}. */
export type CanonicalCode = typeof CANONICAL_CODES[number];

/** A code of {@linkcode COMMITMENT_CODES}. */
export type CommitmentCode = typeof COMMITMENT_CODES[number];
