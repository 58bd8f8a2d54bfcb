/**
 * The spelling that capsules are hashed with: JSON as an ECMAScript engine writes it, members sorted by code unit, and
 * with it every quirk of the first writer. Numeric-looking keys come first in numeric order, since the engine puts them
 * there; NaN and infinities become `null`; `undefined` members vanish; a Date or Map has no members and becomes `{}`.
 *
 * Rule: `docs/spec/capsule.md`, "Canonical form".
 *
 * @module
 */
import { compareCodeUnits, MAX_DEPTH } from "../core/mod.ts";
import { findTooDeep } from "./json.ts";
import { CanonicalError } from "./writer.ts";

/**
 * The canonical text of a value.
 *
 * @throws {CanonicalError} `canonical.no_text` for a value without any text (`undefined`, a function, a symbol) or with a
 * BigInt in it, `canonical.too_deep` past 1000 levels or in a cycle.
 *
 * @example
 * ```ts
 * import { formatCapsuleV1 } from "affidavit/canonical";
 *
 * console.log(formatCapsuleV1({ b: 1, a: [1.0, -0, NaN], "10": true, "9": false }));
 * // {"9":false,"10":true,"a":[1,0,null],"b":1}
 * ```
 */
export function formatCapsuleV1(value: unknown): string {
  let text: string | undefined;
  let isAsItIs = false;
  try {
    isAsItIs = isSorted(value, 1);
    text = JSON.stringify(isAsItIs ? value : sorted(value, 1));
    // What a toJSON function returned was not walked, and engines differ in how deep they write.
    if (!isAsItIs && text !== undefined && findTooDeep(text) !== undefined) throw tooDeep();
  } catch (cause) {
    if (cause instanceof CanonicalError) throw cause;
    if (cause instanceof RangeError && !isAsItIs) throw tooDeep(); // such a result again, past what the engine writes
    throw new CanonicalError("canonical.no_text", "the value cannot be written as JSON", "", {
      cause,
    });
  }
  if (text === undefined) {
    throw new CanonicalError("canonical.no_text", `${typeof value} has no JSON text`, "");
  }
  return text;
}

/** Would sorting change nothing? Then the engine may write the value as it is, which is twice as fast. */
function isSorted(value: unknown, level: number): boolean {
  if (typeof value !== "object" || value === null) return true;
  if (level > MAX_DEPTH) throw tooDeep();
  if (Object.hasOwn(value, "toJSON")) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  if (Array.isArray(value)) {
    return prototype === Array.prototype && value.every((item) => isSorted(item, level + 1));
  }
  if (prototype !== Object.prototype) return false;
  let previous = "";
  for (const key of Object.keys(value)) {
    if (key < previous) return false;
    previous = key;
  }
  return Object.values(value).every((member) => isSorted(member, level + 1));
}

/** The same value with members sorted by code unit, as plain objects and arrays. */
function sorted(value: unknown, level: number): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (level > MAX_DEPTH) throw tooDeep();
  if (Array.isArray(value)) return Array.from(value, (item: unknown) => sorted(item, level + 1));
  const copy = {};
  for (const key of Object.keys(value).sort(compareCodeUnits)) {
    const member = (value as Record<string, unknown>)[key];
    if (member === undefined) continue;
    // `__proto__` is a name like any other here, so members are defined, never assigned.
    Object.defineProperty(copy, key, {
      value: sorted(member, level + 1),
      enumerable: true,
      configurable: true,
      writable: true,
    });
  }
  return copy;
}

function tooDeep(): CanonicalError {
  return new CanonicalError("canonical.too_deep", `a cycle, or more than ${MAX_DEPTH} levels`, "");
}
