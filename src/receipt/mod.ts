/**
 * Receipts: build one from a verified capsule, check one against evidence.
 *
 * @module
 */
export type { ReceiptCheck, ReceiptCode } from "./codes.ts";
export { RECEIPT_CHECKS, RECEIPT_CODES } from "./codes.ts";
export type { Receipt } from "./receipt.ts";
export {
  formatReceipt,
  hashReceipt,
  readReceipt,
  RECEIPT_SCHEMA,
  ReceiptError,
  validateReceipt,
} from "./receipt.ts";
export type { Signer, Verifier } from "./signature.ts";
export { ed25519Signer, ed25519Verifier } from "./signature.ts";
export type { ReceiptOptions } from "./build.ts";
export { buildReceipt, readArtifactDigest } from "./build.ts";
export type { CheckLine, CheckOptions, ReceiptEvidence, ReceiptVerdict } from "./check.ts";
export { checkReceipt, digestFile } from "./check.ts";
