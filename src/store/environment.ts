/**
 * What the store needs from outside.
 *
 * @module
 */
import type { Sha256 } from "../hash/mod.ts";
import type { Clock, RandomBytes } from "../ports/mod.ts";

/** Everything that would make two runs differ. */
export interface StoreEnvironment {
  /** Takes every digest. */
  readonly sha256: Sha256;
  /** Says when an entry was written. */
  readonly clock: Clock;
  /** Makes names and ids that nobody else makes. */
  readonly randomBytes: RandomBytes;
}
