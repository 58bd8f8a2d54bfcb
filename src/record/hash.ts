/**
 * Hashes that records state about themselves.
 *
 * @module
 */
import { commit } from "../canonical/mod.ts";
import type { CommitmentProfile, JsonObject } from "../canonical/mod.ts";
import type { Sha256 } from "../hash/mod.ts";

/** The commitment to a record without some of its members. */
export function hashWithout(
  record: JsonObject,
  members: readonly string[],
  spelling: CommitmentProfile,
  sha256: Sha256,
): string {
  return commit(spelling, omit(record, members), sha256);
}

/** A record without some of its members. */
export function omit(record: JsonObject, members: readonly string[]): JsonObject {
  return new Map([...record].filter(([name]) => !members.includes(name)));
}
