/**
 * Profile `value`: raw UTF-8, nothing after it. Evaluation records, scores and criteria are committed with it.
 *
 * @module
 */
import { writeRaw } from "./commitment.ts";

/** The text of a value under profile `value`. @throws {CanonicalError} for what has none, with the place. */
export function formatValue(value: unknown): string {
  return writeRaw(value);
}
