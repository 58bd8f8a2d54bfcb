/**
 * Verifies what was offered to the page. The verdicts are those of `verifyCapsule`, `verifyJournal` and `checkReceipt`;
 * what is added here is for people: where to look, and what was expected there. Nothing in this file needs a page.
 *
 * @module
 */
import { decodeUtf8, encodeHex, MAX_TEXT_BYTES, readWhole } from "../core/mod.ts";
import type { FileInput, Unreadable } from "../core/mod.ts";
import { parseJson } from "../canonical/mod.ts";
import { parseMetadata, project, verifyCapsule, verifyJournal } from "../capsule/mod.ts";
import type { CapsuleVerdict, Entry, JournalVerdict, Metadata } from "../capsule/mod.ts";
import type { Sha256 } from "../hash/mod.ts";
import { checkReceipt, ed25519Verifier, readReceipt, validateReceipt } from "../receipt/mod.ts";
import type { CheckLine, CheckOptions, Receipt, ReceiptVerdict, Verifier } from "../receipt/mod.ts";
import { readPublicKey, SignatureError, verifyEd25519 } from "../signature/mod.ts";
import type { KeyCode } from "../signature/mod.ts";
import { piecesOf, readRange } from "./blob.ts";
import { describeFailure } from "./context.ts";
import type { Context } from "./context.ts";
import { IndexWriter } from "./entry_index.ts";
import type { Block } from "./entry_index.ts";
import { WORDS } from "./words.ts";

/** A file of the page, `null` when it is missing, or why it cannot be read. */
export type PageFile = Blob | Unreadable | null;

/** What was offered, each file under what it is taken for. A member that is left out was not offered. */
export interface Evidence {
  /** `journal.ndjson` */
  readonly journal: PageFile;
  /** `capsule.json` */
  readonly metadata: PageFile;
  /** `projection.json` */
  readonly projection: PageFile;
  /** Is there a journal and no wish for its `capsule.json`? Then it is verified by itself. */
  readonly isJournalAlone?: boolean;
  /** The receipt. */
  readonly receipt?: Blob | Unreadable;
  /** What the run delivered. */
  readonly artifact?: PageFile;
  /** Its digest, where the file is not at hand. */
  readonly artifactDigest?: string | null;
  /** The gate receipt. */
  readonly gate?: PageFile;
  /** A public key that the reader pinned beforehand. */
  readonly key?: PageFile;
}

/** How a verification is done, and who hears of it. */
export interface Hooks {
  /** Bytes that are read at once. */
  readonly pieceBytes: number;
  /** Called as the journal and the artifact are read. */
  readonly onProgress?: (progress: Progress) => void;
  /** Called with the index of the entries, block by block. */
  readonly onBlock?: (block: Block) => void;
  /** Ends the verification when it is aborted. */
  readonly signal?: AbortSignal;
  /** Stands in for the pinned key's: tests have signatures of other schemes. */
  readonly verifier?: Verifier;
  /** Stands in for the gate file: a value that was parsed already. */
  readonly gateReceipt?: unknown;
}

/** How far a verification is. */
export interface Progress {
  /** Bytes read. */
  readonly done: number;
  /** Bytes of the files that are read in pieces. */
  readonly total: number;
  /** Entries that held so far. */
  readonly entries: number;
}

/** What became of a pinned key. */
export type KeyFinding =
  | { readonly status: "usable"; readonly hex: string }
  | { readonly status: "unavailable" }
  | { readonly status: "refused"; readonly code: KeyCode; readonly reason: string };

/** What became of the gate receipt's file. */
export type GateFinding = { readonly ok: true } | { readonly ok: false; readonly reason: string };

/** How a projection stands; `not_reached` when the capsule does not hold, `not_checked` when there is none. */
export type ProjectionFinding = CheckLine["status"];

/** What a receipt states, as far as the page shows it. Its gate verdict is left out: it would read like a result. */
export type Stated =
  & Pick<
    Receipt,
    | "capsule_id"
    | "run_id"
    | "capsule_root"
    | "entry_count"
    | "journal_sha256"
    | "projection_hash"
    | "artifact_digest"
    | "gate_receipt_digest"
    | "receipt_hash"
  >
  & { readonly isSigned: boolean };

