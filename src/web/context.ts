/**
 * The first failure in its place: what was expected there and what was found, and the lines around it.
 *
 * @module
 */
import { decodeUtf8, MAX_TEXT_BYTES, readWhole } from "../core/mod.ts";
import { digestValue, parseJson } from "../canonical/mod.ts";
import { describeFault, formatEntry, hashEntry, project } from "../capsule/mod.ts";
import type { CapsuleState, Entry, JournalState, Refused } from "../capsule/mod.ts";
import type { Sha256 } from "../hash/mod.ts";
import { digestFile, hashReceipt, readReceipt } from "../receipt/mod.ts";
import type { Receipt, ReceiptCheck } from "../receipt/mod.ts";
import { findBadUtf8, findLine, findLineStart, linesBefore, linesFrom, readRange } from "./blob.ts";
import type { RawLine } from "./blob.ts";
import type { Evidence, Outcome, Stated } from "./verify.ts";
import type { Mark } from "./words.ts";

/** A thing that has two values where it should have one; `what` is a key of the table of words. */
export interface Pair {
  readonly what: PairName;
  readonly expected: string;
  readonly found: string;
}

/** What a pair is about. */
export type PairName =
  | "entries"
  | "root"
  | "journalDigest"
  | "seq"
  | "parent"
  | "entryHash"
  | "spelling"
  | "run_id"
  | "capsule_id"
  | "harness_version"
  | "task_family"
  | "receiptHash"
  | "projection"
  | "artifact"
  | "gate";

/** A line of the journal around a failure. */
export interface ContextLine extends RawLine {
  /** Its index, where it is known. */
  readonly index: number | null;
  /** Is it the one at fault? */
  readonly isFault: boolean;
}

/** The first failure in its place. */
export interface Context {
  /** Index of the entry at fault. */
  readonly entry: number | null;
  /** Offset of the byte at fault, where it is a byte. */
  readonly byte: number | null;
  /** What was expected and found. */
  readonly pairs: readonly Pair[];
  /** Everything that is wrong with the entry by itself, in words of the library. */
  readonly faults: readonly string[];
  /** The lines around it. */
  readonly lines: readonly ContextLine[];
  /** What is said of the line at fault. */
  readonly mark: Mark;
}

/** The context of what failed; `null` when nothing did, or when there is nothing to show. */
export async function describeFailure(
  outcome: Outcome,
  evidence: Evidence,
  sha256: Sha256,
): Promise<Context | null> {
  try {
    const { capsule } = outcome;
    if (capsule?.ok === false) return await describeRefusal(capsule, evidence, outcome, sha256);
    const check = outcome.receipt?.check ?? null;
    return check === null ? null : await describeCheck(check, outcome, evidence, sha256);
  } catch {
    return null; // a file that cannot be read again: the verdict stands without it
  }
}

const NOTHING: Context = {
  entry: null,
  byte: null,
  pairs: [],
  faults: [],
  lines: [],
  mark: "fault",
};
const AROUND = 2;

async function describeRefusal(
  refused: Refused,
  { journal }: Evidence,
  outcome: Outcome,
  sha256: Sha256,
): Promise<Context | null> {
  if (!(journal instanceof Blob)) return null;
  const { code, failed_at } = refused;
  if (failed_at === null) {
    return code === "capsule.non_canonical" ? await describeBadUtf8(journal) : null;
  }
  const start = code === "capsule.truncated_tail"
    ? await findLineStart(journal, journal.size)
    : refused.at?.byte ?? await findLine(journal, failed_at);
  const lines = await linesAround(journal, start, failed_at);
  const text = await readLine(journal, start);
  const pairs = code === "capsule.truncated_tail" || text === undefined
    ? []
    : pairsOf(refused, text, outcome, sha256);
  const faults = (refused.faults ?? []).map(describeFault);
  return { ...NOTHING, entry: failed_at, pairs, faults, lines };
}

async function describeBadUtf8(journal: Blob): Promise<Context> {
  const byte = await findBadUtf8(journal);
  const lines = await linesAround(journal, await findLineStart(journal, byte), null);
  return { ...NOTHING, byte, lines };
}

async function linesAround(
  journal: Blob,
  byte: number,
  index: number | null,
): Promise<ContextLine[]> {
  const before = await linesBefore(journal, byte, AROUND);
  const after = await linesFrom(journal, byte, AROUND + 1);
  return [...before, ...after].map((line, at) => ({
    ...line,
    index: index === null ? null : index + at - before.length,
    isFault: at === before.length,
  }));
}

/** The text of a line that a second look is worth: not of one past the bound. */
async function readLine(journal: Blob, byte: number): Promise<string | undefined> {
  for (let size = 1 << 16;; size *= 16) {
    const bytes = await readRange(journal, byte, byte + size);
    const end = bytes.indexOf(0x0a);
    if (end >= 0 || byte + size >= journal.size) {
      return decodeUtf8(bytes.subarray(0, end < 0 ? undefined : end));
    }
    if (size >= MAX_TEXT_BYTES) return undefined;
  }
}

