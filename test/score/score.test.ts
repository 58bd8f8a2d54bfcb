import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { EvaluationContext, EvaluationReceiptFields } from "../../src/evaluation/mod.ts";
import { loadSha256 } from "../../src/hash/mod.ts";
import { LAB_PROFILE, UNSTABLE_NEUTRAL_PROFILE } from "../../src/record/mod.ts";
import {
  formatScoreArtifact,
  scoreEvaluation,
  scoreUnderPinnedIssuer,
} from "../../src/score/mod.ts";
import type { PinnedIssuerPins, ScoreArtifact, ScorePins } from "../../src/score/mod.ts";
import { outcomeOf } from "../evaluation/order.ts";
import { derivativeOf, holds, makeSample, toJson } from "../lib/evaluation.ts";
import type { Sample } from "../lib/evaluation.ts";
import { rejectionOf } from "../lib/thrown.ts";

const sha256 = await loadSha256();
const context = { profile: LAB_PROFILE, sha256 };
const neutral = { profile: UNSTABLE_NEUTRAL_PROFILE, sha256 };
const sample = await makeSample(Array<boolean>(23).fill(true), context);

const score = async (
  { evidence, pins }: Sample,
  each: EvaluationContext,
  other: Partial<ScorePins> = {},
) => await scoreEvaluation(evidence, { ...pins, ...other }, "archival", each);

const scoring = suite("scores");

scoring("scoreEvaluation() scores any number of criteria under the neutral profile", async () => {
  for (const verdicts of [[true], [false], [true, false], Array<boolean>(100).fill(true)]) {
    const made = await makeSample(verdicts, neutral);
    const passed = verdicts.filter((pass) => pass).length;
    const { score: artifact, consume } = holds(await score(made, neutral));
    assert.equal(artifact, {
      schema_version: "affidavit.unstable.score_artifact.v1",
      evaluation_receipt_sha256: made.receipt.receipt_sha256,
      evaluation_spec_sha256: made.spec.spec_sha256,
      raw_result_sha256: made.receipt.raw_result_sha256,
      metric_definition_sha256: made.metric.definition_sha256,
      score_value: passed === verdicts.length ? 1n : 0n,
      unit: "binary",
      n_passed: BigInt(passed),
      n_criteria: BigInt(verdicts.length),
      score_sha256: artifact.score_sha256,
    });
    assert.equal(consume.repeat_slot, [made.spec.spec_sha256, 1n]);
  }
});

/** Every member that a score has, and no other: a member more, or one less, does not compile. */
const MEMBERS: Readonly<Record<keyof ScoreArtifact, true>> = {
  schema_version: true,
  evaluation_receipt_sha256: true,
  evaluation_spec_sha256: true,
  raw_result_sha256: true,
  metric_definition_sha256: true,
  score_value: true,
  unit: true,
  n_passed: true,
  n_criteria: true,
  score_sha256: true,
};

scoring(
  "a score holds hashes, two counts and a bit, and nothing else of the evaluation",
  async () => {
    const verdicts = Array.from({ length: 23 }, (_, index) => index % 3 > 0);
    const made = await makeSample(verdicts, context, { attempt_nonce: "nonce-e83b" });
    const { score: artifact } = holds(await score(made, context));
    assert.equal(Object.keys(artifact).sort(), Object.keys(MEMBERS).sort());
    const values = Object.entries(artifact).filter(([name]) => !name.endsWith("_sha256"));
    assert.equal(Object.fromEntries(values), {
      schema_version: "legalforecast.multiharness.score_artifact.v1",
      score_value: 0n,
      unit: "binary",
      n_passed: 15n,
      n_criteria: 23n,
    });
    const text = formatScoreArtifact(artifact);
    const hashes = [
      ...[made.receipt.receipt_sha256, made.spec.spec_sha256, made.receipt.raw_result_sha256],
      ...[made.metric.definition_sha256, artifact.score_sha256],
    ];
    for (const word of wordsOf([made.receipt, made.spec])) {
      if (!hashes.includes(word)) assert.is(text.includes(word), false, word);
    }
    const kinds = 'criteri(?!a":23)|verdict|rubric|reason|cost|usd|token|time|nano|attempt|nonce';
    assert.is(new RegExp(`${kinds}|judge|ordinal|pass(?!ed":15)|fail|uncertain`).test(text), false);
  },
);

/** Every text and every number of more than two digits, at any depth. */
function wordsOf(value: unknown): string[] {
  if (typeof value === "object" && value !== null) return Object.values(value).flatMap(wordsOf);
  if (typeof value === "bigint") return value > 99n ? [String(value)] : [];
  return typeof value === "string" ? [value] : [];
}

scoring(
  "two evaluations that differ in cost, time and attempt alone differ in the hashes of receipts",
  async () => {
    const other: Partial<EvaluationReceiptFields> = {
      evaluation_attempt_id: "attempt-77",
      judge_resolved_identity: "acme/judge@other",
      cost: { ...sample.receipt.cost, amount_microusd: 1n } as EvaluationReceiptFields["cost"],
      timing: { ...sample.receipt.timing, summed_call_elapsed_ns: 0n },
    };
    const made = await makeSample(Array<boolean>(23).fill(true), context, other);
    const [a, b] = [holds(await score(sample, context)), holds(await score(made, context))];
    const differing = Object.keys(MEMBERS).filter((name) =>
      a.score[name as keyof ScoreArtifact] !== b.score[name as keyof ScoreArtifact]
    );
    assert.equal(differing, ["evaluation_receipt_sha256", "score_sha256"]);
  },
);

