/**
 * What can be wrong with one entry or payload. Fault names are this library's; they carry no value of the entry.
 *
 * @module
 */
import type { Canary } from "./canary.ts";

/** What a payload field must hold. */
export type PayloadType = "string" | "integer" | "integer|null" | "number";

/** A fault of a payload. */
export type PayloadFault =
  | { readonly kind: "payload_not_object" | "payload_non_data_property" }
  | { readonly kind: "payload_type"; readonly field: string; readonly expected_type: PayloadType };

/** A secret-shaped text in a payload: which canary, and where as `$.field`. */
export interface Finding {
  /** Whose pattern matched. */
  readonly canary: Canary;
  /** Where in the payload, as `$.field`; the text itself is never repeated. */
  readonly path: string;
}

/** The envelope fields whose faults are named like themselves, in report order. */
export type PlainField =
  | "schema"
  | "run_id"
  | "capsule_id"
  | "seq"
  | "ts"
  | "lineage"
  | "kind"
  | "effect_class"
  | "harness_version"
  | "task_family"
  | "parent_hash";

/** A fault of an entry. */
export type EntryFault =
  | { readonly kind: "not_plain_object" | "non_data_property" }
  | { readonly kind: "unknown_fields" | "missing_fields"; readonly keys: readonly string[] }
  | { readonly kind: PlainField | "entry_hash_format" | "entry_hash_mismatch" }
  | PayloadFault
  | { readonly kind: "payload_unknown_keys"; readonly keys: readonly string[] }
  | { readonly kind: "payload_canary" } & Finding;

const ID = "1 to 128 letters, digits and ._:-, a letter or digit first";

const WANTED: Readonly<Record<PlainField, string>> = {
  schema: '"capsule-envelope/v1" was wanted',
  run_id: `${ID} were wanted`,
  capsule_id: `${ID} were wanted`,
  seq: "a whole number from 0 was wanted",
  ts: "a time like 2026-09-02T00:00:00.000Z, on a day that exists, was wanted",
  lineage: "plan, attempt, interaction, environment or strategy was wanted",
  kind: "1 to 64 lower-case letters, digits and _.-, a letter first, were wanted",
  effect_class: "SE0, SE1, SE2, SE3 or SE4 was wanted",
  harness_version: "a text that is not empty was wanted",
  task_family: "a text that is not empty was wanted",
  parent_hash: "64 lower-case hexadecimal digits were wanted",
};

/** A fault in words, without any value of the entry. */
export function describeFault(fault: EntryFault): string {
  switch (fault.kind) {
    case "not_plain_object":
      return "it is no plain object";
    case "non_data_property":
      return "it has an accessor, symbol or hidden property";
    case "unknown_fields":
      return `it has unknown fields: ${quoteNames(fault.keys)}`;
    case "missing_fields":
      return `it lacks fields: ${quoteNames(fault.keys)}`;
    case "entry_hash_format":
      return '"entry_hash" is not 64 lower-case hexadecimal digits';
    case "entry_hash_mismatch":
      return '"entry_hash" is not the hash of the other fields: something in the entry was changed';
    case "payload_not_object":
      return '"payload" is no plain object';
    case "payload_non_data_property":
      return '"payload" has an accessor, symbol or hidden property';
    case "payload_type":
      return `payload field "${fault.field}" is not of type ${fault.expected_type}`;
    case "payload_unknown_keys":
      return `payload has fields outside the v1 table: ${quoteNames(fault.keys)}`;
    case "payload_canary":
      return `${fault.path} holds text shaped like a secret (${fault.canary})`;
    default:
      return `"${fault.kind}" is not as the format demands: ${WANTED[fault.kind]}`;
  }
}

/** Names of a document for a message: few, short, and with nothing that a terminal would act on. */
export function quoteNames(names: readonly string[]): string {
  const shown = names.slice(0, 5).map((name) =>
    quote(name.length > 64 ? `${name.slice(0, 64)}...` : name)
  );
  return names.length > 5 ? `${shown.join(", ")} and ${names.length - 5} more` : shown.join(", ");
}

function quote(name: string): string {
  return JSON.stringify(name).replace(
    /[^\x20-\x7e]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
