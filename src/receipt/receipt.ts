/**
 * A receipt: a producer's statement of where a journal stood. It holds no result; a gate verdict in it is data that the
 * producer put there.
 *
 * Rule: `docs/spec/receipt.md`.
 *
 * @module
 */
import { decodeUtf8, EvidenceError, fail, MAX_TEXT_BYTES, ok } from "../core/mod.ts";
import type { Result } from "../core/mod.ts";
import { digestValue, formatCapsuleV1, parseJson } from "../canonical/mod.ts";
import { ENVELOPE_SCHEMA, isId } from "../capsule/mod.ts";
import { isDigest } from "../hash/mod.ts";
import type { Digest, Sha256 } from "../hash/mod.ts";
import type { ReceiptCode } from "./codes.ts";

/** The `schema` of a receipt. */
export const RECEIPT_SCHEMA = "capsule-receipt/v1";

/** A receipt over a capsule. Members beyond these are allowed and hashed. */
export interface Receipt {
  /** Name and version of this shape. */
  readonly schema: typeof RECEIPT_SCHEMA;
  /** Name and version of the entries' shape. */
  readonly envelope_schema: typeof ENVELOPE_SCHEMA;
  /** The capsule that it is about. */
  readonly capsule_id: string;
  /** The run that the capsule records. */
  readonly run_id: string;
  /** Root of the journal: hash of its last entry, 64 zeros when it is empty. */
  readonly capsule_root: Digest;
  /** How many entries the journal held. */
  readonly entry_count: number;
  /** Digest of the journal's raw bytes. */
  readonly journal_sha256: Digest;
  /** Digest of the projection under profile `capsule-v1`. */
  readonly projection_hash: Digest;
  /** Digest of what the run delivered; `null` when the receipt is about no artifact. */
  readonly artifact_digest: Digest | null;
  /** Digest of a gate receipt under profile `capsule-v1`; `null` when there is none. */
  readonly gate_receipt_digest: Digest | null;
  /** The `verdict` of that gate receipt, of any type: data, not a result of this library. */
  readonly gate_verdict: unknown;
  /** When it was built, by the builder's clock. */
  readonly created_at: string;
  /** Whatever the signer returned; `null` when unsigned. */
  readonly signature: unknown;
  /** Hash of all other members with `signature` taken as `null`. */
  readonly receipt_hash: Digest;
}

/** Building a receipt was refused. */
export class ReceiptError extends EvidenceError {
  /** Why it was refused. */
  declare readonly code: ReceiptCode;
}

/** Reads the bytes of a receipt as a JSON object; whether it is a receipt is the first check of `checkReceipt`. */
export function readReceipt(
  bytes: Uint8Array,
  options: { maxBytes?: number } = {},
): Result<object, ReceiptCode> {
  const maxBytes = options.maxBytes ?? MAX_TEXT_BYTES;
  if (bytes.length > maxBytes) return invalid(`it is larger than ${maxBytes} bytes`);
  const text = decodeUtf8(bytes);
  if (text === undefined) return invalid("it is not valid UTF-8");
  const parsed = parseJson(text);
  if (!parsed.ok) {
    return invalid(parsed.code === "json.syntax" ? "it is not JSON" : "it is nested too deep");
  }
  return isObject(parsed.value) ? ok(parsed.value) : invalid("it is no JSON object");
}

/** The faults of a value as a receipt, as a text that names the first one; hashes are compared elsewhere. */
export function validateReceipt(value: unknown): Result<Receipt, ReceiptCode> {
  if (!isObject(value)) return invalid("it is no JSON object");
  const receipt = value as Partial<Record<keyof Receipt, unknown>>;
  if (receipt.schema !== RECEIPT_SCHEMA) return invalid(`"schema" is not "${RECEIPT_SCHEMA}"`);
  if (receipt.envelope_schema !== ENVELOPE_SCHEMA) {
    return invalid(`"envelope_schema" is not "${ENVELOPE_SCHEMA}"`);
  }
  if (!Number.isSafeInteger(receipt.entry_count) || (receipt.entry_count as number) < 0) {
    return invalid('"entry_count" is no whole number from 0 to 2^53 - 1');
  }
  for (const name of ["run_id", "capsule_id"] as const) {
    if (!isId(receipt[name])) {
      return invalid(`"${name}" is no id: 1 to 128 of letters, digits and ._:- were wanted`);
    }
  }
  for (
    const name of ["capsule_root", "journal_sha256", "projection_hash", "receipt_hash"] as const
  ) {
    if (!isDigest(receipt[name])) {
      return invalid(
        `"${name}" is not 64 lower-case hexadecimal digits`,
      );
    }
  }
  for (const name of ["artifact_digest", "gate_receipt_digest"] as const) {
    if (receipt[name] !== null && !isDigest(receipt[name])) {
      return invalid(`"${name}" is neither null nor 64 lower-case hexadecimal digits`);
    }
  }
  return ok(value as Receipt);
}

/**
 * The hash that a receipt's `receipt_hash` must be: of every other member, known or not, with `signature` as `null`.
 *
 * @throws {EvidenceError} `canonical.too_deep` for a value nested past 1000 levels.
 */
export function hashReceipt(receipt: object, sha256: Sha256): Digest {
  const { receipt_hash: _, ...rest } = receipt as Receipt;
  return digestValue("capsule-v1", { ...rest, signature: null }, sha256);
}

/** The text of a receipt's file: canonical, and a line feed. */
export function formatReceipt(receipt: Receipt): string {
  return `${formatCapsuleV1(receipt)}\n`;
}

/** Is this a JSON object, rather than a list, `null` or a scalar? */
export function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function invalid(why: string): Result<never, ReceiptCode> {
  return fail("receipt.schema_invalid", `Reading the receipt: ${why}`);
}
