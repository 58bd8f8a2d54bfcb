/**
 * Between records as they are read, maps whose numbers kept their text, and records as programs hold them: plain objects
 * whose integers are BigInt.
 *
 * @module
 */
import { formatValue, JsonNumber, parseStrictText } from "../canonical/mod.ts";
import type { JsonObject, JsonValue } from "../canonical/mod.ts";
import { isPlainObject } from "../core/mod.ts";

/** The plain record of members that were all judged before: texts, integers, null, and such records. */
export function typed<T>(record: JsonObject, names: readonly string[]): T {
  return Object.fromEntries(names.map((name) => [name, plain(record.get(name))])) as T;
}

/**
 * Members that a program puts together, as a reader takes them.
 *
 * @throws {CanonicalError} for a value that no JSON is, such as `undefined` or a number that is no safe integer.
 */
export function untyped(fields: object | JsonValue): JsonValue {
  if (!isPlainObject(fields)) return fields as JsonValue;
  const parsed = parseStrictText(formatValue(fields), { maxBytes: Infinity });
  if (!parsed.ok) throw new TypeError(parsed.reason); // not reached: the text was just written
  return parsed.value;
}

/** The canonical text of such a record under profile `value`; a reader takes it back. */
export function formatRecord(record: object): string {
  return formatValue(record);
}

function plain(value: JsonValue | undefined): unknown {
  if (value instanceof JsonNumber) return value.toBigInt();
  return value instanceof Map ? typed(value, [...value.keys()]) : value;
}
