/**
 * Makes both sides of a submission below the current folder, for the guide
 * `docs/guide/take-a-submission-you-do-not-trust.md`: `given`, what somebody hands over, and `mine`, what the maintainer
 * of the benchmark knew before.
 *
 * The issuer's key is that of TEST 2 in RFC 8032, section 7.1. Everybody has it, so pin it nowhere else.
 *
 * @module
 */
import { mkdir, writeFile } from "node:fs/promises";
import { formatValue } from "../src/canonical/mod.ts";
import { MemoryFiles, planSeal, sealTree } from "../src/deliverable/mod.ts";
import type { FileDeclaration, Manifest } from "../src/deliverable/mod.ts";
import { buildEvaluationSpec, signEvaluationReceipt } from "../src/evaluation/mod.ts";
import type {
  EvaluationReceipt,
  EvaluationSpec,
  EvaluationSpecFields,
} from "../src/evaluation/mod.ts";
import { nativeSha256 } from "../src/node/mod.ts";
import { formatRecord, LAB_PROFILE } from "../src/record/mod.ts";
import type { RecordResult } from "../src/record/mod.ts";
import { buildMetricDefinition } from "../src/score/mod.ts";
import { derivePublicKey, encodeBase64 } from "../src/signature/mod.ts";

const sha256 = nativeSha256();
const context = { profile: LAB_PROFILE, sha256 };
const utf8 = new TextEncoder();
const seed = Uint8Array.from(
  "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb".match(/../g) ?? [],
  (digits) => parseInt(digits, 16),
);

/** What this run calls a configuration, a prompt and so on, by hash alone. */
const digest = (of: Uint8Array | string): string =>
  `sha256:${sha256.digest(typeof of === "string" ? utf8.encode(of) : of)}`;

function holds<T>(result: RecordResult<T>): T {
  if (!result.ok) throw new Error(`${result.code}: ${result.reason}`);
  return result.value;
}

// What the maintainer knew before.

const declaration: FileDeclaration[] = [
  {
    artifact_id: "answer",
    source_path: "answer.md",
    path: "answer.md",
    media_type: "text/markdown",
    max_size_bytes: 4096,
  },
  {
    artifact_id: "totals",
    source_path: "data/totals.csv",
    path: "data/totals.csv",
    media_type: "text/csv",
    max_size_bytes: 4096,
  },
];

const terms = {
  evaluation_id: "eval-1",
  evaluator_repository: "https://example.org/team/evaluator",
  evaluator_commit: "a".repeat(40),
  evaluator_tree: "b".repeat(40),
  evaluator_file_manifest_sha256: digest("evaluator files"),
  evaluator_image_digest: digest("evaluator image"),
  wrapper_sha256: digest("wrapper"),
  private_material_sha256: digest("private material"),
  rubric_sha256: digest("rubric"),
  criteria_sha256: digest("criteria"),
  aggregation_sha256: digest("aggregation"),
  judge_requested_identity: "acme/judge",
  judge_settings_sha256: digest("judge settings"),
  judge_prompt_sha256: digest("judge prompt"),
  judge_output_schema_sha256: digest("judge output schema"),
  runtime_policy_sha256: digest("runtime policy"),
  egress_policy_sha256: digest("egress policy"),
  resource_policy_sha256: digest("resource policy"),
  token_accounting_policy_sha256: digest("token accounting policy"),
} satisfies Partial<EvaluationSpecFields>;

const metric = holds(buildMetricDefinition({
  metric_id: "harvey-lab-binary-all-pass-v1",
  criterion_count: 23n,
  normalizer_id: "legalforecast.harvey-lab-all-pass-normalizer.v1",
  rubric_sha256: terms.rubric_sha256,
  criteria_sha256: terms.criteria_sha256,
  aggregation_sha256: terms.aggregation_sha256,
  output_schema_sha256: terms.judge_output_schema_sha256,
}, context));

const measurement = {
  measurement_id: "measurement-1",
  evaluation_attempt_id: "attempt-1",
  attempt_nonce: "nonce-1",
  repeat_index: 1n,
};

const issuer = {
  issuer_policy_sha256: "sha256:8b0b29efb2f044ef6a65d2cea79c832e6c44f6ac00280e00cd5a00265efefb90",
  issuer_key_id: "harvey-lab-evaluator-v1",
};

