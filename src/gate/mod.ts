/**
 * The gate, static only: task sets and variants are read, digested and searched for suspicious text, and what a child left
 * behind is judged. Nothing is executed: every execution entry refuses.
 *
 * @module
 */
export type { GateCode } from "./codes.ts";
export { GATE_CODES } from "./codes.ts";
export { GateError, requireSupportedIsolation, runGate, runVariant } from "./refuse.ts";
export type { GateTask, Taskset } from "./taskset.ts";
export { parseTaskset } from "./taskset.ts";
export type { ListedFileNode, TreeOptions } from "./tree.ts";
export { digestTree, SKIPPED_NAMES, walkTree } from "./tree.ts";
export type { Variant, VariantCode, VariantOptions } from "./variant.ts";
export { inspectVariant, VARIANT_MANIFEST } from "./variant.ts";
export type { Tripwire, TripwireHit, TripwireOptions } from "./tripwires.ts";
export { scanTripwires, TRIPWIRES } from "./tripwires.ts";
export type { ChildFailure, ChildFatal, ChildResult, ChildRow } from "./child.ts";
export { CHILD_FAILURES, MAX_CHILD_OUTPUT_BYTES, parseChildResult } from "./child.ts";
export type { BaselineFailure } from "./baseline.ts";
export { baselineFailure } from "./baseline.ts";
