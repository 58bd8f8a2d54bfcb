/**
 * Compares an output with what a case expects.
 *
 * Rule: `docs/spec/conformance.md`, "Comparison".
 *
 * @module
 */
import { isObject } from "./input.ts";

/** How a suite wants outputs compared; each list holds names of members, at any depth. */
export interface CompareRules {
  /** Arrays there match in any order. */
  readonly unordered?: readonly string[];
  /** Arrays there need only contain what is expected, in any order. */
  readonly contains?: readonly string[];
  /** From there down no members are allowed beyond the expected ones. */
  readonly exact?: readonly string[];
  /** How far two numbers may be apart. */
  readonly tolerance?: number;
  /** Does a missing member match an expected `null`? */
  readonly null_matches_absent?: boolean;
}

/** One place where an output is not what was expected. */
export interface Difference {
  /** JSON Pointer into the output; empty for all of it. */
  readonly path: string;
  /** What kind of difference it is. */
  readonly reason: "differs" | "missing" | "unexpected" | "length" | "no such element";
  /** What was expected there; absent when nothing was. */
  readonly expected?: unknown;
  /** What was found there; absent when nothing was. */
  readonly found?: unknown;
}

/** Every difference between an expectation and an output; none means that it matches. */
export function findDifferences(
  expected: unknown,
  found: unknown,
  rules: CompareRules = {},
): Difference[] {
  return compare(expected, found, { path: "", name: "", isExact: false }, rules);
}

/** Where a comparison stands. */
interface Place {
  readonly path: string;
  /** Name of the member that is compared, empty within an array. */
  readonly name: string;
  readonly isExact: boolean;
}

function compare(
  expected: unknown,
  found: unknown,
  place: Place,
  rules: CompareRules,
): Difference[] {
  if (Array.isArray(expected) && Array.isArray(found)) {
    return compareArrays(expected, found, place, rules);
  }
  if (isObject(expected) && isObject(found)) return compareObjects(expected, found, place, rules);
  if (expected === found) return [];
  if (typeof expected === "number" && typeof found === "number") {
    if (Math.abs(expected - found) <= (rules.tolerance ?? 0)) return [];
  }
  return [{ path: place.path, reason: "differs", expected, found }];
}

function compareObjects(
  expected: Readonly<Record<string, unknown>>,
  found: Readonly<Record<string, unknown>>,
  { path, isExact }: Place,
  rules: CompareRules,
): Difference[] {
  const differences = Object.entries(expected).flatMap(([name, wanted]): Difference[] => {
    const place = {
      path: `${path}/${escapePointer(name)}`,
      name,
      isExact: isExact || has(rules.exact, name),
    };
    if (Object.hasOwn(found, name)) return compare(wanted, found[name], place, rules);
    if (wanted === null && rules.null_matches_absent === true) return [];
    return [{ path: place.path, reason: "missing", expected: wanted }];
  });
  if (!isExact) return differences;
  const extra = Object.keys(found).filter((name) => !Object.hasOwn(expected, name));
  return differences.concat(extra.map((name) => {
    const place = `${path}/${escapePointer(name)}`;
    return { path: place, reason: "unexpected", found: found[name] };
  }));
}

function compareArrays(
  expected: readonly unknown[],
  found: readonly unknown[],
  { path, name, isExact }: Place,
  rules: CompareRules,
): Difference[] {
  const isPart = has(rules.contains, name);
  if (!isPart && expected.length !== found.length) {
    return [{ path, reason: "length", expected: expected.length, found: found.length }];
  }
  const place = (index: number): Place => ({ path: `${path}/${index}`, name: "", isExact });
  if (!isPart && !has(rules.unordered, name)) {
    return expected.flatMap((wanted, index) => compare(wanted, found[index], place(index), rules));
  }
  const matches = (wanted: number, there: number): boolean =>
    compare(expected[wanted], found[there], place(there), rules).length === 0;
  const unmatched = findUnmatched(expected.length, found.length, matches);
  return unmatched.map((index) => {
    return { path, reason: "no such element", expected: expected[index], found };
  });
}

/**
 * The elements of the first side that are left over when as many as possible are paired with different ones of the
 * second. An expectation may match several outputs, so that the first free match may be needed by another one: pairs
 * are moved along augmenting paths.
 */
function findUnmatched(
  count: number,
  others: number,
  matches: (one: number, other: number) => boolean,
): number[] {
  const partners = new Map<number, number>();
  const place = (one: number, tried: Set<number>): boolean => {
    for (let other = 0; other < others; other++) {
      if (tried.has(other) || !matches(one, other)) continue;
      tried.add(other);
      const rival = partners.get(other);
      if (rival === undefined || place(rival, tried)) {
        partners.set(other, one);
        return true;
      }
    }
    return false;
  };
  return Array.from({ length: count }, (_, one) => one).filter((one) => !place(one, new Set()));
}

function has(names: readonly string[] | undefined, name: string): boolean {
  return names?.includes(name) === true;
}

function escapePointer(name: string): string {
  return name.replaceAll("~", "~0").replaceAll("/", "~1");
}
