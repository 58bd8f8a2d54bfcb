import { suite } from "uvu";
import * as assert from "uvu/assert";
import { CanonicalError, digestValue, formatCapsuleV1, PROFILES } from "../../src/canonical/mod.ts";
import { loadSha256 } from "../../src/hash/mod.ts";
import { canonicalText } from "../lib/plain.ts";
import { type Random, seeded } from "../lib/random.ts";
import { describe, thrownBy } from "../lib/thrown.ts";

const forms = suite("formatCapsuleV1()");

/** Asserts the text of a value, and that of text put into JSON again. */
function writes(value: unknown, text: string): void {
  assert.is(formatCapsuleV1(value), text);
}

/** An object whose members are given as pairs, `__proto__` among them if need be. */
function objectOf(members: [string, unknown][]): object {
  return Object.fromEntries(members);
}

/** So many lists within each other. */
function nested(levels: number, make: (inner: unknown) => unknown = (inner) => [inner]): unknown {
  let value: unknown = 0;
  for (let level = 0; level < levels; level++) value = make(value);
  return value;
}

const TOO_DEEP = {
  name: "CanonicalError",
  code: "canonical.too_deep",
  message: "Writing canonical text: a cycle, or more than 1000 levels",
};

forms("members are sorted by code unit at every depth, lists keep their order", () => {
  writes(
    { b: [{ d: 1, c: 2 }, 1], a: { f: 1, e: 2 } },
    '{"a":{"e":2,"f":1},"b":[{"c":2,"d":1},1]}',
  );
  writes({ a: 1, A: 2, _: 3, "": 4, é: 5, "a ": 6 }, '{"":4,"A":2,"_":3,"a":1,"a ":6,"é":5}');
});

forms("keys that are list indices come first in numeric order, at every depth", () => {
  const odd = ["01", "-1", "1.5", "1e3", "+1", " 1", "4294967295", "١", "1 ", "00"];
  const keys = [...odd, "10", "9", "0", "4294967294", "a"];
  const text = '{"0":0,"9":0,"10":0,"4294967294":0," 1":0,"+1":0,"-1":0,"00":0,"01":0,"1 ":0,' +
    '"1.5":0,"1e3":0,"4294967295":0,"a":0,"١":0}';
  const value = objectOf(keys.map((key) => [key, 0]));
  writes(value, text);
  writes({ z: [value] }, `{"z":[${text}]}`);
});

forms("astral keys sort by code unit, before U+E000 to U+FFFF", () => {
  writes(
    { "\uffff": 1, "\ue000": 2, "\u{10000}": 3, "\u{10ffff}": 4, "\ud7ff": 5 },
    [
      '{"\ud7ff":5,"\u{10000}":3,"\u{10ffff}":4,"\ue000":2,"\uffff":1}',
    ].join(),
  );
});

forms("numbers have their shortest form that reads back", () => {
  const numbers = [0, -0, 1, -1, 0.1, 1.0, 1e20, 1e21, 1e-6, 1e-7, 123456789012345680000];
  const more = [2 ** 53, 2 ** 53 + 2, 5e-324, 1.7976931348623157e308, -1.5e-7, 4.35, 333333333.3];
  writes(
    numbers,
    "[0,0,1,-1,0.1,1,100000000000000000000,1e+21,0.000001,1e-7,123456789012345680000]",
  );
  writes(
    more,
    "[9007199254740992,9007199254740994,5e-324,1.7976931348623157e+308,-1.5e-7,4.35,333333333.3]",
  );
  writes([NaN, Infinity, -Infinity, { a: NaN }], '[null,null,null,{"a":null}]');
  writes(JSON.parse("[1e400,-1e400,1e-400,9007199254740993]"), "[null,null,0,9007199254740992]");
});

