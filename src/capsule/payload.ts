/**
 * Which fields a payload may carry, and of which type. Anything else is dropped or refused, so that a journal cannot
 * become a place where prompts and secrets collect.
 *
 * Rule: `docs/spec/capsule.md`, "Payload".
 *
 * @module
 */
import { compareCodeUnits, isPlainObject, ownData } from "../core/mod.ts";
import { findCanaries } from "./canary.ts";
import type { Finding, PayloadFault, PayloadType } from "./faults.ts";

/** The v1 table: every payload field and its type. */
export const PAYLOAD_FIELDS: ReadonlyMap<string, PayloadType> = new Map([
  ...table(
    "string",
    "task_id task_family tool tool_call_id args_hash response_hash status model message note decision reason variant " +
      "digest path fixture_key stage verdict branch_id parent_branch_id summary event_id session file maneuver threshold",
  ),
  ...table("integer", "tokens_in tokens_out passed failed total hits blocked"),
  ...table("integer|null", "exit_code"),
  ...table("number", "duration_ms cost_usd score risk"),
]);

/** A payload: scalar values under the names of {@linkcode PAYLOAD_FIELDS}. */
export type Payload = Readonly<Record<string, string | number | null>>;

/** What the filter made of a value. */
export interface FilteredPayload {
  /** The fields kept, in their order. */
  readonly payload: Payload;
  /** Names that are in no table or outside the allowlist, sorted by code unit; their values were not looked at. */
  readonly dropped: readonly string[];
  /** Secret-shaped texts among the kept fields; looked for only when there are no errors. */
  readonly findings: readonly Finding[];
  /** What is wrong with the value or the kept fields. */
  readonly errors: readonly PayloadFault[];
}

/**
 * Splits a value into what a payload may carry and what it may not.
 *
 * @param value anything; only a plain object has fields.
 * @param options `allowlist` narrows the table further and can never widen it; an empty one drops everything.
 *
 * @example
 * ```ts
 * import { filterPayload } from "affidavit/capsule";
 *
 * const { payload, dropped } = filterPayload({ tool: "grep", exit_code: 0, prompt: "…" });
 * console.log(payload, dropped); // { tool: "grep", exit_code: 0 } [ "prompt" ]
 * ```
 */
export function filterPayload(
  value: unknown,
  options: { allowlist?: readonly string[] | null } = {},
): FilteredPayload {
  const allowlist = readAllowlist(options.allowlist);
  const none = { payload: {}, dropped: [], findings: [] };
  if (!isPlainObject(value)) return { ...none, errors: [{ kind: "payload_not_object" }] };
  const fields = ownData(value);
  if (fields === undefined) return { ...none, errors: [{ kind: "payload_non_data_property" }] };

  const payload: Record<string, string | number | null> = {};
  const dropped: string[] = [];
  const errors: PayloadFault[] = [];
  for (const [field, content] of fields) {
    const type = PAYLOAD_FIELDS.get(field);
    if (
      type === undefined || (allowlist !== undefined && !allowlist.includes(field))
    ) {
      dropped.push(field);
    } else if (isOfType(content, type)) {
      payload[field] = content;
    } else {
      errors.push({ kind: "payload_type", field, expected_type: type });
    }
  }
  dropped.sort(compareCodeUnits);
  return { payload, dropped, findings: errors.length === 0 ? findSecrets(payload) : [], errors };
}

function readAllowlist(value: unknown): readonly string[] | undefined {
  if (value === undefined || value === null) return undefined;
  if (Array.isArray(value) && value.every((name) => typeof name === "string")) return value;
  throw new TypeError("Filtering a payload: allowlist must be a list of field names");
}

function findSecrets(payload: Payload): Finding[] {
  return Object.entries(payload).flatMap(([field, content]) =>
    typeof content === "string"
      ? findCanaries(content).map((canary) => ({ canary, path: `$.${field}` }))
      : []
  );
}

function isOfType(content: unknown, type: PayloadType): content is string | number | null {
  switch (type) {
    case "string":
      return typeof content === "string";
    case "integer":
      return Number.isInteger(content);
    case "integer|null":
      return content === null || Number.isInteger(content);
    case "number":
      return Number.isFinite(content);
  }
}

function table(type: PayloadType, names: string): [string, PayloadType][] {
  return names.split(" ").map((name) => [name, type]);
}
