/**
 * Execution receipts of command-line harnesses: the full record with its transcripts, and the public one without.
 *
 * Rule: `docs/spec/identity.md`, "Execution receipts".
 *
 * @module
 */
import { commit, isWellFormed, JsonNumber } from "../canonical/mod.ts";
import type { JsonObject, JsonValue } from "../canonical/mod.ts";
import { encodeUtf8 } from "../core/mod.ts";
import {
  checkMembers,
  checkPrefixedDigest,
  filledTextAt,
  integerAt,
  integerOf,
  isBlank,
  isFilled,
  isLaxDigest,
  reading,
  refuse,
  rootObject,
  scanPublic,
} from "../record/mod.ts";
import type { RecordResult } from "../record/mod.ts";
import { deriveRun } from "./records.ts";
import type { IdentityContext } from "./records.ts";

const REQUIRED = [
  ...["schema_version", "receipt_id", "spec_sha256", "status", "returncode", "executable_name"],
  ...["stdout_sha256", "stderr_sha256", "duration_ms", "usage"],
];
const KEYS = ["task_identity_key", "solver_identity_key", "run_identity_key"];
const SLOTS = [
  "runtime_policy_sha256",
  "config_sha256",
  "temporal_block",
  "order",
  "repeat_index",
];
const OPTIONAL = [
  ...["served_model", "executable_version", "cost_usd", "runtime_policy_sha256"],
  ...["deliverable_manifest_sha256", "failure_class", ...KEYS],
  ...["config_sha256", "temporal_block", "order", "repeat_index"],
];
const TRANSCRIPTS = ["stdout", "stderr"];
const STATUSES = ["succeeded", "failed", "timeout"];

/** A full execution receipt that holds, as what may be published of it. */
export interface PublicExecution {
  /** The public record. */
  readonly record: JsonObject;
  /** Its commitment under profile `ascii`. */
  readonly sha256: string;
}

/** Checks a public execution receipt: its members and what its keys are bound to. */
export function checkExecution(value: JsonValue, context: IdentityContext): RecordResult<null> {
  return reading(() => {
    const record = rootObject(value);
    checkSchema(record, REQUIRED, context);
    for (
      const name of [
        ...["receipt_id", "spec_sha256", "status", "executable_name"],
        ...["stdout_sha256", "stderr_sha256"],
      ]
    ) filledTextAt(record, name);
    checkKeys(record, context);
    scanPublic(record, context.profile.reservedWords);
    return null;
  });
}

/** Reads a full execution receipt and makes its public record. Transcripts never get into that. */
export function parseExecution(
  value: JsonValue,
  context: IdentityContext,
): RecordResult<PublicExecution> {
  return reading(() => {
    const record = rootObject(value);
    checkSchema(record, [...REQUIRED, ...TRANSCRIPTS], context);
    checkUsage(record.get("usage"));
    checkTypes(record);
    checkRules(record, context);
    checkKeys(record, context);
    const published = publish(record, context.profile.failureClasses);
    scanPublic(published, context.profile.reservedWords);
    return { record: published, sha256: commit("ascii", published, context.sha256) };
  });
}

function checkSchema(
  record: JsonObject,
  needed: readonly string[],
  { profile }: IdentityContext,
): void {
  checkMembers(record, needed, OPTIONAL);
  if (record.get("schema_version") !== `${profile.idPrefix}local_cli_execution_receipt.v1`) {
    refuse("schema_version_unsupported", "schema_version");
  }
}

function checkUsage(usage: JsonValue | undefined): void {
  const isUsage = usage instanceof Map &&
    [...usage].every(([name, count]) => !isBlank(name) && (integerOf(count) ?? -1n) >= 0n);
  if (!isUsage) refuse("usage_invalid");
}

function checkTypes(record: JsonObject): void {
  const integer = (name: string): void => {
    if (integerOf(record.get(name)) === undefined) refuse("not_non_negative_integer", name);
  };
  if (record.get("returncode") !== null) integer("returncode");
  integer("duration_ms");
  for (const name of ["receipt_id", "spec_sha256", "status", "executable_name"]) {
    filledTextAt(record, name);
  }
  for (const name of TRANSCRIPTS) {
    if (typeof record.get(name) !== "string") refuse("not_a_string", name);
  }
  for (const name of ["stdout_sha256", "stderr_sha256"]) filledTextAt(record, name);
  optionalText(record, "served_model", "executable_version");
  const cost = record.get("cost_usd") ?? null;
  if (cost !== null && !(cost instanceof JsonNumber)) refuse("cost_invalid", "cost_usd");
  optionalText(record, "runtime_policy_sha256", "deliverable_manifest_sha256", "failure_class");
  optionalText(record, ...KEYS, "config_sha256", "temporal_block");
  for (const name of ["order", "repeat_index"]) {
    if ((record.get(name) ?? null) !== null) {
      integerAt(record, name, 0n, "not_non_negative_integer");
    }
  }
}

