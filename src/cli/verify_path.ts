/**
 * Verifies what was found at a path, each kind in its own way, and pairs receipts and projections with their capsules.
 *
 * @module
 */
import { basename, dirname, resolve } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { decodeUtf8, MAX_TEXT_BYTES, readWhole } from "../core/mod.ts";
import { digestValue, parseJson } from "../canonical/mod.ts";
import {
  ALWAYS_OPEN,
  FILES,
  listUnchecked,
  parseMetadata,
  project,
  verifyCapsule,
  verifyJournal,
} from "../capsule/mod.ts";
import type { Expectation, Metadata, NotChecked } from "../capsule/mod.ts";
import type { Sha256 } from "../hash/mod.ts";
import { directoryAt, fileAt, readReceiptAt } from "../node/mod.ts";
import { checkReceipt } from "../receipt/mod.ts";
import { readFileInput } from "../store/mod.ts";
import { readArtifact, readCapsule, readWithProgress } from "./evidence.ts";
import type { PinnedKey } from "./evidence.ts";
import { identify } from "./identify.ts";
import type { Found, Kind } from "./identify.ts";
import type { Io } from "./io.ts";
import { reportOf, withSigner } from "./verdict.ts";
import type { CapsuleReport, SignedVerdict } from "./verdict.ts";

/** What came of a path. */
export type Result = CapsuleResult | ReceiptResult | PlainResult;

/** Of a capsule, or of a journal by itself. */
export interface CapsuleResult extends CapsuleReport {
  readonly path: string;
  readonly kind: "capsule" | "journal";
}

/** Of a receipt, against one capsule. */
export interface ReceiptResult extends SignedVerdict {
  readonly path: string;
  readonly kind: "receipt";
  readonly capsule: string;
}

/** Of any other file, and of a receipt without a capsule. */
export interface PlainResult {
  readonly path: string;
  readonly kind: "receipt" | "metadata" | "projection" | null;
  readonly ok: boolean;
  readonly code: string;
  readonly reason: string | null;
  readonly not_checked: readonly NotChecked[];
}

/** What to verify against. */
export interface Task {
  readonly io: Io;
  readonly sha256: Sha256;
  readonly expected: Expectation;
  readonly artifact: string | undefined;
  readonly gateReceipt: unknown;
  readonly key: PinnedKey | undefined;
  /** Capsules among the paths, and who they say they are. */
  readonly capsules: readonly NamedCapsule[];
}

/** A capsule's directory, and its metadata when that is valid. */
export interface NamedCapsule {
  readonly path: string;
  readonly metadata: Metadata | undefined;
}

/** Reads who a capsule says it is. */
export async function nameCapsule(path: string): Promise<NamedCapsule> {
  const input = await readFileInput(directoryAt(path), FILES.metadata);
  const bytes = await readWhole(input, MAX_TEXT_BYTES);
  const metadata = bytes.ok ? parseMetadata(bytes.value) : bytes;
  return { path, metadata: metadata.ok ? metadata.value : undefined };
}

/** Verifies one path; a receipt has a result for each capsule that it is checked against. */
export async function verifyPath(found: Found, task: Task): Promise<readonly Result[]> {
  const { path, kind } = found;
  switch (kind) {
    case null:
      return [refuse(path, kind, found.code, found.reason)];
    case "capsule": {
      const verdict = await verifyCapsule(await readCapsule(path, task.io), task.sha256);
      return [{ path, kind, ...reportOf(verdict, task.expected) }];
    }
    case "journal":
      return [await verifyJournalFile(path, task)];
    case "receipt":
      return await verifyReceiptFile(path, task);
    case "metadata":
      return [await verifyMetadataFile(path)];
    case "projection":
      return [await verifyProjectionFile(path, task)];
  }
}

/** The receipt by which, among these results, the tail of a capsule was checked. */
export function findReceipt(capsule: Result, results: readonly Result[]): string | undefined {
  if (capsule.kind !== "capsule") return undefined;
  return results.find((other) =>
    "capsule" in other && other.ok && resolve(other.capsule) === resolve(capsule.path)
  )?.path;
}

async function verifyJournalFile(path: string, task: Task): Promise<CapsuleResult> {
  const input = await readWithProgress(directoryAt(dirname(path)), basename(path), task.io);
  const report = reportOf(await verifyJournal(input, task.sha256), task.expected);
  const metadata = {
    what: "metadata",
    why: "whose run this is: the journal was verified without its capsule.json",
    how: "the directory of the capsule",
  };
  const not_checked = report.ok ? [...report.not_checked, metadata] : [];
  return { path, kind: "journal", ...report, not_checked };
}

