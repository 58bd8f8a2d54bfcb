import { suite } from "uvu";
import * as assert from "uvu/assert";
import {
  CanonicalError,
  commit,
  compareCodePoints,
  digestValue,
  formatArtifact,
  formatAscii,
  formatJcs,
  formatValue,
  parseStrictText,
  verifyCommitment,
} from "../../src/canonical/mod.ts";
import { loadSha256 } from "../../src/hash/mod.ts";
import { thrownBy } from "../lib/thrown.ts";

const profiles = suite("canonical profiles");
const sha256 = await loadSha256();

/** How a format refuses a value: code and place. */
function refusal(format: (value: unknown) => string, value: unknown): string {
  const error = thrownBy(() => format(value));
  assert.instance(error, CanonicalError);
  const { code, pointer } = error as CanonicalError;
  return `${code} ${pointer}`;
}

profiles("value, artifact and ascii differ in the last byte and in what is escaped", () => {
  const value = { b: ["é", "\u007f", "\u{1f600}"], a: 10n ** 30n };
  const raw = '{"a":1000000000000000000000000000000,"b":["é","\u007f","\u{1f600}"]}';
  assert.is(formatValue(value), raw);
  assert.is(formatArtifact(value), `${raw}\n`);
  assert.is(
    formatAscii(value),
    '{"a":1000000000000000000000000000000,"b":["\\u00e9","\\u007f","\\ud83d\\ude00"]}',
  );
});

profiles("floats are written as Python writes them, when they come with their text", () => {
  const lexemes = [
    "1.0",
    "-0.0",
    "0.0001",
    "0.00001",
    "1e16",
    "9999999999999998.0",
    "1e15",
    "5e-324",
    "-2.5e-3",
    "123e20",
  ];
  const texts = lexemes.map((lexeme) => {
    const parsed = parseStrictText(lexeme);
    return parsed.ok ? formatValue(parsed.value) : "refused";
  });
  assert.equal(texts, [
    ...["1.0", "-0.0", "0.0001", "1e-05", "1e+16", "9999999999999998.0", "1000000000000000.0"],
    ...["5e-324", "-0.0025", "1.23e+22"],
  ]);
});

profiles(
  "a JavaScript number that is no safe integer has no one text in the commitment profiles",
  () => {
    for (const format of [formatValue, formatArtifact, formatAscii]) {
      assert.is(refusal(format, [0, { a: 1.5 }]), "canonical.ambiguous_number /1/a");
      assert.is(refusal(format, -0), "canonical.ambiguous_number ");
      assert.is(refusal(format, 2 ** 53), "canonical.ambiguous_number ");
      assert.is(refusal(format, [NaN]), "canonical.non_finite_number /0");
      assert.is(format(2 ** 53 - 1).trim(), "9007199254740991");
    }
  },
);

profiles("an unpaired surrogate has no UTF-8, in a text or a name; ascii escapes it", () => {
  for (const format of [formatValue, formatArtifact, formatJcs]) {
    assert.is(refusal(format, { a: ["\ud800"] }), "canonical.not_encodable /a/0");
    assert.is(refusal(format, { "\udc00": 1 }), "canonical.not_encodable /\udc00");
    assert.is(refusal(format, "\udc00\ud800"), "canonical.not_encodable ");
  }
  assert.is(formatAscii(["\ud800", "\udc00a"]), '["\\ud800","\\udc00a"]');
});

profiles("members sort by code point, in jcs by code unit", () => {
  const value = { "\uff5e": 1, "\u{1f600}": 2, "a": 3, "": 4, "10": 5, "9": 6 };
  assert.is(formatValue(value), '{"":4,"10":5,"9":6,"a":3,"\uff5e":1,"\u{1f600}":2}');
  assert.is(formatJcs(value), '{"":4,"10":5,"9":6,"a":3,"\u{1f600}":2,"\uff5e":1}');
});

profiles(
  "compareCodePoints() orders like UTF-8, with unpaired surrogates at their own place",
  () => {
    const sorted = [
      "",
      "a",
      "a\u0000",
      "ab",
      "\ud7ff",
      "\ud83d",
      "\ud83da",
      "\udc00",
      "\ue000",
      "\uffff",
      "\u{10000}",
    ];
    sorted.push("\u{1f600}", "\u{1f600}a", "\u{1f601}", "\u{10ffff}");
    for (const [i, a] of sorted.entries()) {
      for (const [j, b] of sorted.entries()) {
        assert.is(Math.sign(compareCodePoints(a, b)), Math.sign(i - j), JSON.stringify([a, b]));
      }
    }
  },
);

