/**
 * The one hasher of hash-wasm that is used, by name: a bundler follows a named import and leaves the other algorithms out,
 * which it cannot do behind `import("hash-wasm")` (measured: the bundle of mod.ts is 284 kB that way and 85 kB this way).
 *
 * @module
 */
import { createSHA256 } from "hash-wasm";
import type { Engine } from "./sha256.ts";

/** Compiles the WebAssembly; rejects where a page's policy forbids that. */
export function createEngine(): Promise<Engine> {
  return createSHA256();
}
