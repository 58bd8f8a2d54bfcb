/**
 * SHA-256 behind a small interface: load once, then everything is synchronous. The WebAssembly comes from hash-wasm
 * and is loaded on first use; where it may not be compiled, plain TypeScript takes over.
 *
 * @module
 */
import { EvidenceError } from "../core/mod.ts";
import type { Digest } from "./digest.ts";
import { plainEngine } from "./fallback.ts";

/** Takes SHA-256 digests, synchronously. Pure code gets one of these as an argument. */
export interface Sha256 {
  /** What does the work, for reports: `wasm`, `typescript`, or the name of a host's own. */
  readonly implementation: string;
  /** The digest of these bytes. */
  digest(bytes: Uint8Array): Digest;
  /** A new running digest; any number may run at once without disturbing each other. */
  start(): RunningDigest;
}

/** A digest of bytes that arrive in pieces. */
export interface RunningDigest {
  /** Adds bytes; they may be reused by the caller afterwards. */
  update(bytes: Uint8Array): void;
  /** A second running digest that goes on from here, independent of this one. */
  fork(): RunningDigest;
  /** The digest of everything added. Call it once, last. */
  digest(): Digest;
}

/** A hasher with one state of its own, as hash-wasm makes them and `fallback.ts` imitates them. */
export interface Engine {
  init(): unknown;
  update(bytes: Uint8Array): unknown;
  digest(): string;
  save(): unknown;
  load(state: unknown): unknown;
}

/**
 * Loads SHA-256. Call it once and pass the result on.
 *
 * @param options `implementation` forces one of the two; by default WebAssembly is tried first and plain TypeScript is
 * used where it cannot start, such as a page without `wasm-unsafe-eval` in its policy.
 * @throws {EvidenceError} `hash.self_test` when an implementation that was asked for by name, or plain TypeScript,
 * miscomputes a known digest.
 *
 * @example
 * ```ts
 * import { loadSha256 } from "affidavit/hash";
 *
 * const sha256 = await loadSha256();
 * console.log(sha256.digest(new TextEncoder().encode("abc")));
 * ```
 */
export async function loadSha256(
  options: { implementation?: "wasm" | "typescript" } = {},
): Promise<Sha256> {
  const plain = () => checked(shared("typescript", plainEngine(), plainEngine()));
  if (options.implementation === "typescript") return plain();
  const { createEngine } = await import("./wasm.ts"); // a missing package is no reason to fall back unnoticed
  try {
    return checked(shared("wasm", await createEngine(), await createEngine()));
  } catch (error) {
    if (options.implementation === "wasm") throw error;
    return plain();
  }
}

/**
 * One engine for digests taken at once, another shared by all running ones. An engine holds a single state, and feeding
 * two streams into it would silently hash their mixture; so the running digest that used it last owns it, and its state
 * is put aside when another one needs it.
 */
function shared(implementation: string, whole: Engine, running: Engine): Sha256 {
  let owner: { saved: unknown } | undefined;

  function claim(self: { saved: unknown }): void {
    if (owner === self) return;
    if (self.saved === undefined) {
      throw new TypeError("A running digest cannot be used after digest()");
    }
    if (owner !== undefined) owner.saved = running.save();
    running.load(self.saved);
    owner = self;
  }

  function startFrom(saved: unknown): RunningDigest {
    const self = { saved };
    return {
      update(bytes) {
        claim(self);
        running.update(bytes);
      },
      fork() {
        claim(self);
        return startFrom(running.save());
      },
      digest() {
        claim(self);
        owner = self.saved = undefined;
        return running.digest() as Digest;
      },
    };
  }

  running.init();
  const initial = running.save();
  return {
    implementation,
    digest(bytes) {
      whole.init();
      whole.update(bytes);
      return whole.digest() as Digest;
    },
    start: () => startFrom(initial),
  };
}

const ABC = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"; // FIPS 180-4, appendix B.1

function checked(sha256: Sha256): Sha256 {
  const found = sha256.digest(new Uint8Array([97, 98, 99]));
  if (found !== ABC) {
    throw new EvidenceError(
      "hash.self_test",
      `SHA-256 (${sha256.implementation}) of "abc": found ${found}`,
    );
  }
  return sha256;
}
