/**
 * Records for tests: from text, without loss, and changed in one place.
 *
 * @module
 */
import { JsonNumber, parseStrictText } from "../../src/canonical/mod.ts";
import type { JsonObject, JsonValue } from "../../src/canonical/mod.ts";
import type { Random } from "./random.ts";

/** The lossless value of a JSON text. */
export function lossless(text: string): JsonValue {
  const parsed = parseStrictText(text, { duplicateKeys: "last-wins", nonFinite: true });
  if (!parsed.ok) throw new Error(parsed.reason);
  return parsed.value;
}

/** The lossless object of plain members. */
export function objectOf(members: Readonly<Record<string, unknown>>): JsonObject {
  return lossless(JSON.stringify(members)) as JsonObject;
}

/** Values that readers of records do not expect. */
const HOSTILE: readonly JsonValue[] = [
  ...[null, true, false, "", " ", "\u0085", "\ufeff", "\ud800", "official", "__proto__"],
  ...["secret=hunter2hunter2", `sha256:${"0".repeat(64)}`, "0".repeat(64), "a".repeat(10_000)],
  ...["-1", "0", "1.0", "1e0", "-0", "1e400", "NaN", "9".repeat(400)].map(lossless),
  ...["{}", "[]", "[[]]", '{"__proto__":1}', '{"a":{"b":[null]}}'].map(lossless),
];

/** The same value with one change at a random place: a member dropped, doubled, retyped or made hostile. */
export function mutate(value: JsonValue, random: Random): JsonValue {
  if (value instanceof Map && value.size > 0 && random.below(6) > 0) {
    return mutateObject(value, random);
  }
  if (!Array.isArray(value) || value.length === 0 || random.below(6) === 0) {
    return change(value, random);
  }
  const at = random.below(value.length);
  const copy = [...value];
  const kind = random.below(4);
  if (kind === 0) copy.splice(at, 1);
  else if (kind === 1) copy.splice(at, 0, value[at]!);
  else copy[at] = mutate(value[at]!, random);
  return copy;
}

function mutateObject(value: JsonObject, random: Random): JsonObject {
  const members = [...value];
  const at = random.below(members.length);
  const [name, member] = members[at]!;
  const kind = random.below(5);
  const names = ["extra", "model", "api_key", "__proto__", `${name}2`];
  if (kind === 0) members.splice(at, 1);
  else if (kind === 1) members.push([random.pick(names), member]);
  else if (kind === 2) members[at] = [name, members[random.below(members.length)]![1]];
  else members[at] = [name, mutate(member, random)];
  return new Map(members);
}

function change(value: JsonValue, random: Random): JsonValue {
  if (typeof value === "string" && value.length > 0 && random.below(2) === 0) {
    const at = random.below(value.length);
    const put = random.pick(["", "x", "/", "\\", " ", "\u0000", "\ud800"]);
    return value.slice(0, at) + put + value.slice(at + 1);
  }
  if (value instanceof JsonNumber && random.below(2) === 0) {
    return lossless(
      random.pick([`1${value.lexeme.replace("-", "")}`, `-${value.lexeme.replace("-", "")}`, "0"]),
    );
  }
  return random.pick(HOSTILE);
}
