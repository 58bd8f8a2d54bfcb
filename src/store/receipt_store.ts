/**
 * Receipts for a capsule in a directory.
 *
 * Rule: `docs/spec/receipt.md`.
 *
 * @module
 */
import type { FileInput } from "../core/mod.ts";
import { FILES, project } from "../capsule/mod.ts";
import type { Digest, Sha256 } from "../hash/mod.ts";
import type { Directory } from "../ports/mod.ts";
import { buildReceipt, checkReceipt, readArtifactDigest } from "../receipt/mod.ts";
import type {
  CheckOptions,
  Receipt,
  ReceiptEvidence,
  ReceiptOptions,
  ReceiptVerdict,
} from "../receipt/mod.ts";
import { saveProjection } from "./capsule_store.ts";
import type { StoreEnvironment } from "./environment.ts";
import { readFileInput } from "./files.ts";
import { requireVerified } from "./verified.ts";

/** What a receipt may say beyond the capsule. */
export interface DirectoryReceiptOptions extends ReceiptOptions {
  /** Takes the digest of the artifact when none is given; a failure of it is the failure of the call. */
  readonly digestArtifact?: () => Promise<Digest>;
}

/**
 * Builds a receipt for the capsule in a directory, and writes the capsule's projection.
 *
 * @throws {ReceiptError} `receipt.schema_invalid` when the artifact digest is no digest.
 * @throws {CapsuleError} the verification's code. @throws {IoError} with the system's code.
 */
export async function buildReceiptFor(
  directory: Directory,
  environment: StoreEnvironment,
  options: DirectoryReceiptOptions = {},
): Promise<Receipt> {
  const { sha256, clock, randomBytes } = environment;
  const artifactDigest = readArtifactDigest(options.artifactDigest) ??
    await options.digestArtifact?.() ?? null;
  const state = await requireVerified(directory, sha256);
  await saveProjection(directory, project(state, sha256), randomBytes);
  return buildReceipt(state, clock, sha256, { ...options, artifactDigest });
}

/** Checks a receipt against the capsule in a directory. Content never makes it throw, and nothing is written. */
export async function checkReceiptFor(
  receipt: unknown,
  directory: Directory,
  sha256: Sha256,
  beside: Omit<ReceiptEvidence, "journal" | "metadata" | "projection"> = {},
  options: CheckOptions = {},
): Promise<ReceiptVerdict> {
  const read = (name: string): Promise<FileInput> => readFileInput(directory, name);
  const evidence = {
    journal: await read(FILES.journal),
    metadata: await read(FILES.metadata),
    projection: await read(FILES.projection),
  };
  return checkReceipt(receipt, { ...beside, ...evidence }, sha256, options);
}