forms("strings escape what JSON must, and lone surrogates, and nothing else", () => {
  writes('\b\t\n\f\r"\\', '"\\b\\t\\n\\f\\r\\"\\\\"');
  writes("\u0000\u0001\u000b\u001f", '"\\u0000\\u0001\\u000b\\u001f"');
  const raw = "/\u007f\u0080\u009f\u2028\u2029\ufeff\ufffe\uffff\u{1f600}\u{10ffff}";
  writes(raw, `"${raw}"`);
  writes("\ud83d \ude00 \udead\ud800", '"\\ud83d \\ude00 \\udead\\ud800"');
  writes({ "\ud800": 1, "\n": 2 }, '{"\\n":2,"\\ud800":1}');
  writes("e\u0301 \u00e9", '"e\u0301 \u00e9"'); // no normalisation
});

forms("undefined, functions and symbols vanish from objects and are null in lists", () => {
  const values = [undefined, () => 0, Symbol("s")];
  writes({ a: values[0], b: values[1], c: values[2], d: 1 }, '{"d":1}');
  writes({ d: 1, a: values[0], b: values[1], c: values[2] }, '{"d":1}');
  writes([...values, 1], "[null,null,null,1]");
  const holes: unknown[] = [];
  holes[2] = { b: 1, a: 2 };
  holes[4] = 1;
  writes(holes, '[null,null,{"a":2,"b":1},null,1]');
  writes(new Array(2), "[null,null]");
});

forms("a value without text is refused as canonical.no_text", () => {
  const refused = (value: unknown): unknown => describe(thrownBy(() => formatCapsuleV1(value)));
  for (const value of [undefined, () => 0, Symbol("s")]) {
    assert.equal(refused(value), {
      name: "CanonicalError",
      code: "canonical.no_text",
      message: `Writing canonical text: ${typeof value} has no JSON text`,
    });
  }
  const throwing = {
    get a(): unknown {
      throw new TypeError("not to be shown");
    },
  };
  for (const value of [1n, [1n], { b: 1, a: 1n }, throwing, { z: throwing, a: 0 }]) {
    assert.equal(refused(value), {
      name: "CanonicalError",
      code: "canonical.no_text",
      message: "Writing canonical text: the value cannot be written as JSON",
    });
  }
});

forms("a refusal keeps what the engine threw as its cause", () => {
  const error = thrownBy(() => formatCapsuleV1([1n])) as CanonicalError;
  assert.instance(error, CanonicalError);
  assert.instance(error.cause, TypeError);
});

forms("a cycle is refused as canonical.too_deep, sorted or not", () => {
  const list: unknown[] = [];
  list.push(list);
  const sorted: Record<string, unknown> = {};
  sorted["a"] = sorted;
  const unsorted: Record<string, unknown> = { b: 1 };
  unsorted["a"] = { b: 2, a: unsorted };
  for (const value of [list, sorted, unsorted]) {
    assert.equal(describe(thrownBy(() => formatCapsuleV1(value))), TOO_DEEP);
  }
});

forms("1000 levels are written and 1001 refused, as lists, sorted and unsorted objects", () => {
  writes(nested(1000), `${"[".repeat(1000)}0${"]".repeat(1000)}`);
  writes(nested(1000, (a) => ({ a })), `${'{"a":'.repeat(1000)}0${"}".repeat(1000)}`);
  const unsorted = (inner: unknown): unknown => ({ b: 0, a: inner });
  writes(nested(1000, unsorted), `${'{"a":'.repeat(1000)}0${',"b":0}'.repeat(1000)}`);
  for (const make of [(a: unknown) => [a], (a: unknown) => ({ a }), unsorted]) {
    assert.equal(describe(thrownBy(() => formatCapsuleV1(nested(1001, make)))), TOO_DEEP);
  }
});

forms("only a thousand levels of one branch count, whatever stands beside it", () => {
  writes(
    [nested(999), nested(999)],
    `[${formatCapsuleV1(nested(999))},${formatCapsuleV1(nested(999))}]`,
  );
  const beside = { b: nested(998), a: [nested(1000)] };
  assert.equal(describe(thrownBy(() => formatCapsuleV1(beside))), TOO_DEEP);
});

