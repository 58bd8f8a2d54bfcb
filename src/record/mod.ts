/**
 * What the records of deliverables, evaluations, scores and identities have in common.
 *
 * @module
 */
export type { RecordCode } from "./codes.ts";
export { RECORD_CODES } from "./codes.ts";
export type { RecordKind, RecordRefusal, RecordResult } from "./fault.ts";
export { reading, readingLater, RecordFault, refuse, required } from "./fault.ts";
export { hashWithout, omit } from "./hash.ts";
export {
  checkContiguous,
  checkMembers,
  checkPrefixedDigest,
  checkVersion,
  exactMembers,
  filledTextAt,
  integerAt,
  integerOf,
  isFilled,
  objectAt,
  rootObject,
  textAt,
} from "./members.ts";
export type {
  CommunityProfile,
  IssuerProfile,
  MetricProfile,
  RecordProfile,
  SourcePin,
} from "./profile.ts";
export { LAB_PROFILE } from "./profile.ts";
export { UNSTABLE_NEUTRAL_PROFILE } from "./unstable_neutral.ts";
export { scanPublic } from "./scan.ts";
export {
  isCode,
  isGitId,
  isJudge,
  isLaxDigest,
  isMediaType,
  isOpaqueId,
  isRepository,
  isStrictDigest,
} from "./syntax.ts";
export { formatRecord, typed, untyped } from "./typed.ts";
export { decodePercent, isBlank, lowerAscii, trim, WHITE_SPACE } from "./text.ts";
