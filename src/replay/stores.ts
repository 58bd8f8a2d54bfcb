/**
 * Stores of fixtures in a directory, over a port: the same code writes to a disk and to memory. A file is staged under a
 * temporary name, synced and renamed, so that a fixture is whole or absent whenever the process dies.
 *
 * @module
 */
import type { Directory, FixtureStore, RandomBytes } from "../ports/mod.ts";
import { createFile, MemoryDirectory, readFileInput, replaceFile } from "../store/mod.ts";

/**
 * The store in a directory, which must be there before something is written.
 *
 * @param list gives the names in the directory, which the port of directories cannot.
 * @param randomBytes makes temporary names that no other writer makes.
 */
export function fixturesIn(
  directory: Directory,
  list: () => Promise<readonly string[]>,
  randomBytes: RandomBytes,
): FixtureStore {
  return {
    read: (name) => readFileInput(directory, name),
    write: (name, bytes) => replaceFile(directory, name, bytes, randomBytes),
    create: (name, bytes) => createFile(directory, name, bytes, randomBytes),
    list,
  };
}

/**
 * A store in memory, for pages and tests. To fill it, plant files in its directory; one store a directory.
 *
 * @param directory a new and empty one unless given.
 */
export function memoryFixtures(
  directory: MemoryDirectory = new MemoryDirectory("memory:", { exists: true }),
): FixtureStore {
  let written = 0; // nobody else writes there, so that a number is as good as randomness
  const randomBytes: RandomBytes = (count) => {
    const bytes = new Uint8Array(Math.max(count, 4));
    new DataView(bytes.buffer).setUint32(0, written++);
    return bytes.subarray(0, count);
  };
  return fixturesIn(directory, () => Promise.resolve([...directory.nodes.keys()]), randomBytes);
}
