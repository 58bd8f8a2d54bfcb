import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { JsonValue } from "../../src/canonical/mod.ts";
import {
  acceptEvaluation,
  parseCost,
  parseEvaluationReceipt,
  parseEvaluationSpec,
  parseReceiptAuthority,
  parseTiming,
  parseTokenUsage,
} from "../../src/evaluation/mod.ts";
import { loadSha256 } from "../../src/hash/mod.ts";
import { formatRecord, LAB_PROFILE } from "../../src/record/mod.ts";
import type { RecordResult } from "../../src/record/mod.ts";
import { parseMetricDefinition, parseScoreArtifact, scoreEvaluation } from "../../src/score/mod.ts";
import { holds, json, makeSample } from "../lib/evaluation.ts";
import { seeded } from "../lib/random.ts";
import type { Random } from "../lib/random.ts";
import {
  canonical,
  DIGEST,
  exactly,
  hashOf,
  ID,
  integer,
  JUDGE,
  member,
  mutate,
  object,
  PUBLIC,
  render,
  reseal,
  sourceOf,
  text,
} from "./mutants.ts";
import type { Member, Rule, Source } from "./mutants.ts";

const context = { profile: LAB_PROFILE, sha256: await loadSha256() };
const { sha256 } = context;
const sample = await makeSample(Array<boolean>(23).fill(true), context);
const scored = holds(await scoreEvaluation(sample.evidence, sample.pins, "archival", context));
const P = LAB_PROFILE.idPrefix;
const all = (...rules: Rule[]): Rule => (value) => rules.every((rule) => rule(value));
const any = (...rules: Rule[]): Rule => (value) => rules.some((rule) => rule(value));
const NULL = exactly(null);
const REASON = exactly(
  ...["not_reported", "provider_did_not_report", "not_applicable", "unknown"],
  "flat_subscription_has_no_per_call_allocation",
);
const digests = (names: string): Record<string, Rule> =>
  Object.fromEntries(names.split(" ").map((name) => [name, DIGEST]));
const sealed = (hash: string, ...without: string[]): Rule => (value) =>
  member(value, hash) === JSON.stringify(hashOf(value as Member[], [hash, ...without], sha256));

const COUNT = any(
  object({ value: integer(0n), unknown_reason: NULL }),
  object({ value: NULL, unknown_reason: REASON }),
);
const USAGE = object({
  source: exactly("provider_response", "evaluator_wrapper", "unknown"),
  input_tokens: COUNT,
  output_tokens: COUNT,
  cache_read_tokens: COUNT,
  cache_write_tokens: COUNT,
  reasoning_tokens: COUNT,
  total_tokens: COUNT,
});
const COST = any(
  object({
    amount_microusd: integer(0n),
    currency: exactly("USD"),
    basis: exactly("metered", "provider_reported"),
    pricing_snapshot_sha256: any(DIGEST, NULL),
    unknown_reason: NULL,
  }),
  object({
    amount_microusd: integer(0n),
    currency: exactly("USD"),
    basis: exactly("estimated_from_pricing_snapshot"),
    pricing_snapshot_sha256: DIGEST,
    unknown_reason: NULL,
  }),
  object({
    amount_microusd: NULL,
    currency: NULL,
    basis: exactly("subscription_unallocable", "unknown"),
    pricing_snapshot_sha256: NULL,
    unknown_reason: REASON,
  }),
);

/** Milliseconds and microseconds of a time in the one spelling. */
function instant(value: Source): readonly [number, string] | undefined {
  const found = /^"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{6}))?Z"$/.exec(canonical(value));
  if (found === null || found[2] === "000000") return undefined;
  const date = new Date(`${found[1]}Z`);
  const isReal = !Number.isNaN(date.getTime()) && date.toISOString().startsWith(found[1]!);
  return isReal ? [date.getTime(), found[2] ?? "000000"] : undefined;
}

const TIMING = all(
  object({
    clock_id: ID,
    started_at_utc: (value) => instant(value) !== undefined,
    ended_at_utc: (value) => instant(value) !== undefined,
    started_monotonic_ns: integer(0n),
    ended_monotonic_ns: integer(0n),
    wall_elapsed_ns: integer(0n),
    queue_elapsed_ns: integer(0n),
    summed_call_elapsed_ns: integer(0n),
  }),
  (value) => {
    const number = (name: string): bigint => BigInt(member(value, name));
    const [start, end] = [member(value, "started_at_utc"), member(value, "ended_at_utc")].map(
      (time) => instant(time)!,
    );
    const isOrdered = start![0] < end![0] || (start![0] === end![0] && start![1] <= end![1]);
    const wall = number("wall_elapsed_ns");
    return isOrdered && wall === number("ended_monotonic_ns") - number("started_monotonic_ns") &&
      number("queue_elapsed_ns") <= wall;
  },
);

