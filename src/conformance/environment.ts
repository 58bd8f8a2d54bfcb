/**
 * What the store sees of the world during a case: a clock that stands still, and bytes that never repeat.
 *
 * @module
 */
import type { StoreEnvironment } from "../store/mod.ts";
import { readText } from "./input.ts";
import type { Input } from "./input.ts";
import type { Host } from "./workspace.ts";

/** The environment of a case, whose `clock` says what time it always is. */
export function environmentFor(input: Input, { sha256 }: Host): StoreEnvironment {
  const instant = readText(input, "clock");
  let counter = 0; // only names of temporary files and ids that a case leaves open come from it
  return {
    sha256,
    clock: () => new Date(instant),
    randomBytes: (count) => {
      const bytes = new Uint8Array(Math.max(count, 4));
      new DataView(bytes.buffer).setUint32(0, counter++);
      return bytes.subarray(0, count);
    },
  };
}
