import { suite } from "uvu";
import * as assert from "uvu/assert";
import {
  formatCapsuleV1,
  type JsonNumber,
  parseJson,
  parseStrict,
  parseStrictText,
  toPlain,
} from "../../src/canonical/mod.ts";
import type { StrictOptions } from "../../src/canonical/mod.ts";
import { seeded } from "../lib/random.ts";

const strict = suite("parseStrict()");

/** What a text is refused with: code, byte and pointer. */
function refusal(text: string | Uint8Array, options?: StrictOptions): string {
  const bytes = typeof text === "string" ? new TextEncoder().encode(text) : text;
  const result = parseStrict(bytes, options);
  return result.ok ? "accepted" : `${result.code} ${result.at?.byte} ${result.at?.pointer}`;
}

strict("parseStrict() keeps what a double loses", () => {
  const result = parseStrictText("[9007199254740993, 1.0, -0, 1e400, 0.10]");
  assert.ok(result.ok);
  const numbers = result.value as JsonNumber[];
  assert.equal(numbers.map(({ lexeme }) => lexeme), [
    "9007199254740993",
    "1.0",
    "-0",
    "1e400",
    "0.10",
  ]);
  assert.equal(numbers.map(({ isInteger }) => isInteger), [true, false, true, false, false]);
  assert.is(numbers[0]?.toBigInt(), 9007199254740993n);
  assert.equal(numbers.map((number) => number.toNumber()), [
    9007199254740992,
    1,
    -0,
    Infinity,
    0.1,
  ]);
  assert.throws(() => numbers[1]?.toBigInt(), (error: unknown) => error instanceof RangeError);
});

strict("parseStrict() keeps members in the order of the text, and __proto__ as data", () => {
  const result = parseStrictText('{"10":true,"9":null,"__proto__":{"a":"b"}}');
  assert.ok(result.ok);
  assert.equal([...(result.value as Map<string, unknown>).keys()], ["10", "9", "__proto__"]);
  const plain = toPlain(result.value) as object;
  assert.equal(Object.keys(plain), ["9", "10", "__proto__"]);
  assert.is(Object.getPrototypeOf(plain), Object.prototype);
});

strict("parseStrict() says where the first fault is, in bytes and as a pointer", () => {
  assert.is(refusal(""), "json.syntax 0 ");
  assert.is(refusal("  "), "json.syntax 2 ");
  assert.is(refusal("[1,]"), "json.syntax 3 /1");
  assert.is(refusal("[1 2]"), "json.syntax 3 ");
  assert.is(refusal('{"ä":[0,{"b~/":tru}]}'), "json.syntax 16 /ä/1/b~0~1");
  assert.is(refusal('{"a" 1}'), "json.syntax 5 /a");
  assert.is(refusal('{"a":1,}'), "json.syntax 7 ");
  assert.is(refusal("{a:1}"), "json.syntax 1 ");
  assert.is(refusal('"a'), "json.syntax 2 ");
  assert.is(refusal('"a\nb"'), "json.syntax 2 ");
  assert.is(refusal('"\\x"'), "json.syntax 1 ");
  assert.is(refusal('"\\u12g4"'), "json.syntax 1 ");
  assert.is(refusal('"\\'), "json.syntax 1 ");
  assert.is(refusal("01"), "json.trailing 1 ");
  assert.is(refusal("1 \n x"), "json.trailing 4 ");
  assert.is(refusal("[]]"), "json.trailing 2 ");
  assert.is(refusal("-"), "json.syntax 0 ");
  assert.is(refusal("+1"), "json.syntax 0 ");
  assert.is(refusal("1."), "json.trailing 1 ");
});

strict("parseStrict() never quotes the text in its reason", () => {
  const result = parseStrictText('{"a": sk-abcdefghijklmnopqrstuvwxyz}');
  assert.equal(result, {
    ok: false,
    code: "json.syntax",
    reason: "Reading JSON: a value was wanted",
    at: { byte: 6, pointer: "/a" },
  });
});

