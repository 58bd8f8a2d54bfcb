/**
 * Deliverables: what a run hands over, sealed in a read-only tree, with a manifest that says by hash what it is and what it
 * belongs to.
 *
 * @module
 */
export type {
  Bindings,
  DeliverableOptions,
  FileDeclaration,
  PlannedFile,
  SealLimits,
  SealOptions,
  SealPlan,
} from "./declaration.ts";
export { DEFAULT_LIMITS, parseDeclaration, planSeal } from "./declaration.ts";
export type { Artifact, Manifest } from "./manifest.ts";
export { formatManifest, parseManifest } from "./manifest.ts";
export type { Measured, TreeDocument } from "./commitment.ts";
export { commitFile, commitTree, formatTree, listTree } from "./commitment.ts";
export type { Sealed } from "./seal.ts";
export { SEALED_MODES, sealTree } from "./seal.ts";
export { checkTree } from "./check.ts";
export type { MemoryContent } from "./memory.ts";
export { MemoryFiles } from "./memory.ts";