/** Everything that a verification found. It can be sent from a worker. */
export interface Outcome {
  /** The verdict over the capsule, or over the journal alone; `null` when none was offered. */
  readonly capsule: CapsuleVerdict | JournalVerdict | null;
  /** Was the journal verified alone? */
  readonly isJournalAlone: boolean;
  /** The verdict over the receipt; `null` when none was offered. */
  readonly receipt: ReceiptVerdict | null;
  /** What the receipt states, when it is one. */
  readonly stated: Stated | null;
  /** What `capsule.json` says, when it is valid. */
  readonly metadata: Metadata | null;
  /** How the projection of a capsule without a receipt stands: is it the one that the journal gives? */
  readonly projection: ProjectionFinding;
  /** The pinned key; `null` when none was offered. */
  readonly key: KeyFinding | null;
  /** The gate receipt; `null` when none was offered. */
  readonly gate: GateFinding | null;
  /** What failed first, where that can be shown. */
  readonly context: Context | null;
  /** What took the digests: `wasm` or `typescript`. */
  readonly implementation: string;
}

/** The verification was ended from outside. */
export class Cancelled extends Error {
  constructor() {
    super("The verification was cancelled");
    this.name = "Cancelled";
  }
}

/**
 * Verifies evidence.
 *
 * @throws {Cancelled} when the signal was aborted. Content never makes it throw.
 */
export async function verifyEvidence(
  evidence: Evidence,
  sha256: Sha256,
  hooks: Hooks,
): Promise<Outcome> {
  const index = new IndexWriter(hooks.onBlock ?? (() => {}));
  const files = withProgress(evidence, index, hooks);
  const journalOptions = { onEntry: (entry: Entry): void => index.takeEntry(entry) };
  const key = await readKey(evidence.key);
  const gate = await readGate(evidence.gate);
  const metadata = await readMetadata(evidence.metadata);
  const isJournalAlone = evidence.isJournalAlone === true && evidence.receipt === undefined;

  let receipt: ReceiptVerdict | null = null;
  const capsules: (CapsuleVerdict | JournalVerdict)[] = [];
  const bytes = evidence.receipt === undefined ? null : await readDocument(evidence.receipt);
  if (bytes !== null) {
    const { artifactDigest } = evidence;
    const gateReceipt = hooks.gateReceipt ?? gate?.value;
    const options: CheckOptions = {
      ...journalOptions,
      onCapsule: (verdict) => void capsules.push(verdict),
      ...verifierOf(key, hooks),
    };
    receipt = await checkReceipt(
      bytes,
      {
        ...files,
        metadata: evidence.metadata,
        projection: evidence.projection,
        ...(artifactDigest !== undefined && { artifactDigest }),
        ...(gateReceipt !== undefined && { gateReceipt }),
      },
      sha256,
      options,
    );
  }
  hooks.signal?.throwIfAborted();
  if (capsules.length === 0 && (evidence.journal !== null || bytes === null)) {
    capsules.push(
      isJournalAlone
        ? await verifyJournal(files.journal, sha256, journalOptions)
        : await verifyCapsule({ ...files, metadata: evidence.metadata }, sha256, journalOptions),
    );
  }
  hooks.signal?.throwIfAborted();
  index.flush();
  const capsule = capsules[0] ?? null;
  const outcome: Outcome = {
    capsule,
    isJournalAlone,
    receipt,
    stated: bytes === null ? null : readStated(bytes),
    metadata,
    projection: await checkProjection(evidence, capsule, sha256),
    key: key?.finding ?? null,
    gate: gate === null ? null : gate.finding,
    context: null,
    implementation: sha256.implementation,
  };
  const context = await describeFailure(outcome, evidence, sha256);
  hooks.signal?.throwIfAborted();
  return { ...outcome, context };
}

/** The two files that may be large, read in pieces that are counted. */
function withProgress(
  { journal, artifact }: Evidence,
  index: IndexWriter,
  { pieceBytes, onProgress, signal }: Hooks,
): { journal: FileInput; artifact?: FileInput } {
  const isFile = (file: PageFile | undefined): file is Blob => file instanceof Blob;
  const total = [journal, artifact].filter(isFile).reduce((sum, { size }) => sum + size, 0);
  let done = 0;
  const read = (file: PageFile, look?: (piece: Uint8Array, byte: number) => void): FileInput => {
    if (!isFile(file)) return file;
    return piecesOf(file, {
      pieceBytes,
      beforePiece(piece, byte) {
        signal?.throwIfAborted();
        onProgress?.({ done, total, entries: index.entries });
        look?.(piece, byte);
        done += piece.length;
      },
    });
  };
  return {
    journal: read(journal, (piece, byte) => index.takePiece(piece, byte)),
    ...(artifact !== undefined && { artifact: read(artifact) }),
  };
}

/** One byte past the bound is enough for `checkReceipt` to say so; no byte is no receipt. */
async function readDocument(file: Blob | Unreadable): Promise<Uint8Array> {
  if (!(file instanceof Blob)) return new Uint8Array();
  return await readRange(file, 0, MAX_TEXT_BYTES + 1).catch(() => new Uint8Array());
}