function optionalText(record: JsonObject, ...names: readonly string[]): void {
  for (const name of names) {
    if ((record.get(name) ?? null) !== null) filledTextAt(record, name);
  }
}

function checkRules(record: JsonObject, { sha256 }: IdentityContext): void {
  const lax = (name: string): void => {
    if (!isLaxDigest(record.get(name))) refuse("digest_invalid", name);
  };
  lax("spec_sha256");
  const status = record.get("status") as string;
  if (!STATUSES.includes(status)) refuse("status_invalid", "status");
  const executable = record.get("executable_name") as string;
  if (/[/\\]/.test(executable) || executable === "." || executable === "..") {
    refuse("executable_not_basename");
  }
  for (const name of ["returncode", "duration_ms"]) {
    if ((integerOf(record.get(name)) ?? 0n) < 0n) refuse("not_non_negative_integer", name);
  }
  const cost = costOf(record);
  if (cost !== null && !(cost >= 0 && Number.isFinite(cost))) refuse("cost_invalid", "cost_usd");
  if (status === "succeeded" && (record.get("failure_class") ?? null) !== null) {
    refuse("failure_class_on_success");
  }
  for (const name of TRANSCRIPTS) {
    if (!isWellFormed(record.get(name) as string)) refuse("not_encodable");
  }
  for (const name of TRANSCRIPTS) lax(`${name}_sha256`);
  for (const name of TRANSCRIPTS) {
    const digest = `sha256:${sha256.digest(encodeUtf8(record.get(name) as string))}`;
    if (record.get(`${name}_sha256`) !== digest) {
      refuse("transcript_hash_mismatch", `${name}_sha256`);
    }
  }
  for (const name of ["runtime_policy_sha256", "deliverable_manifest_sha256", "config_sha256"]) {
    if ((record.get(name) ?? null) !== null) lax(name);
  }
}

/** All three keys or none; with them the slots that make a run identity, whose key must be the one stated. */
function checkKeys(record: JsonObject, context: IdentityContext): void {
  const given = KEYS.filter((name) => (record.get(name) ?? null) !== null);
  if (given.length === 0) return;
  if (given.length < KEYS.length) refuse("identity_keys_partial");
  for (const name of KEYS) {
    if (typeof record.get(name) !== "string") refuse("not_a_string", name);
    checkPrefixedDigest(record, name);
  }
  const missing = SLOTS.filter((name) => !hasSlot(record, name));
  if (missing.length > 0) refuse("identity_slots_missing", missing.join(","));
  const members = ["task_identity_key", "solver_identity_key", ...SLOTS];
  const run = deriveRun(new Map(members.map((name) => [name, record.get(name)!])), context);
  if (!run.ok && run.code.startsWith("record.public_scan_")) {
    refuse(run.code.slice("record.".length) as "public_scan_field_name");
  }
  if (!run.ok || run.value.key !== record.get("run_identity_key")) refuse("run_key_not_bound");
}

function hasSlot(record: JsonObject, name: string): boolean {
  const value = record.get(name);
  if (name === "order" || name === "repeat_index") return integerOf(value) !== undefined;
  return name === "temporal_block" ? isFilled(value) : typeof value === "string" && value !== "";
}

/** What may be published: the required members and every optional one that has a value. */
function publish(record: JsonObject, failureClasses: readonly string[]): JsonObject {
  const published: JsonObject = new Map();
  for (const [name, value] of record) {
    if (TRANSCRIPTS.includes(name)) continue;
    if (value === null && name !== "returncode") continue;
    if (name === "failure_class" && !failureClasses.includes(value as string)) {
      published.set(name, "schema_violation");
    } else {
      published.set(name, name === "cost_usd" ? asFloat(costOf(record)!) : value);
    }
  }
  return published;
}

function costOf(record: JsonObject): number | null {
  const cost = record.get("cost_usd") ?? null;
  return cost instanceof JsonNumber ? cost.toNumber() : null;
}

/** The number with a text that is no integer's, so that it is written as a float. */
function asFloat(value: number): JsonNumber {
  const text = Object.is(value, -0) ? "-0" : String(value);
  return new JsonNumber(/[.e]/.test(text) ? text : `${text}.0`);
}