strict("parseStrict() takes UTF-8 alone, without a byte order mark", () => {
  assert.is(refusal(Uint8Array.of(0xef, 0xbb, 0xbf, 0x31)), "json.byte_order_mark 0 ");
  assert.is(refusal(Uint8Array.of(0x22, 0xc3, 0xa4, 0xff, 0x22)), "json.bad_utf8 3 ");
  assert.is(refusal(Uint8Array.of(0x22, 0xed, 0xa0, 0x80, 0x22)), "json.bad_utf8 1 ");
  assert.is(refusal(Uint8Array.of(0x22, 0xf0, 0x9f, 0x98)), "json.bad_utf8 1 ");
  assert.equal(parseStrict(new TextEncoder().encode('"\u{1f600}"')), {
    ok: true,
    value: "\u{1f600}",
  });
});

strict(
  "parseStrict() refuses a repeated name at its second place, or lets the last one count",
  () => {
    const text = '{"a":1,"b":{"c":1,"\\u0063":2}}';
    assert.is(refusal(text), "json.duplicate_key 18 /b/c");
    const result = parseStrictText('{"a":1,"b":2,"a":3}', { duplicateKeys: "last-wins" });
    assert.ok(result.ok);
    assert.is(formatCapsuleV1(toPlain(result.value)), '{"a":3,"b":2}');
    assert.equal([...(result.value as Map<string, unknown>).keys()], ["b", "a"]);
  },
);

strict("parseStrict() takes the words for numbers that are none only where asked to", () => {
  assert.is(refusal("NaN"), "json.syntax 0 ");
  assert.is(refusal("[-Infinity]"), "json.syntax 1 /0");
  const result = parseStrictText("[NaN,Infinity,-Infinity]", { nonFinite: true });
  assert.ok(result.ok);
  const numbers = result.value as JsonNumber[];
  assert.equal(numbers.map((number) => number.toNumber()), [NaN, Infinity, -Infinity]);
  assert.equal(numbers.map(({ isInteger }) => isInteger), [false, false, false]);
});

strict("parseStrict() bounds size and depth", () => {
  assert.is(refusal("[1]", { maxBytes: 3 }), "accepted");
  assert.is(refusal("[1]", { maxBytes: 2 }), "json.too_large 2 ");
  assert.is(refusal(`${"[".repeat(1000)}${"]".repeat(1000)}`), "accepted");
  assert.is(refusal(`${"[".repeat(1001)}nonsense`), `json.too_deep 1000 ${"/0".repeat(1000)}`);
  assert.is(refusal(`${'{"a":'.repeat(1000)}{`), `json.too_deep 5000 ${"/a".repeat(1000)}`);
  assert.is(refusal(`${"[".repeat(1000)}nonsense[`), `json.syntax 1000 ${"/0".repeat(1000)}`);
});

strict("parseStrict() takes the texts that parseJson() takes, and gives the same values", () => {
  const random = seeded(7);
  const parts = [
    "[",
    "]",
    "{",
    "}",
    ",",
    ":",
    '"a"',
    '"\\u00e4"',
    "1",
    "-0",
    "1.5e3",
    "null",
    "true",
    " ",
    "x",
    '"',
    "\\",
  ];
  let accepted = 0;
  for (let i = 0; i < 20_000; i++) {
    const text = Array.from({ length: 1 + random.below(6) }, () => random.pick(parts)).join("");
    const [ours, engine] = [parseStrictText(text, { duplicateKeys: "last-wins" }), parseJson(text)];
    assert.is(ours.ok, engine.ok, text);
    if (!ours.ok || !engine.ok) continue;
    accepted++;
    assert.is(formatCapsuleV1(toPlain(ours.value)), formatCapsuleV1(engine.value), text);
  }
  assert.ok(accepted > 500, `${accepted} texts were JSON`);
});

strict.run();
