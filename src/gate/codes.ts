/**
 * The codes of the gate; each has a row in `docs/errors.md`.
 *
 * @module
 */

/** What the gate refuses with: the first is that of every execution entry, the others are those of its readers. */
export const GATE_CODES = [
  "gate.isolation_required",
  "gate.taskset_invalid",
  "gate.variant_missing",
  "gate.variant_invalid",
] as const;

/** A code of {@linkcode GATE_CODES}. */
export type GateCode = typeof GATE_CODES[number];
