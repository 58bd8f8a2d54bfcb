/**
 * The summary of a run, versions 1 and 2.
 *
 * Rule: `docs/spec/readers.md`, "Run summary".
 *
 * @module
 */
import type { JsonObject, JsonValue } from "../canonical/mod.ts";
import { checkMembers, integerOf, refuse, scanPublic } from "../record/mod.ts";
import type { RecordProfile } from "../record/mod.ts";
import {
  checkDigests,
  checkFilled,
  container,
  count,
  list,
  mapOf,
  optional,
  readTable,
  text,
} from "./table.ts";
import type { MemberReader, Table } from "./table.ts";

const ARTIFACT_BINDINGS = [
  "run_spec_sha256",
  "execution_receipt_sha256",
  "deliverable_manifest_sha256",
  "evaluation_receipt_sha256",
  "score_artifact_sha256",
];
const IDENTITY_BINDINGS = ["task_identity_key", "solver_identity_key", "run_identity_key"];

const rowCount: MemberReader = (value, field) =>
  value === undefined || value === null ? refuse("not_positive", field) : count(value, field);

const COMMON: Table = [
  ["run_id", text],
  ["run_manifest_sha256", text],
  ["selection_sha256", text],
  ["selection_label", text],
  ["run_config_sha256", text],
  ["result_status_counts", mapOf(count)],
  ["families", list(text)],
  ["scoring_modes", optional(list(text), () => [])],
  ["adapter_ids", list(text)],
  ["model_keys", list(text)],
];

const V1: Table = [["row_count", rowCount], ...COMMON];

const V2: Table = [
  ["row_count", rowCount],
  ["identity_bindings", optional((value, field) => container(value, field))],
  ...COMMON,
  ["artifact_bindings", readArtifactBindings],
  ["coverage_kind", text],
  ["claim_kind", text],
];

/** Reads a summary whose version is known to be 1 or 2. */
export function readRunSummary(
  record: JsonObject,
  version: 1 | 2,
  profile: RecordProfile,
): JsonObject {
  if (version === 2) checkMembersV2(record);
  const summary = readTable(record, version === 1 ? V1 : V2);
  const identity = summary.get("identity_bindings");
  if (identity instanceof Map) summary.set("identity_bindings", readIdentityBindings(identity));
  checkDigests(summary, "run_manifest_sha256", "selection_sha256", "run_config_sha256");
  if (integerOf(summary.get("row_count"))! <= 0n) refuse("not_positive", "row_count");
  checkFilled(summary, "families", "adapter_ids", "model_keys");
  if (version === 2) checkClaims(summary);
  scanPublic(summary, profile.reservedWords);
  return summary;
}

function checkMembersV2(record: JsonObject): void {
  const names = V2.map(([name]) => name);
  const needed = names.filter((name) => name !== "identity_bindings");
  checkMembers(record, needed, ["schema_version", "identity_bindings"]);
}

function readArtifactBindings(value: JsonValue | undefined, field: string): JsonValue {
  const given = container(value, field);
  checkMembers(given, [], ARTIFACT_BINDINGS);
  const bindings = readTable(given, ARTIFACT_BINDINGS.map((name) => [name, optional(text)]));
  if (bindings.size === 0) refuse("bindings_missing");
  checkDigests(bindings, ...bindings.keys());
  return bindings;
}

function readIdentityBindings(given: JsonObject): JsonObject {
  checkMembers(given, IDENTITY_BINDINGS);
  const bindings = readTable(given, IDENTITY_BINDINGS.map((name) => [name, text]));
  checkDigests(bindings, ...IDENTITY_BINDINGS);
  return bindings;
}

function checkClaims(summary: JsonObject): void {
  const isOneOf = (field: string, ...set: string[]): boolean =>
    set.includes(summary.get(field) as string);
  if (!isOneOf("coverage_kind", "full", "scoped")) refuse("coverage_kind_invalid");
  if (!isOneOf("claim_kind", "full", "scoped", "partial")) refuse("claim_kind_invalid");
  const bindings = summary.get("artifact_bindings") as JsonObject;
  if (summary.has("identity_bindings") && !bindings.has("execution_receipt_sha256")) {
    refuse("identity_without_receipt");
  }
}
