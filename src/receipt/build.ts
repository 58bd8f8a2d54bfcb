/**
 * Makes a receipt for a capsule that was verified.
 *
 * Rule: `docs/spec/receipt.md`, "Building".
 *
 * @module
 */
import { digestValue } from "../canonical/mod.ts";
import { ENVELOPE_SCHEMA, project } from "../capsule/mod.ts";
import type { CapsuleState } from "../capsule/mod.ts";
import { isDigest } from "../hash/mod.ts";
import type { Digest, Sha256 } from "../hash/mod.ts";
import type { Clock } from "../ports/mod.ts";
import { hashReceipt, RECEIPT_SCHEMA, ReceiptError } from "./receipt.ts";
import type { Receipt } from "./receipt.ts";
import type { Signer } from "./signature.ts";

/** What a receipt may say beyond the capsule. */
export interface ReceiptOptions {
  /** Digest of what the run delivered. */
  readonly artifactDigest?: Digest | null;
  /** A gate receipt, as parsed JSON; its `verdict` is copied as data. */
  readonly gateReceipt?: unknown;
  /** Signs the receipt hash; may be asynchronous. */
  readonly signer?: Signer;
}

/**
 * Builds a receipt.
 *
 * @throws {ReceiptError} `receipt.schema_invalid` when the artifact digest is no digest.
 *
 * @example
 * ```ts
 * import { verifyCapsule } from "affidavit/capsule";
 * import { loadSha256 } from "affidavit/hash";
 * import { buildReceipt } from "affidavit/receipt";
 *
 * const sha256 = await loadSha256();
 * const metadata = new TextEncoder().encode(
 *   '{"schema":"capsule-envelope/v1","run_id":"r","capsule_id":"c","harness_version":"h","task_family":"f",' +
 *     '"created_at":"2026-09-02T00:00:00.000Z"}',
 * );
 * const verdict = await verifyCapsule({ journal: new Uint8Array(), metadata }, sha256);
 * if (verdict.ok) console.log(await buildReceipt(verdict.state, () => new Date(0), sha256));
 * ```
 */
export async function buildReceipt(
  state: CapsuleState,
  clock: Clock,
  sha256: Sha256,
  options: ReceiptOptions = {},
): Promise<Receipt> {
  const { gateReceipt } = options;
  const hashed = {
    schema: RECEIPT_SCHEMA as typeof RECEIPT_SCHEMA,
    envelope_schema: ENVELOPE_SCHEMA as typeof ENVELOPE_SCHEMA,
    capsule_id: state.metadata.capsule_id,
    run_id: state.metadata.run_id,
    capsule_root: state.root_hash,
    entry_count: state.entry_count,
    journal_sha256: state.journal_sha256,
    projection_hash: project(state, sha256).projection_hash,
    artifact_digest: readArtifactDigest(options.artifactDigest),
    gate_receipt_digest: gateReceipt ? digestValue("capsule-v1", gateReceipt, sha256) : null,
    gate_verdict: (gateReceipt ? (gateReceipt as { verdict?: unknown }).verdict : null) || null,
    created_at: clock().toISOString(),
    signature: null,
  };
  const receipt_hash = hashReceipt(hashed, sha256);
  const signature = options.signer === undefined ? null : await options.signer(receipt_hash);
  return { ...hashed, signature, receipt_hash };
}

/**
 * The artifact digest as a receipt holds it; `null` when not given.
 *
 * @throws {ReceiptError} `receipt.schema_invalid` when it is no digest.
 */
export function readArtifactDigest(value: unknown): Digest | null {
  if (value === undefined || value === null) return null;
  if (isDigest(value)) return value;
  throw new ReceiptError(
    "receipt.schema_invalid",
    "Building a receipt: the artifact digest is not 64 lower-case hexadecimal digits",
  );
}