scoring(
  "scoreEvaluation() judges media type, records, acceptance, metric and status in this order",
  async () => {
    const digest = sample.spec.task_sha256;
    const failed = await makeSample(Array<boolean>(23).fill(true), context, { status: "failed" });
    const outcome = async (made: Sample, other: Partial<ScorePins> = {}, metric?: object) => {
      const evidence = metric === undefined
        ? made.evidence
        : { ...made.evidence, metric: toJson(metric) };
      return outcomeOf(await score({ ...made, evidence }, context, other));
    };
    const [media, measurement] = [{ expected_media_type: "a/b" }, { expected_measurement_id: "x" }];
    const [pin, other] = [
      { expected_metric_definition_sha256: "x" },
      { expected_metric_definition_sha256: digest },
    ];
    const broken = { ...failed.metric, unit: "percent" };
    assert.equal(await outcome(failed, { ...media, ...measurement, ...pin }, broken), [
      "media_type_pin_invalid",
      undefined,
    ]);
    assert.equal(await outcome(failed, { ...measurement, ...pin }, broken), [
      "metric_rule_not_pinned",
      "unit",
    ]);
    assert.equal(await outcome(failed, { ...measurement, ...pin }), [
      "pin_mismatch",
      "measurement_id",
    ]);
    assert.equal(await outcome(failed, pin), [
      "digest_invalid",
      "expected_metric_definition_sha256",
    ]);
    assert.equal(await outcome(failed, other), ["metric_pin_mismatch", undefined]);
    assert.equal(await outcome(failed), ["status_not_succeeded", undefined]);
    assert.equal(await outcome(sample), ["accepted"]);
  },
);

scoring("scoreEvaluation() tells text that is no JSON from a repeated name before it", async () => {
  const encode = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text);
  const outcome = async (raw: Uint8Array<ArrayBuffer>) =>
    outcomeOf(await score(await makeSample(raw, context), context));
  assert.equal(await outcome(encode('{"a":1,"a":2}')), ["derivative_duplicate_key", undefined]);
  assert.equal(await outcome(encode('{"a":1,"a":2}x')), ["derivative_not_json", undefined]);
  assert.equal(await outcome(encode("[".repeat(5000))), ["derivative_not_json", undefined]);
  assert.equal(await outcome(encode("1e400")), ["derivative_not_encodable", undefined]);
  assert.equal(await outcome(encode('"\\ud800"')), ["derivative_not_encodable", undefined]);
  assert.equal(await outcome(encode('"x"')), ["not_an_object", "raw_verdict_derivative"]);
  assert.equal(await outcome(encode('{"x":"\u00e9"}')), ["fields_mismatch", undefined]);
  assert.equal(await outcome(encode('{"x":"\\u00e9"}')), [
    "derivative_not_canonical_bytes",
    undefined,
  ]);
});

scoring(
  "scoreEvaluation() judges verdicts, then stated numbers, then how many there are",
  async () => {
    const verdicts = Array<boolean>(22).fill(true);
    const outcome = async (other: object) =>
      outcomeOf(
        await score(await makeSample(derivativeOf(verdicts, context, other), context), context),
      );
    const first = { ordinal: 1, verdict: "maybe" };
    const numbers = { score: -1, n_passed: -1, n_criteria: 0 };
    assert.equal(await outcome({ ...numbers, verdicts: [first] }), [
      "verdict_value_invalid",
      undefined,
    ]);
    assert.equal(await outcome(numbers), ["not_binary", "score"]);
    assert.equal(await outcome({ ...numbers, score: 0 }), ["not_non_negative_integer", "n_passed"]);
    assert.equal(await outcome({ n_criteria: 0 }), ["not_positive_integer", "n_criteria"]);
    assert.equal(await outcome({ n_passed: 3 }), ["verdict_count_mismatch", undefined]);
  },
);

scoring("scoreEvaluation() reads the raw bytes that it was called with", async () => {
  /** As Node's `Buffer` does. */
  class Shared extends Uint8Array<ArrayBuffer> {
    override slice(): Uint8Array<ArrayBuffer> {
      return this.subarray();
    }
  }
  for (const raw of [Uint8Array.from(sample.raw), Shared.from(sample.raw)]) {
    const pending = score({ ...sample, evidence: { ...sample.evidence, raw } }, context);
    raw.fill(0x20);
    assert.is((await pending).ok, true);
  }
});

scoring("both ways to a score throw when they are not told what was accepted before", async () => {
  for (const call of [scoreEvaluation, scoreUnderPinnedIssuer]) {
    const error = await rejectionOf(
      call(sample.evidence, sample.pins, undefined as never, context),
    );
    assert.is(error instanceof TypeError, true);
  }
});

scoring(
  "scoreUnderPinnedIssuer() needs the key and the measurement, and a profile with an issuer",
  async () => {
    const pins: PinnedIssuerPins = {
      issuer_public_key_base64: sample.pins.issuer_public_key_base64,
      expected_measurement_id: sample.pins.expected_measurement_id,
      expected_evaluation_attempt_id: sample.pins.expected_evaluation_attempt_id,
      expected_attempt_nonce: sample.pins.expected_attempt_nonce,
      expected_repeat_index: sample.pins.expected_repeat_index,
    };
    const pinned = await scoreUnderPinnedIssuer(sample.evidence, pins, "archival", context);
    assert.equal(pinned, await score(sample, context));
    const other = await makeSample(Array<boolean>(23).fill(true), context, { issuer_key_id: "k" });
    assert.equal(
      outcomeOf(await scoreUnderPinnedIssuer(other.evidence, pins, "archival", context)),
      ["issuer_key_unknown", "issuer_key_id"],
    );
    const free = await makeSample([true], neutral);
    const error = await rejectionOf(
      scoreUnderPinnedIssuer(free.evidence, pins, "archival", neutral),
    );
    assert.is(error instanceof TypeError, true);
  },
);

scoring.run();
