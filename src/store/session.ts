/**
 * A session: the lock is taken once, the capsule is verified once, and from then on an append costs the same however long
 * the journal is.
 *
 * What it gives up against a single append: bytes that a program ignoring the lock changes *before* the session's own are
 * found by the next verification and not by the next append, and other writers get `capsule.busy` until the session is
 * closed. `docs/design/decisions.md` compares the ways of appending.
 *
 * @module
 */
import { buildEntry, CapsuleError, encodeEntry, FILES } from "../capsule/mod.ts";
import type { AppendOptions, CapsuleState, ChainHead, Entry, Lineage } from "../capsule/mod.ts";
import type { Directory } from "../ports/mod.ts";
import { acquireLock, releaseAfter } from "./append_lock.ts";
import type { Lock } from "./append_lock.ts";
import type { StoreEnvironment } from "./environment.ts";
import { closing, writeAll } from "./files.ts";
import { Turns } from "./turns.ts";
import { changed, withVerified } from "./verified.ts";
import type { OpenJournal } from "./verified.ts";

/** How a session writes. */
export interface SessionOptions {
  /** Sync after this many entries; 1, the default, makes each one durable before it is acknowledged. */
  readonly syncEvery?: number;
}

/** What became of an entry. */
export interface Acknowledgement {
  /** The entry as it was written to the journal. */
  readonly entry: Entry;
  /** `durable`: it is on stable storage. `buffered`: it was written, and a loss of power may still take it. */
  readonly status: "durable" | "buffered";
}

/**
 * Opens a session on the capsule in a directory. Close it: until then the lock is held.
 *
 * @param known what an earlier verification found: it spares a second parse and decides nothing.
 * @throws {CapsuleError} `capsule.busy`, a code of verification, `capsule.changed`. @throws {IoError} with the system's
 * code. @throws {RangeError} when `syncEvery` is no whole number from 1.
 */
export async function openSession(
  directory: Directory,
  environment: StoreEnvironment,
  options: SessionOptions = {},
  known: CapsuleState | null = null,
): Promise<Session> {
  const { syncEvery = 1 } = options;
  if (!Number.isSafeInteger(syncEvery) || syncEvery < 1) {
    throw new RangeError("Opening a session: syncEvery must be a whole number from 1");
  }
  const lock = await acquireLock(directory);
  try {
    return await withVerified(
      directory,
      environment.sha256,
      known,
      async ({ state, openJournal }) =>
        new Session(directory, environment, syncEvery, lock, state, await openJournal()),
    );
  } catch (refusal) {
    return releaseAfter(lock, refusal);
  }
}

/** A capsule that one writer has to itself. Calls queue up. */
export class Session {
  /** What the capsule was found to contain when the session was opened. */
  readonly verified: CapsuleState;
  readonly #directory: Directory;
  readonly #environment: StoreEnvironment;
  readonly #syncEvery: number;
  readonly #lock: Lock;
  readonly #journal: OpenJournal;
  readonly #turns = new Turns();
  #head: ChainHead;
  #unsynced = 0;
  #isEnded = false;
  #isClosed = false;

  /** @internal @hidden */
  constructor(
    directory: Directory,
    environment: StoreEnvironment,
    syncEvery: number,
    lock: Lock,
    verified: CapsuleState,
    journal: OpenJournal,
  ) {
    this.#directory = directory;
    this.#environment = environment;
    this.#syncEvery = syncEvery;
    this.#lock = lock;
    this.verified = this.#head = verified;
    this.#journal = journal;
  }

  /** Entries in the journal, those of this session included. */
  get entryCount(): number {
    return this.#head.entry_count;
  }

  /**
   * Appends an entry. A refusal of the entry leaves the session as it was. A failure to write or sync ends it, since what
   * the file then holds only a verification can tell; it still has to be closed.
   *
   * @throws {CapsuleError} a code of the entry; `capsule.changed` when another program wrote to the journal or
   * replaced it, `capsule.write_failed`, `capsule.session_ended`. @throws {IoError} with the system's code.
   */
  append(
    lineage: Lineage,
    kind: string,
    payload?: unknown,
    options?: AppendOptions,
  ): Promise<Acknowledgement> {
    return this.#turns.take(async () => {
      this.#requireOpen();
      const { clock, sha256 } = this.#environment;
      const asked = { lineage, kind, payload, ...(options && { options }) };
      const entry = buildEntry(this.#head, asked, clock, sha256);
      const line = encodeEntry(entry);
      await this.#orEnd(() => this.#write(entry, line));
      return { entry, status: this.#unsynced === 0 ? "durable" : "buffered" };
    });
  }

  /** Makes every entry durable that was only buffered. @throws {IoError} with the system's code; the session has ended. */
  flush(): Promise<void> {
    return this.#turns.take(async () => {
      this.#requireOpen();
      await this.#orEnd(() => this.#sync());
    });
  }

  /**
   * Flushes, closes the journal and gives the lock back, also after a failure. Once is enough; more do nothing.
   *
   * @throws {CapsuleError} `capsule.lock_lost`. @throws {IoError} with the system's code; the lock is given back first.
   */
  close(): Promise<void> {
    return this.#turns.take(async () => {
      if (this.#isClosed) return;
      const last = this.#isEnded ? () => Promise.resolve() : () => this.#sync();
      this.#isClosed = this.#isEnded = true;
      try {
        await closing(this.#journal.file, last);
      } catch (failure) {
        return releaseAfter(this.#lock, failure);
      }
      await this.#lock.release();
    });
  }

  async #write(entry: Entry, line: Uint8Array): Promise<void> {
    const there = await this.#directory.inspect(FILES.journal, true);
    const isSame = there?.identity === this.#journal.identity &&
      there?.size === this.#head.journal_bytes;
    if (!isSame) throw changed(FILES.journal);
    await writeAll(this.#journal.file, line);
    this.#head = {
      metadata: this.#head.metadata,
      entry_count: entry.seq + 1,
      root_hash: entry.entry_hash,
      journal_bytes: this.#head.journal_bytes + line.length,
    };
    this.#unsynced++;
    if (this.#unsynced >= this.#syncEvery) await this.#sync();
  }

  async #sync(): Promise<void> {
    if (this.#unsynced === 0) return;
    await this.#journal.file.sync();
    this.#unsynced = 0;
  }

  async #orEnd(step: () => Promise<void>): Promise<void> {
    try {
      await step();
    } catch (error) {
      this.#isEnded = true;
      throw error;
    }
  }

  #requireOpen(): void {
    if (!this.#isEnded) return;
    throw new CapsuleError(
      "capsule.session_ended",
      "Using a session: it was closed, or a write failed and only a verification can tell what was written",
    );
  }
}
