import { suite } from "uvu";
import * as assert from "uvu/assert";
import canonicalize from "canonicalize";
import { CanonicalError, formatJcs } from "../../src/canonical/mod.ts";
import { type Random, seeded } from "../lib/random.ts";

const peer = suite("formatJcs() beside the npm package canonicalize");

const TEXTS = [
  "",
  "a",
  "10",
  "9",
  "__proto__",
  "é",
  "\u{1f600}",
  "\uff5e",
  "\ue000",
  '"\\/',
  "\n\u0001\u007f",
  "\u2028",
];
const NUMBERS = [
  0,
  -0,
  1,
  -1,
  0.1,
  1e21,
  1e-7,
  5e-324,
  Number.MAX_VALUE,
  2 ** 53,
  333333333.33333329,
];

/** A JSON value, or now and then something that is none, under a name. */
function randomValue(random: Random, depth: number, odd: () => unknown): unknown {
  const kind = random.below(depth > 4 ? 5 : 8);
  if (random.below(200) === 0) return odd();
  if (kind === 0) return random.pick([null, true, false]);
  if (kind < 3) return random.pick(TEXTS);
  if (kind === 3) return random.pick(NUMBERS);
  if (kind === 4) {
    return (random.below(2 ** 31) - 2 ** 30) / (random.below(1000) + 1) *
      10 ** (random.below(40) - 20);
  }
  const items = Array.from({ length: random.below(4) }, () => randomValue(random, depth + 1, odd));
  return kind === 5
    ? items
    : Object.fromEntries(items.map((item) => [random.pick(TEXTS) + random.pick(TEXTS), item]));
}

function textOf(
  format: (value: unknown) => string | undefined,
  value: unknown,
): string | undefined {
  try {
    return format(value);
  } catch {
    return undefined;
  }
}

peer("100,000 random JSON values have the same bytes in both", () => {
  const random = seeded(2026);
  for (let i = 0; i < 100_000; i++) {
    const value = randomValue(random, 0, () => null);
    assert.is(formatJcs(value), canonicalize(value), JSON.stringify(value));
  }
});

/** What only one of the two takes. All of it is what formatJcs() refuses rather than drops, calls or guesses. */
const ONLY_THERE: Readonly<Record<string, [() => unknown, string | undefined]>> = {
  "undefined": [() => undefined, undefined],
  "a member that is undefined": [() => ({ a: undefined }), "{}"],
  "an item that is undefined": [() => [undefined], "[null]"],
  "a hole": [() => Array(2), "[,]"],
  "a function": [() => ({ a: () => 1 }), '{"a":undefined}'],
  "a symbol in a list": [() => [Symbol("s")], "[null]"],
  "an accessor": [() => ({
    get a() {
      return 1;
    },
  }), '{"a":1}'],
  "an own toJSON function": [() => ({ toJSON: () => 1 }), "1"],
  "a Date": [() => new Date(0), '"1970-01-01T00:00:00.000Z"'],
  "a Set": [() => new Set([1]), "{}"],
  "a byte array": [() => Uint8Array.of(1), '{"0":1}'],
  "a member of a list": [() => Object.assign([1], { name: "x" }), "[1]"],
  "a hidden member": [() => Object.defineProperty({}, "a", { value: 1 }), "{}"],
  "a symbol key": [() => ({ [Symbol("s")]: 1 }), "{}"],
};

peer("every difference in acceptance is one of this list", () => {
  for (const [what, [make, theirs]] of Object.entries(ONLY_THERE)) {
    assert.is(textOf(canonicalize, make()), theirs, what);
    assert.is(textOf(formatJcs, make()), undefined, what);
  }
  // A map is what our strict reader gives for an object; there it has no members.
  assert.is(textOf(canonicalize, new Map([["a", 1]])), "{}");
  assert.is(formatJcs(new Map([["a", 1]])), '{"a":1}');
});

peer("both refuse NaN, infinities, BigInt, unpaired surrogates and cycles", () => {
  const cycle: unknown[] = [];
  cycle.push(cycle);
  for (const value of [NaN, Infinity, -Infinity, 1n, "\ud800", { "\udc00": 1 }, cycle]) {
    assert.is(textOf(canonicalize, value), undefined);
    assert.is(textOf(formatJcs, value), undefined);
  }
});

peer("values with something odd in them are refused, or have the same bytes in both", () => {
  const random = seeded(8785);
  const odd = (): unknown => random.pick(Object.values(ONLY_THERE))[0]();
  let refused = 0;
  for (let i = 0; i < 20_000; i++) {
    const value = randomValue(random, 0, odd);
    let text: string;
    try {
      text = formatJcs(value);
    } catch (error) {
      assert.instance(error, CanonicalError);
      refused++;
      continue;
    }
    assert.is(text, canonicalize(value));
  }
  assert.ok(refused > 100, `${refused} values were refused`);
});

peer.run();
