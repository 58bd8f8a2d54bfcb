/**
 * Exports a capsule as a bundle: metadata, journal and projection, for somebody else to verify.
 *
 * Rule: `docs/spec/capsule.md`, "Export".
 *
 * @module
 */
import { encodeUtf8, MAX_TEXT_BYTES, readWhole } from "../core/mod.ts";
import {
  BUNDLE_FILES,
  FILES,
  formatMetadata,
  formatProjection,
  parseMetadata,
  project,
} from "../capsule/mod.ts";
import type { CapsuleState } from "../capsule/mod.ts";
import type { Sha256 } from "../hash/mod.ts";
import type { Directory, FileInfo } from "../ports/mod.ts";
import { saveProjection } from "./capsule_store.ts";
import type { StoreEnvironment } from "./environment.ts";
import { discard, readFileInput, readFilePieces, stage } from "./files.ts";
import { changed, requireVerified } from "./verified.ts";

/** What was exported. */
export interface Bundle {
  /** Where the bundle is. */
  readonly dir: string;
  /** The names of its files. */
  readonly files: readonly string[];
}

/**
 * Makes the target directory, verifies the capsule, writes its projection into it, then copies the three files. Files of
 * an earlier bundle in the target are replaced; after a failure none is added. When the capsule does not verify, the
 * target is made and left empty.
 *
 * @throws {CapsuleError} the verification's code; `capsule.changed` when the source changes while it is copied.
 * @throws {IoError} with the system's code.
 */
export async function exportBundle(
  directory: Directory,
  target: Directory,
  environment: StoreEnvironment,
): Promise<Bundle> {
  const { sha256, randomBytes } = environment;
  await target.make();
  const state = await requireVerified(directory, sha256);
  const projection = project(state, sha256);
  await saveProjection(directory, projection, randomBytes);

  const content = {
    [FILES.metadata]: [await readSameMetadata(directory, state)],
    [FILES.journal]: sameJournal(directory, state, sha256),
    [FILES.projection]: [encodeUtf8(formatProjection(projection))],
  };
  const undo: string[] = [];
  try {
    const staged: { name: string; temporary: string; isNew: boolean }[] = [];
    for (const name of BUNDLE_FILES) {
      const there = await target.inspect(name, false);
      if (there !== null && await isOwn(directory, name, there)) continue;
      const temporary = await stage(target, name, content[name], randomBytes);
      undo.push(temporary);
      staged.push({ name, temporary, isNew: there === null });
    }
    for (const { name, temporary, isNew } of staged) {
      if (isNew) undo.push(name);
      await target.rename(temporary, name);
    }
  } catch (error) {
    for (const name of undo) await discard(target, name);
    throw error;
  }
  await target.sync();
  return { dir: target.label, files: BUNDLE_FILES };
}

/** The bytes of the metadata, provided that they still say what was verified. */
async function readSameMetadata(directory: Directory, state: CapsuleState): Promise<Uint8Array> {
  const bytes = await readWhole(await readFileInput(directory, FILES.metadata), MAX_TEXT_BYTES);
  const metadata = bytes.ok ? parseMetadata(bytes.value) : bytes;
  if (
    !bytes.ok || !metadata.ok || formatMetadata(metadata.value) !== formatMetadata(state.metadata)
  ) {
    throw changed(FILES.metadata);
  }
  return bytes.value;
}

/** Just the journal bytes that were verified, though a writer may have appended since. */
async function* sameJournal(
  directory: Directory,
  state: CapsuleState,
  sha256: Sha256,
): AsyncGenerator<Uint8Array> {
  const running = sha256.start();
  let left = state.journal_bytes;
  for await (const piece of readFilePieces(directory, FILES.journal)) {
    const part = piece.subarray(0, left);
    running.update(part);
    left -= part.length;
    yield part;
    if (left === 0) break;
  }
  if (running.digest() !== state.journal_sha256) throw changed(FILES.journal);
}

/**
 * Is this the source's own file, or its own link to one? Then the export goes onto the source itself, where a writer may
 * be at work, and the file stays. A link elsewhere that leads to it is no copy of it and is replaced.
 */
async function isOwn(source: Directory, name: string, there: FileInfo): Promise<boolean> {
  const [file, link] = [await source.inspect(name, true), await source.inspect(name, false)];
  return there.identity === file?.identity || there.identity === link?.identity;
}
