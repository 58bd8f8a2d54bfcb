/**
 * Checks a receipt against a capsule and, where given, an artifact, a gate receipt and a pinned key.
 *
 * Rule: `docs/spec/receipt.md`, "Verification": the order of the checks is part of the format, and the first that fails
 * is the answer.
 *
 * @module
 */
import {
  decodeUtf8,
  EvidenceError,
  isUnreadable,
  MAX_TEXT_BYTES,
  ok,
  readPieces,
  readWhole,
  SourceError,
} from "../core/mod.ts";
import type { FileInput } from "../core/mod.ts";
import { digestValue, parseJson } from "../canonical/mod.ts";
import { ALWAYS_OPEN, project, verifyCapsule } from "../capsule/mod.ts";
import type {
  CapsuleFiles,
  CapsuleOptions,
  CapsuleState,
  CapsuleVerdict,
  NotChecked,
} from "../capsule/mod.ts";
import type { Digest, Sha256 } from "../hash/mod.ts";
import { RECEIPT_CHECKS } from "./codes.ts";
import type { ReceiptCheck } from "./codes.ts";
import { hashReceipt, isObject, readReceipt, validateReceipt } from "./receipt.ts";
import type { Receipt } from "./receipt.ts";
import type { Verifier } from "./signature.ts";

/** What a receipt is checked against. */
export interface ReceiptEvidence extends CapsuleFiles {
  /** `projection.json` */
  readonly projection: FileInput;
  /** The artifact; leave it out when there is none to check (`null` is one that is missing, and fails). */
  readonly artifact?: FileInput;
  /** Digest of the artifact where the artifact itself is not at hand. An empty text is none. */
  readonly artifactDigest?: string | null;
  /** The gate receipt, as parsed JSON. */
  readonly gateReceipt?: unknown;
}

/** Options of {@linkcode checkReceipt}. */
export interface CheckOptions extends CapsuleOptions {
  /** Checks the signature; without one a signature is reported as present and not checked. */
  readonly verifier?: Verifier;
  /** Largest receipt and largest projection in bytes. Default 64 MiB. */
  readonly maxTextBytes?: number;
  /** Called with the verdict over the capsule; not called when an earlier check fails. */
  readonly onCapsule?: (verdict: CapsuleVerdict) => void;
}

/** One check of a receipt. */
export interface CheckLine {
  /** Its name. */
  readonly check: ReceiptCheck;
  /** `not_checked`: nothing was given to check it with; `not_reached`: an earlier check failed. */
  readonly status: "holds" | "fails" | "not_checked" | "not_reached";
}

/** The answer about a receipt. */
export interface ReceiptVerdict {
  /** True when no check fails; some may not have been made. */
  readonly ok: boolean;
  /** The first check that fails; `null` when none does. */
  readonly check: ReceiptCheck | null;
  /** What is wrong, in words; `null` when nothing is. */
  readonly reason: string | null;
  /** Every check in order. */
  readonly checks: readonly CheckLine[];
  /** What this answer leaves open. */
  readonly not_checked: readonly NotChecked[];
}

/**
 * Checks a receipt.
 *
 * @param receipt the bytes of its file, or its parsed JSON.
 * @returns the first failing check, or that all hold; content never makes it throw.
 *
 * @example
 * ```ts
 * import { loadSha256 } from "affidavit/hash";
 * import { checkReceipt } from "affidavit/receipt";
 *
 * const nothing = { journal: null, metadata: null, projection: null };
 * const verdict = await checkReceipt({ schema: "something else" }, nothing, await loadSha256());
 * console.log(verdict.ok, verdict.check); // false schema
 * ```
 */
export async function checkReceipt(
  receipt: unknown,
  evidence: ReceiptEvidence,
  sha256: Sha256,
  options: CheckOptions = {},
): Promise<ReceiptVerdict> {
  const document = receipt instanceof Uint8Array
    ? readReceipt(receipt, { maxBytes: maxTextBytes(options) })
    : ok(receipt);
  const failure = document.ok
    ? await findFailure(document.value, evidence, sha256, options)
    : failed("schema", document.reason);

  const skipped = new Set<ReceiptCheck>();
  if (options.verifier === undefined) skipped.add("signature");
  if (evidence.artifact === undefined && !evidence.artifactDigest) skipped.add("artifact");
  if (!evidence.gateReceipt) skipped.add("gate_receipt");
  const through = failure === null ? COMPLETION : COMPLETION.slice(
    0,
    COMPLETION.indexOf(failure.reached ?? failure.check),
  );
  const checks = RECEIPT_CHECKS.map((check): CheckLine => {
    if (check === failure?.check) return { check, status: "fails" };
    if (skipped.has(check)) return { check, status: "not_checked" };
    return { check, status: through.includes(check) ? "holds" : "not_reached" };
  });
  const isSigned = document.ok && isObject(document.value) &&
    Boolean((document.value as Partial<Receipt>).signature);
  return {
    ok: failure === null,
    check: failure?.check ?? null,
    reason: failure === null ? null : `Checking the receipt: ${failure.reason}`,
    checks,
    not_checked: failure?.check === "schema" ? [] : listUnchecked(checks, isSigned),
  };
}

