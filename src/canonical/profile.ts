/**
 * Named canonical profiles: the one door through which a value is hashed. A profile is a spelling and the form of its
 * hash; hashes of one profile never stand in for those of another.
 *
 * @module
 */
import { encodeUtf8, EvidenceError, fail, ok } from "../core/mod.ts";
import type { Result } from "../core/mod.ts";
import { isCommitment, toCommitment } from "../hash/mod.ts";
import type { Commitment, Digest, Sha256 } from "../hash/mod.ts";
import { formatArtifact } from "./artifact.ts";
import { formatAscii } from "./ascii.ts";
import { formatCapsuleV1 } from "./capsule_v1.ts";
import type { CommitmentCode } from "./codes.ts";
import { formatJcs } from "./jcs.ts";
import { formatValue } from "./value.ts";

/** The profiles whose hashes are bare digests, because a v1 format says so. */
export type DigestProfile = "capsule-v1";

/** The profiles whose hashes are commitments. */
export type CommitmentProfile = "value" | "artifact" | "ascii" | "jcs";

/** The names of the profiles. */
export type ProfileName = DigestProfile | CommitmentProfile;

/** A spelling of values as text. */
export interface Profile {
  /** What commitments and results call it. */
  readonly name: ProfileName;
  /** The canonical text; throws a coded `EvidenceError` for what has none. */
  format(value: unknown): string;
}

/** Every profile by its name. */
export const PROFILES: Readonly<Record<ProfileName, Profile>> = {
  "capsule-v1": { name: "capsule-v1", format: formatCapsuleV1 },
  value: { name: "value", format: formatValue },
  artifact: { name: "artifact", format: formatArtifact },
  ascii: { name: "ascii", format: formatAscii },
  jcs: { name: "jcs", format: formatJcs },
};

/**
 * The SHA-256 of a value's canonical text in UTF-8, as the bare digest of the v1 capsule formats.
 *
 * @throws {EvidenceError} what the profile's `format` throws.
 *
 * @example
 * ```ts
 * import { digestValue } from "affidavit/canonical";
 * import { loadSha256 } from "affidavit/hash";
 *
 * const sha256 = await loadSha256();
 * console.log(digestValue("capsule-v1", { b: 2, a: 1 }, sha256));
 * ```
 */
export function digestValue(profile: DigestProfile, value: unknown, sha256: Sha256): Digest {
  return hashText(profile, value, sha256);
}

/**
 * Commits to a value: the SHA-256 of its canonical text in UTF-8, spelled `sha256:` and 64 hexadecimal digits. The
 * profile is not part of the commitment, so whoever publishes one names the profile beside it.
 *
 * @throws {CanonicalError} for a value without canonical text, with the place.
 *
 * @example
 * ```ts
 * import { commit, verifyCommitment } from "affidavit/canonical";
 * import { loadSha256 } from "affidavit/hash";
 *
 * const sha256 = await loadSha256();
 * const commitment = commit("jcs", { score: 0.75 }, sha256);
 * console.log(verifyCommitment("jcs", { score: 0.75 }, commitment, sha256).ok); // true
 * ```
 */
export function commit(profile: CommitmentProfile, value: unknown, sha256: Sha256): Commitment {
  return toCommitment(hashText(profile, value, sha256));
}

/**
 * Recomputes a commitment. A value without canonical text has none that could match.
 *
 * @returns `canonical.commitment_malformed` for what is no commitment at all, `canonical.commitment_mismatch` when the
 * value is another one.
 */
export function verifyCommitment(
  profile: CommitmentProfile,
  value: unknown,
  commitment: unknown,
  sha256: Sha256,
): Result<null, CommitmentCode> {
  if (!isCommitment(commitment)) {
    return fail(
      "canonical.commitment_malformed",
      'Verifying a commitment: "sha256:" and 64 lower-case digits were wanted',
    );
  }
  try {
    if (commit(profile, value, sha256) === commitment) return ok(null);
  } catch (error) {
    if (!(error instanceof EvidenceError)) throw error;
  }
  return fail(
    "canonical.commitment_mismatch",
    `Verifying a commitment: under profile ${profile} the value gives another one`,
  );
}

function hashText(profile: ProfileName, value: unknown, sha256: Sha256): Digest {
  return sha256.digest(encodeUtf8(PROFILES[profile].format(value)));
}
