/**
 * What the store needs from outside, the same at every run.
 *
 * @module
 */
import { loadSha256 } from "../../src/hash/mod.ts";
import type { StoreEnvironment } from "../../src/store/mod.ts";

/** A clock that stands still, and counted bytes for random ones. */
export async function testEnvironment(): Promise<StoreEnvironment> {
  let count = 0;
  return {
    sha256: await loadSha256(),
    clock: () => new Date(Date.UTC(2026, 8, 2)),
    randomBytes: (length) =>
      Uint8Array.from({ length }, (_, index) => index === 0 ? count++ : index + (count >> 8)),
  };
}
