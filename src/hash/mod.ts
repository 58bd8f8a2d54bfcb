/**
 * SHA-256 and the two spellings of its values.
 *
 * @module
 */
export type { Commitment, Digest } from "./digest.ts";
export { digestOf, GENESIS, isCommitment, isDigest, toCommitment } from "./digest.ts";
export type { RunningDigest, Sha256 } from "./sha256.ts";
export { loadSha256 } from "./sha256.ts";
