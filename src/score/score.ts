/**
 * From an evaluation that is accepted to its score.
 *
 * Rule: `docs/spec/score.md`, "Scoring".
 *
 * @module
 */
import type { JsonValue } from "../canonical/mod.ts";
import {
  acceptEvaluation,
  assertReplay,
  checkPinnedIssuer,
  parseEvaluationSpec,
} from "../evaluation/mod.ts";
import type {
  AcceptancePins,
  AcceptedEvaluation,
  EvaluationContext,
  EvaluationEvidence,
  EvaluationSpec,
  MeasurementPins,
  Replay,
} from "../evaluation/mod.ts";
import type { Consumption } from "../ports/mod.ts";
import { isStrictDigest, readingLater, refuse, required } from "../record/mod.ts";
import type { RecordResult } from "../record/mod.ts";
import { buildScoreArtifact } from "./artifact.ts";
import type { ScoreArtifact } from "./artifact.ts";
import { readDerivative } from "./derivative.ts";
import { parseMetricDefinition } from "./metric.ts";
import type { MetricDefinition } from "./metric.ts";

/** What is to be scored, as it came in; the raw result is the authorised derivative. */
export interface ScoreEvidence extends EvaluationEvidence {
  /** The metric definition to score by, as parsed JSON. */
  readonly metric: JsonValue;
}

/** Everything that is known before a receipt to be scored arrives. */
export interface ScorePins extends AcceptancePins {
  /** The metric's `definition_sha256`: `sha256:` and 64 lower-case hexadecimal digits. */
  readonly expected_metric_definition_sha256: string;
}

/** What is known beforehand where the profile pins the issuer. */
export interface PinnedIssuerPins extends MeasurementPins {
  /** 32 bytes in base64. */
  readonly issuer_public_key_base64: string;
}

/** A score, and what the caller has to consume for it. */
export interface ScoredEvaluation {
  /** What may be published; `formatScoreArtifact` gives the text of its file. */
  readonly score: ScoreArtifact;
  /** Measurement, nonce and slot: use up all three in one step before relying on the score. */
  readonly consume: Consumption;
}

/**
 * Accepts an evaluation and scores it, or says which rule comes first that it breaks.
 *
 * @param replay what was accepted before, or `"archival"`; there is no default.
 * @throws {TypeError} when pins or state are not given as the types say.
 * @throws {SignatureError} where the runtime has no Ed25519.
 */
export async function scoreEvaluation(
  evidence: ScoreEvidence,
  pins: ScorePins,
  replay: Replay,
  context: EvaluationContext,
): Promise<RecordResult<ScoredEvaluation>> {
  assertReplay(replay);
  // What is hashed is what is read, whatever happens during the wait. A Buffer's own slice() copies nothing.
  const raw: Uint8Array = Uint8Array.prototype.slice.call(evidence.raw);
  return await readingLater(async () => {
    if (pins.expected_media_type !== MEDIA_TYPE) refuse("media_type_pin_invalid");
    const spec = required(parseEvaluationSpec(evidence.spec, context));
    const metric = required(parseMetricDefinition(evidence.metric, context));
    const accepted = required(
      await acceptEvaluation({ ...evidence, raw }, pins, replay, context),
    );
    checkMetric(metric, spec, accepted, pins.expected_metric_definition_sha256);
    return { score: scoreRaw(raw, metric, accepted, context), consume: accepted.consume };
  });
}

/**
 * Accepts an evaluation under the issuer policy that the profile pins, and scores it by the metric that is given.
 *
 * @throws {TypeError} when the profile pins no issuer, or pins or state are not given as the types say.
 */
export async function scoreUnderPinnedIssuer(
  evidence: ScoreEvidence,
  pins: PinnedIssuerPins,
  replay: Replay,
  context: EvaluationContext,
): Promise<RecordResult<ScoredEvaluation>> {
  assertReplay(replay);
  return await readingLater(async () => {
    const spec = required(parseEvaluationSpec(evidence.spec, context));
    const metric = required(parseMetricDefinition(evidence.metric, context));
    required(checkPinnedIssuer(evidence.receipt, context));
    const { issuer } = context.profile;
    const all: ScorePins = {
      ...pins,
      expected_spec_sha256: spec.spec_sha256,
      expected_deliverable_manifest_sha256: spec.deliverable_manifest_sha256,
      expected_runtime_policy_sha256: spec.runtime_policy_sha256,
      expected_issuer_policy_sha256: issuer!.policy_sha256,
      expected_issuer_key_id: issuer!.key_id,
      expected_media_type: MEDIA_TYPE,
      expected_metric_definition_sha256: metric.definition_sha256,
    };
    return required(await scoreEvaluation(evidence, all, replay, context));
  });
}

const MEDIA_TYPE = "application/json";

/** Hashes that a metric shares with the spec, under the spec's name for them. */
const SHARED = [
  ["rubric_sha256", "rubric_sha256"],
  ["criteria_sha256", "criteria_sha256"],
  ["aggregation_sha256", "aggregation_sha256"],
  ["output_schema_sha256", "judge_output_schema_sha256"],
] as const;

function checkMetric(
  metric: MetricDefinition,
  spec: EvaluationSpec,
  { receipt }: AcceptedEvaluation,
  pin: string,
): void {
  if (!isStrictDigest(pin)) refuse("digest_invalid", "expected_metric_definition_sha256");
  if (pin !== metric.definition_sha256) refuse("metric_pin_mismatch");
  if (receipt.status !== "succeeded") refuse("status_not_succeeded");
  for (const [ours, theirs] of SHARED) {
    if (metric[ours] !== spec[theirs]) refuse("metric_spec_binding_mismatch", ours);
  }
}

function scoreRaw(
  raw: Uint8Array,
  metric: MetricDefinition,
  { receipt, spec }: AcceptedEvaluation,
  context: EvaluationContext,
): ScoreArtifact {
  const { passed, criteria } = readDerivative(raw, metric.criterion_count, context.profile);
  return buildScoreArtifact({
    evaluation_receipt_sha256: receipt.receipt_sha256,
    evaluation_spec_sha256: spec.spec_sha256,
    raw_result_sha256: receipt.raw_result_sha256,
    metric_definition_sha256: metric.definition_sha256,
    score_value: passed === criteria ? 1n : 0n,
    n_passed: passed,
    n_criteria: criteria,
  }, context);
}
