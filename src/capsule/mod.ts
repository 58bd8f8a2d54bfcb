/**
 * Capsules: entries, the journal's chain, metadata and projection. Everything here is pure; files are handed in.
 *
 * @module
 */
export type { EffectClass, Lineage } from "./vocabulary.ts";
export {
  BUNDLE_FILES,
  EFFECT_CLASSES,
  ENVELOPE_SCHEMA,
  FILES,
  isEffectClass,
  isId,
  isKind,
  isLineage,
  LINEAGES,
  rankOf,
} from "./vocabulary.ts";
export type { CapsuleCode, ExpectationCode, VerifyCode } from "./codes.ts";
export { EXPECTATION_CODES, VERIFY_CODES, WRITE_CODES } from "./codes.ts";
export type { Canary } from "./canary.ts";
export { CANARIES, findCanaries } from "./canary.ts";
export type { EntryFault, Finding, PayloadFault, PayloadType, PlainField } from "./faults.ts";
export { describeFault } from "./faults.ts";
export type { FilteredPayload, Payload } from "./payload.ts";
export { filterPayload, PAYLOAD_FIELDS } from "./payload.ts";
export type { Entry } from "./envelope.ts";
export { formatEntry, hashEntry, isTimestamp, validateEntry } from "./envelope.ts";
export type { Identity, Metadata } from "./metadata.ts";
export { formatMetadata, isSameIdentity, parseMetadata, validateMetadata } from "./metadata.ts";
export type {
  Holds,
  JournalOptions,
  JournalResume,
  JournalState,
  JournalVerdict,
  Refused,
} from "./chain.ts";
export { JournalVerifier, verifyJournal } from "./chain.ts";
export type { CapsuleFiles, CapsuleOptions, CapsuleState, CapsuleVerdict } from "./verify.ts";
export { verifyCapsule } from "./verify.ts";
export type { Projection } from "./projection.ts";
export { formatProjection, project } from "./projection.ts";
export type { AppendOptions, CapsuleDetails, ChainHead } from "./append.ts";
export { buildEntry, CapsuleError, encodeEntry } from "./append.ts";
export type { Expectation, NotChecked } from "./expect.ts";
export { ALWAYS_OPEN, checkExpectation, listUnchecked } from "./expect.ts";
