/**
 * The suite that a directory must pass to be a store for capsules: the duties of the port one by one, then capsules in
 * it. It needs no test framework: run each case, and a broken duty is a thrown error.
 *
 * @module
 */
import type { Directory } from "../ports/mod.ts";
import { capsuleCases } from "./_suite_capsule.ts";
import { directoryCases } from "./_suite_directory.ts";

/** A directory under trial. */
export interface StoreHost {
  /** The directory; it does not exist yet. */
  readonly directory: Directory;
  /**
   * Puts something at a name as another program would, once the directory exists: a directory, a link to `target` (another
   * name in it, which may be absent), or something that is no file, such as a FIFO. `false` when the system has no such thing.
   */
  plant(name: string, what: "directory" | "link" | "other", target?: string): Promise<boolean>;
}

/** One case of the suite. */
export interface StoreCase {
  /** A sentence, unique in the suite. */
  readonly name: string;
  /**
   * Runs the case.
   *
   * @param makeHost gives a new directory at each call.
   * @throws {Error} with what was expected and found.
   */
  run(makeHost: () => Promise<StoreHost>): Promise<void>;
}

/**
 * Every case that a directory must pass.
 *
 * @example
 * ```ts
 * import { MemoryDirectory, storeSuite } from "affidavit/store";
 *
 * for (const { name, run } of storeSuite) {
 *   await run(async () => {
 *     const directory = new MemoryDirectory();
 *     return {
 *       directory,
 *       async plant(name, what, target = "") {
 *         directory.plant(name, what === "link" ? { kind: what, target } : { kind: what });
 *         return true;
 *       },
 *     };
 *   });
 *   console.log("holds:", name);
 * }
 * ```
 */
export const storeSuite: readonly StoreCase[] = [...directoryCases, ...capsuleCases];
