/**
 * What the store needs from this machine: its clock, its randomness, its SHA-256.
 *
 * @module
 */
import { randomBytes } from "node:crypto";
import type { StoreEnvironment } from "../store/mod.ts";
import { nativeSha256 } from "./sha256.ts";

/** The environment of this process; any part of it may be replaced. */
export function systemEnvironment(replaced: Partial<StoreEnvironment> = {}): StoreEnvironment {
  return {
    sha256: nativeSha256(),
    clock: () => new Date(),
    randomBytes: (count) => new Uint8Array(randomBytes(count)),
    ...replaced,
  };
}
