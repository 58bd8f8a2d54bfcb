/**
 * Affidavit: verifiable evidence of what an agent did and how it scored. This module is the pure surface, for any
 * runtime and for browsers; files, processes and the command line are in `affidavit/node` and `affidavit/cli`. Records of
 * deliverables, evaluations, scores and identities have subpaths of their own.
 *
 * @module
 */
export * from "./src/core/mod.ts";
export * from "./src/hash/mod.ts";
export * from "./src/canonical/mod.ts";
export * from "./src/capsule/mod.ts";
export * from "./src/signature/mod.ts";
export * from "./src/receipt/mod.ts";
export * from "./src/gate/mod.ts";
export * from "./src/retrospective/mod.ts";
export * from "./src/ports/mod.ts";
export * from "./src/store/mod.ts";
export * from "./src/replay/mod.ts";
