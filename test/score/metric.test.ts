import { suite } from "uvu";
import * as assert from "uvu/assert";
import { loadSha256 } from "../../src/hash/mod.ts";
import { LAB_PROFILE, UNSTABLE_NEUTRAL_PROFILE } from "../../src/record/mod.ts";
import {
  buildMetricDefinition,
  formatScoreArtifact,
  parseMetricDefinition,
  parseScoreArtifact,
  scoreEvaluation,
} from "../../src/score/mod.ts";
import type { MetricFields } from "../../src/score/mod.ts";
import { checkOrder, outcomeOf } from "../evaluation/order.ts";
import type { Fault } from "../evaluation/order.ts";
import { holds, json, makeSample, toJson } from "../lib/evaluation.ts";

const sha256 = await loadSha256();
const context = { profile: LAB_PROFILE, sha256 };
const neutral = { profile: UNSTABLE_NEUTRAL_PROFILE, sha256 };
const sample = await makeSample(Array<boolean>(23).fill(true), context);
const free = await makeSample([true, false, true], neutral);

const rule = (name: string): Fault => [name, '"other"', "metric_rule_not_pinned", name];
const DIGESTS = ["rubric_sha256", "criteria_sha256", "aggregation_sha256", "output_schema_sha256"];

const FAULTS: readonly Fault[] = [
  ["normalizer_id", null, "fields_mismatch"],
  ["schema_version", "{}", "schema_version_unsupported"],
  ["metric_id", "1", "opaque_id_invalid", "metric_id"],
  ["metric_id", '"other"', "metric_id_not_pinned", "metric_id"],
  ["criterion_count", "23.0", "not_integer", "criterion_count"],
  ["criterion_count", "0", "not_positive_integer", "criterion_count"],
  ["criterion_count", "24", "criterion_count_not_pinned", "criterion_count"],
  ["raw_min", "true", "not_integer", "raw_min"],
  ["raw_max", "null", "not_integer", "raw_max"],
  ["raw_min", "1", "raw_bounds_invalid"],
  ...["direction", "unit", "weight_rule", "missingness_rule", "rounding_rule"].map(rule),
  rule("aggregation_rule"),
  ["raw_max", "2", "raw_bounds_invalid"],
  rule("raw_derivative_schema_version"),
  rule("normalizer_id"),
  ...DIGESTS.map((name): Fault => [name, '"x"', "digest_invalid", name]),
  ["definition_sha256", "null", "self_hash_mismatch", "definition_sha256"],
];

const metrics = suite("metric definitions");

metrics("parseMetricDefinition() names the fault whose rule comes first", () => {
  checkOrder(sample.metric, FAULTS, (value) => parseMetricDefinition(value, context));
});

metrics("parseMetricDefinition() leaves free what the profile does, within its syntax", () => {
  const faults = FAULTS.filter(([, , kind]) =>
    kind !== "metric_id_not_pinned" && kind !== "criterion_count_not_pinned"
  ).filter(([name]) => name !== "normalizer_id");
  const normalizer: Fault = ["normalizer_id", '"two words"', "code_invalid", "normalizer_id"];
  checkOrder(free.metric, faults, (value) => parseMetricDefinition(value, neutral));
  checkOrder(free.metric, [normalizer], (value) => parseMetricDefinition(value, neutral));
  const { metric_id, criterion_count, normalizer_id } = free.metric;
  assert.equal([metric_id, criterion_count, normalizer_id], [
    "all-green",
    3n,
    "example.normalizer.v1",
  ]);
});

metrics("buildMetricDefinition() takes exactly what a profile may leave free", () => {
  const fields: MetricFields = {
    metric_id: "m",
    criterion_count: 10n ** 30n,
    normalizer_id: "n",
    rubric_sha256: free.spec.rubric_sha256,
    criteria_sha256: free.spec.criteria_sha256,
    aggregation_sha256: free.spec.aggregation_sha256,
    output_schema_sha256: free.spec.judge_output_schema_sha256,
  };
  const build = (given: object, each = neutral) =>
    outcomeOf(buildMetricDefinition(given as MetricFields, each));
  const built = holds(buildMetricDefinition(fields, neutral));
  assert.equal(parseMetricDefinition(toJson(built), neutral), { ok: true, value: built });
  assert.equal(build({ ...fields, unit: "binary" }), ["fields_mismatch", undefined]);
  assert.equal(build({ ...fields, metric_id: "official" }), [
    "public_scan_classification",
    undefined,
  ]);
  assert.equal(build(fields, context as typeof neutral), ["metric_id_not_pinned", "metric_id"]);
  assert.equal(build([]), ["wrong_type", undefined]);
});

metrics.run();

const artifacts = suite("score artifacts");

artifacts("parseScoreArtifact() names the fault whose rule comes first", async () => {
  const names = [
    ...["evaluation_receipt_sha256", "evaluation_spec_sha256", "raw_result_sha256"],
    ...["metric_definition_sha256", "score_sha256"],
  ];
  const faults: Fault[] = [
    ["unit", null, "fields_mismatch"],
    ["schema_version", '"v1"', "schema_version_unsupported"],
    ...names.map((name): Fault => [name, '"x"', "digest_invalid", name]),
    ["unit", '"percent"', "score_unit_invalid"],
    ["n_criteria", '"23"', "not_integer", "n_criteria"],
    ["n_criteria", "-23", "not_positive_integer", "n_criteria"],
    ["n_criteria", "22", "criterion_count_not_pinned", "n_criteria"],
    ["n_passed", "2.3e1", "not_integer", "n_passed"],
    ["n_passed", "-1", "not_non_negative_integer", "n_passed"],
    ["n_passed", "24", "n_passed_exceeds"],
    ["score_value", "true", "score_value_invalid"],
    ["score_value", "1.0", "score_value_invalid"],
    ["score_value", "0", "score_value_invalid"],
  ];
  const { evidence, pins } = sample;
  const scored = holds(await scoreEvaluation(evidence, pins, "archival", context));
  checkOrder(scored.score, faults, (value) => parseScoreArtifact(value, context));
  const forged = { ...scored.score, raw_result_sha256: sample.spec.spec_sha256 };
  assert.equal(outcomeOf(parseScoreArtifact(toJson(forged), context)), [
    "self_hash_mismatch",
    "score_sha256",
  ]);
});

artifacts(
  "formatScoreArtifact() writes what parseScoreArtifact() reads, and a line feed",
  async () => {
    for (const [{ evidence, pins }, each] of [[sample, context], [free, neutral]] as const) {
      const { score } = holds(await scoreEvaluation(evidence, pins, "archival", each));
      const text = formatScoreArtifact(score);
      assert.is(text.endsWith("}\n"), true);
      assert.equal(parseScoreArtifact(json(text), each), { ok: true, value: score });
      assert.is(formatScoreArtifact(score), text);
    }
  },
);

artifacts.run();