function maxTextBytes(options: CheckOptions): number {
  return options.maxTextBytes ?? MAX_TEXT_BYTES;
}

/**
 * The checks in the order in which they are through. `journal_integrity` and `metadata` are made in two parts: the
 * second, against the receipt, comes after the length of the journal was compared.
 */
const COMPLETION: readonly ReceiptCheck[] = [
  "schema",
  "receipt_hash",
  "signature",
  "journal_present",
  "truncation",
  "capsule_root",
  "stale_checkpoint",
  "journal_integrity",
  "metadata",
  "projection",
  "artifact",
  "gate_receipt",
];

interface Failure {
  readonly check: ReceiptCheck;
  readonly reason: string;
  /** The first check of {@linkcode COMPLETION} that was not through, where it is not `check`. */
  readonly reached?: ReceiptCheck;
}

async function findFailure(
  document: unknown,
  evidence: ReceiptEvidence,
  sha256: Sha256,
  options: CheckOptions,
): Promise<Failure | null> {
  const valid = validateReceipt(document);
  if (!valid.ok) return failed("schema", valid.reason);
  const receipt = valid.value;
  const wrong = checkHash(receipt, sha256);
  if (wrong !== null) return wrong;
  if (options.verifier !== undefined) {
    const failure = await checkSignature(receipt, options.verifier);
    if (failure !== null) return failure;
  }
  if (evidence.journal === null) return failed("journal_present", "there is no journal");
  const capsule = await verifyCapsule(evidence, sha256, {
    ...options,
    prefix: receipt.entry_count,
  });
  options.onCapsule?.(capsule);
  if (!capsule.ok) {
    const check = capsule.code.startsWith("capsule.metadata_") ? "metadata" : "journal_integrity";
    return { ...failed(check, `${capsule.code}: ${capsule.reason}`), reached: "truncation" };
  }
  return checkJournal(receipt, capsule.state) ??
    await checkProjection(receipt, evidence.projection, capsule.state, sha256, options) ??
    await checkArtifact(receipt, evidence, sha256) ??
    checkGateReceipt(receipt, evidence.gateReceipt, sha256);
}

function checkHash(receipt: Receipt, sha256: Sha256): Failure | null {
  try {
    if (hashReceipt(receipt, sha256) === receipt.receipt_hash) return null;
  } catch (error) { // what has no canonical text, such as nesting past the bound, is no receipt
    if (error instanceof EvidenceError) return failed("schema", error.message);
    throw error;
  }
  return failed(
    "receipt_hash",
    "its receipt_hash is not the hash of its other members: something in it was changed",
  );
}

async function checkSignature(receipt: Receipt, verifier: Verifier): Promise<Failure | null> {
  if (!receipt.signature) return failed("signature", "it is not signed");
  try {
    if (await verifier(receipt.receipt_hash, receipt.signature)) return null;
  } catch {
    return failed("signature", "the verifier of its signature threw an error");
  }
  return failed("signature", "its signature is not one of the pinned key over its receipt_hash");
}

function checkJournal(receipt: Receipt, state: CapsuleState): Failure | null {
  const [stated, found] = [receipt.entry_count, state.entry_count];
  if (found < stated) {
    return failed(
      "truncation",
      `the journal has ${found} entries where the receipt saw ${stated}: its tail was cut`,
    );
  }
  if (state.prefix_root !== receipt.capsule_root) {
    return failed(
      "capsule_root",
      `after ${stated} entries the journal has another root than the receipt states`,
    );
  }
  if (found > stated) {
    return failed(
      "stale_checkpoint",
      `the journal went on to ${found} entries after the receipt, which saw ${stated}`,
    );
  }
  if (state.journal_sha256 !== receipt.journal_sha256) {
    return failed(
      "journal_integrity",
      "the bytes of the journal are not those that the receipt states",
    );
  }
  const { run_id, capsule_id } = state.metadata;
  if (run_id !== receipt.run_id || capsule_id !== receipt.capsule_id) {
    return failed("metadata", "it is about another run or capsule");
  }
  return null;
}

