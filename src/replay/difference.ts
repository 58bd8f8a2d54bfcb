/**
 * Where two JSON values differ, for people.
 *
 * @module
 */
import { formatPointer } from "../core/mod.ts";
import { isRefusedName, showPath, showValue, WITHHELD } from "./withhold.ts";

/** One place where two values, `a` and `b`, differ. */
export interface Difference {
  /** JSON Pointer to the place; names that look like secrets are masked, long ones shortened. */
  readonly pointer: string;
  /** `withheld`: what `a` had there was not kept, so that it is not known whether they differ. */
  readonly kind: "changed" | "only_a" | "only_b" | "withheld";
  /** What stands there in `a`, shortened, or that it is withheld; `null` where nothing does or it is not known. */
  readonly a: string | null;
  /** The same for `b`. */
  readonly b: string | null;
}

/** How two values differ. */
export interface Comparison {
  /** Number of places. */
  readonly count: number;
  /** The first of them, in the order of `a`. */
  readonly differences: readonly Difference[];
}

/** Most places that are told. */
const MAX_TOLD = 20;

/**
 * Compares two JSON values member by member and item by item.
 *
 * @param withheld JSON Pointers to what is missing from `a`.
 */
export function compareValues(
  a: unknown,
  b: unknown,
  withheld: readonly string[] = [],
): Comparison {
  const differences: Difference[] = [];
  let count = 0;
  for (const tell of differ(a, b, [], new Set(withheld))) {
    if (count++ < MAX_TOLD) differences.push(tell());
  }
  return { count, differences };
}

/** Each place as a way to put it into words, to be used at once: there may be millions, and few are told. */
function* differ(
  a: unknown,
  b: unknown,
  path: (string | number)[],
  withheld: ReadonlySet<string>,
): Generator<() => Difference> {
  const isWithheld = withheld.size > 0 && withheld.has(formatPointer(path));
  if (isWithheld) {
    yield () => ({ pointer: showPath(path), kind: "withheld", a: null, b: null });
    if (!isContainer(a)) return;
  }
  if (!isContainer(a) || !isContainer(b) || Array.isArray(a) !== Array.isArray(b)) {
    if (Object.is(a, b) || (a === 0 && b === 0)) return;
    yield () => told("changed", path, a, b);
    return;
  }
  for (const part of partsOf(a)) {
    path.push(part);
    if (has(b, part)) yield* differ(at(a, part), at(b, part), path, withheld);
    else if (withheld.size > 0 && withheld.has(formatPointer(path)) && !isContainer(at(a, part))) {
      yield () => ({ pointer: showPath(path), kind: "only_a", a: WITHHELD, b: null });
    } else yield () => told("only_a", path, at(a, part), undefined);
    path.pop();
  }
  for (const part of partsOf(b)) {
    if (has(a, part) || (isWithheld && isRefusedName(String(part)))) continue;
    path.push(part);
    yield () => told("only_b", path, undefined, at(b, part));
    path.pop();
  }
}

function told(
  kind: "changed" | "only_a" | "only_b",
  path: (string | number)[],
  a: unknown,
  b: unknown,
): Difference {
  const show = (value: unknown): string => showValue(value, path);
  return {
    pointer: showPath(path),
    kind,
    a: kind === "only_b" ? null : show(a),
    b: kind === "only_a" ? null : show(b),
  };
}

function isContainer(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

function* partsOf(value: object): Generator<string | number> {
  yield* Array.isArray(value) ? value.keys() : Object.keys(value);
}

function has(value: object, part: string | number): boolean {
  return Object.hasOwn(value, part);
}

function at(value: object, part: string | number): unknown {
  return (value as Readonly<Record<string | number, unknown>>)[part];
}