async function readMetadata(file: PageFile): Promise<Metadata | null> {
  const bytes = await readWhole(file, MAX_TEXT_BYTES);
  const metadata = bytes.ok ? parseMetadata(bytes.value) : bytes;
  return metadata.ok ? metadata.value : null;
}

function readStated(bytes: Uint8Array): Stated | null {
  const document = readReceipt(bytes);
  const receipt = document.ok ? validateReceipt(document.value) : document;
  if (!receipt.ok) return null;
  const { capsule_id, run_id, capsule_root, entry_count, journal_sha256 } = receipt.value;
  const { projection_hash, artifact_digest, gate_receipt_digest, receipt_hash } = receipt.value;
  return {
    ...{ capsule_id, run_id, capsule_root, entry_count, journal_sha256, projection_hash },
    ...{ artifact_digest, gate_receipt_digest, receipt_hash },
    isSigned: Boolean(receipt.value.signature),
  };
}

/** Larger than any key file: 64 KiB. */
const MAX_KEY_BYTES = 65_536;

interface ReadKey {
  readonly finding: KeyFinding;
  readonly bytes?: Uint8Array;
}

async function readKey(file: PageFile | undefined): Promise<ReadKey | null> {
  if (file === undefined) return null;
  const bytes = await readWhole(file, MAX_KEY_BYTES);
  const key = readPublicKey(bytes.ok ? bytes.value : new Uint8Array());
  if (!key.ok) return { finding: { status: "refused", code: key.code, reason: key.reason } };
  if (!await canVerify(key.value)) return { finding: { status: "unavailable" } };
  return { finding: { status: "usable", hex: encodeHex(key.value) }, bytes: key.value };
}

/** Has this page what signatures need? Tried on a signature that nobody made. */
async function canVerify(key: Uint8Array): Promise<boolean> {
  const nobodys = new Uint8Array(64);
  nobodys.set(key); // a point that is looked at by the platform and not refused before
  try {
    await verifyEd25519(key, new Uint8Array(), nobodys);
    return true;
  } catch (error) {
    if (error instanceof SignatureError) return false;
    throw error;
  }
}

function verifierOf(key: ReadKey | null, { verifier }: Hooks): { verifier?: Verifier } {
  if (verifier !== undefined) return { verifier };
  return key?.bytes === undefined ? {} : { verifier: ed25519Verifier(key.bytes) };
}

interface ReadGate {
  readonly finding: GateFinding;
  readonly value?: unknown;
}

/** As in the command line, what counts as none in a receipt is refused: whoever offers a file wants it compared. */
async function readGate(file: PageFile | undefined): Promise<ReadGate | null> {
  if (file === undefined) return null;
  const refused = (reason: string): ReadGate => ({ finding: { ok: false, reason } });
  const bytes = await readWhole(file, MAX_TEXT_BYTES);
  if (!bytes.ok) return refused(WORDS.gateRefused(bytes.reason));
  const text = decodeUtf8(bytes.value);
  const parsed = text === undefined ? undefined : parseJson(text);
  if (parsed?.ok !== true) return refused(WORDS.gateRefused("not JSON"));
  if (!parsed.value) return refused(WORDS.gateRefused("JSON that holds nothing"));
  return { finding: { ok: true }, value: parsed.value };
}

async function checkProjection(
  { projection, receipt }: Evidence,
  capsule: CapsuleVerdict | JournalVerdict | null,
  sha256: Sha256,
): Promise<ProjectionFinding> {
  if (projection === null || receipt !== undefined) return "not_checked";
  if (capsule?.ok !== true || !("metadata" in capsule.state)) return "not_reached";
  const bytes = await readWhole(projection, MAX_TEXT_BYTES);
  const text = bytes.ok ? decodeUtf8(bytes.value) : undefined;
  const parsed = text === undefined ? undefined : parseJson(text);
  return parsed?.ok === true && isSame(parsed.value, project(capsule.state, sha256))
    ? "holds"
    : "fails";
}

/** Equal JSON values without lists: same members in any order, and 0 apart from -0. */
function isSame(found: unknown, wanted: unknown): boolean {
  if (typeof wanted !== "object" || wanted === null) return Object.is(found, wanted);
  if (typeof found !== "object" || found === null || Array.isArray(found)) return false;
  const [left, right] = [found as Record<string, unknown>, wanted as Record<string, unknown>];
  return Object.keys(left).length === Object.keys(right).length &&
    Object.keys(right).every((name) =>
      Object.hasOwn(left, name) && isSame(left[name], right[name])
    );
}
