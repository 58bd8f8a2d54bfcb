/**
 * One evaluation from spec to score under any profile, made by the library and signed with a key of RFC 8032.
 *
 * @module
 */
import { formatValue, parseStrictText } from "../../src/canonical/mod.ts";
import type { JsonValue } from "../../src/canonical/mod.ts";
import {
  buildEvaluationSpec,
  commitCriteria,
  signEvaluationReceipt,
} from "../../src/evaluation/mod.ts";
import type {
  EvaluationContext,
  EvaluationReceipt,
  EvaluationReceiptFields,
  EvaluationSpec,
} from "../../src/evaluation/mod.ts";
import { formatRecord } from "../../src/record/mod.ts";
import type { RecordResult } from "../../src/record/mod.ts";
import { buildMetricDefinition } from "../../src/score/mod.ts";
import type { MetricDefinition, ScorePins } from "../../src/score/mod.ts";
import { derivePublicKey, encodeBase64 } from "../../src/signature/mod.ts";
import { hexBytes } from "./bytes.ts";

/** A test key (RFC 8032, section 7.1, TEST 2): its seed. */
export const SEED: Uint8Array<ArrayBuffer> = hexBytes(
  "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb",
);

/** An evaluation, as records and as what comes in. */
export interface Sample {
  spec: EvaluationSpec;
  metric: MetricDefinition;
  receipt: EvaluationReceipt;
  raw: Uint8Array<ArrayBuffer>;
  pins: ScorePins;
  evidence: { spec: JsonValue; metric: JsonValue; receipt: JsonValue; raw: Uint8Array };
}

/** The value of a record that has to hold. */
export function holds<T>(result: RecordResult<T>): T {
  if (result.ok) return result.value;
  throw new Error(`${result.code} at ${result.field}`);
}

/** A JSON text as readers of records get it. */
export function json(text: string): JsonValue {
  const parsed = parseStrictText(text, { duplicateKeys: "last-wins", nonFinite: true });
  if (!parsed.ok) throw new Error(`${parsed.code}: ${text.slice(0, 80)}`);
  return parsed.value;
}

/** A record of a program as readers get it. */
export function toJson(record: object): JsonValue {
  return json(formatRecord(record));
}

/** A digest that a word stands for. */
export function digestOf(word: string, { sha256 }: EvaluationContext): string {
  return `sha256:${sha256.digest(new TextEncoder().encode(word))}`;
}

/** The bytes of a derivative with these verdicts; other members may be said. */
export function derivativeOf(
  verdicts: readonly boolean[],
  { profile }: EvaluationContext,
  other: object = {},
): Uint8Array<ArrayBuffer> {
  const passed = verdicts.filter((pass) => pass).length;
  return new TextEncoder().encode(formatValue({
    schema_version: profile.idPrefix + profile.metric.raw_derivative_schema,
    n_criteria: verdicts.length,
    n_passed: passed,
    score: passed === verdicts.length ? 1 : 0,
    verdicts: verdicts.map((pass, index) => ({
      ordinal: index + 1,
      verdict: pass ? "pass" : "fail",
    })),
    ...other,
  }));
}

/** An evaluation whose raw result holds these verdicts, or is this. */
export async function makeSample(
  verdicts: readonly boolean[] | Uint8Array<ArrayBuffer>,
  context: EvaluationContext,
  other: Partial<EvaluationReceiptFields> = {},
): Promise<Sample> {
  const isRaw = verdicts instanceof Uint8Array;
  const raw = isRaw ? verdicts : derivativeOf(verdicts, context);
  const spec = sampleSpec(isRaw ? 23 : verdicts.length, context);
  const { metric: pinned, issuer } = context.profile;
  const metric = holds(buildMetricDefinition({
    metric_id: pinned.metric_id ?? "all-green",
    criterion_count: pinned.criterion_count ?? BigInt(isRaw ? 23 : verdicts.length),
    normalizer_id: pinned.normalizer_id ?? "example.normalizer.v1",
    rubric_sha256: spec.rubric_sha256,
    criteria_sha256: spec.criteria_sha256,
    aggregation_sha256: spec.aggregation_sha256,
    output_schema_sha256: spec.judge_output_schema_sha256,
  }, context));
  const fields: EvaluationReceiptFields = {
    ...receiptFieldsOf(spec, raw, context),
    issuer_policy_sha256: issuer?.policy_sha256 ?? digestOf("policy", context),
    issuer_key_id: issuer?.key_id ?? "key-1",
    ...other,
  };
  const receipt = holds(await signEvaluationReceipt(fields, SEED, context));
  const pins: ScorePins = {
    expected_spec_sha256: spec.spec_sha256,
    expected_deliverable_manifest_sha256: spec.deliverable_manifest_sha256,
    expected_runtime_policy_sha256: spec.runtime_policy_sha256,
    expected_issuer_policy_sha256: receipt.issuer_policy_sha256,
    expected_issuer_key_id: receipt.issuer_key_id,
    issuer_public_key_base64: encodeBase64(await derivePublicKey(SEED)),
    expected_measurement_id: receipt.measurement_id,
    expected_evaluation_attempt_id: receipt.evaluation_attempt_id,
    expected_attempt_nonce: receipt.attempt_nonce,
    expected_repeat_index: receipt.repeat_index,
    expected_media_type: receipt.raw_result_media_type,
    expected_metric_definition_sha256: metric.definition_sha256,
  };
  const evidence = { spec: toJson(spec), metric: toJson(metric), receipt: toJson(receipt), raw };
  return { spec, metric, receipt, raw, pins, evidence };
}

