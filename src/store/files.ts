/**
 * Reading and replacing whole files of a directory.
 *
 * @module
 */
import { codeOf, encodeHex, EvidenceError } from "../core/mod.ts";
import type { FileInput } from "../core/mod.ts";
import { CapsuleError } from "../capsule/mod.ts";
import type { Directory, OpenFile, RandomBytes } from "../ports/mod.ts";

/** How much is read at a time: 256 KiB, past which larger windows only fall out of the processor's cache. */
const WINDOW = 256 * 1024;

/**
 * A file as verifiers take it. What is no regular file after following links is never opened, and a file is opened only
 * once its bytes are asked for.
 */
export async function readFileInput(directory: Directory, name: string): Promise<FileInput> {
  try {
    const info = await directory.inspect(name, true);
    if (info === null) return null;
    return info.kind === "file"
      ? readFilePieces(directory, name)
      : { unreadable: "it is no regular file" };
  } catch (error) {
    return { unreadable: codeOf(error) ?? "it cannot be inspected" };
  }
}

/**
 * The bytes of a file, piece by piece; each piece is valid until the next is asked for.
 *
 * @throws {IoError} with the system's code: `ENOENT` when it is absent, `EINVAL` when it is no regular file.
 */
export async function* readFilePieces(
  directory: Directory,
  name: string,
): AsyncGenerator<Uint8Array, void, undefined> {
  const file = await directory.openRead(name);
  try {
    yield* piecesOf(file);
  } finally {
    await closeRead(file);
  }
}

/**
 * Runs a step with a file as verifiers take it, and open: as long as it is, no other file can have its identity, so that
 * the file that was read can be told from what stands at the name later.
 */
export async function withFileInput<T>(
  directory: Directory,
  name: string,
  step: (input: FileInput, file?: OpenFile) => Promise<T>,
): Promise<T> {
  let file: OpenFile;
  try {
    file = await directory.openRead(name);
  } catch (error) {
    if (isSystemError(error, "ENOENT")) return step(null);
    return step({ unreadable: codeOf(error) ?? "it cannot be opened" });
  }
  try {
    return await step(piecesOf(file), file);
  } finally {
    await closeRead(file);
  }
}

async function* piecesOf(file: OpenFile): AsyncGenerator<Uint8Array, void, undefined> {
  const window = new Uint8Array(WINDOW);
  for (let count = await file.read(window); count > 0; count = await file.read(window)) {
    yield window.subarray(0, count);
  }
}

/** Whether closing succeeds says nothing about the bytes that were read. */
async function closeRead(file: OpenFile): Promise<void> {
  await file.close().catch(() => undefined);
}

/**
 * Writes everything, however little the file takes at once.
 *
 * @throws {CapsuleError} `capsule.write_failed` when the file takes nothing, or claims to have taken what it was not given.
 */
export async function writeAll(file: OpenFile, bytes: Uint8Array): Promise<void> {
  for (let at = 0; at < bytes.length;) {
    const count = await file.write(bytes.subarray(at));
    if (!(count > 0 && count <= bytes.length - at)) {
      throw new CapsuleError(
        "capsule.write_failed",
        `Writing: ${count} of ${bytes.length - at} bytes were taken`,
      );
    }
    at += count;
  }
}

/** Runs a step on an open file and closes it, whatever happens; a failure of the step wins over one of closing. */
export async function closing<T>(file: OpenFile, step: (file: OpenFile) => Promise<T>): Promise<T> {
  let result: T;
  try {
    result = await step(file);
  } catch (error) {
    await file.close().catch(() => undefined);
    throw error;
  }
  await file.close();
  return result;
}

/** Writes a new file beside the one it will become, and returns its temporary name; removes it again on failure. */
export async function stage(
  directory: Directory,
  name: string,
  content: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  randomBytes: RandomBytes,
): Promise<string> {
  const temporary = `.${name}.${encodeHex(randomBytes(8))}.tmp`;
  const file = await directory.openNew(temporary, 0o644);
  try {
    await closing(file, async () => {
      for await (const piece of content) await writeAll(file, piece);
      await file.sync();
    });
  } catch (error) {
    await discard(directory, temporary);
    throw error;
  }
  return temporary;
}

/** Puts content in the place of a file, or makes it, so that no reader ever sees half of it. */
export async function replaceFile(
  directory: Directory,
  name: string,
  content: Uint8Array,
  randomBytes: RandomBytes,
): Promise<void> {
  const temporary = await stage(directory, name, [content], randomBytes);
  try {
    await directory.rename(temporary, name);
  } catch (error) {
    await discard(directory, temporary);
    throw error;
  }
  await directory.sync();
}

/** Puts content in place of nothing: false, and nothing is written, when the name exists in any form. */
export async function createFile(
  directory: Directory,
  name: string,
  content: Uint8Array,
  randomBytes: RandomBytes,
): Promise<boolean> {
  const temporary = await stage(directory, name, [content], randomBytes);
  try {
    await directory.link(temporary, name); // unlike a rename it never replaces another writer's file
  } catch (error) {
    await discard(directory, temporary);
    if (isSystemError(error, "EEXIST")) return false;
    throw error;
  }
  await directory.remove(temporary);
  await directory.sync();
  return true;
}

/** Removes a temporary file on the way out of a failure, which matters more than whether this succeeds. */
export async function discard(directory: Directory, temporary: string): Promise<void> {
  await directory.remove(temporary).catch(() => undefined);
}

/** Is this the failure of an operation with that system code? */
export function isSystemError(error: unknown, code: string): boolean {
  return error instanceof EvidenceError && error.code === code;
}
