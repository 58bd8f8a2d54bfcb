/**
 * Verifies the capsule in a directory, anew or from what was verified before.
 *
 * @module
 */
import { isUnreadable, readPieces } from "../core/mod.ts";
import type { FileInput } from "../core/mod.ts";
import { CapsuleError, FILES, isSameIdentity, verifyCapsule } from "../capsule/mod.ts";
import type {
  CapsuleFiles,
  CapsuleOptions,
  CapsuleState,
  CapsuleVerdict,
  JournalResume,
  Refused,
} from "../capsule/mod.ts";
import type { Sha256 } from "../hash/mod.ts";
import type { Directory, OpenFile } from "../ports/mod.ts";
import { readFileInput, withFileInput } from "./files.ts";

/** Verifies the capsule in a directory. Content never makes it throw. */
export async function verifyDirectory(
  directory: Directory,
  sha256: Sha256,
  options?: CapsuleOptions,
): Promise<CapsuleVerdict> {
  const journal = await readFileInput(directory, FILES.journal);
  const metadata = await readFileInput(directory, FILES.metadata);
  return verifyCapsule({ journal, metadata }, sha256, options);
}

/**
 * The state of the capsule in a directory.
 *
 * @throws {CapsuleError} the verification's code, with its `failed_at`.
 */
export async function requireVerified(directory: Directory, sha256: Sha256): Promise<CapsuleState> {
  return required(await verifyDirectory(directory, sha256));
}

/** What a writer is given: a capsule that verifies, and its journal, should it be written to. */
export interface Verified {
  /** What the capsule was found to contain. */
  readonly state: CapsuleState;
  /** Opens the journal for appending; `capsule.changed` when it is no longer the file that was verified. */
  openJournal(): Promise<OpenJournal>;
}

/** A journal that is open for appending. */
export interface OpenJournal {
  readonly file: OpenFile;
  /** Tells this file from any other that may come to stand at its name. */
  readonly identity: unknown;
}

/**
 * Runs a step with a capsule that verifies.
 *
 * @param known what an earlier verification found. The journal is read and hashed in any case; where its first bytes are
 * the known ones and the identity is the same, only the lines behind them are parsed. Otherwise all is verified anew, so
 * that the answer never depends on it.
 * @throws {CapsuleError} the verification's code, with its `failed_at`.
 */
export function withVerified<T>(
  directory: Directory,
  sha256: Sha256,
  known: CapsuleState | null,
  step: (verified: Verified) => Promise<T>,
): Promise<T> {
  return withFileInput(directory, FILES.journal, async (journal, file) => {
    const files = { journal, metadata: await readFileInput(directory, FILES.metadata) };
    const verdict = known === null
      ? await verifyCapsule(files, sha256)
      : await verifyOnwards(files, known, sha256);
    if (verdict === null) return withVerified(directory, sha256, null, step);
    const state = required(verdict);
    return step({ state, openJournal: () => reopen(directory, state, file) });
  });
}

/** Parses only what follows the known bytes. It never refuses: `null` leaves that to a verification of the whole. */
async function verifyOnwards(
  files: CapsuleFiles,
  known: CapsuleState,
  sha256: Sha256,
): Promise<CapsuleVerdict | null> {
  const rest = await skipKnown(files.journal, known, sha256);
  if (rest === null) return null;
  const { resume, pieces } = rest;
  const verdict = await verifyCapsule({ ...files, journal: pieces }, sha256, { resume });
  return verdict.ok && isSameIdentity(verdict.state.metadata, known.metadata) ? verdict : null;
}

/** Hashes the known bytes of a journal; `null` when they are no longer the known ones. */
async function skipKnown(
  journal: FileInput,
  known: CapsuleState,
  sha256: Sha256,
): Promise<{ resume: JournalResume<CapsuleState>; pieces: AsyncIterable<Uint8Array> } | null> {
  if (journal === null || isUnreadable(journal)) return null;
  const pieces = readPieces(journal);
  const digest = sha256.start();
  let left = known.journal_bytes;
  let behind = new Uint8Array();
  while (left > 0) {
    const next = await pieces.next().catch(() => null); // what cannot be read, the whole verification names
    if (next === null || next.done === true) return null;
    const part = next.value.subarray(0, left);
    digest.update(part);
    left -= part.length;
    behind = next.value.subarray(part.length) as Uint8Array<ArrayBuffer>;
  }
  if (digest.fork().digest() !== known.journal_sha256) return null;
  async function* rest(): AsyncGenerator<Uint8Array, void, undefined> {
    yield behind;
    yield* pieces;
  }
  return { resume: { state: known, digest }, pieces: rest() };
}

/**
 * The file that was read is still open, so that no other can have its identity; that of what now stands at the name, and
 * its length, tell whether a line may be added to it.
 */
async function reopen(
  directory: Directory,
  state: CapsuleState,
  verified: OpenFile | undefined,
): Promise<OpenJournal> {
  const file = await directory.openAppend(FILES.journal);
  try {
    const [before, { identity, size }] = [await verified?.inspect(), await file.inspect()];
    if (identity === before?.identity && size === state.journal_bytes) return { file, identity };
  } catch (error) {
    await file.close().catch(() => undefined);
    throw error;
  }
  await file.close().catch(() => undefined);
  throw changed(FILES.journal);
}

/** The failure of a call that met a file which is no longer the one it had verified. */
export function changed(name: string): CapsuleError {
  return new CapsuleError(
    "capsule.changed",
    `Using ${name}: it changed after it was verified; nothing was written`,
  );
}

/** The failure of a call whose capsule does not verify. */
export function refusal({ code, reason, failed_at, faults = [] }: Refused): CapsuleError {
  return new CapsuleError(code, reason, { failed_at, faults });
}

function required(verdict: CapsuleVerdict): CapsuleState {
  if (!verdict.ok) throw refusal(verdict);
  return verdict.state;
}