function sampleSpec(criteria: number, context: EvaluationContext): EvaluationSpec {
  const items = Array.from({ length: criteria }, (_, index) => ({
    ordinal: index + 1,
    commitment_sha256: digestOf(`criterion ${index}`, context),
  }));
  const digest = (word: string): string => digestOf(word, context);
  return holds(buildEvaluationSpec({
    evaluation_id: "eval-1",
    deliverable_manifest_sha256: digest("manifest"),
    deliverable_tree_sha256: digest("tree"),
    task_sha256: digest("task"),
    run_sha256: digest("run"),
    config_sha256: digest("config"),
    evaluator_repository: "https://example.org/team/evaluator",
    evaluator_commit: "a".repeat(40),
    evaluator_tree: "b".repeat(40),
    evaluator_file_manifest_sha256: digest("files"),
    evaluator_image_digest: digest("image"),
    wrapper_sha256: digest("wrapper"),
    private_material_sha256: digest("private"),
    rubric_sha256: digest("rubric"),
    criteria_sha256: holds(commitCriteria(json(formatValue(items)), context)).criteria_sha256,
    aggregation_sha256: digest("aggregation"),
    judge_requested_identity: "acme/judge",
    judge_settings_sha256: digest("settings"),
    judge_prompt_sha256: digest("prompt"),
    judge_output_schema_sha256: digest("output"),
    runtime_policy_sha256: digest("runtime"),
    egress_policy_sha256: digest("egress"),
    resource_policy_sha256: digest("resources"),
    token_accounting_policy_sha256: digest("tokens"),
  }, context));
}

function receiptFieldsOf(
  spec: EvaluationSpec,
  raw: Uint8Array,
  { sha256 }: EvaluationContext,
): Omit<EvaluationReceiptFields, "issuer_policy_sha256" | "issuer_key_id"> {
  const known = (value: bigint): { value: bigint; unknown_reason: null } => ({
    value,
    unknown_reason: null,
  });
  return {
    measurement_id: "measurement-1",
    evaluation_attempt_id: "attempt-1",
    attempt_nonce: "nonce-1",
    repeat_index: 1n,
    evaluation_spec_sha256: spec.spec_sha256,
    deliverable_manifest_sha256: spec.deliverable_manifest_sha256,
    deliverable_tree_sha256: spec.deliverable_tree_sha256,
    task_sha256: spec.task_sha256,
    run_sha256: spec.run_sha256,
    config_sha256: spec.config_sha256,
    judge_requested_identity: spec.judge_requested_identity,
    judge_settings_sha256: spec.judge_settings_sha256,
    judge_prompt_sha256: spec.judge_prompt_sha256,
    judge_output_schema_sha256: spec.judge_output_schema_sha256,
    runtime_policy_sha256: spec.runtime_policy_sha256,
    egress_policy_sha256: spec.egress_policy_sha256,
    resource_policy_sha256: spec.resource_policy_sha256,
    token_accounting_policy_sha256: spec.token_accounting_policy_sha256,
    judge_resolved_identity: "acme/judge@2026-09-02",
    raw_result_sha256: `sha256:${sha256.digest(raw)}`,
    raw_result_size_bytes: BigInt(raw.length),
    raw_result_media_type: "application/json",
    status: "succeeded",
    token_usage: {
      source: "provider_response",
      input_tokens: known(81_201n),
      output_tokens: known(340n),
      cache_read_tokens: known(0n),
      cache_write_tokens: { value: null, unknown_reason: "not_reported" },
      reasoning_tokens: { value: null, unknown_reason: "provider_did_not_report" },
      total_tokens: known(81_541n),
    },
    cost: {
      basis: "metered",
      amount_microusd: 421_077n,
      currency: "USD",
      pricing_snapshot_sha256: null,
      unknown_reason: null,
    },
    timing: {
      clock_id: "clock-a",
      started_at_utc: "2026-09-02T09:00:00Z",
      ended_at_utc: "2026-09-02T09:00:01.250000Z",
      started_monotonic_ns: 9_007_199_254_740_993n,
      ended_monotonic_ns: 9_007_200_504_740_993n,
      wall_elapsed_ns: 1_250_000_000n,
      queue_elapsed_ns: 1_000n,
      summed_call_elapsed_ns: 3_000_000_000n,
    },
  };
}