function pairsOf(refused: Refused, text: string, outcome: Outcome, sha256: Sha256): Pair[] {
  const { code, expected, found, faults } = refused;
  if (expected !== undefined && found !== undefined) {
    return [{ what: code === "capsule.reordered" ? "seq" : "parent", expected, found }];
  }
  const parsed = parseJson(text);
  if (!parsed.ok) return [];
  const entry = parsed.value as Entry;
  if (faults?.[0]?.kind === "entry_hash_mismatch") {
    return [{ what: "entryHash", expected: hashEntry(entry, sha256), found: entry.entry_hash }];
  }
  if (code === "capsule.non_canonical") return [differenceOf(formatEntry(entry), text)];
  const { metadata } = outcome;
  if (code !== "capsule.metadata_mismatch" || metadata === null) return [];
  const names = ["run_id", "capsule_id", "harness_version", "task_family"] as const;
  return names.filter((name) => entry[name] !== metadata[name]).map((name) => ({
    what: name,
    expected: metadata[name],
    found: entry[name],
  }));
}

/** Both spellings from shortly before the first character that differs. */
function differenceOf(expected: string, found: string): Pair {
  let at = 0;
  while (at < expected.length && expected[at] === found[at]) at++;
  const from = Math.max(0, at - 30);
  const part = (text: string): string => (from > 0 ? "…" : "") + text.slice(from, at + 60);
  return { what: "spelling", expected: part(expected), found: part(found) };
}

async function describeCheck(
  check: ReceiptCheck,
  { stated, capsule, receipt }: Outcome,
  evidence: Evidence,
  sha256: Sha256,
): Promise<Context | null> {
  if (stated === null) return null;
  if (check === "receipt_hash") return await describeReceiptHash(evidence, sha256);
  const state = capsule?.ok === true ? capsule.state : undefined;
  if (state === undefined || receipt === null) return null;
  const pair = await pairOf(check, stated, state, evidence, sha256);
  if (pair === undefined) return null;
  const pairs = Array.isArray(pair) ? pair : [pair];
  const { journal } = evidence;
  const { entry, mark } = placeOf(check, stated, state);
  if (entry < 0 || !(journal instanceof Blob)) return { ...NOTHING, pairs };
  const lines = await linesAround(journal, await findLine(journal, entry), entry);
  return { ...NOTHING, entry, pairs, lines, mark };
}

/** The entry that people want to look at, -1 for none: the last that is there, the last stated, the first that is not. */
function placeOf(
  check: ReceiptCheck,
  stated: Stated,
  state: JournalState,
): { entry: number; mark: Mark } {
  switch (check) {
    case "truncation":
      return { entry: state.entry_count - 1, mark: "end" };
    case "capsule_root":
      return { entry: stated.entry_count - 1, mark: "seen" };
    case "stale_checkpoint":
      return { entry: stated.entry_count, mark: "unseen" };
    default:
      return { entry: -1, mark: "fault" };
  }
}

async function pairOf(
  check: ReceiptCheck,
  stated: Stated,
  state: JournalState,
  evidence: Evidence,
  sha256: Sha256,
): Promise<Pair | Pair[] | undefined> {
  const pair = (what: PairName, expected: unknown, found: unknown): Pair => ({
    what,
    expected: String(expected),
    found: String(found),
  });
  switch (check) {
    case "truncation":
    case "stale_checkpoint":
      return pair("entries", stated.entry_count, state.entry_count);
    case "capsule_root":
      return pair("root", stated.capsule_root, state.prefix_root);
    case "journal_integrity":
      return pair("journalDigest", stated.journal_sha256, state.journal_sha256);
    case "metadata": {
      const { metadata } = state as CapsuleState;
      const names = ["run_id", "capsule_id"] as const;
      return names.filter((name) => stated[name] !== metadata[name])
        .map((name) => pair(name, stated[name], metadata[name]));
    }
    case "projection":
      return pair(
        "projection",
        stated.projection_hash,
        project(state as CapsuleState, sha256).projection_hash,
      );
    case "artifact":
      return pair(
        "artifact",
        stated.artifact_digest ?? "-",
        await digestFile(evidence.artifact ?? null, sha256) ?? "-",
      );
    case "gate_receipt":
      return pair("gate", stated.gate_receipt_digest ?? "-", await digestGate(evidence, sha256));
    default:
      return undefined;
  }
}

async function describeReceiptHash({ receipt }: Evidence, sha256: Sha256): Promise<Context | null> {
  const bytes = await readWhole(receipt ?? null, MAX_TEXT_BYTES);
  const document = bytes.ok ? readReceipt(bytes.value) : bytes;
  if (!document.ok) return null;
  const { receipt_hash } = document.value as Receipt;
  const pair = {
    what: "receiptHash",
    expected: hashReceipt(document.value, sha256),
    found: receipt_hash,
  } as const;
  return { ...NOTHING, pairs: [pair] };
}

async function digestGate({ gate }: Evidence, sha256: Sha256): Promise<string> {
  const bytes = await readWhole(gate ?? null, MAX_TEXT_BYTES);
  const text = bytes.ok ? decodeUtf8(bytes.value) : undefined;
  const parsed = text === undefined ? undefined : parseJson(text);
  return parsed?.ok === true ? digestValue("capsule-v1", parsed.value, sha256) : "-";
}
