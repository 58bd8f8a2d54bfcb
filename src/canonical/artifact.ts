/**
 * Profile `artifact`: as profile `value` with one line feed at the end. Identity keys and score files are committed
 * with it.
 *
 * @module
 */
import { writeRaw } from "./commitment.ts";

/** The text of a value under profile `artifact`. @throws {CanonicalError} for what has none, with the place. */
export function formatArtifact(value: unknown): string {
  return `${writeRaw(value)}\n`;
}