async function checkProjection(
  receipt: Receipt,
  input: FileInput,
  state: CapsuleState,
  sha256: Sha256,
  options: CheckOptions,
): Promise<Failure | null> {
  const bytes = await readWhole(input, maxTextBytes(options));
  if (!bytes.ok) return failed("projection", `the projection is ${bytes.reason}`);
  const text = decodeUtf8(bytes.value);
  const parsed = text === undefined ? undefined : parseJson(text);
  if (parsed?.ok !== true || !isObject(parsed.value)) {
    return failed("projection", "the projection is no JSON object");
  }
  const { projection_hash, ...rest } = parsed.value as { projection_hash?: unknown };
  if (digestValue("capsule-v1", rest, sha256) !== projection_hash) {
    return failed("projection", "the projection does not have the hash that it states");
  }
  if (projection_hash !== receipt.projection_hash) {
    return failed("projection", "the projection is not the one that the receipt states");
  }
  if (!isIdentical(parsed.value, project(state, sha256))) {
    return failed("projection", "the projection is not the one that the journal gives");
  }
  return null;
}

async function checkArtifact(
  receipt: Receipt,
  evidence: ReceiptEvidence,
  sha256: Sha256,
): Promise<Failure | null> {
  let found: string;
  if (evidence.artifact !== undefined) {
    const digest = await digestFile(evidence.artifact, sha256);
    if (digest === null) return failed("artifact", "the artifact is absent or unreadable");
    found = digest;
  } else if (evidence.artifactDigest) {
    found = evidence.artifactDigest;
  } else {
    return null;
  }
  if (found === receipt.artifact_digest) return null;
  return receipt.artifact_digest === null
    ? failed("artifact", "the receipt is about no artifact")
    : failed("artifact", "the artifact is not the one that the receipt states");
}

/** The digest of a file's bytes; `null` when it cannot be read. */
export async function digestFile(input: FileInput, sha256: Sha256): Promise<Digest | null> {
  if (input === null || isUnreadable(input)) return null;
  const running = sha256.start();
  try {
    for await (const piece of readPieces(input)) running.update(piece);
  } catch (error) {
    if (error instanceof SourceError) return null;
    throw error;
  }
  return running.digest();
}

function checkGateReceipt(receipt: Receipt, gateReceipt: unknown, sha256: Sha256): Failure | null {
  if (!gateReceipt) return null;
  try {
    if (digestValue("capsule-v1", gateReceipt, sha256) === receipt.gate_receipt_digest) return null;
  } catch (error) {
    if (!(error instanceof EvidenceError)) throw error;
  }
  return failed("gate_receipt", "the gate receipt is not the one that the receipt states");
}

/** Equal JSON values: same members in any order, and 0 apart from -0. */
function isIdentical(a: unknown, b: unknown): boolean {
  if (!isObject(a) || !isObject(b)) return Object.is(a, b);
  const [left, right] = [a as Record<string, unknown>, b as Record<string, unknown>];
  const names = Object.keys(left);
  return names.length === Object.keys(right).length &&
    names.every((name) => Object.hasOwn(right, name) && isIdentical(left[name], right[name]));
}

function listUnchecked(checks: readonly CheckLine[], isSigned: boolean): NotChecked[] {
  const status = (name: ReceiptCheck) => checks.find(({ check }) => check === name)?.status;
  const open: NotChecked[] = [];
  if (status("signature") === "not_checked") {
    open.push(
      isSigned
        ? {
          what: "signature",
          why: "the receipt carries a signature, which was not checked",
          how: "a verifier for a key that you pinned beforehand",
        }
        : { what: "signature", why: "the receipt is not signed", how: null },
    );
  }
  if (status("artifact") === "not_checked") {
    open.push({
      what: "artifact",
      why: "no artifact was given to compare with",
      how: "the artifact, or its digest",
    });
  }
  if (status("gate_receipt") === "not_checked") {
    open.push({
      what: "gate_receipt",
      why: "no gate receipt was given to compare with",
      how: "the gate receipt",
    });
  }
  const isFromPinnedKey = status("signature") === "holds";
  return [...open, ...ALWAYS_OPEN.filter(({ what }) => what !== "origin" || !isFromPinnedKey)];
}

function failed(check: ReceiptCheck, reason: string): Failure {
  return { check, reason };
}
