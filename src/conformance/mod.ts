/**
 * Conformance: test vectors for implementations in any language. Answers requests of the protocol, and runs suites
 * against anything that answers them.
 *
 * @module
 */
export type { ConformanceCode } from "./codes.ts";
export { CONFORMANCE_CODES } from "./codes.ts";
export type { Input, Output } from "./input.ts";
export type { Content, FileSpec, ListedFile } from "./files.ts";
export { listFile, sortListing } from "./files.ts";
export type { Host, Workspace } from "./workspace.ts";
export { openMemoryWorkspace } from "./workspace.ts";
export type { Operation } from "./operations.ts";
export { OPERATIONS } from "./operations.ts";
export type { Answer, Ask } from "./protocol.ts";
export { answer, answerLine, askHere, readAnswer, serve } from "./protocol.ts";
export { MAX_LINE_BYTES, splitLines } from "./lines.ts";
export type { CompareRules, Difference } from "./compare.ts";
export { findDifferences } from "./compare.ts";
export type { Case, CaseResult, Suite } from "./suite.ts";
export { judge, parseSuite } from "./suite.ts";
export type { RunOptions, SuiteReport, Totals } from "./run.ts";
export { runSuite, sumTotals } from "./run.ts";
