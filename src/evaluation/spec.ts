/**
 * EvaluationSpec: what an evaluation is about and how it is made, all of it by hash. And the commitment to a list of
 * criteria whose contents stay private.
 *
 * Rule: `docs/spec/evaluation.md`, "Spec" and "Criteria".
 *
 * @module
 */
import { commit, formatValue } from "../canonical/mod.ts";
import type { JsonObject, JsonValue } from "../canonical/mod.ts";
import type { Sha256 } from "../hash/mod.ts";
import {
  checkContiguous,
  checkVersion,
  exactMembers,
  hashWithout,
  integerAt,
  isGitId,
  isJudge,
  isOpaqueId,
  isRepository,
  isStrictDigest,
  objectAt,
  reading,
  refuse,
  rootObject,
  scanPublic,
  textAt,
  typed,
  untyped,
} from "../record/mod.ts";
import type { RecordProfile, RecordResult } from "../record/mod.ts";

/** What reading and accepting records of evaluations depends on. */
export interface EvaluationContext {
  /** The benchmark's data. */
  readonly profile: RecordProfile;
  /** Takes every hash. */
  readonly sha256: Sha256;
}

/**
 * The members of a spec that say something, all but its version and its hash.
 *
 * Every hash is a strict digest: `sha256:` and 64 lower-case hexadecimal digits.
 */
export interface EvaluationSpecFields {
  /** Opaque id: 1 to 128 of `A-Za-z0-9._+-`, beginning with a letter or a digit. */
  readonly evaluation_id: string;
  /** `manifest_sha256` of the deliverable that is evaluated. */
  readonly deliverable_manifest_sha256: string;
  /** `tree_sha256` of the same deliverable: its paths, sizes and contents. */
  readonly deliverable_tree_sha256: string;
  /** Hash of the task that the deliverable answers. */
  readonly task_sha256: string;
  /** Hash of the run that made the deliverable. */
  readonly run_sha256: string;
  /** Hash of that run's configuration. */
  readonly config_sha256: string;
  /** Where the evaluator's source is: an `https://` address without user, port or query. */
  readonly evaluator_repository: string;
  /** Git id of the evaluator's commit, 40 lower-case hexadecimal digits. */
  readonly evaluator_commit: string;
  /** Git id of the evaluator's tree, 40 lower-case hexadecimal digits. */
  readonly evaluator_tree: string;
  /** Hash of the list of the evaluator's files. */
  readonly evaluator_file_manifest_sha256: string;
  /** The digest of the image, never its tag or name. */
  readonly evaluator_image_digest: string;
  /** Hash of the wrapper that calls the evaluator. */
  readonly wrapper_sha256: string;
  /** Hash of what the evaluator is given and nobody is shown. */
  readonly private_material_sha256: string;
  /** Hash of the rubric; a metric must repeat it. */
  readonly rubric_sha256: string;
  /** What `commitCriteria` gives for the list of criteria; a metric must repeat it. */
  readonly criteria_sha256: string;
  /** Hash of how verdicts are put together; a metric must repeat it. */
  readonly aggregation_sha256: string;
  /** The judge asked for: `acme/judge` or `acme/judge@2026-09-02`, in lower case up to `@`. */
  readonly judge_requested_identity: string;
  /** Hash of the settings that the judge is called with. */
  readonly judge_settings_sha256: string;
  /** Hash of the judge's prompt; the prompt stays private. */
  readonly judge_prompt_sha256: string;
  /** Hash of the schema of the judge's output; a metric repeats it as `output_schema_sha256`. */
  readonly judge_output_schema_sha256: string;
  /** Hash of the policy on what the evaluation runs in; acceptance pins it. */
  readonly runtime_policy_sha256: string;
  /** Hash of the policy on what the evaluation may reach over the network. */
  readonly egress_policy_sha256: string;
  /** Hash of the policy on what resources the evaluation may use. */
  readonly resource_policy_sha256: string;
  /** Hash of the policy on how tokens are counted. */
  readonly token_accounting_policy_sha256: string;
}

/** A spec that holds. */
export interface EvaluationSpec extends EvaluationSpecFields {
  /** The profile's prefix of schema ids, then `evaluation_spec.v1`. */
  readonly schema_version: string;
  /** The commitment to all other members under profile `value`. */
  readonly spec_sha256: string;
}

