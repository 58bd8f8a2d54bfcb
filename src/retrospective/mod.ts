/**
 * Retrospectives: what several recorded runs of one task family add up to, by harness version.
 *
 * @module
 */
export type { RetrospectiveCode } from "./codes.ts";
export { RETROSPECTIVE_CODES } from "./codes.ts";
export type { Retrospective, RetrospectiveGroup, RetrospectiveSource } from "./report.ts";
export { RETROSPECTIVE_SCHEMA } from "./report.ts";
export type { GroupRefusal, GroupVerdict } from "./group.ts";
export { groupCapsules, groupStates, MAX_INPUTS } from "./group.ts";