const SPEC = all(
  object({
    schema_version: exactly(`${P}evaluation_spec.v1`),
    evaluation_id: ID,
    evaluator_repository: text(
      /^"https:\/\/[a-z0-9.-]+(\/(?!\.{1,2}[/"])[A-Za-z0-9._-]{1,100})+"$/,
    ),
    evaluator_commit: text(/^"[0-9a-f]{40}"$/),
    evaluator_tree: text(/^"[0-9a-f]{40}"$/),
    judge_requested_identity: JUDGE,
    ...digests("deliverable_manifest_sha256 deliverable_tree_sha256 task_sha256 run_sha256"),
    ...digests("config_sha256 evaluator_file_manifest_sha256 evaluator_image_digest"),
    ...digests("wrapper_sha256 private_material_sha256 rubric_sha256 criteria_sha256"),
    ...digests("aggregation_sha256 judge_settings_sha256 judge_prompt_sha256"),
    ...digests("judge_output_schema_sha256 runtime_policy_sha256 egress_policy_sha256"),
    ...digests("resource_policy_sha256 token_accounting_policy_sha256 spec_sha256"),
  }),
  sealed("spec_sha256"),
  PUBLIC,
);

const RECEIPT = all(
  object({
    schema_version: exactly(`${P}evaluation_receipt.v1`),
    measurement_id: ID,
    evaluation_attempt_id: ID,
    attempt_nonce: ID,
    issuer_key_id: ID,
    repeat_index: integer(1n),
    judge_requested_identity: JUDGE,
    judge_resolved_identity: JUDGE,
    raw_result_size_bytes: integer(0n),
    raw_result_media_type: text(/^"[a-z0-9!#$&^_.+-]+\/[a-z0-9!#$&^_.+-]+"$/),
    status: exactly("succeeded", "failed"),
    token_usage: USAGE,
    cost: COST,
    timing: TIMING,
    signature: text(/^"[A-Za-z0-9+/]{85}[AQgw]=="$/),
    ...digests("evaluation_spec_sha256 deliverable_manifest_sha256 deliverable_tree_sha256"),
    ...digests("task_sha256 run_sha256 config_sha256 judge_settings_sha256 judge_prompt_sha256"),
    ...digests("judge_output_schema_sha256 runtime_policy_sha256 egress_policy_sha256"),
    ...digests("resource_policy_sha256 token_accounting_policy_sha256 raw_result_sha256"),
    ...digests("issuer_policy_sha256 receipt_sha256"),
  }),
  sealed("receipt_sha256", "signature"),
  PUBLIC,
);

const METRIC = all(
  object({
    schema_version: exactly(`${P}metric_definition.v1`),
    metric_id: exactly("harvey-lab-binary-all-pass-v1"),
    criterion_count: exactly(23),
    raw_min: exactly(0),
    raw_max: exactly(1),
    direction: exactly("higher_is_better"),
    unit: exactly("binary"),
    weight_rule: exactly("unweighted"),
    missingness_rule: exactly("reject"),
    rounding_rule: exactly("none"),
    aggregation_rule: exactly("all_pass"),
    raw_derivative_schema_version: exactly(`${P}harvey_lab_verdicts.v1`),
    normalizer_id: exactly("legalforecast.harvey-lab-all-pass-normalizer.v1"),
    ...digests("rubric_sha256 criteria_sha256 aggregation_sha256 output_schema_sha256"),
    ...digests("definition_sha256"),
  }),
  sealed("definition_sha256"),
);

const SCORE = all(
  object({
    schema_version: exactly(`${P}score_artifact.v1`),
    unit: exactly("binary"),
    n_criteria: exactly(23),
    n_passed: (value) => integer(0n)(value) && BigInt(canonical(value)) <= 23n,
    score_value: exactly(0, 1),
    ...digests("evaluation_receipt_sha256 evaluation_spec_sha256 raw_result_sha256"),
    ...digests("metric_definition_sha256 score_sha256"),
  }),
  (value) => (member(value, "n_passed") === "23") === (member(value, "score_value") === "1"),
  sealed("score_sha256"),
);

const custody = LAB_PROFILE.issuer!.custody;
const authority = {
  schema_version: `${P}receipt_authority.v1`,
  issuer_id: "example.issuer:v1",
  key_id: sample.receipt.issuer_key_id,
  algorithm: "Ed25519",
  issuer_policy_sha256: sample.receipt.issuer_policy_sha256,
  public_key_base64: sample.pins.issuer_public_key_base64,
  private_key_source: custody,
  status: "configured",
};
const ISSUER = text(/^"[A-Za-z0-9._:/@+-]+"$/);
const AUTHORITY = all(
  object({
    schema_version: exactly(authority.schema_version),
    issuer_id: ISSUER,
    key_id: ISSUER,
    algorithm: exactly("Ed25519"),
    issuer_policy_sha256: text(/^"(sha256:)?[0-9a-f]{64}"$/),
    public_key_base64: any(NULL, text(/^"[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]="$/)),
    private_key_source: object(
      Object.fromEntries(Object.entries(custody).map(([name, value]) => [name, exactly(value)])),
    ),
    status: exactly("configured", "pending_human_provisioning"),
  }),
  (value) =>
    member(value, "status") !== '"configured"' || member(value, "public_key_base64") !== "null",
);