class Point {
  y = 1;
  x = 2;
  #hidden = 3;
  get sum(): number {
    return this.x + this.y + this.#hidden;
  }
}

forms("of other objects only own enumerable members survive", () => {
  const scalars = [new Date(0), new Map([[1, 2]]), new Set([1]), /a/g];
  writes([...scalars, Object(1), Object(true), Object(1n)], "[{},{},{},{},{},{},{}]");
  writes(Object("ab"), '{"0":"a","1":"b"}');
  writes(Uint8Array.from([7, 8]), '{"0":7,"1":8}');
  writes(new Point(), '{"x":2,"y":1}');
  writes(Object.assign(Object.create({ inherited: 1 }), { b: 1, a: 2 }), '{"a":2,"b":1}');
  writes(Object.assign(Object.create(null), { b: 1, a: 2 }), '{"a":2,"b":1}');
  writes(Object.defineProperty({ a: 1 }, "hidden", { value: 1 }), '{"a":1}');
  writes({ [Symbol("s")]: 1, a: 2 }, '{"a":2}');
});

forms("getters are read", () => {
  writes({
    b: 1,
    get a(): number {
      return 2;
    },
  }, '{"a":2,"b":1}');
});

forms("members of a list that are no items are not written", () => {
  writes(Object.assign([1], { extra: 2 }), "[1]");
});

forms("an own enumerable toJSON function is called, and its result is not sorted", () => {
  const toJSON = (): unknown => ({ b: 1, a: 2 });
  writes({ toJSON, c: 3 }, '{"b":1,"a":2}');
  writes({ z: [{ toJSON }], a: 1 }, '{"a":1,"z":[{"b":1,"a":2}]}');
  writes(
    {
      x: 1,
      toJSON(this: unknown): unknown {
        return Object.keys(this as object);
      },
    },
    '["toJSON","x"]', // it is called on the sorted copy
  );
});

forms("a toJSON that is hidden, inherited, on a list or no function is not called", () => {
  const toJSON = (): string => "called";
  writes(Object.defineProperty({ b: 1, a: 2 }, "toJSON", { value: toJSON }), '{"a":2,"b":1}');
  writes(Object.defineProperty({ a: 2 }, "toJSON", { value: toJSON }), '{"a":2}');
  class Inherits {
    a = 1;
    toJSON(): string {
      return "called";
    }
  }
  writes(new Inherits(), '{"a":1}');
  writes(Object.assign([{ b: 1, a: 2 }], { toJSON }), '[{"a":2,"b":1}]');
  class List extends Array {
    toJSON(): string {
      return "called";
    }
  }
  writes(List.from([{ b: 1, a: 2 }]), '[{"a":2,"b":1}]');
  writes({ toJSON: "data", a: 1 }, '{"a":1,"toJSON":"data"}');
  writes({ toJSON: { b: 1, a: 2 } }, '{"toJSON":{"a":2,"b":1}}');
});

forms("what toJSON returns is refused past 1000 levels, in a cycle and when it throws", () => {
  const returns = (levels: number): object => ({ toJSON: () => nested(levels) });
  writes(returns(1000), formatCapsuleV1(nested(1000)));
  for (const value of [returns(1001), [returns(1000)], returns(5000), returns(100_000)]) {
    assert.equal(describe(thrownBy(() => formatCapsuleV1(value))), TOO_DEEP);
  }
  const round: unknown[] = [];
  round.push(round);
  const error = thrownBy(() => formatCapsuleV1({ toJSON: () => round }));
  assert.ok(["canonical.too_deep", "canonical.no_text"].includes(describe(error).code ?? ""));
  const throwing = (): never => {
    throw new RangeError("thrown by toJSON");
  };
  assert.equal(describe(thrownBy(() => formatCapsuleV1({ toJSON: throwing }))), TOO_DEEP);
});