profiles("jcs writes doubles as ECMAScript does and takes the strict reader's numbers", () => {
  assert.is(
    formatJcs([333333333.33333329, 1e30, 4.5, 2e-3, 1e-27, -0]),
    "[333333333.3333333,1e+30,4.5,0.002,1e-27,0]",
  );
  const parsed = parseStrictText("[1.0,1e2,9007199254740993]");
  assert.is(parsed.ok && formatJcs(parsed.value), "[1,100,9007199254740992]");
  assert.is(refusal(formatJcs, [Infinity]), "canonical.non_finite_number /0");
  const overflow = parseStrictText("1e400");
  assert.is(overflow.ok && refusal(formatJcs, overflow.value), "canonical.non_finite_number ");
  assert.is(refusal(formatJcs, { a: 1n }), "canonical.no_text /a");
});

profiles("what would have to be dropped, called or guessed is refused with its place", () => {
  const hole: unknown[] = [1];
  hole.length = 2;
  const named: unknown[] = Object.assign([1], { name: "x" });
  class Point {
    x = 1;
  }
  const refused: [unknown, string][] = [
    [undefined, "canonical.no_text "],
    [{ a: undefined }, "canonical.no_text /a"],
    [[() => 1], "canonical.no_text /0"],
    [[Symbol("s")], "canonical.no_text /0"],
    [{ a: hole }, "canonical.no_text /a"],
    [named, "canonical.no_text "],
    [Object.defineProperty([1], 0, { get: () => 1, enumerable: true }), "canonical.no_text "],
    [Object.setPrototypeOf([1], null), "canonical.no_text "],
    [{
      a: {
        get b() {
          return 1;
        },
      },
    }, "canonical.no_text /a"],
    [Object.defineProperty({}, "hidden", { value: 1 }), "canonical.no_text "],
    [{ [Symbol("s")]: 1 }, "canonical.no_text "],
    [{ a: new Date(0) }, "canonical.no_text /a"],
    [new Point(), "canonical.no_text "],
    [new Uint8Array(1), "canonical.no_text "],
    [[new Map<unknown, unknown>([["a", 1], [1, 2]])], "canonical.no_text /0"],
    [{ toJSON: () => 1 }, "canonical.no_text "],
  ];
  for (const format of [formatJcs, formatValue]) {
    for (const [value, expected] of refused) assert.is(refusal(format, value), expected);
    assert.is(format(Object.assign(Object.create(null), { toJSON: "data" })), '{"toJSON":"data"}');
  }
});

profiles("1000 levels are written, level 1001 and cycles are refused", () => {
  const nest = (levels: number): unknown => {
    let value: unknown = 0;
    for (let i = 0; i < levels; i++) value = i % 2 === 0 ? [value] : { a: value };
    return value;
  };
  assert.is(formatJcs(nest(1000)).length, 1 + 500 * 2 + 500 * 6);
  assert.is(refusal(formatJcs, nest(1001)), "canonical.too_deep ");
  const cycle: unknown[] = [];
  cycle.push([cycle, cycle]);
  assert.is(refusal(formatValue, cycle), "canonical.too_deep ");
});

profiles("commit() binds a value to a profile and verifyCommitment() recomputes it", () => {
  const commitment = commit("value", { a: 1 }, sha256);
  assert.is(commitment, `sha256:${digestValue("capsule-v1", { a: 1 }, sha256)}`);
  assert.equal(verifyCommitment("value", { a: 1 }, commitment, sha256), { ok: true, value: null });
  assert.is(
    commit("artifact", {}, sha256),
    `sha256:${sha256.digest(new TextEncoder().encode("{}\n"))}`,
  );
  const mismatch = {
    ok: false,
    code: "canonical.commitment_mismatch",
    reason: "Verifying a commitment: under profile artifact the value gives another one",
  };
  assert.equal(verifyCommitment("artifact", { a: 1 }, commitment, sha256), mismatch);
  assert.equal(verifyCommitment("artifact", { a: 1.5 }, commitment, sha256), mismatch);
  for (
    const malformed of [
      commitment.slice(7),
      commitment.toUpperCase(),
      `${commitment}\n`,
      null,
      undefined,
    ]
  ) {
    assert.equal(verifyCommitment("value", { a: 1 }, malformed, sha256), {
      ok: false,
      code: "canonical.commitment_malformed",
      reason: 'Verifying a commitment: "sha256:" and 64 lower-case digits were wanted',
    });
  }
  assert.throws(
    () =>
      verifyCommitment(
        "value",
        {
          get a() {
            throw new RangeError("misuse");
          },
        },
        commitment,
        {
          ...sha256,
          digest: () => {
            throw new RangeError("broken hasher");
          },
        },
      ) && commit("jcs", 1, {
        ...sha256,
        digest: () => {
          throw new RangeError("broken hasher");
        },
      }),
    /broken hasher/,
  );
});

profiles.run();
