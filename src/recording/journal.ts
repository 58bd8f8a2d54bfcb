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

/** A journal that is locked while it is written to, and a little longer. */
export interface CapsuleJournal extends Journal {
  /**
   * Takes the lock once, so that a capsule that cannot be written to is found out before anything happens. While another
   * writer has it, `signal` ends the wait at the next look. @throws as `append` does.
   */
  open(signal?: AbortSignal): Promise<void>;
  /** Gives the lock back, once everything at hand is written. @throws as `append` does. */
  close(): Promise<void>;
}

/** How a capsule is shared with other writers. */
export interface JournalOptions {
  /** Milliseconds after which a capsule that somebody else is writing to is given up. Default 10 000. */
  readonly maxWaitMs?: number;
  /**
   * Milliseconds for which the lock is kept while entries keep coming. Each time it is taken the journal is hashed anew, so
   * that with 0, the default, the cost of an entry grows with those before it.
   */
  readonly holdMs?: number;
}

const FIRST_WAIT_MS = 5;
const LONGEST_WAIT_MS = 25;

/** Who has waited for so long looks as often as at first, and so comes before those that have not. */
const PATIENCE_MS = 1_000;

/** A lock that is kept is given back when nothing comes for so long. */
const IDLE_MS = 20;

/** After the lock was kept for as long as it may be, others that look every {@linkcode LONGEST_WAIT_MS} get their turn. */
const REST_MS = LONGEST_WAIT_MS + 5;

/**
 * The journal of a capsule that others may be appending to. Calls that come while others are being written are written
 * together, with one sync.
 *
 * `append` throws {CapsuleError} `capsule.busy` once it waited for too long, or any other code of a session and its
 * appends, and {IoError} with the system's code; then none of the calls that were written together is certain.
 */
export function capsuleJournal(
  capsule: Capsule,
  timers: Timers,
  { maxWaitMs = 10_000, holdMs = 0 }: JournalOptions = {},
): CapsuleJournal {
  return new SharedJournal(capsule, timers, maxWaitMs, holdMs);
}

class SharedJournal implements CapsuleJournal {
  readonly #capsule: Capsule;
  readonly #timers: Timers;
  readonly #maxWaitMs: number;
  readonly #holdMs: number;
  #queued: NewEntry[] = [];
  #running: Promise<void> = Promise.resolve();
  #next: Promise<void> | undefined;
  #session: Session | undefined;
  #takenAt = 0;
  #restUntil = 0;
  #callOff = (): void => undefined;
  #failure: { readonly cause: unknown } | undefined;

  constructor(capsule: Capsule, timers: Timers, maxWaitMs: number, holdMs: number) {
    this.#capsule = capsule;
    this.#timers = timers;
    this.#maxWaitMs = maxWaitMs;
    this.#holdMs = holdMs;
  }

  open(signal?: AbortSignal): Promise<void> {
    return this.#inTurn(async () => {
      await this.#take(signal);
      await this.#giveTurns();
    });
  }

  append(entries: readonly NewEntry[]): Promise<void> {
    this.#queued.push(...entries);
    this.#next ??= this.#inTurn(() => this.#writeQueued());
    return this.#next;
  }

  close(): Promise<void> {
    return this.#inTurn(async () => {
      await this.#release();
      this.#throwFailure();
    });
  }

  #inTurn(step: () => Promise<void>): Promise<void> {
    const turn = this.#running.then(step);
    this.#running = turn.catch(() => undefined);
    return turn;
  }

  async #writeQueued(): Promise<void> {
    const entries = this.#queued;
    [this.#queued, this.#next] = [[], undefined];
    if (entries.length === 0) return;
    this.#callOff();
    this.#throwFailure();
    const session = await this.#take();
    try {
      for (const { lineage, kind, payload, options } of entries) {
        await session.append(lineage as Lineage, kind as string, payload, options);
      }
      await session.flush();
    } catch (failure) {
      this.#session = undefined;
      await session.close().catch(() => undefined); // what failed first says more
      throw failure;
    }
    await this.#giveTurns();
  }

  /** Keeps the lock until nothing comes for a while, or gives it back if it was kept for long enough. */
  async #giveTurns(): Promise<void> {
    this.#callOff();
    if (this.#timers.now() - this.#takenAt < this.#holdMs) {
      this.#callOff = this.#timers.after(IDLE_MS, () => void this.#inTurn(() => this.#release()));
      return;
    }
    await this.#release();
    if (this.#holdMs > 0) this.#restUntil = this.#timers.now() + REST_MS;
    this.#throwFailure();
  }

  async #release(): Promise<void> {
    const session = this.#session;
    this.#session = undefined;
    this.#callOff();
    await session?.close().catch((cause: unknown) => this.#failure = { cause });
  }

  /** That the lock was lost is told to whoever comes next. */
  #throwFailure(): void {
    if (this.#failure === undefined) return;
    const { cause } = this.#failure;
    this.#failure = undefined;
    throw cause;
  }

  /** The session that is open, or a new one once nobody else has the lock. */
  async #take(signal?: AbortSignal): Promise<Session> {
    if (this.#session !== undefined) return this.#session;
    await this.#wait(this.#restUntil - this.#timers.now());
    const start = this.#timers.now();
    for (let waitMs = FIRST_WAIT_MS;; waitMs = nextWait(waitMs, this.#timers.now() - start)) {
      try {
        this.#session = await this.#capsule.session({ syncEvery: Number.MAX_SAFE_INTEGER });
        this.#takenAt = this.#timers.now();
        return this.#session;
      } catch (error) {
        const isTooLong = this.#timers.now() - start + waitMs > this.#maxWaitMs;
        const isOver = isTooLong || signal?.aborted === true;
        if (codeOf(error) !== "capsule.busy" || isOver) throw error;
      }
      await this.#wait(waitMs);
    }
  }

  async #wait(ms: number): Promise<void> {
    if (ms > 0) await new Promise<void>((resolve) => void this.#timers.after(ms, resolve));
  }
}

function nextWait(waitMs: number, waitedMs: number): number {
  return waitedMs >= PATIENCE_MS ? FIRST_WAIT_MS : Math.min(2 * waitMs, LONGEST_WAIT_MS);
}
