/**
 * Identity: keys of tasks, solvers, runs and comparisons, what a resumed run may differ in, and execution receipts.
 *
 * @module
 */
export type { Identity, IdentityBasis, IdentityContext, IdentityKind } from "./records.ts";
export { deriveIdentity, parseIdentity } from "./records.ts";
export { checkRowResume, checkRunResume } from "./resume.ts";
export type { PublicExecution } from "./execution.ts";
export { checkExecution, parseExecution } from "./execution.ts";