/** The commitment to a list of criteria. */
export interface CriteriaCommitment {
  /** The SHA-256 of the preimage in UTF-8: `sha256:` and 64 lower-case hexadecimal digits. */
  readonly criteria_sha256: string;
  /** The text that it is taken over. */
  readonly preimage: string;
}

const DIGESTS = [
  "deliverable_manifest_sha256",
  "deliverable_tree_sha256",
  "task_sha256",
  "run_sha256",
  "config_sha256",
  "evaluator_file_manifest_sha256",
  "evaluator_image_digest",
  "wrapper_sha256",
  "private_material_sha256",
  "rubric_sha256",
  "criteria_sha256",
  "aggregation_sha256",
  "judge_settings_sha256",
  "judge_prompt_sha256",
  "judge_output_schema_sha256",
  "runtime_policy_sha256",
  "egress_policy_sha256",
  "resource_policy_sha256",
  "token_accounting_policy_sha256",
] as const satisfies readonly (keyof EvaluationSpecFields)[];

const FIELDS: readonly string[] = [
  "evaluation_id",
  "evaluator_repository",
  "evaluator_commit",
  "evaluator_tree",
  "judge_requested_identity",
  ...DIGESTS,
];

const MEMBERS: readonly string[] = ["schema_version", ...FIELDS, "spec_sha256"];

/** Reads a spec: its members, its hash, and that nothing in it looks like a secret. */
export function parseEvaluationSpec(
  value: JsonValue,
  context: EvaluationContext,
): RecordResult<EvaluationSpec> {
  return reading(() => {
    const record = rootObject(value);
    exactMembers(record, MEMBERS);
    checkVersion(record, SCHEMA, context.profile);
    checkFields(record, [...DIGESTS, "spec_sha256"]);
    const hash = hashWithout(record, ["spec_sha256"], "value", context.sha256);
    if (record.get("spec_sha256") !== hash) refuse("self_hash_mismatch", "spec_sha256");
    scanPublic(record, context.profile.reservedWords);
    return typed<EvaluationSpec>(record, MEMBERS);
  });
}

/**
 * Makes a spec of its fields, with version and hash.
 *
 * @throws {CanonicalError} when a plain object was given that no JSON is.
 */
export function buildEvaluationSpec(
  fields: EvaluationSpecFields | JsonValue,
  { profile, sha256 }: EvaluationContext,
): RecordResult<EvaluationSpec> {
  return reading(() => {
    const given = rootObject(untyped(fields));
    exactMembers(given, FIELDS);
    checkFields(given, DIGESTS);
    const record = new Map(given).set("schema_version", profile.idPrefix + SCHEMA);
    record.set("spec_sha256", commit("value", record, sha256));
    scanPublic(record, profile.reservedWords);
    return typed<EvaluationSpec>(record, MEMBERS);
  });
}

/**
 * Commits to criteria whose contents nobody is shown: a list of `{ ordinal, commitment_sha256 }` with ordinals from 1 on.
 * What each commitment covers is the evaluator's matter.
 */
export function commitCriteria(
  items: JsonValue,
  { sha256 }: EvaluationContext,
): RecordResult<CriteriaCommitment> {
  return reading(() => {
    if (!Array.isArray(items)) refuse("wrong_type");
    const ordinals = items.map((item, index) => {
      const criterion = objectAt(item, `criteria[${index}]`);
      exactMembers(criterion, ["ordinal", "commitment_sha256"]);
      const ordinal = integerAt(criterion, "ordinal", 1n, "not_positive_integer");
      textAt(criterion, "commitment_sha256", isStrictDigest, "digest_invalid");
      return ordinal;
    });
    checkContiguous(ordinals);
    const preimage = new Map([["criteria", items]]);
    return { criteria_sha256: commit("value", preimage, sha256), preimage: formatValue(preimage) };
  });
}

const SCHEMA = "evaluation_spec.v1";

function checkFields(record: JsonObject, digests: readonly string[]): void {
  textAt(record, "evaluation_id", isOpaqueId, "opaque_id_invalid");
  if (!isRepository(record.get("evaluator_repository"))) refuse("repository_invalid");
  textAt(record, "judge_requested_identity", isJudge, "judge_identity_invalid");
  for (const name of digests) textAt(record, name, isStrictDigest, "digest_invalid");
  for (const name of ["evaluator_commit", "evaluator_tree"]) {
    textAt(record, name, isGitId, "git_sha_invalid");
  }
}
