/**
 * Readers of versioned records: each takes exactly the versions it names, drops what it does not know where the format
 * says so, and gives the record rewritten.
 *
 * Rule: `docs/spec/readers.md`.
 *
 * @module
 */
import { formatValue } from "../canonical/mod.ts";
import type { JsonObject, JsonValue } from "../canonical/mod.ts";
import { reading, refuse, rootObject, scanPublic } from "../record/mod.ts";
import type { RecordProfile, RecordResult } from "../record/mod.ts";
import { checkRoles, communityOf, readArtifact, readCredit, readPackageArtifact } from "./parts.ts";
import { readRunSummary } from "./run_summary.ts";
import {
  checkDigests,
  checkFilled,
  checkUnique,
  free,
  list,
  nested,
  optional,
  readTable,
  text,
} from "./table.ts";
import type { MemberReader } from "./table.ts";

/** What can be read. */
export type ReaderName =
  | "canonical_task"
  | "run_summary"
  | "submission_shard"
  | "submission_manifest"
  | "legacy_submission"
  | "legacy_aggregate";

/** A record that was read. */
export interface Rewritten {
  /** The members that the format knows, with defaults written. */
  readonly record: JsonObject;
  /** Is that the record as it was given, but for layout and order? */
  readonly isExact: boolean;
}

interface Reader {
  /** Schema ids without their prefix. */
  readonly versions: readonly string[];
  readonly read: (record: JsonObject, profile: RecordProfile, version: string) => JsonObject;
}

const READERS: Readonly<Record<ReaderName, Reader>> = {
  canonical_task: { versions: ["task.v1"], read: readTask },
  run_summary: {
    versions: ["community_run_summary.v1", "community_run_summary.v2"],
    read: (record, profile, version) =>
      readRunSummary(record, version.endsWith("v1") ? 1 : 2, profile),
  },
  submission_shard: { versions: ["community_shard.v1"], read: readShard },
  submission_manifest: { versions: ["community_submission_manifest.v1"], read: readManifest },
  legacy_submission: { versions: ["community_submission.v1"], read: readLegacySubmission },
  legacy_aggregate: { versions: ["community_aggregate.v1"], read: readLegacyAggregate },
};

/** The versions that a reader takes, as schema ids. */
export function versionsOf(name: ReaderName, profile: RecordProfile): string[] {
  return READERS[name].versions.map((version) => `${profile.idPrefix}${version}`);
}

/** Reads a record. The first fault in the documented order is the answer. */
export function readVersioned(
  name: ReaderName,
  value: JsonValue,
  profile: RecordProfile,
): RecordResult<Rewritten> {
  return reading(() => {
    const given = rootObject(value);
    const record = readRecord(name, given, profile);
    return { record, isExact: formatValue(record) === formatValue(given) };
  });
}

function readRecord(name: ReaderName, given: JsonObject, profile: RecordProfile): JsonObject {
  const version = given.get("schema_version");
  if (typeof version !== "string" || !versionsOf(name, profile).includes(version)) {
    refuse("schema_version_unsupported", "schema_version");
  }
  const record = READERS[name].read(given, profile, version);
  return new Map([["schema_version", version], ...record]);
}

function readTask(given: JsonObject, profile: RecordProfile): JsonObject {
  const task = readTable(given, [
    ["task_id", text],
    ["family", text],
    ["scoring_mode", text],
    ["suite_version", text],
    ["source_id", text],
    ["task_sha256", text],
    ["metadata", optional(free, () => new Map())],
    ["artifacts", optional(list(nested((one) => readArtifact(one, profile))), () => [])],
  ]);
  checkMember(task, "family", profile.families);
  checkMember(task, "scoring_mode", profile.scoringModes);
  checkDigests(task, "task_sha256");
  scanPublic(task.get("metadata")!, profile.reservedWords);
  return task;
}

function readShard(given: JsonObject, profile: RecordProfile): JsonObject {
  const shard = readTable(given, [
    ["shard_id", text],
    ["compatible_shard_group_id", text],
    ["selection_sha256", text],
    ["selection_label", text],
    ["source_suite", text],
    ["suite_version", text],
    ["task_selectors", optional(free, () => new Map())],
    ["task_ids", list(text)],
    ["adapter_id", text],
    ["adapter_version", text],
    ["model_key", text],
    ["sandbox_policy_hash", text],
    ["run_config_hash", text],
    ["contributor_credits", list(creditOf(profile))],
    ["run_compatibility_hash", optional(text)],
  ]);
  checkDigests(shard, "selection_sha256", "sandbox_policy_hash", "run_config_hash");
  checkShardGroup(shard, profile.scoringModes);
  checkFilled(shard, "task_ids");
  checkUnique(shard.get("task_ids") as readonly JsonValue[]);
  checkRoles(shard, "contributor_credits", communityOf(profile).contributor_roles);
  scanPublic(shard.get("task_selectors")!, profile.reservedWords);
  scanPublic(shard, profile.reservedWords);
  return shard;
}

