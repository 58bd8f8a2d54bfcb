/**
 * Small changes to a JSON value: one member or item at a time left out, replaced or added.
 *
 * @module
 */

/** What stands in for a value, in turn; texts near the edges of the formats are among them. */
const REPLACEMENTS: readonly unknown[] = [
  ...[null, true, false, 0, -0, 1, -1, 0.5, 1e300, 2 ** 53, 2 ** 53 - 1, -(2 ** 53), 5e-324],
  ...["", " ", "\ufeff", "\u200b", "a", "A", "a\n", "é", "\ud800", "SE0", "plan", "a/b", "a.b"],
  ...["a".repeat(64), "a".repeat(65), "a".repeat(128), "a".repeat(129), "0".repeat(64)],
  ...["2026-09-02T00:00:00Z", "2026-09-02T00:00:00.000Z", "2026-13-02T00:00:00.000Z"],
  ...["2024-02-29T23:59:59.9+23:59", "2026-09-02t00:00:00z", "+012026-09-02T00:00:00.000Z"],
  ...[[], [1], ["a"], {}, { a: 1 }, [{}]],
];

/** Values that differ from this one in one place, as fresh copies. */
export function* mutationsOf(document: unknown): Generator<unknown> {
  yield* REPLACEMENTS;
  if (typeof document === "string") yield* [`${document}\n`, ` ${document}`, document.slice(0, -1)];
  if (typeof document !== "object" || document === null) return;
  if (Array.isArray(document)) {
    yield [];
    for (const item of mutationsOf(document[0])) yield [item, ...document.slice(1)];
    return;
  }
  const members = Object.entries(document);
  for (const extra of ["extra", "__proto__", "constructor", "length", "toString"]) {
    yield fromMembers([...members, [extra, 1]]);
  }
  for (const [index, [name, value]] of members.entries()) {
    const [before, after] = [members.slice(0, index), members.slice(index + 1)];
    yield fromMembers([...before, ...after]);
    for (const other of mutationsOf(value)) yield fromMembers([...before, [name, other], ...after]);
  }
}

/** An object as a JSON reader makes it: `__proto__` is a member like any other. */
function fromMembers(members: readonly (readonly [string, unknown])[]): unknown {
  const object = {};
  for (const [name, value] of members) {
    Object.defineProperty(object, name, {
      value,
      enumerable: true,
      configurable: true,
      writable: true,
    });
  }
  return object;
}
