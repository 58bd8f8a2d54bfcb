/**
 * The codes of capsules; each has a row in `docs/errors.md`.
 *
 * @module
 */

/** What a reader of a capsule refuses with. */
export const VERIFY_CODES = [
  "capsule.missing_journal",
  "capsule.unreadable_journal",
  "capsule.non_canonical",
  "capsule.truncated_tail",
  "capsule.corrupt_entry",
  "capsule.invalid_entry",
  "capsule.reordered",
  "capsule.broken_link",
  "capsule.metadata_invalid",
  "capsule.metadata_mismatch",
] as const;

/** What a writer of a capsule refuses with, besides what its reading refuses. */
export const WRITE_CODES = [
  "capsule.exists",
  "capsule.busy",
  "capsule.bad_lineage",
  "capsule.payload_invalid",
  "capsule.secret_canary",
  "capsule.payload_denied",
  "capsule.write_failed",
  "capsule.changed",
  "capsule.lock_lost",
  "capsule.session_ended",
] as const;

/** What a capsule that holds is refused with when it is not the one the caller knows of. */
export const EXPECTATION_CODES = ["capsule.count_differs", "capsule.root_differs"] as const;

/** A code of {@linkcode VERIFY_CODES}. */
export type VerifyCode = typeof VERIFY_CODES[number];

/** A code of {@linkcode VERIFY_CODES} or {@linkcode WRITE_CODES}. */
export type CapsuleCode = VerifyCode | typeof WRITE_CODES[number];

/** A code of {@linkcode EXPECTATION_CODES}. */
export type ExpectationCode = typeof EXPECTATION_CODES[number];