/** A group is named by suite, scoring mode and, where that binds, suite version. */
function checkShardGroup(shard: JsonObject, modes: readonly string[] | null): void {
  const field = "compatible_shard_group_id";
  const [suite, mode, ...rest] = (shard.get(field) as string).split(":");
  const isMode = mode !== undefined && (modes === null ? mode !== "" : modes.includes(mode));
  if (rest.length === 0 || suite !== shard.get("source_suite") || !isMode) {
    refuse("shard_group_invalid", field);
  }
  if (!shard.has("run_compatibility_hash")) return;
  checkDigests(shard, "run_compatibility_hash");
  if (rest.join(":") !== shard.get("suite_version")) refuse("shard_group_invalid", field);
}

function readManifest(given: JsonObject, profile: RecordProfile): JsonObject {
  scanPublic(given, profile.reservedWords);
  const { contributor_roles, benchmark_role, attestations } = communityOf(profile);
  const credit = creditOf(profile);
  const manifest = readTable(given, [
    ["submission_id", text],
    ["submitter", credit],
    ["contributors", list(credit)],
    ["benchmark_credit", list(credit)],
    ["run_summary", nested((one) => readRecord("run_summary", one, profile))],
    ["artifacts", list(nested((one) => readPackageArtifact(one, profile)))],
    ["attestations", list(text)],
    ["shards", list(nested((one) => readRecord("submission_shard", one, profile)))],
  ]);
  if (!/^[a-z0-9][a-z0-9._-]{2,96}$/.test(manifest.get("submission_id") as string)) {
    refuse("submission_id_invalid");
  }
  checkRoles(manifest, "contributors", contributor_roles);
  checkRoles(manifest, "benchmark_credit", benchmark_role === "" ? [] : [benchmark_role]);
  checkUnique(idsOf(manifest, "artifacts", "artifact_id"));
  checkUnique(idsOf(manifest, "shards", "shard_id"));
  const attested = manifest.get("attestations") as readonly JsonValue[];
  if (!attestations.every((one) => attested.includes(one))) refuse("attestations_missing");
  scanPublic(manifest, profile.reservedWords);
  return manifest;
}

function readLegacySubmission(given: JsonObject, profile: RecordProfile): JsonObject {
  const submission = readTable(given, [
    ["submission_id", text],
    ["submitter", creditOf(profile)],
    ["contributors", list(creditOf(profile))],
    ["run_manifest_sha256", text],
    ["artifacts", list(nested((one) => readArtifact(one, profile)))],
    ["attestations", list(text, { indexed: true })],
    ["public_summary", optional(free, () => new Map())],
  ]);
  checkDigests(submission, "run_manifest_sha256");
  checkRoles(submission, "contributors", []);
  checkFilled(submission, "attestations");
  checkUnique(idsOf(submission, "artifacts", "artifact_id"));
  scanPublic(submission, profile.reservedWords);
  return submission;
}

function readLegacyAggregate(given: JsonObject, profile: RecordProfile): JsonObject {
  const aggregate = readTable(given, [
    ["aggregate_id", text],
    ["submissions", list(text, { indexed: true })],
    ["aggregate_sha256", text],
    ["public_summary", optional(free, () => new Map())],
  ]);
  checkFilled(aggregate, "submissions");
  checkUnique(aggregate.get("submissions") as readonly JsonValue[]);
  checkDigests(aggregate, "aggregate_sha256");
  scanPublic(aggregate, profile.reservedWords);
  return aggregate;
}

function creditOf(profile: RecordProfile): MemberReader {
  return nested((one) => readCredit(one, profile));
}

function checkMember(record: JsonObject, field: string, set: readonly string[] | null): void {
  if (set !== null && !set.includes(record.get(field) as string)) refuse("not_a_member", field);
}

function idsOf(record: JsonObject, field: string, id: string): (JsonValue | undefined)[] {
  return (record.get(field) as readonly JsonValue[]).map((one) => (one as JsonObject).get(id));
}
