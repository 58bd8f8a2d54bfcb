/**
 * Reading members by a table: first all types in its order, then the rules. A record comes out rewritten: just the members
 * of the table, with defaults written and everything else dropped.
 *
 * Rule: `docs/spec/readers.md`, "Types".
 *
 * @module
 */
import type { JsonObject, JsonValue } from "../canonical/mod.ts";
import { integerOf, isBlank, isFilled, isLaxDigest, refuse } from "../record/mod.ts";

/** Reads one member; `undefined` leaves it out. */
export type MemberReader = (value: JsonValue | undefined, field: string) => JsonValue | undefined;

/** Members and how each is read, in the order in which they are judged. */
export type Table = readonly (readonly [name: string, read: MemberReader])[];

/** Reads the members of a table. */
export function readTable(record: JsonObject, table: Table): JsonObject {
  const read: JsonObject = new Map();
  for (const [name, reader] of table) {
    const value = reader(record.get(name), name);
    if (value !== undefined) read.set(name, value);
  }
  return read;
}

/** A text that is not blank, kept as it is. */
export const text: MemberReader = (value, field) =>
  isFilled(value) ? value : refuse("string_empty", field);

/** An integer from 0, by its text. */
export const count: MemberReader = (value, field) =>
  (integerOf(value) ?? -1n) >= 0n ? value : refuse("not_non_negative_integer", field);

/** A boolean. */
export const flag: MemberReader = (value, field) =>
  typeof value === "boolean" ? value : refuse("not_boolean", field);

/** An object of any content. */
export const free: MemberReader = (value, field) => container(value, field);

/** A list of items; an item's fault names the member, or in the older records the item. */
export function list(item: MemberReader, options: { indexed?: boolean } = {}): MemberReader {
  return (value, field) => {
    if (!Array.isArray(value)) refuse("wrong_container", field);
    return value.map((one, index) =>
      item(one, options.indexed === true ? `${field}[${index}]` : field)!
    );
  };
}

/** A record inside a record, which goes through all its own rules at its place. */
export function nested(read: (record: JsonObject) => JsonObject): MemberReader {
  return (value, field) => read(container(value, field));
}

/** A member that may be absent or null: then the default, or nothing. */
export function optional(reader: MemberReader, otherwise?: () => JsonValue): MemberReader {
  return (value, field) =>
    value === undefined || value === null ? otherwise?.() : reader(value, field);
}

/** An object whose names are not blank and whose values are read alike; a value's fault names it as `field.name`. */
export function mapOf(reader: MemberReader): MemberReader {
  return (value, field) =>
    new Map(
      [...container(value, field)].map(([name, member]) => {
        if (isBlank(name)) refuse("string_empty", field);
        return [name, reader(member, `${field}.${name}`)!];
      }),
    );
}

/** An object, or `wrong_container`. */
export function container(value: JsonValue | undefined, field: string): JsonObject {
  return value instanceof Map ? value : refuse("wrong_container", field);
}

/** The digests among these members are well formed, with or without their prefix. */
export function checkDigests(record: JsonObject, ...fields: readonly string[]): void {
  for (const field of fields) {
    if (!isLaxDigest(record.get(field))) refuse("digest_invalid", field);
  }
}

/** The members of these records are unique. */
export function checkUnique(values: readonly (JsonValue | undefined)[]): void {
  if (new Set(values).size !== values.length) refuse("duplicate_id");
}

/** The list has items. */
export function checkFilled(record: JsonObject, ...fields: readonly string[]): void {
  for (const field of fields) {
    if ((record.get(field) as readonly JsonValue[]).length === 0) refuse("empty", field);
  }
}
