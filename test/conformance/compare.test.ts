import { suite } from "uvu";
import * as assert from "uvu/assert";
import { findDifferences, judge, parseSuite } from "../../src/conformance/mod.ts";
import type { Answer, CaseResult, CompareRules, Difference } from "../../src/conformance/mod.ts";

const compare = suite("findDifferences()");

const matches = (expected: unknown, found: unknown, rules?: CompareRules): void =>
  assert.equal(findDifferences(expected, found, rules), []);
const differs = (
  expected: unknown,
  found: unknown,
  differences: Difference[],
  rules?: CompareRules,
): void => assert.equal(findDifferences(expected, found, rules), differences);

compare("ignores further members, at any depth", () => {
  matches({ a: { b: 1 } }, { a: { b: 1, c: 2 }, d: 3 });
});

compare("names every place that differs, as a pointer into the output", () => {
  differs({ a: [{ "b/~": 1 }, 2], c: "x", d: 0 }, { a: [{ "b/~": 2 }, 2], c: "y" }, [
    { path: "/a/0/b~1~0", reason: "differs", expected: 1, found: 2 },
    { path: "/c", reason: "differs", expected: "x", found: "y" },
    { path: "/d", reason: "missing", expected: 0 },
  ]);
});

compare("takes no value for one of another type", () => {
  const values = [0, "0", false, null, [], {}, "", "null"];
  for (const [index, expected] of values.entries()) {
    for (const [other, found] of values.entries()) {
      const wanted = index === other
        ? []
        : [{ path: "/v", reason: "differs" as const, expected, found }];
      differs({ v: expected }, { v: found }, wanted);
    }
  }
});

compare("finds no member in what an object inherits", () => {
  differs({ toString: null }, {}, [{ path: "/toString", reason: "missing", expected: null }]);
});

compare("compares arrays in order, element by element, of the same length", () => {
  matches([1, { a: 1 }], [1, { a: 1, b: 2 }]);
  differs([1, 2], [2, 1], [
    { path: "/0", reason: "differs", expected: 1, found: 2 },
    { path: "/1", reason: "differs", expected: 2, found: 1 },
  ]);
  differs([1], [1, 2], [{ path: "", reason: "length", expected: 1, found: 2 }]);
  differs([1, 2], [1], [{ path: "", reason: "length", expected: 2, found: 1 }]);
});

compare("unordered: takes the elements of the named arrays in any order", () => {
  const rules = { unordered: ["list"] };
  matches({ a: { list: [1, 2, 2] } }, { a: { list: [2, 1, 2] } }, rules);
  differs({ list: [1, 1] }, { list: [1, 2] }, [
    { path: "/list", reason: "no such element", expected: 1, found: [1, 2] },
  ], rules);
  differs({ list: [1] }, { list: [1, 1] }, [
    { path: "/list", reason: "length", expected: 1, found: 2 },
  ], rules);
  differs({ other: [1, 2] }, { other: [2, 1] }, [
    { path: "/other/0", reason: "differs", expected: 1, found: 2 },
    { path: "/other/1", reason: "differs", expected: 2, found: 1 },
  ], rules);
});

compare("unordered: an array within the array is in order", () => {
  differs({ list: [[1, 2]] }, { list: [[2, 1]] }, [
    { path: "/list", reason: "no such element", expected: [1, 2], found: [[2, 1]] },
  ], { unordered: ["list"] });
});

compare(
  "unordered: gives a greedy expectation another element when a choosy one needs its own",
  () => {
    const choosy = { a: 1, b: 2 };
    matches({ list: [{ a: 1 }, choosy] }, { list: [choosy, { a: 1 }] }, { unordered: ["list"] });
    const one = { a: 1 }, two = { a: 1, b: 2 }, three = { a: 1, b: 2, c: 3 };
    matches({ list: [one, two, three] }, { list: [three, two, one] }, { unordered: ["list"] });
  },
);

compare("contains: takes an array that holds more than is expected", () => {
  const rules = { contains: ["list"] };
  matches({ list: [3, 1] }, { list: [1, 2, 3] }, rules);
  matches({ list: [] }, { list: [1] }, rules);
  differs({ list: [1, 1] }, { list: [1, 2] }, [
    { path: "/list", reason: "no such element", expected: 1, found: [1, 2] },
  ], rules);
});

compare("exact: allows no further member from the named one down", () => {
  const rules = { exact: ["a"] };
  matches({ a: { b: { c: 1 } } }, { a: { b: { c: 1 } }, free: 1 }, rules);
  differs({ a: { b: [{ c: 1 }] } }, { a: { b: [{ c: 1, d: 2 }], e: 3 }, free: 1 }, [
    { path: "/a/b/0/d", reason: "unexpected", found: 2 },
    { path: "/a/e", reason: "unexpected", found: 3 },
  ], rules);
  differs({ a: { list: [{ b: 1 }] } }, { a: { list: [{ b: 1, c: 2 }] } }, [
    { path: "/a/list", reason: "no such element", expected: { b: 1 }, found: [{ b: 1, c: 2 }] },
  ], { ...rules, unordered: ["list"] });
});

compare("tolerance: takes numbers that are no further apart", () => {
  matches({ n: 1 }, { n: 1.25 }, { tolerance: 0.25 });
  matches({ n: 0 }, { n: -0 });
  differs({ n: 1 }, { n: 1.5 }, [{ path: "/n", reason: "differs", expected: 1, found: 1.5 }], {
    tolerance: 0.25,
  });
  differs({ n: 1 }, { n: "1" }, [{ path: "/n", reason: "differs", expected: 1, found: "1" }], {
    tolerance: 9,
  });
});

