/**
 * The lock that keeps two writers of a capsule apart: a file made by exclusive create. It never waits, never guesses
 * that a lock is stale, and never removes one that it did not make.
 *
 * Rule: `docs/spec/capsule.md`, "Lock".
 *
 * @module
 */
import { CapsuleError, FILES } from "../capsule/mod.ts";
import type { Directory, FileInfo, OpenFile } from "../ports/mod.ts";
import { isSystemError } from "./files.ts";

/** A lock that is held. */
export interface Lock {
  /**
   * Gives the lock back.
   *
   * @throws {CapsuleError} `capsule.lock_lost` when it was removed or replaced meanwhile.
   */
  release(): Promise<void>;
}

/** Takes the lock. @throws {CapsuleError} `capsule.busy` when it exists in any form. */
export async function acquireLock(directory: Directory): Promise<Lock> {
  try {
    const file = await directory.openNew(FILES.lock, 0o600);
    return { release: () => release(directory, file) };
  } catch (error) {
    if (!isSystemError(error, "EEXIST")) throw error;
    throw new CapsuleError(
      "capsule.busy",
      `Locking the capsule: ${FILES.lock} exists, so another writer is at work or one was killed; ` +
        "if no writer runs, verify the capsule and remove that file",
      { cause: error },
    );
  }
}

/** Gives the lock back after a failure, which is thrown on; a failure to release replaces it and carries it as `cause`. */
export async function releaseAfter(lock: Lock, failure: unknown): Promise<never> {
  try {
    await lock.release();
  } catch (error) {
    if (error instanceof Error) error.cause = failure;
    throw error;
  }
  throw failure;
}

/**
 * Runs a step under the lock.
 *
 * @throws {CapsuleError} `capsule.busy`, `capsule.lock_lost`; the latter replaces the outcome of the step.
 */
export async function withLock<T>(directory: Directory, step: () => Promise<T>): Promise<T> {
  const lock = await acquireLock(directory);
  let result: T;
  try {
    result = await step();
  } catch (failure) {
    return releaseAfter(lock, failure);
  }
  await lock.release();
  return result;
}

async function release(directory: Directory, file: OpenFile): Promise<void> {
  let mine: FileInfo, there: FileInfo | null;
  try {
    mine = await file.inspect();
    there = await directory.inspect(FILES.lock, false);
  } catch (error) {
    await file.close().catch(() => undefined);
    // Some systems answer EPERM for a file that was removed while open. Closed, the truth shows.
    const isGone = isSystemError(error, "EPERM") &&
      await directory.inspect(FILES.lock, false).catch(() => undefined) === null;
    throw isGone ? lockLost() : error;
  }
  if (there === null || there.kind !== "file" || there.identity !== mine.identity) {
    await file.close().catch(() => undefined);
    throw lockLost();
  }
  try {
    await directory.remove(FILES.lock);
  } catch (error) {
    await file.close().catch(() => undefined);
    throw error;
  }
  await file.close();
}

function lockLost(): CapsuleError {
  return new CapsuleError(
    "capsule.lock_lost",
    `Unlocking the capsule: ${FILES.lock} is no longer the one that was made; another writer may have been at work, so verify the capsule`,
  );
}
