/**
 * Reading members of a record whose numbers kept their text. Every helper ends the reader with the named fault.
 *
 * @module
 */
import { JsonNumber } from "../canonical/mod.ts";
import type { JsonObject, JsonValue } from "../canonical/mod.ts";
import { refuse } from "./fault.ts";
import type { RecordKind } from "./fault.ts";
import type { RecordProfile } from "./profile.ts";
import { isLaxDigest, isStrictDigest } from "./syntax.ts";
import { isBlank } from "./text.ts";

/** A record's root. @throws when it is no object: `wrong_type`, without a field. */
export function rootObject(value: JsonValue): JsonObject {
  return value instanceof Map ? value : refuse("wrong_type");
}

/** An object inside a record. */
export function objectAt(value: JsonValue | undefined, field: string): JsonObject {
  return value instanceof Map ? value : refuse("not_an_object", field);
}

/** The member set must be exactly this one: else `fields_mismatch`, without a field. */
export function exactMembers(record: JsonObject, names: readonly string[]): void {
  demandMembers(record, names, "fields_mismatch");
  refuseOthers(record, names, "fields_mismatch");
}

/** Missing members come first, as `fields_missing`, then others, as `fields_unexpected`; without a field. */
export function checkMembers(
  record: JsonObject,
  needed: readonly string[],
  optional: readonly string[] = [],
): void {
  demandMembers(record, needed, "fields_missing");
  refuseOthers(record, [...needed, ...optional], "fields_unexpected");
}

function demandMembers(record: JsonObject, names: readonly string[], kind: RecordKind): void {
  const missing = names.find((name) => !record.has(name));
  if (missing !== undefined) refuse(kind, undefined, undefined, `"${missing}" is missing`);
}

function refuseOthers(record: JsonObject, names: readonly string[], kind: RecordKind): void {
  const other = [...record.keys()].find((name) => !names.includes(name));
  if (other === undefined) return;
  refuse(kind, undefined, undefined, `${JSON.stringify(other.slice(0, 80))} is none of them`);
}

/** The version must be this schema of the profile: else `schema_version_unsupported`, without a field. */
export function checkVersion(
  record: JsonObject,
  schema: string,
  { idPrefix }: RecordProfile,
): void {
  if (record.get("schema_version") !== idPrefix + schema) refuse("schema_version_unsupported");
}

/** Ordinals from 1 on, each once and in order: else `ordinals_not_contiguous`. */
export function checkContiguous(ordinals: readonly bigint[]): void {
  if (ordinals.some((ordinal, index) => ordinal !== BigInt(index + 1))) {
    refuse("ordinals_not_contiguous");
  }
}

/** Past this many characters a number is no integer here: some engines have none that large, and all become slow. */
const MAX_INTEGER_LENGTH = 4300;

/** The integer that a value is by its text; `undefined` for anything else, `1.0` and `true` among it. */
export function integerOf(value: JsonValue | undefined): bigint | undefined {
  if (!(value instanceof JsonNumber) || value.lexeme.length > MAX_INTEGER_LENGTH) return undefined;
  return value.isInteger ? value.toBigInt() : undefined;
}

/** An integer of at least some value, or the fault. */
export function integerAt(
  record: JsonObject,
  field: string,
  least: bigint,
  kind: RecordKind,
): bigint {
  const value = integerOf(record.get(field));
  return value !== undefined && value >= least ? value : refuse(kind, field);
}

/** A text of some syntax, or the fault. */
export function textAt(
  record: JsonObject,
  field: string,
  is: (value: unknown) => value is string,
  kind: RecordKind,
): string {
  const value = record.get(field);
  return is(value) ? value : refuse(kind, field);
}

/** A digest with its prefix: else `digest_invalid`, or `digest_not_prefixed` for a bare one. */
export function checkPrefixedDigest(record: JsonObject, field: string): void {
  const value = record.get(field);
  if (!isLaxDigest(value)) refuse("digest_invalid", field);
  if (!isStrictDigest(value)) refuse("digest_not_prefixed", field);
}

/** A text that is not blank: else `string_empty`. */
export function filledTextAt(record: JsonObject, field: string): string {
  return textAt(record, field, isFilled, "string_empty");
}

/** Is this a text with something in it? */
export function isFilled(value: unknown): value is string {
  return typeof value === "string" && !isBlank(value);
}
