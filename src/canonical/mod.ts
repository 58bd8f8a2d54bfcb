/**
 * Canonical JSON: one spelling a profile, and hashes only through a profile. And two readers: one for the capsule formats,
 * whose numbers are doubles, and a strict one that loses nothing.
 *
 * @module
 */
export type { CanonicalCode, CommitmentCode, JsonCode, StrictJsonCode } from "./codes.ts";
export { CANONICAL_CODES, COMMITMENT_CODES, JSON_CODES, STRICT_JSON_CODES } from "./codes.ts";
export { parseJson } from "./json.ts";
export type { StrictOptions } from "./parse.ts";
export { parseStrict, parseStrictText } from "./parse.ts";
export type { JsonObject, JsonValue } from "./value_model.ts";
export { JsonNumber, toPlain } from "./value_model.ts";
export { formatArtifact } from "./artifact.ts";
export { formatAscii } from "./ascii.ts";
export { formatCapsuleV1 } from "./capsule_v1.ts";
export { compareCodePoints, isWellFormed } from "./code_points.ts";
export { formatJcs } from "./jcs.ts";
export { formatValue } from "./value.ts";
export { CanonicalError } from "./writer.ts";
export type { CommitmentProfile, DigestProfile, Profile, ProfileName } from "./profile.ts";
export { commit, digestValue, PROFILES, verifyCommitment } from "./profile.ts";
