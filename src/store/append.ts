/**
 * One append: lock, verify, build, write, sync, unlock.
 *
 * Rule: `docs/spec/capsule.md`, "Appending".
 *
 * @module
 */
import { buildEntry, encodeEntry } from "../capsule/mod.ts";
import type { AppendOptions, CapsuleState, Entry } from "../capsule/mod.ts";
import type { Directory } from "../ports/mod.ts";
import { withLock } from "./append_lock.ts";
import type { StoreEnvironment } from "./environment.ts";
import { closing, writeAll } from "./files.ts";
import { withVerified } from "./verified.ts";

/** What is to be appended. */
export interface NewEntry {
  /** One of the five lineages. */
  readonly lineage: unknown;
  /** What happened: a word of the producer. */
  readonly kind: unknown;
  /** Fields of the v1 table; none unless given. */
  readonly payload?: unknown;
  /** Effect class, allowlist and strictness, each with a default. */
  readonly options?: AppendOptions;
}

/** What an append found and wrote. */
export interface Appended {
  /** The entry as it stands in the journal. */
  readonly entry: Entry;
  /** The capsule as it was verified, before this entry. */
  readonly before: CapsuleState;
}

/**
 * Appends an entry to the capsule in a directory, and returns once it is on stable storage.
 *
 * @param known what an earlier verification found: it spares a second parse and decides nothing.
 * @throws {CapsuleError} `capsule.busy`, a code of verification, a code of the entry, `capsule.changed`,
 * `capsule.write_failed` or `capsule.lock_lost`. @throws {IoError} with the system's code.
 */
export function appendEntry(
  directory: Directory,
  entry: NewEntry,
  environment: StoreEnvironment,
  known: CapsuleState | null = null,
): Promise<Appended> {
  const { sha256, clock } = environment;
  return withLock(
    directory,
    () =>
      withVerified(directory, sha256, known, async ({ state, openJournal }) => {
        const built = buildEntry(state, entry, clock, sha256);
        const line = encodeEntry(built);
        const { file } = await openJournal();
        await closing(file, async () => {
          await writeAll(file, line);
          await file.sync();
        });
        return { entry: built, before: state };
      }),
  );
}