async function verifyReceiptFile(path: string, task: Task): Promise<Result[]> {
  const receipt = await readReceiptAt(path);
  const capsules = await findCapsules(path, receipt, task);
  if (capsules.length === 0) {
    const why =
      "a receipt shows nothing without its capsule, and none with its run and capsule id " +
      "is among the paths, nor is there one in its own directory";
    return [refuse(path, "receipt", "cli.receipt_alone", why)];
  }
  const results: ReceiptResult[] = [];
  for (const capsule of capsules) {
    const verdict = await checkReceipt(
      receipt,
      {
        gateReceipt: task.gateReceipt,
        ...await readArtifact(task.artifact),
        ...await readCapsule(capsule, task.io),
      },
      task.sha256,
      { ...task.key },
    );
    results.push({ path, kind: "receipt", capsule, ...withSigner(verdict, task.key) });
  }
  return results;
}

async function verifyMetadataFile(path: string): Promise<PlainResult> {
  const bytes = await readWhole(await fileAt(path), MAX_TEXT_BYTES);
  const metadata = bytes.ok ? parseMetadata(bytes.value) : bytes;
  if (!metadata.ok) return refuse(path, "metadata", "capsule.metadata_invalid", metadata.reason);
  const journal = {
    what: "journal",
    why: "these are names only, bound to nothing: no entry was looked at",
    how: "the directory of the capsule",
  };
  return pass(path, "metadata", [journal, ...ALWAYS_OPEN]);
}

async function verifyProjectionFile(path: string, task: Task): Promise<PlainResult> {
  const refused = (why: string): PlainResult =>
    refuse(path, "projection", "cli.projection_invalid", why);
  const bytes = await readWhole(await fileAt(path), MAX_TEXT_BYTES);
  if (!bytes.ok) return refused(`it is ${bytes.reason}`);
  const projection = parseObject(bytes.value);
  if (projection === undefined) return refused("it is no JSON object");
  const { projection_hash, ...rest } = projection;
  if (digestValue("capsule-v1", rest, task.sha256) !== projection_hash) {
    return refused("it does not have the hash that it states");
  }
  const [capsule] = await findCapsules(path, bytes.value, task);
  if (capsule === undefined) {
    const why = "no capsule was found to derive it from: it has the hash that it states, no more";
    const open = { what: "capsule", why, how: "its capsule, given beside it" };
    return pass(path, "projection", [open, ...ALWAYS_OPEN]);
  }
  const verdict = await verifyCapsule(await readCapsule(capsule, task.io), task.sha256);
  if (!verdict.ok) return refused(`its capsule does not verify: ${verdict.code}`);
  return isDeepStrictEqual(projection, project(verdict.state, task.sha256))
    ? pass(path, "projection", listUnchecked(verdict.state))
    : refused("it is not the one that the capsule gives");
}

/** The capsules that a document is about: those given with its ids, else the one that it lies beside. */
async function findCapsules(
  path: string,
  document: Uint8Array,
  { capsules }: Task,
): Promise<string[]> {
  const { run_id, capsule_id } = parseObject(document) ?? {};
  const same = capsules.filter(({ metadata }) =>
    metadata !== undefined && metadata.run_id === run_id && metadata.capsule_id === capsule_id
  );
  if (same.length > 0) return same.map((capsule) => capsule.path);
  const own = dirname(path);
  return (await identify(own)).kind === "capsule" ? [own] : [];
}

function parseObject(bytes: Uint8Array): Readonly<Record<string, unknown>> | undefined {
  const text = decodeUtf8(bytes);
  const parsed = text === undefined ? undefined : parseJson(text);
  const isObject = parsed?.ok === true && typeof parsed.value === "object" &&
    parsed.value !== null && !Array.isArray(parsed.value);
  return isObject ? parsed.value as Record<string, unknown> : undefined;
}

function pass(
  path: string,
  kind: PlainResult["kind"],
  not_checked: readonly NotChecked[],
): PlainResult {
  return { path, kind, ok: true, code: "ok", reason: null, not_checked };
}

function refuse(
  path: string,
  kind: Kind & PlainResult["kind"] | null,
  code: string,
  reason: string,
): PlainResult {
  return { path, kind, ok: false, code, reason, not_checked: [] };
}
