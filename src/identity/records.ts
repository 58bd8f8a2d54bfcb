/**
 * Identity records: who a task, a solver, a run, a matched comparison and a bundle of adapters are. Each states a key, the
 * commitment to all its other members under profile `artifact`.
 *
 * Rule: `docs/spec/identity.md`.
 *
 * @module
 */
import { formatArtifact } from "../canonical/mod.ts";
import type { JsonObject, JsonValue } from "../canonical/mod.ts";
import type { Sha256 } from "../hash/mod.ts";
import {
  checkMembers,
  checkPrefixedDigest,
  filledTextAt,
  hashWithout,
  integerAt,
  isBlank,
  isFilled,
  omit,
  reading,
  refuse,
  required,
  rootObject,
  scanPublic,
  trim,
} from "../record/mod.ts";
import type { RecordProfile, RecordResult } from "../record/mod.ts";

/** The kinds of identity records. */
export type IdentityKind = "task" | "solver" | "run" | "matched" | "bundle";

/** An identity record that holds. */
export interface Identity {
  /** `sha256:` and 64 digits: what the record is called by. */
  readonly key: string;
  /** All its members, `key` among them. */
  readonly record: JsonObject;
  /** The text that the key commits to, with its final line feed. */
  readonly preimage: string;
}

/** What the records depend on. */
export interface IdentityContext {
  /** The benchmark's data: families, modes, names. */
  readonly profile: RecordProfile;
  /** Takes the key. */
  readonly sha256: Sha256;
}

/** What a member has to be. */
type Rule =
  | "text"
  | "family"
  | "mode"
  | "envelope"
  | "digest"
  | "served"
  | "served?"
  | "count"
  | "label";

const MEMBERS: Readonly<Record<IdentityKind, readonly (readonly [string, Rule])[]>> = {
  task: [
    ["task_id", "text"],
    ["family", "family"],
    ["scoring_mode", "mode"],
    ["suite_version", "text"],
    ["task_sha256", "digest"],
  ],
  solver: [
    ["provider", "text"],
    ["requested_model", "text"],
    ["served_model", "served?"],
    ["settings_sha256", "digest"],
  ],
  run: [
    ["task_identity_key", "digest"],
    ["solver_identity_key", "digest"],
    ["runtime_policy_sha256", "digest"],
    ["config_sha256", "digest"],
    ["temporal_block", "text"],
    ["order", "count"],
    ["repeat_index", "count"],
  ],
  matched: [
    ["task_identity_key", "digest"],
    ["provider", "text"],
    ["served_model", "served"],
    ["settings_sha256", "digest"],
    ["evaluator_identity", "text"],
    ["temporal_block", "text"],
    ["outer_envelope", "envelope"],
    ["order", "count"],
    ["repeat_index", "count"],
  ],
  bundle: [
    ["adapter_id", "text"],
    ["adapter_version", "text"],
    ["requested_model", "text"],
    ["family", "family"],
    ["label", "label"],
  ],
};

const SCHEMAS: Readonly<Record<IdentityKind, string>> = {
  task: "task_identity.v1",
  solver: "solver_identity.v1",
  run: "run_identity.v1",
  matched: "matched_harness_identity.v1",
  bundle: "system_bundle_label.v1",
};

/** Names of older writers, which would otherwise pass for harmless extra members. */
const ALIASES = [
  ...["task_hash", "taskHash", "servedModel", "served_model_id", "model"],
  ...["clean_native", "mcp", "mcp_mediated", "outerEnvelope"],
];

/** Members that a derivation takes from the records of the task and the solver. */
const FROM_TASK = ["task_identity_key"];
const FROM_SOLVER: Readonly<Record<"run" | "matched", readonly string[]>> = {
  run: ["solver_identity_key"],
  matched: ["provider", "served_model", "settings_sha256"],
};

/** Reads an identity record and recomputes its key. The first fault in the documented order is the answer. */
export function parseIdentity(
  kind: IdentityKind,
  value: JsonValue,
  context: IdentityContext,
): RecordResult<Identity> {
  return reading(() => {
    const record = rootObject(value);
    const members = MEMBERS[kind];
    if (ALIASES.some((name) => record.has(name))) refuse("alias_field");
    checkMembers(record, ["schema_version", ...members.map(([name]) => name), "key"]);
    if (record.get("schema_version") !== schemaOf(kind, context)) {
      refuse("schema_version_unsupported", "schema_version");
    }
    checkTypes(kind, record);
    checkRules(kind, record, context.profile);
    checkPrefixedDigest(record, "key");
    const preimage = formatArtifact(omit(record, ["key"]));
    const key = hashWithout(record, ["key"], "artifact", context.sha256);
    if (key !== record.get("key")) refuse("key_mismatch");
    scanPublic(record, context.profile.reservedWords);
    return { key, record, preimage };
  });
}

/** The records that the key of a run or of a matched comparison depends on. */
export interface IdentityBasis {
  /** A TaskIdentity record. */
  readonly task: JsonValue;
  /** A SolverIdentity record. */
  readonly solver: JsonValue;
}

/**
 * Makes an identity record from its members, version and key left out; a run and a matched comparison also take the task
 * and solver records, which are read in full first.
 *
 * @throws {TypeError} when a run or matched comparison is asked for without those records.
 */
