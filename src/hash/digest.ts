/**
 * Two spellings of a SHA-256 value that must never be mixed up: a bare {@linkcode Digest} and a
 * {@linkcode Commitment}, which is bound to a canonical profile.
 *
 * @module
 */

/** @internal Sets the types apart; there is no such value. */
declare const digestBrand: unique symbol;
/** @internal Sets the types apart; there is no such value. */
declare const commitmentBrand: unique symbol;

/** 64 lower-case hexadecimal digits. */
export type Digest = string & { readonly [digestBrand]: true };

/** `sha256:` and 64 lower-case hexadecimal digits. */
export type Commitment = string & { readonly [commitmentBrand]: true };

const DIGEST = /^[0-9a-f]{64}$/;
const PREFIX = "sha256:";

/** Is this a bare digest, spelled as the formats spell it? */
export function isDigest(value: unknown): value is Digest {
  return typeof value === "string" && DIGEST.test(value);
}

/** Is this a commitment, spelled as the formats spell it? */
export function isCommitment(value: unknown): value is Commitment {
  return typeof value === "string" && value.startsWith(PREFIX) &&
    isDigest(value.slice(PREFIX.length));
}

/** The commitment spelling of a digest. The caller says by this that the digest was taken through a profile. */
export function toCommitment(digest: Digest): Commitment {
  return `${PREFIX}${digest}` as Commitment;
}

/** The bare digest inside a commitment. */
export function digestOf(commitment: Commitment): Digest {
  return commitment.slice(PREFIX.length) as Digest;
}

/** Sixty-four zeros: the predecessor of the first entry of a chain, and the head of an empty one. */
export const GENESIS: Digest = "0".repeat(64) as Digest;