async function writeMine(): Promise<void> {
  await mkdir("mine");
  await writeFile("mine/files.json", JSON.stringify(declaration, null, 2));
  await writeFile("mine/terms.json", JSON.stringify(terms, null, 2));
  await writeFile("mine/metric.json", formatRecord(metric));
  const pins = {
    expected_issuer_policy_sha256: issuer.issuer_policy_sha256,
    expected_issuer_key_id: issuer.issuer_key_id,
    issuer_public_key_base64: encodeBase64(await derivePublicKey(seed)),
    expected_runtime_policy_sha256: terms.runtime_policy_sha256,
    expected_measurement_id: measurement.measurement_id,
    expected_evaluation_attempt_id: measurement.evaluation_attempt_id,
    expected_attempt_nonce: measurement.attempt_nonce,
    expected_repeat_index: Number(measurement.repeat_index),
    expected_media_type: "application/json",
  };
  await writeFile("mine/pins.json", JSON.stringify(pins, null, 2));
}

// What somebody hands over. The evaluator sealed the files, judged them, and signed.

const outputs = { "answer.md": "# Answer\n\n42\n", "data/totals.csv": "month,total\n9,42\n" };
const verdicts = utf8.encode(formatValue({
  schema_version: `${LAB_PROFILE.idPrefix}harvey_lab_verdicts.v1`,
  n_criteria: 23,
  n_passed: 23,
  score: 1,
  verdicts: Array.from({ length: 23 }, (_, at) => ({ ordinal: at + 1, verdict: "pass" })),
}));

async function writeGiven(): Promise<void> {
  await mkdir("given/outputs/data", { recursive: true });
  for (const [path, text] of Object.entries(outputs)) {
    await writeFile(`given/outputs/${path}`, text);
  }
  await writeFile("given/verdicts.json", verdicts);
  await writeFile("given/receipt.json", formatRecord(await makeReceipt(await seal())));
}

async function seal(): Promise<Manifest> {
  const files = new MemoryFiles();
  for (const [path, text] of Object.entries(outputs)) {
    files.put(`outputs/${path}`, utf8.encode(text));
  }
  const plan = holds(planSeal(declaration, {
    task_sha256: digest("task"),
    run_sha256: digest("run"),
    config_sha256: digest("config"),
  }));
  return holds(await sealTree(files.at("outputs"), files.at("sealed"), plan, sha256)).manifest;
}

async function makeReceipt(manifest: Manifest): Promise<EvaluationReceipt> {
  const spec = holds(buildEvaluationSpec({
    ...terms,
    deliverable_manifest_sha256: manifest.manifest_sha256,
    deliverable_tree_sha256: manifest.tree_sha256,
    task_sha256: manifest.task_sha256,
    run_sha256: manifest.run_sha256,
    config_sha256: manifest.config_sha256,
  }, context));
  const fields = { ...bindingsOf(spec), ...measurement, ...issuer, ...measured };
  return holds(await signEvaluationReceipt(fields, seed, context));
}

/** What a receipt repeats from its spec. */
function bindingsOf(spec: EvaluationSpec) {
  return {
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
  };
}

const unknown = { value: null, unknown_reason: "not_reported" } as const;

const measured = {
  judge_resolved_identity: "acme/judge@2026-09-02",
  raw_result_sha256: digest(verdicts),
  raw_result_size_bytes: BigInt(verdicts.length),
  raw_result_media_type: "application/json",
  status: "succeeded",
  token_usage: {
    source: "unknown",
    input_tokens: unknown,
    output_tokens: unknown,
    cache_read_tokens: unknown,
    cache_write_tokens: unknown,
    reasoning_tokens: unknown,
    total_tokens: unknown,
  },
  cost: {
    basis: "unknown",
    amount_microusd: null,
    currency: null,
    pricing_snapshot_sha256: null,
    unknown_reason: "not_reported",
  },
  timing: {
    clock_id: "clock-a",
    started_at_utc: "2026-09-02T09:00:00Z",
    ended_at_utc: "2026-09-02T09:00:01Z",
    started_monotonic_ns: 0n,
    ended_monotonic_ns: 1_000_000_000n,
    wall_elapsed_ns: 1_000_000_000n,
    queue_elapsed_ns: 0n,
    summed_call_elapsed_ns: 1_000_000_000n,
  },
} as const;

await writeMine();
await writeGiven();
