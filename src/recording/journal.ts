/**
 * Where a recorder writes its entries.
 *
 * @module
 */
import { codeOf } from "../core/mod.ts";
import type { Lineage } from "../capsule/mod.ts";
import type { Timers } from "../ports/mod.ts";
import type { Capsule, NewEntry, Session } from "../store/mod.ts";

/** A journal that entries are appended to. */
export interface Journal {
  /** Returns once all entries are on stable storage, in their order; throws when that is not certain. */
  append(entries: readonly NewEntry[]): Promise<void>;
}

/** How long to wait for other writers. */
export interface JournalOptions {
  /** Milliseconds after which a capsule that somebody else is writing to is given up. Default 10 000. */
  readonly maxWaitMs?: number;
}

const FIRST_WAIT_MS = 5;
const LONGEST_WAIT_MS = 100;

/**
 * The journal of a capsule that others may be appending to: it is locked for as long as the entries at hand take, and no
 * longer. Calls that come while others are being written are written together.
 *
 * `append` throws {CapsuleError} `capsule.busy` once it waited for too long, or any other code of a session and its
 * appends, and {IoError} with the system's code; then none of the calls that were written together is certain.
 */
export function capsuleJournal(
  capsule: Capsule,
  timers: Timers,
  { maxWaitMs = 10_000 }: JournalOptions = {},
): Journal {
  let queued: NewEntry[] = [];
  let running: Promise<void> = Promise.resolve();
  let next: Promise<void> | undefined;
  const writeQueued = async (): Promise<void> => {
    const entries = queued;
    [queued, next] = [[], undefined];
    await writeAll(capsule, entries, timers, maxWaitMs);
  };
  return {
    append: (entries) => {
      queued.push(...entries);
      next ??= running.then(writeQueued);
      running = next.catch(() => undefined);
      return next;
    },
  };
}

async function writeAll(
  capsule: Capsule,
  entries: readonly NewEntry[],
  timers: Timers,
  maxWaitMs: number,
): Promise<void> {
  if (entries.length === 0) return;
  const session = await openSession(capsule, entries.length, timers, maxWaitMs);
  try {
    for (const { lineage, kind, payload, options } of entries) {
      await session.append(lineage as Lineage, kind as string, payload, options);
    }
  } catch (failure) {
    await session.close().catch(() => undefined); // what failed first says more
    throw failure;
  }
  await session.close();
}

async function openSession(
  capsule: Capsule,
  syncEvery: number,
  timers: Timers,
  maxWaitMs: number,
): Promise<Session> {
  const start = timers.now();
  for (let waitMs = FIRST_WAIT_MS;; waitMs = Math.min(2 * waitMs, LONGEST_WAIT_MS)) {
    try {
      return await capsule.session({ syncEvery });
    } catch (error) {
      const isOver = timers.now() - start + waitMs > maxWaitMs;
      if (codeOf(error) !== "capsule.busy" || isOver) throw error;
    }
    await new Promise<void>((resolve) => void timers.after(waitMs, resolve));
  }
}