compare("null_matches_absent: takes a missing member for null, and nothing else for it", () => {
  const rules = { null_matches_absent: true };
  matches({ a: null }, {}, rules);
  differs(
    { a: null },
    { a: 0 },
    [{ path: "/a", reason: "differs", expected: null, found: 0 }],
    rules,
  );
  differs({ a: 0 }, {}, [{ path: "/a", reason: "missing", expected: 0 }], rules);
  differs({ a: null }, {}, [{ path: "/a", reason: "missing", expected: null }]);
});

compare.run();

const suites = suite("parseSuite() and judge()");

function judged(more: Record<string, unknown>, answer: Answer): CaseResult {
  const one = { id: "x", note: "a note", input: { a: 1 }, expect: { ok: true, v: 1 }, ...more };
  const parsed = parseSuite(JSON.stringify({ suite: "s/t", op: "o", cases: [one] }));
  if (!parsed.ok) throw new Error(parsed.reason);
  return judge(parsed.value, parsed.value.cases[0]!, answer);
}

const passed: CaseResult = { id: "x", note: "a note", status: "passed", differences: [] };
const failed: CaseResult = { ...passed, status: "failed" };

suites("a case passes with what is expected", () => {
  assert.equal(judged({}, { output: { ok: true, v: 1 } }), passed);
});

suites("a case passes with any of expect_any, and shows its differences from expect", () => {
  const more = { expect_any: [{ ok: false, kind: "a" }, { ok: false, kind: "b" }] };
  assert.equal(judged(more, { output: { ok: false, kind: "b" } }), passed);
  assert.equal(judged(more, { output: { ok: true, v: 2 } }), {
    ...failed,
    differences: [{ path: "/v", reason: "differs", expected: 1, found: 2 }],
  });
});

suites("may_refuse: a refusal passes, another acceptance does not", () => {
  assert.equal(judged({ may_refuse: true }, { output: { ok: false } }), passed);
  assert.equal(judged({ may_refuse: true }, { output: { ok: true, v: 2 } }).status, "failed");
  assert.equal(judged({}, { output: { ok: false, v: 1 } }).status, "failed");
});

suites("an unsupported operation is apart, and an internal failure is a failure", () => {
  assert.equal(judged({}, { unsupported: true }), { ...passed, status: "unsupported" });
  assert.equal(judged({ may_refuse: true }, { error: "out of order" }), {
    ...failed,
    error: "out of order",
  });
});

suites("what a suite shares lies under the input of each case", () => {
  const cases = [
    { id: "a", input: {}, expect: {} },
    { id: "b", input: { p: 2, q: { r: 1 } }, expect: {}, expect_any: [{}], tags: ["t"] },
  ];
  const shared = { p: 1, q: { s: 1 } };
  const text = JSON.stringify({ suite: "s/t", op: "o", about: "", shared, cases });
  const rest = { note: "", may_refuse: false };
  assert.equal(parseSuite(text), {
    ok: true,
    value: {
      suite: "s/t",
      op: "o",
      compare: {},
      cases: [
        { id: "a", ...rest, tags: [], input: shared, expectations: [{}] },
        { id: "b", ...rest, tags: ["t"], input: { p: 2, q: { r: 1 } }, expectations: [{}, {}] },
      ],
    },
  });
});

suites("a file that is no suite is refused with the member at fault", () => {
  const sound = { suite: "s/t", op: "o", cases: [] };
  const one = { id: "a", input: {}, expect: {} };
  const faults: [unknown, string][] = [
    [[], "the text is no JSON object"],
    [{ ...sound, suite: 1 }, '"suite" is no text'],
    [{ ...sound, op: undefined }, '"op" is no text'],
    [{ ...sound, shared: [] }, '"shared" is no object'],
    [{ ...sound, compare: { order: [] } }, '"compare" holds no rules of comparison'],
    [{ ...sound, compare: { exact: "a" } }, '"compare" holds no rules of comparison'],
    [{ ...sound, compare: { tolerance: -1 } }, '"compare" holds no rules of comparison'],
    [{ ...sound, cases: {} }, '"cases" is no list'],
    [{ ...sound, cases: [1] }, "case 0: it is no object"],
    [{ ...sound, cases: [{ ...one, id: 1 }] }, 'case 0: "id" is no text'],
    [{ ...sound, cases: [one, one] }, 'case 1: its "id" was used before'],
    [{ ...sound, cases: [{ ...one, input: null }] }, 'case 0: "input" is no object'],
    [{ ...sound, cases: [{ ...one, expect: [] }] }, 'case 0: "expect" is no object'],
    [{ ...sound, cases: [{ ...one, note: 1 }] }, 'case 0: "note" is no text'],
    [{ ...sound, cases: [{ ...one, tags: "t" }] }, 'case 0: "tags" is no list of texts'],
    [
      { ...sound, cases: [{ ...one, expect_any: {} }] },
      'case 0: "expect_any" is no list of objects',
    ],
    [
      { ...sound, cases: [{ ...one, may_refuse: 1 }] },
      'case 0: "may_refuse" is neither true nor false',
    ],
  ];
  const refusal = (why: string): unknown => {
    return { ok: false, code: "conformance.suite_invalid", reason: `Reading a suite: ${why}` };
  };
  for (const [value, why] of faults) {
    assert.equal(parseSuite(JSON.stringify(value)), refusal(why), why);
  }
  assert.equal(parseSuite("{"), refusal("the text is not JSON"));
});

suites.run();
