/**
 * The checks of a receipt in the order in which they are made, and the one code of building. Each has a row in
 * `docs/errors.md`.
 *
 * @module
 */

/** Every check; a refusal names the first that fails. */
export const RECEIPT_CHECKS = [
  "schema",
  "receipt_hash",
  "signature",
  "journal_present",
  "journal_integrity",
  "truncation",
  "capsule_root",
  "stale_checkpoint",
  "metadata",
  "projection",
  "artifact",
  "gate_receipt",
] as const;

/** The name of a check. */
export type ReceiptCheck = typeof RECEIPT_CHECKS[number];

/** What building a receipt refuses with, besides what verifying its capsule does. */
export const RECEIPT_CODES = ["receipt.schema_invalid"] as const;

/** A code of {@linkcode RECEIPT_CODES}. */
export type ReceiptCode = typeof RECEIPT_CODES[number];
