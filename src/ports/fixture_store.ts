/**
 * Where fixtures of recorded calls are kept. `affidavit/replay` has stores over a directory and in memory.
 *
 * @module
 */
import type { FileInput } from "../core/mod.ts";

/**
 * Whole files by name. Names are made of digests and an ending, never of anything a caller chose.
 *
 * Duties of an implementer: a file is whole or absent, whenever the process dies and whoever else writes; a failure of
 * `write`, `create` or `list` is thrown as an `IoError`; nothing is cached or repaired.
 */
export interface FixtureStore {
  /** The file as a verifier takes it; what is no regular file is unreadable and never opened. Does not throw. */
  read(name: string): Promise<FileInput>;
  /** Puts a file in place in one step, over the one that is there. Returns once it is on stable storage. */
  write(name: string, bytes: Uint8Array): Promise<void>;
  /** Puts a file in place in one step, unless something has that name; says whether it did. Else as `write`. */
  create(name: string, bytes: Uint8Array): Promise<boolean>;
  /** The names of everything that is there, in any order, files of others among them. */
  list(): Promise<readonly string[]>;
}
