/**
 * MetricDefinition: how a score comes of verdicts. A profile pins what a definition may say; what it leaves free, the
 * definition says, and its hash is what an acceptance pins.
 *
 * Rule: `docs/spec/score.md`, "Metric".
 *
 * @module
 */
import { commit } from "../canonical/mod.ts";
import type { JsonObject, JsonValue } from "../canonical/mod.ts";
import type { EvaluationContext } from "../evaluation/mod.ts";
import {
  checkVersion,
  exactMembers,
  hashWithout,
  integerOf,
  isCode,
  isOpaqueId,
  isStrictDigest,
  reading,
  refuse,
  rootObject,
  scanPublic,
  textAt,
  typed,
  untyped,
} from "../record/mod.ts";
import type { RecordProfile, RecordResult } from "../record/mod.ts";

/**
 * The members of a definition that a profile may leave free, and the hashes.
 *
 * Every hash is a strict digest: `sha256:` and 64 lower-case hexadecimal digits.
 */
export interface MetricFields {
  /** Opaque id; `harvey-lab` pins it to `harvey-lab-binary-all-pass-v1`. */
  readonly metric_id: string;
  /** How many verdicts there must be. */
  readonly criterion_count: bigint;
  /** Code (up to 256 of `A-Za-z0-9._:/@+-`) for what makes the derivative; a profile may pin it. */
  readonly normalizer_id: string;
  /** The spec's `rubric_sha256`, compared when scoring. */
  readonly rubric_sha256: string;
  /** The spec's `criteria_sha256`, compared when scoring. */
  readonly criteria_sha256: string;
  /** The spec's `aggregation_sha256`, compared when scoring. */
  readonly aggregation_sha256: string;
  /** The spec's `judge_output_schema_sha256`, compared when scoring. */
  readonly output_schema_sha256: string;
}

/** A definition that holds. */
export interface MetricDefinition extends MetricFields {
  /** The profile's prefix of schema ids, then `metric_definition.v1`. */
  readonly schema_version: string;
  /** Lowest score, an integer below `raw_max`: 0 in `harvey-lab`. */
  readonly raw_min: bigint;
  /** Highest score, an integer: 1 in `harvey-lab`. */
  readonly raw_max: bigint;
  /** Which scores are the better ones: `higher_is_better` in `harvey-lab`. */
  readonly direction: string;
  /** What the score is counted in: `binary` in `harvey-lab`. */
  readonly unit: string;
  /** How criteria weigh against each other: `unweighted` in `harvey-lab`. */
  readonly weight_rule: string;
  /** What a missing verdict leads to: `reject` in `harvey-lab`. */
  readonly missingness_rule: string;
  /** How the score is rounded: `none` in `harvey-lab`. */
  readonly rounding_rule: string;
  /** How verdicts become the score: `all_pass` in `harvey-lab`. */
  readonly aggregation_rule: string;
  /** Schema id of the derivative; in `harvey-lab` the prefix, then `harvey_lab_verdicts.v1`. */
  readonly raw_derivative_schema_version: string;
  /** The commitment to all other members under profile `value`. */
  readonly definition_sha256: string;
}

const RULES = [
  "direction",
  "unit",
  "weight_rule",
  "missingness_rule",
  "rounding_rule",
  "aggregation_rule",
] as const;
const DIGESTS = [
  "rubric_sha256",
  "criteria_sha256",
  "aggregation_sha256",
  "output_schema_sha256",
] as const;
const FREE = ["metric_id", "criterion_count", "normalizer_id", ...DIGESTS];
const MEMBERS = [
  "schema_version",
  ...FREE,
  "raw_min",
  "raw_max",
  ...RULES,
  "raw_derivative_schema_version",
  "definition_sha256",
];
const SCHEMA = "metric_definition.v1";

/** Reads a definition: its members, what the profile pins, its hash, and the public scan. */
export function parseMetricDefinition(
  value: JsonValue,
  context: EvaluationContext,
): RecordResult<MetricDefinition> {
  return reading(() => readMetric(rootObject(value), context));
}

/**
 * Makes a definition of what the profile leaves free and of the hashes; the profile gives the rest.
 *
 * @throws {CanonicalError} when a plain object was given that no JSON is.
 */
export function buildMetricDefinition(
  fields: MetricFields | JsonValue,
  context: EvaluationContext,
): RecordResult<MetricDefinition> {
  return reading(() => {
    const given = rootObject(untyped(fields));
    exactMembers(given, FREE);
    const { idPrefix, metric } = context.profile;
    const pinned = rootObject(untyped({
      schema_version: idPrefix + SCHEMA,
      raw_min: metric.raw_min,
      raw_max: metric.raw_max,
      ...Object.fromEntries(RULES.map((name) => [name, metric[name]])),
      raw_derivative_schema_version: idPrefix + metric.raw_derivative_schema,
    }));
    const record: JsonObject = new Map([...given, ...pinned]);
    record.set("definition_sha256", commit("value", record, context.sha256));
    return readMetric(record, context);
  });
}

function readMetric(record: JsonObject, { profile, sha256 }: EvaluationContext): MetricDefinition {
  exactMembers(record, MEMBERS);
  checkVersion(record, SCHEMA, profile);
  checkPinned(record, profile);
  for (const name of DIGESTS) textAt(record, name, isStrictDigest, "digest_invalid");
  const hash = hashWithout(record, ["definition_sha256"], "value", sha256);
  if (record.get("definition_sha256") !== hash) refuse("self_hash_mismatch", "definition_sha256");
  scanPublic(record, profile.reservedWords);
  return typed<MetricDefinition>(record, MEMBERS);
}

function checkPinned(record: JsonObject, { idPrefix, metric }: RecordProfile): void {
  const id = textAt(record, "metric_id", isOpaqueId, "opaque_id_invalid");
  if (metric.metric_id !== null && id !== metric.metric_id) {
    refuse("metric_id_not_pinned", "metric_id");
  }
  checkCriterionCount(record, "criterion_count", metric.criterion_count);
  const [min, max] = ["raw_min", "raw_max"].map((name) => requireInteger(record, name));
  if (min! >= max!) refuse("raw_bounds_invalid");
  for (const name of RULES) {
    if (record.get(name) !== metric[name]) refuse("metric_rule_not_pinned", name);
  }
  if (min !== metric.raw_min || max !== metric.raw_max) refuse("raw_bounds_invalid");
  if (record.get("raw_derivative_schema_version") !== idPrefix + metric.raw_derivative_schema) {
    refuse("metric_rule_not_pinned", "raw_derivative_schema_version");
  }
  if (metric.normalizer_id === null) textAt(record, "normalizer_id", isCode, "code_invalid");
  else if (record.get("normalizer_id") !== metric.normalizer_id) {
    refuse("metric_rule_not_pinned", "normalizer_id");
  }
}

/** @internal A number of criteria, and the one that the profile pins, if it does. */
export function checkCriterionCount(
  record: JsonObject,
  name: string,
  pinned: bigint | null,
): bigint {
  const count = requireInteger(record, name);
  if (count <= 0n) refuse("not_positive_integer", name);
  if (pinned !== null && count !== pinned) refuse("criterion_count_not_pinned", name);
  return count;
}

/** @internal An integer by its text. */
export function requireInteger(record: JsonObject, name: string): bigint {
  return integerOf(record.get(name)) ?? refuse("not_integer", name);
}