forms("__proto__, constructor and prototype are names like any other", () => {
  const names: [string, unknown][] = [
    ["prototype", 1],
    ["constructor", { b: 1, a: 2 }],
    ["__proto__", { d: 1, c: 2 }],
    ["a", 3],
  ];
  const text = '{"__proto__":{"c":2,"d":1},"a":3,"constructor":{"a":2,"b":1},"prototype":1}';
  writes(objectOf(names), text);
  writes(objectOf([["b", 1], ["__proto__", null]]), '{"__proto__":null,"b":1}');
  writes(JSON.parse('{"__proto__":{"x":1},"__proto__":{"y":2}}'), '{"__proto__":{"y":2}}');
});

/** A value of any kind that the form takes. */
function anything(random: Random, levels: number): unknown {
  const kind = random.below(levels === 0 ? 8 : 13);
  const list = (): unknown[] =>
    Array.from({ length: random.below(4) }, () => anything(random, levels - 1));
  const members = (): [string, unknown][] => list().map((value) => [anyKey(random), value]);
  switch (kind) {
    case 0:
      return random.pick([null, true, false, undefined, () => 0, Symbol("s")]);
    case 1:
      return random.pick([0, -0, NaN, Infinity, 1e21, 1e-7, 0.1, 2 ** 53, -1]);
    case 2:
      return random.below(2 ** 32) * 10 ** (random.below(60) - 30);
    case 3:
      return random.pick([new Date(5), new Map([[1, 2]]), Object("ab"), Object(1), /x/]);
    case 4:
      return Uint8Array.from([random.below(256), 1]);
    case 8:
      return list();
    case 9:
      return random.below(2) === 0 ? new Array(random.below(3)) : [, ...list()];
    case 10:
      return Object.assign(Object.create(random.pick([null, { a: 1 }])), objectOf(members()));
    case 11:
    case 12:
      return objectOf(members());
    default:
      return anyKey(random);
  }
}

const KEYS = [
  ...["a", "b", "Z", "", "0", "1", "2", "10", "01", "-1", "4294967294", "4294967295", "toString"],
  ...["__proto__", "constructor", "é", "\ue000", "\u{10000}", "\ud800", "\uffff", "\n", '"', " 1"],
];

function anyKey(random: Random): string {
  const key = random.pick(KEYS);
  return random.below(3) === 0 ? key + random.pick(KEYS) : key;
}

forms("the text of 20,000 random values is that of a plain sort, rebuild and stringify", () => {
  const random = seeded(2026);
  let withText = 0;
  for (let run = 0; run < 20_000; run++) {
    const value = anything(random, 4);
    const expected: string | undefined = canonicalText(value);
    if (expected === undefined) {
      assert.is(describe(thrownBy(() => formatCapsuleV1(value))).code, "canonical.no_text");
      continue;
    }
    withText++;
    if (formatCapsuleV1(value) !== expected) assert.is(formatCapsuleV1(value), expected);
    const back = JSON.parse(expected) as unknown; // as a verifier meets it: mostly sorted already
    if (formatCapsuleV1(back) !== expected) assert.is(formatCapsuleV1(back), expected);
  }
  assert.ok(withText > 15_000);
});

forms.run();

const profiles = suite("PROFILES and digestValue()");

profiles('PROFILES["capsule-v1"] is formatCapsuleV1()', () => {
  assert.equal(PROFILES["capsule-v1"], { name: "capsule-v1", format: formatCapsuleV1 });
});

profiles('digestValue("capsule-v1") hashes the UTF-8 bytes of the text', async () => {
  const sha256 = await loadSha256();
  // printf '{"a":[1,"\303\251"],"b":null}' | sha256sum
  assert.is(
    digestValue("capsule-v1", { b: NaN, a: [1, "é"] }, sha256),
    "1e02bc81a26af2f027329541e97eef36f3290bedc6dfe043dbe66b057ecb13ba",
  );
});

profiles("digestValue() refuses what has no text", async () => {
  const sha256 = await loadSha256();
  const error = thrownBy(() => digestValue("capsule-v1", undefined, sha256));
  assert.is(describe(error).code, "canonical.no_text");
});

profiles.run();
