/**
 * Profile `ascii`: escapes for everything outside ASCII, nothing after it. Deliverable manifests and trees are committed
 * with it.
 *
 * @module
 */
import { writeAscii } from "./commitment.ts";

/** The text of a value under profile `ascii`. @throws {CanonicalError} for what has none, with the place. */
export function formatAscii(value: unknown): string {
  return writeAscii(value);
}
