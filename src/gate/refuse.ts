/**
 * Execution always refuses: running a candidate needs an isolation that a library in the same process cannot give.
 *
 * Rule: `docs/spec/gate.md`, "Execution".
 *
 * @module
 */
import { EvidenceError } from "../core/mod.ts";
import type { GateCode } from "./codes.ts";

/** A gate call was refused. */
export class GateError extends EvidenceError {
  /** Why it was refused. */
  declare readonly code: GateCode;
}

/** Would gate a candidate against a baseline. @throws {GateError} always, before any argument is looked at. */
export function runGate(..._arguments: unknown[]): never {
  return requireSupportedIsolation();
}

/** Would run a variant. @throws {GateError} always, before any argument is looked at. */
export function runVariant(..._arguments: unknown[]): never {
  return requireSupportedIsolation();
}

/** Would say that candidates can be isolated here. @throws {GateError} `gate.isolation_required`, always. */
export function requireSupportedIsolation(..._arguments: unknown[]): never {
  throw new GateError(
    "gate.isolation_required",
    "Running a candidate: no supported isolation is at hand, so nothing is executed",
  );
}
