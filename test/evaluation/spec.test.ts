import { suite } from "uvu";
import * as assert from "uvu/assert";
import {
  buildEvaluationSpec,
  commitCriteria,
  parseEvaluationSpec,
} from "../../src/evaluation/mod.ts";
import type { EvaluationSpecFields } from "../../src/evaluation/mod.ts";
import { loadSha256 } from "../../src/hash/mod.ts";
import { LAB_PROFILE, UNSTABLE_NEUTRAL_PROFILE } from "../../src/record/mod.ts";
import { holds, json, makeSample, toJson } from "../lib/evaluation.ts";
import { rejectionOf } from "../lib/thrown.ts";
import { checkOrder, outcomeOf } from "./order.ts";
import type { Fault } from "./order.ts";

const sha256 = await loadSha256();
const context = { profile: LAB_PROFILE, sha256 };
const neutral = { profile: UNSTABLE_NEUTRAL_PROFILE, sha256 };
const { spec } = await makeSample(Array<boolean>(23).fill(true), context);

const DIGESTS = [
  ...["deliverable_manifest_sha256", "deliverable_tree_sha256", "task_sha256", "run_sha256"],
  ...["config_sha256", "evaluator_file_manifest_sha256", "evaluator_image_digest"],
  ...["wrapper_sha256", "private_material_sha256", "rubric_sha256", "criteria_sha256"],
  ...["aggregation_sha256", "judge_settings_sha256", "judge_prompt_sha256"],
  ...["judge_output_schema_sha256", "runtime_policy_sha256", "egress_policy_sha256"],
  ...["resource_policy_sha256", "token_accounting_policy_sha256", "spec_sha256"],
];

const FAULTS: readonly Fault[] = [
  ["evaluator_commit", null, "fields_mismatch"],
  ["schema_version", "null", "schema_version_unsupported"],
  ["evaluation_id", "{}", "opaque_id_invalid", "evaluation_id"],
  ["evaluator_repository", "1", "repository_invalid"],
  ["judge_requested_identity", "[]", "judge_identity_invalid", "judge_requested_identity"],
  ...DIGESTS.map((name): Fault => [name, `"${"0".repeat(64)}"`, "digest_invalid", name]),
  ["evaluator_commit", "true", "git_sha_invalid", "evaluator_commit"],
  ["evaluator_tree", `"${"A".repeat(40)}"`, "git_sha_invalid", "evaluator_tree"],
];

const specs = suite("evaluation specs");

specs("parseEvaluationSpec() names the fault whose rule comes first", () => {
  checkOrder(spec, FAULTS, (value) => parseEvaluationSpec(value, context));
});

specs("parseEvaluationSpec() recomputes the hash before it scans", () => {
  const changed = { ...spec, evaluation_id: "official" };
  assert.equal(outcomeOf(parseEvaluationSpec(toJson(changed), context)), [
    "self_hash_mismatch",
    "spec_sha256",
  ]);
  const { spec_sha256: _, schema_version: __, ...fields } = changed;
  assert.equal(outcomeOf(buildEvaluationSpec(fields, context)), [
    "public_scan_classification",
    undefined,
  ]);
});

specs("buildEvaluationSpec() makes what parseEvaluationSpec() takes, under each profile", () => {
  const { spec_sha256: _, schema_version: __, ...fields } = spec;
  for (const each of [context, neutral]) {
    const built = holds(buildEvaluationSpec(fields, each));
    assert.is(built.schema_version, `${each.profile.idPrefix}evaluation_spec.v1`);
    assert.equal(parseEvaluationSpec(toJson(built), each), { ok: true, value: built });
    const other = each === context ? neutral : context;
    assert.equal(outcomeOf(parseEvaluationSpec(toJson(built), other)), [
      "schema_version_unsupported",
      undefined,
    ]);
  }
});

specs("buildEvaluationSpec() refuses version and hash among the fields, and other roots", () => {
  const { spec_sha256, schema_version, ...fields } = spec;
  const build = (given: unknown) =>
    outcomeOf(buildEvaluationSpec(given as EvaluationSpecFields, context));
  assert.equal(build({ ...fields, spec_sha256 }), ["fields_mismatch", undefined]);
  assert.equal(build({ ...fields, schema_version }), ["fields_mismatch", undefined]);
  for (const root of [null, [], "x", true]) assert.equal(build(root), ["wrong_type", undefined]);
});

specs("buildEvaluationSpec() throws for what no JSON is", async () => {
  const fields = { evaluation_id: undefined } as unknown as EvaluationSpecFields;
  const error = await rejectionOf(
    new Promise((resolve) => resolve(buildEvaluationSpec(fields, context))),
  );
  assert.is((error as { code?: string }).code, "canonical.no_text");
});

specs("commitCriteria() names the fault whose rule comes first, item by item", () => {
  const good = `{"ordinal":1,"commitment_sha256":"${spec.rubric_sha256}"}`;
  const commit = (items: string) => outcomeOf(commitCriteria(json(items), context));
  assert.equal(commit("[]"), ["accepted"]);
  assert.equal(commit(`[${good}]`), ["accepted"]);
  assert.equal(commit("{}"), ["wrong_type", undefined]);
  assert.equal(commit(`[${good},1]`), ["not_an_object", "criteria[1]"]);
  assert.equal(commit(`[${good.replace("1", "0")}]`), ["not_positive_integer", "ordinal"]);
  assert.equal(commit(`[${good.replace("1", "2")},{}]`), ["fields_mismatch", undefined]);
  assert.equal(commit(`[${good.replace("1", "1.0")}]`), ["not_positive_integer", "ordinal"]);
  assert.equal(commit(`[{"ordinal":2,"commitment_sha256":"x"}]`), [
    "digest_invalid",
    "commitment_sha256",
  ]);
  assert.equal(commit(`[${good},${good}]`), ["ordinals_not_contiguous", undefined]);
});

specs.run();