interface Subject {
  record: object;
  mutants: number;
  rule: Rule;
  parse: (value: JsonValue) => RecordResult<object>;
  hash?: readonly string[];
}

const SUBJECTS: Readonly<Record<string, Subject>> = {
  parseEvaluationSpec: {
    record: sample.spec,
    mutants: 4000,
    rule: SPEC,
    parse: (value) => parseEvaluationSpec(value, context),
    hash: ["spec_sha256"],
  },
  parseEvaluationReceipt: {
    record: sample.receipt,
    mutants: 6000,
    rule: RECEIPT,
    parse: (value) => parseEvaluationReceipt(value, context),
    hash: ["receipt_sha256", "signature"],
  },
  parseMetricDefinition: {
    record: sample.metric,
    mutants: 2500,
    rule: METRIC,
    parse: (value) => parseMetricDefinition(value, context),
    hash: ["definition_sha256"],
  },
  parseScoreArtifact: {
    record: scored.score,
    mutants: 2000,
    rule: SCORE,
    parse: (value) => parseScoreArtifact(value, context),
    hash: ["score_sha256"],
  },
  parseTokenUsage: {
    record: sample.receipt.token_usage,
    mutants: 1000,
    rule: USAGE,
    parse: parseTokenUsage,
  },
  parseCost: { record: sample.receipt.cost, mutants: 1000, rule: COST, parse: parseCost },
  parseTiming: { record: sample.receipt.timing, mutants: 1500, rule: TIMING, parse: parseTiming },
  parseReceiptAuthority: {
    record: authority,
    mutants: 2000,
    rule: AUTHORITY,
    parse: (value) => parseReceiptAuthority(value, context),
  },
};

/** One to three changes; every other time with a hash that fits again. */
function nextMutant(source: Member[], hash: readonly string[] | undefined, random: Random) {
  let mutant = source;
  for (let changes = 1 + random.below(2); changes > 0 && mutant.length > 0; changes--) {
    mutant = mutate(mutant, random);
  }
  const isResealed = hash !== undefined && random.below(2) === 0;
  return isResealed ? reseal(mutant, hash[0]!, hash, sha256) : mutant;
}

const mutation = suite("mutants of records of evaluations and scores");

for (const [name, { record, mutants, rule, parse, hash }] of Object.entries(SUBJECTS)) {
  mutation(`${name}() takes exactly the mutants that a second reading of the rules takes`, () => {
    const random = seeded(mutants);
    const source = sourceOf(record) as Member[];
    assert.is(rule(source), true, "the original");
    let taken = 0;
    for (let index = 0; index < mutants; index++) {
      const mutant = nextMutant(source, hash, random);
      const shown = render(mutant);
      const result = parse(json(shown));
      assert.is(result.ok ? "taken" : "refused", rule(mutant) ? "taken" : "refused", shown);
      if (!result.ok) continue;
      taken++;
      assert.is(formatRecord(result.value), canonical(mutant), shown);
    }
    assert.ok(taken > 0 && taken < mutants, `${taken} of ${mutants} were taken`);
  });
}

mutation(
  "acceptEvaluation() accepts no mutant of a receipt or spec that says anything else",
  async () => {
    const random = seeded(7);
    let accepted = 0;
    for (let index = 0; index < 1000; index++) {
      const isReceipt = random.below(3) > 0;
      const source = sourceOf(isReceipt ? sample.receipt : sample.spec) as Member[];
      const hash = isReceipt ? ["receipt_sha256", "signature"] : ["spec_sha256"];
      const mutant = nextMutant(source, hash, random);
      const changed = {
        ...sample.evidence,
        [isReceipt ? "receipt" : "spec"]: json(render(mutant)),
      };
      const result = await acceptEvaluation(changed, sample.pins, "archival", context);
      if (!result.ok) continue;
      accepted++;
      assert.is(canonical(mutant), canonical(source), render(mutant));
    }
    assert.ok(accepted > 0 && accepted < 1000, `${accepted} were accepted`);
  },
);

mutation("scoreEvaluation() scores no changed byte of a derivative", async () => {
  const random = seeded(11);
  for (let index = 0; index < 300; index++) {
    const raw = sample.raw.slice();
    raw[random.below(raw.length)]! ^= 1 + random.below(255);
    const result = await scoreEvaluation(
      { ...sample.evidence, raw },
      sample.pins,
      "archival",
      context,
    );
    assert.is(result.ok ? "scored" : result.code, "record.raw_hash_mismatch");
  }
});

mutation.run();
