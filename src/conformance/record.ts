/**
 * What operations on records share: JSON source text in, a refusal's kind and field out.
 *
 * @module
 */
import { parseStrictText } from "../canonical/mod.ts";
import type { JsonValue } from "../canonical/mod.ts";
import type { RecordResult } from "../record/mod.ts";
import { readText } from "./input.ts";
import type { Input, Output } from "./input.ts";

/** A member that is JSON source text, without loss; `undefined` when it is no JSON. */
export function readRecord(input: Input, name: string): JsonValue | undefined {
  const text = readText(input, name);
  const parsed = parseStrictText(text, { duplicateKeys: "last-wins", nonFinite: true });
  return parsed.ok ? parsed.value : undefined;
}

/** The answer when a text is no JSON, which no case compares further. */
export const NOT_JSON: Output = { ok: false, kind: "not_json" };

/** The answer for a result: its members, or the kind and field of the refusal. */
export function answerRecord<T>(
  result: RecordResult<T>,
  members: (value: T) => Output = () => ({}),
): Output {
  if (result.ok) return { ok: true, ...members(result.value) };
  const { code, field } = result;
  const kind = code === "record.criterion_count_not_pinned"
    ? "criterion_count_not_23" // what the one profile of the vectors pins
    : code.slice("record.".length);
  return { ok: false, kind, ...(field !== undefined && { field }) };
}
