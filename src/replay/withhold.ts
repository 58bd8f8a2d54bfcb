/**
 * What of somebody's values may be stored or shown: nothing that a canary refuses, whether it is a value, the name of a
 * member, or a value together with the name in front of it.
 *
 * @module
 */
import { formatPointer } from "../core/mod.ts";
import { findCanaries } from "../capsule/mod.ts";

/** A place in a value: member names and list indices from the root. */
export type Path = readonly (string | number)[];

/** A value without what was withheld. */
export interface Withheld {
  /** The value; `null` stands where a value was withheld, and a member whose name was refused is gone. */
  readonly value: unknown;
  /** JSON Pointers to what was withheld: to the value, or to the object whose member is gone. Sorted. */
  readonly withheld: readonly string[];
}

/** Stands for what is not shown. */
export const WITHHELD = "(withheld)";

/** Longest text that is shown of a value or a place, in characters. */
const MAX_SHOWN = 80;

/** Does a canary refuse this name of a member? */
export function isRefusedName(name: string): boolean {
  return findCanaries(name).length > 0;
}

/** Does a canary refuse this scalar where it stands? `{"PASSWORD": "…"}` is as telling as `PASSWORD=…` in one text. */
export function isRefusedScalar(value: unknown, path: Path): boolean {
  if (typeof value !== "string" && typeof value !== "number") return false;
  const name = path.filter((part) => typeof part === "string").at(-1);
  return findCanaries(String(value)).length > 0 ||
    (name !== undefined && findCanaries(`${name}=${value}`).length > 0);
}

/** Takes out of a JSON value what a canary refuses. */
export function withhold(value: unknown): Withheld {
  const withheld = new Set<string>();
  return { value: strip(value, [], withheld), withheld: [...withheld].sort() };
}

/** A scalar as text, shortened; of a list or object only what it is. */
export function showValue(value: unknown, path: Path): string {
  if (Array.isArray(value)) return `[${value.length} items]`;
  if (typeof value === "object" && value !== null) return `{${Object.keys(value).length} members}`;
  return isRefusedScalar(value, path) ? WITHHELD : shorten(JSON.stringify(value));
}

/** A place as a JSON Pointer, with names that a canary refuses masked. */
export function showPath(path: Path): string {
  const pointer = formatPointer(
    path.map((part) =>
      typeof part === "string" ? isRefusedName(part) ? WITHHELD : shorten(part) : part
    ),
  );
  return findCanaries(pointer).length > 0 ? WITHHELD : pointer;
}

/** A text as far as it is shown. */
export function shorten(text: string): string {
  return text.length <= MAX_SHOWN ? text : `${text.slice(0, MAX_SHOWN - 1)}…`;
}

function strip(value: unknown, path: (string | number)[], withheld: Set<string>): unknown {
  if (typeof value !== "object" || value === null) {
    if (!isRefusedScalar(value, path)) return value;
    withheld.add(formatPointer(path));
    return null;
  }
  const inside = (part: string | number, inner: unknown): unknown => {
    path.push(part);
    const stripped = strip(inner, path, withheld);
    path.pop();
    return stripped;
  };
  if (Array.isArray(value)) return value.map((item, index) => inside(index, item));
  const kept = {};
  for (const [name, member] of Object.entries(value)) {
    if (isRefusedName(name)) {
      withheld.add(formatPointer(path));
      continue;
    }
    // `__proto__` is a name like any other, so members are defined, never assigned.
    const data = { enumerable: true, configurable: true, writable: true };
    Object.defineProperty(kept, name, { value: inside(name, member), ...data });
  }
  return kept;
}