export function deriveIdentity(
  kind: IdentityKind,
  input: JsonValue,
  context: IdentityContext,
  basis?: IdentityBasis,
): RecordResult<Identity> {
  if ((kind === "run" || kind === "matched") && basis === undefined) {
    throw new TypeError(`Deriving a ${kind} identity takes the task and solver records`);
  }
  return reading(() => {
    const given = basis && (kind === "run" || kind === "matched")
      ? readBasis(kind, basis, context)
      : new Map<string, JsonValue>();
    const record = assemble(kind, rootObject(input), given, context);
    if (kind === "matched" && record.get("served_model") === null) {
      refuse("served_model_unresolved");
    }
    return finish(kind, record, context);
  });
}

/** Makes a run identity record from all its members, the keys of task and solver among them. */
export function deriveRun(members: JsonObject, context: IdentityContext): RecordResult<Identity> {
  return reading(() =>
    finish("run", new Map([["schema_version", schemaOf("run", context)], ...members]), context)
  );
}

/** Takes the key of a record that lacks it, then judges its members. */
function finish(kind: IdentityKind, record: JsonObject, context: IdentityContext): Identity {
  const preimage = formatArtifact(record);
  const key = hashWithout(record, [], "artifact", context.sha256);
  checkRules(kind, record, context.profile);
  scanPublic(record, context.profile.reservedWords);
  return { key, record: new Map([...record, ["key", key]]), preimage };
}

/** The schema id of a kind. */
function schemaOf(kind: IdentityKind, { profile }: IdentityContext): string {
  return `${profile.idPrefix}${SCHEMAS[kind]}`;
}

function readBasis(
  kind: "run" | "matched",
  basis: IdentityBasis,
  context: IdentityContext,
): JsonObject {
  const task = required(parseIdentity("task", basis.task, context));
  const solver = required(parseIdentity("solver", basis.solver, context));
  const known = new Map<string, JsonValue>([
    ["task_identity_key", task.key],
    ["solver_identity_key", solver.key],
    ...solver.record,
  ]);
  const names = [...FROM_TASK, ...FROM_SOLVER[kind]];
  return new Map(names.map((name) => [name, known.get(name)!]));
}

/** The record without its key, in the order of the table. */
function assemble(
  kind: IdentityKind,
  input: JsonObject,
  given: JsonObject,
  context: IdentityContext,
): JsonObject {
  const names = MEMBERS[kind].map(([name]) => name).filter((name) => name !== "label");
  const wanted = names.filter((name) => !given.has(name));
  const isOptional = (name: string): boolean => kind === "solver" && name === "served_model";
  const isComplete = wanted.every((name) => input.has(name) || isOptional(name));
  if (!isComplete || [...input.keys()].some((name) => !wanted.includes(name))) refuse("wrong_type");
  const record: JsonObject = new Map([["schema_version", schemaOf(kind, context)]]);
  for (const name of names) record.set(name, given.get(name) ?? input.get(name) ?? null);
  if (kind === "bundle") record.set("label", labelOf(record));
  return record;
}

function checkTypes(kind: IdentityKind, record: JsonObject): void {
  if (kind === "solver" && record.get("served_model") !== null) {
    filledTextAt(record, "served_model");
  }
  for (const [name, rule] of [...MEMBERS[kind], ["key", "digest"] as const]) {
    if (rule === "count") integerAt(record, name, 0n, "not_non_negative_integer");
    else if (rule !== "served?") filledTextAt(record, name);
  }
}

function checkRules(kind: IdentityKind, record: JsonObject, profile: RecordProfile): void {
  for (const [name, rule] of MEMBERS[kind]) checkRule(record, name, rule, profile);
}

function checkRule(record: JsonObject, name: string, rule: Rule, profile: RecordProfile): void {
  if (rule === "count") {
    integerAt(record, name, 0n, "not_non_negative_integer");
    return;
  }
  const value = record.get(name);
  if (rule === "served?" && value === null) return;
  if (typeof value !== "string") refuse("wrong_type");
  switch (rule) {
    case "text":
      if (isBlank(value) || trim(value) !== value) refuse("token_invalid", name);
      return;
    case "family":
      return checkMember(value, profile.families, name);
    case "mode":
      return checkMember(value, profile.scoringModes, name);
    case "envelope":
      return checkMember(value, profile.outerEnvelopes, name);
    case "digest":
      return checkPrefixedDigest(record, name);
    case "label":
      if (value !== labelOf(record)) refuse("label_mismatch");
      return;
    default:
      if (isAmbiguousModel(value)) refuse("served_model_ambiguous");
  }
}

function checkMember(value: string, set: readonly string[] | null, name: string): void {
  const isMember = set === null ? isFilled(value) && trim(value) === value : set.includes(value);
  if (!isMember) refuse("not_a_member", name);
}

/** A served model that names none, or that could be read in two ways. */
function isAmbiguousModel(value: string): boolean {
  const plain = trim(value);
  return plain !== value ||
    ["", "unknown", "unresolved", "none", "*", "null"].includes(plain.toLowerCase());
}

function labelOf(record: JsonObject): string {
  const part = (name: string): string => {
    const value = record.get(name);
    return typeof value === "string" ? value : "";
  };
  return ["adapter_id", "adapter_version", "family", "requested_model"].map(part).join("/");
}
