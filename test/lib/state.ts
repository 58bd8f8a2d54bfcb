/**
 * Verified states of sample capsules.
 *
 * @module
 */
import { type CapsuleState, formatMetadata, verifyCapsule } from "../../src/capsule/mod.ts";
import type { Sha256 } from "../../src/hash/mod.ts";
import { bytesOf, chainOf, journalOf, METADATA, sampleParts } from "./sample.ts";

/** The state of a sample capsule of so many entries. */
export async function stateOf(count: number, sha256: Sha256): Promise<CapsuleState> {
  const journal = journalOf(chainOf(sampleParts(count), sha256));
  const metadata = bytesOf(formatMetadata(METADATA));
  const verdict = await verifyCapsule({ journal, metadata }, sha256);
  if (!verdict.ok) throw new Error(`The sample does not verify: ${verdict.reason}`);
  return verdict.state;
}
