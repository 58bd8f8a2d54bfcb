import { suite } from "uvu";
import * as assert from "uvu/assert";
import { formatMetadata, parseMetadata, validateMetadata } from "../../src/capsule/mod.ts";
import { bytesOf, METADATA } from "../lib/sample.ts";

const metadata = suite("metadata");

const refused = (why: string): object => ({
  ok: false,
  code: "capsule.metadata_invalid",
  reason: `capsule.json: ${why}`,
});

/** The words for each field, in the order in which they are asked for. */
const WORDS: [keyof typeof METADATA, string, unknown[]][] = [
  ["schema", '"schema" is not "capsule-envelope/v1"', ["capsule-envelope/v2", 5]],
  [
    "run_id",
    '"run_id" is no id: 1 to 128 of letters, digits and ._:- were wanted',
    ["", "a b", 5, "a".repeat(129)],
  ],
  [
    "capsule_id",
    '"capsule_id" is no id: 1 to 128 of letters, digits and ._:- were wanted',
    ["-a", "a\n"],
  ],
  [
    "harness_version",
    '"harness_version" is no text or blank',
    ["", " \t\n", "\u00a0", "\u3000", "\ufeff", "\u2028", 5],
  ],
  ["task_family", '"task_family" is no text or blank', ["", "\ufeff ", ["f"]]],
  [
    "created_at",
    '"created_at" is not an instant like 2026-09-02T00:00:00.000Z',
    [
      ...["2026-09-02", "2026-09-02T00:00:00Z", "2026-09-02T00:00:00.0Z", "", 0, "never"],
      ...["2026-09-02T00:00:00.0000Z", "2026-09-02T00:00:00.000+00:00", "2026-02-30T00:00:00.000Z"],
      ...["-000000-01-01T00:00:00.000Z", "+002026-01-01T00:00:00.000Z", new Date(0)],
      ...["2026-09-02T24:00:00.000Z", "+275760-09-13T00:00:00.001Z", "2026-09-02T00:00:00.000z"],
    ],
  ],
];

metadata("validateMetadata() gives the six fields and leaves others out", () => {
  assert.equal(validateMetadata({ ...METADATA, extra: 1 }), { ok: true, value: METADATA });
});

metadata("validateMetadata() refuses each field by itself", () => {
  for (const [field, why, values] of WORDS) {
    for (const value of [...values, undefined, null, true, {}, 1n]) {
      assert.equal(validateMetadata({ ...METADATA, [field]: value }), refused(why), String(value));
    }
  }
});

metadata("validateMetadata() names the first of several faulty fields", () => {
  for (const [index, [, why]] of WORDS.entries()) {
    const faulty = WORDS.slice(index).map(([field]) => [field, 5]);
    assert.equal(validateMetadata({ ...METADATA, ...Object.fromEntries(faulty) }), refused(why));
  }
});

metadata("validateMetadata() takes what JavaScript does not trim, and extended years", () => {
  const odd = [
    { harness_version: "\u200b", task_family: " a " },
    { created_at: "-000001-01-01T00:00:00.000Z" },
    { created_at: "+275760-09-13T00:00:00.000Z" },
    { created_at: "0000-02-29T23:59:59.999Z" },
    { run_id: "a".repeat(128) },
  ];
  for (const fields of odd) {
    const value = { ...METADATA, ...fields };
    assert.equal(validateMetadata(value), { ok: true, value });
  }
});

metadata("validateMetadata() refuses what is no object as one without a schema", () => {
  for (const value of [undefined, null, 5, "capsule-envelope/v1", []]) {
    assert.equal(validateMetadata(value), refused('"schema" is not "capsule-envelope/v1"'));
  }
});

metadata("parseMetadata() takes any layout, more members and the last of a repeated one", () => {
  const text = JSON.stringify(METADATA, null, "\t").replace("{", '\r\n{ "run_id": 5, "x": [{}],');
  assert.equal(parseMetadata(bytesOf(text)), { ok: true, value: METADATA });
});

metadata("parseMetadata() refuses by size, encoding, syntax, depth, then content", () => {
  const text = formatMetadata(METADATA);
  const parse = (bytes: Uint8Array, maxBytes?: number): unknown =>
    parseMetadata(bytes, maxBytes === undefined ? {} : { maxBytes });
  const { length } = bytesOf(text);
  assert.equal(parse(bytesOf(text), length), { ok: true, value: METADATA });
  assert.equal(parse(bytesOf(text), length - 1), refused(`larger than ${length - 1} bytes`));
  assert.equal(parse(Uint8Array.of(0xff, 0x7b), 1), refused("larger than 1 bytes"));
  assert.equal(parse(Uint8Array.of(0xff, 0x7b)), refused("not valid UTF-8"));
  assert.equal(parse(bytesOf(`\ufeff${text}`)), refused("not JSON"));
  assert.equal(parse(new Uint8Array()), refused("not JSON"));
  assert.equal(parse(bytesOf("[".repeat(1001))), refused("nested too deep"));
  const deep = `{"x":${"[".repeat(999)}${"]".repeat(999)},${text.slice(1)}`;
  assert.equal(parse(bytesOf(deep)), { ok: true, value: METADATA });
  assert.equal(parse(bytesOf("{}")), refused('"schema" is not "capsule-envelope/v1"'));
});

metadata("formatMetadata() writes canonical text and a line feed, which parses back", () => {
  const text =
    '{"capsule_id":"c1","created_at":"2026-09-02T00:00:00.000Z","harness_version":"h é",' +
    '"run_id":"r1","schema":"capsule-envelope/v1","task_family":"f"}\n';
  assert.is(formatMetadata(METADATA), text);
  assert.equal(parseMetadata(bytesOf(text)), { ok: true, value: METADATA });
});

metadata.run();
