/**
 * ScoreArtifact: a score, two counts and the hashes of what it came of, so that it can be published where nothing of the
 * evaluation itself may be: no criteria, verdicts, texts, costs, times, attempts.
 *
 * Rule: `docs/spec/score.md`, "Score".
 *
 * @module
 */
import { commit, formatArtifact } from "../canonical/mod.ts";
import type { JsonObject, JsonValue } from "../canonical/mod.ts";
import type { EvaluationContext } from "../evaluation/mod.ts";
import {
  checkVersion,
  exactMembers,
  hashWithout,
  integerOf,
  isStrictDigest,
  reading,
  refuse,
  rootObject,
  scanPublic,
  textAt,
  typed,
} from "../record/mod.ts";
import type { RecordResult } from "../record/mod.ts";
import { checkCriterionCount, requireInteger } from "./metric.ts";

/**
 * A score, and nothing of how it came about but hashes and two counts.
 *
 * Every hash is a strict digest: `sha256:` and 64 lower-case hexadecimal digits.
 */
export interface ScoreArtifact {
  /** The profile's prefix of schema ids, then `score_artifact.v1`. */
  readonly schema_version: string;
  /** `receipt_sha256` of the receipt that was accepted. */
  readonly evaluation_receipt_sha256: string;
  /** `spec_sha256` of the spec that the receipt is bound to. */
  readonly evaluation_spec_sha256: string;
  /** SHA-256 of the derivative's bytes, as the receipt says. */
  readonly raw_result_sha256: string;
  /** `definition_sha256` of the metric that was scored by. */
  readonly metric_definition_sha256: string;
  /** 1 when every criterion passed, else 0. */
  readonly score_value: bigint;
  /** The unit that the profile gives its metric: `binary`. */
  readonly unit: string;
  /** How many verdicts are `pass`, from 0 to `n_criteria`; a diagnostic. */
  readonly n_passed: bigint;
  /** How many verdicts there are, from 1 on; as many as the metric says. */
  readonly n_criteria: bigint;
  /** The commitment to all other members under profile `value`. */
  readonly score_sha256: string;
}

const DIGESTS = [
  "evaluation_receipt_sha256",
  "evaluation_spec_sha256",
  "raw_result_sha256",
  "metric_definition_sha256",
  "score_sha256",
];
const MEMBERS = [
  "schema_version",
  ...DIGESTS,
  "score_value",
  "unit",
  "n_passed",
  "n_criteria",
];
const SCHEMA = "score_artifact.v1";

/** Reads a score artifact: its members, that score and counts agree, its hash, and the public scan. */
export function parseScoreArtifact(
  value: JsonValue,
  { profile, sha256 }: EvaluationContext,
): RecordResult<ScoreArtifact> {
  return reading(() => {
    const record = rootObject(value);
    exactMembers(record, MEMBERS);
    checkVersion(record, SCHEMA, profile);
    for (const name of DIGESTS) textAt(record, name, isStrictDigest, "digest_invalid");
    if (record.get("unit") !== profile.metric.unit) refuse("score_unit_invalid");
    checkCounts(record, profile.metric.criterion_count);
    const hash = hashWithout(record, ["score_sha256"], "value", sha256);
    if (record.get("score_sha256") !== hash) refuse("self_hash_mismatch", "score_sha256");
    scanPublic(record, profile.reservedWords);
    return typed<ScoreArtifact>(record, MEMBERS);
  });
}

/** The text of a score artifact's file: canonical, with a final line feed. */
export function formatScoreArtifact(score: ScoreArtifact): string {
  return formatArtifact(score);
}

/** @internal The artifact of a score, with version, unit and hash. */
export function buildScoreArtifact(
  fields: Omit<ScoreArtifact, "schema_version" | "unit" | "score_sha256">,
  { profile, sha256 }: EvaluationContext,
): ScoreArtifact {
  const unhashed = {
    ...fields,
    schema_version: profile.idPrefix + SCHEMA,
    unit: profile.metric.unit,
  };
  return { ...unhashed, score_sha256: commit("value", unhashed, sha256) };
}

function checkCounts(record: JsonObject, pinned: bigint | null): void {
  const criteria = checkCriterionCount(record, "n_criteria", pinned);
  const passed = requireInteger(record, "n_passed");
  if (passed < 0n) refuse("not_non_negative_integer", "n_passed");
  if (passed > criteria) refuse("n_passed_exceeds");
  if (integerOf(record.get("score_value")) !== (passed === criteria ? 1n : 0n)) {
    refuse("score_value_invalid");
  }
}
