/**
 * The order of checks: a record with any two faults is refused for the one that its rule comes first.
 *
 * @module
 */
import * as assert from "uvu/assert";
import type { JsonObject, JsonValue } from "../../src/canonical/mod.ts";
import type { RecordResult } from "../../src/record/mod.ts";
import { json, toJson } from "../lib/evaluation.ts";

/** A member by its dotted path, what it becomes (`null`: it is dropped), and what that is refused with. */
export type Fault = readonly [path: string, text: string | null, kind: string, field?: string];

/** Every fault alone, and every two of different members together. */
export function checkOrder(
  record: object,
  faults: readonly Fault[],
  parse: (value: JsonValue) => RecordResult<unknown>,
): void {
  assert.is(parse(toJson(record)).ok, true);
  for (const [index, first] of faults.entries()) {
    const [, , kind, field] = first;
    for (const second of faults.slice(index)) {
      if (second !== first && second[0] === first[0]) continue;
      const value = toJson(record) as JsonObject;
      change(value, second);
      change(value, first);
      assert.equal(outcomeOf(parse(value)), [kind, field], `${first} with ${second}`);
    }
  }
}

/** The kind and field that something is refused with; `accepted` for what is not. */
export function outcomeOf(result: RecordResult<unknown>): [string, (string | undefined)?] {
  return result.ok ? ["accepted"] : [result.code.slice("record.".length), result.field];
}

function change(record: JsonObject, [path, text]: Fault): void {
  const parts = path.split(".");
  const name = parts.pop()!;
  let place: JsonValue | undefined = record;
  for (const part of parts) place = place instanceof Map ? place.get(part) : undefined;
  if (!(place instanceof Map)) return; // the other fault has replaced what it is in
  if (text === null) place.delete(name);
  else place.set(name, json(text));
}
