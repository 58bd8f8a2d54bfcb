/**
 * SHA-256 by the runtime's own `node:crypto`, several times faster than WebAssembly and without its start-up.
 *
 * @module
 */
import { createHash, hash } from "node:crypto";
import type { Hash } from "node:crypto";
import type { Digest, RunningDigest, Sha256 } from "../hash/mod.ts";

/** SHA-256 of Node, Deno or Bun, behind the interface of `affidavit/hash`. */
export function nativeSha256(): Sha256 {
  return {
    implementation: "node:crypto",
    digest: (bytes) => hash("sha256", bytes, "hex") as Digest,
    start: () => running(createHash("sha256")),
  };
}

function running(hasher: Hash): RunningDigest {
  return {
    update: (bytes) => void hasher.update(bytes),
    fork: () => running(hasher.copy()),
    digest: () => hasher.digest("hex") as Digest,
  };
}
