import { suite } from "uvu";
import * as assert from "uvu/assert";
import { GENESIS, loadSha256 } from "../../src/hash/mod.ts";
import {
  formatReceipt,
  hashReceipt,
  readReceipt,
  type Receipt,
  RECEIPT_CHECKS,
  RECEIPT_CODES,
  validateReceipt,
} from "../../src/receipt/mod.ts";
import { canonicalText, type Fields, hashOf } from "../lib/plain.ts";
import { bytesOf } from "../lib/sample.ts";
import { describe, thrownBy } from "../lib/thrown.ts";

const sha256 = await loadSha256();
const digest = "a".repeat(64);
const receipt: Fields = {
  schema: "capsule-receipt/v1",
  envelope_schema: "capsule-envelope/v1",
  capsule_id: "c1",
  run_id: "r1",
  capsule_root: GENESIS,
  entry_count: 0,
  journal_sha256: digest,
  projection_hash: digest,
  artifact_digest: null,
  gate_receipt_digest: null,
  gate_verdict: null,
  created_at: "2026-09-02T00:00:00.000Z",
  signature: null,
  receipt_hash: digest,
};

const refused = (why: string): object => ({
  ok: false,
  code: "receipt.schema_invalid",
  reason: `Reading the receipt: ${why}`,
});

const shape = suite("validateReceipt()");

shape("validateReceipt() takes a receipt as it is", () => {
  assert.equal(validateReceipt(receipt), { ok: true, value: receipt });
  const count = { ...receipt, entry_count: 2 ** 53 - 1, artifact_digest: digest };
  assert.equal(validateReceipt(count), { ok: true, value: count });
  const zero = validateReceipt({ ...receipt, entry_count: -0, gate_receipt_digest: digest });
  assert.is(zero.ok, true);
});

shape(
  "validateReceipt() looks at nothing of the members that are data, nor at more members",
  () => {
    for (const value of [undefined, 5, "x", [], {}, true]) {
      const odd = {
        ...receipt,
        gate_verdict: value,
        created_at: value,
        signature: value,
        more: value,
      };
      assert.is(validateReceipt(odd).ok, true);
    }
    const { gate_verdict: _, created_at: __, signature: ___, ...rest } = receipt;
    assert.is(validateReceipt(rest).ok, true);
  },
);

shape("validateReceipt() refuses what is no object", () => {
  for (const value of [undefined, null, 5, "{}", true, [], [receipt]]) {
    assert.equal(validateReceipt(value), refused("it is no JSON object"));
  }
});

const NO_ID = "is no id: 1 to 128 of letters, digits and ._:- were wanted";
const NO_DIGEST = "is not 64 lower-case hexadecimal digits";
const NO_OPTION = "is neither null nor 64 lower-case hexadecimal digits";

/** Each member that is checked, in order, with what is said of it and values that it refuses. */
const WORDS: [name: string, why: string, values: unknown[]][] = [
  ["schema", '"schema" is not "capsule-receipt/v1"', ["capsule-receipt/v2", null]],
  ["envelope_schema", '"envelope_schema" is not "capsule-envelope/v1"', ["v1", null]],
  [
    "entry_count",
    '"entry_count" is no whole number from 0 to 2^53 - 1',
    [-1, 0.5, 2 ** 53, NaN, Infinity, "0", null],
  ],
  ["run_id", `"run_id" ${NO_ID}`, ["", "a b", null]],
  ["capsule_id", `"capsule_id" ${NO_ID}`, ["", "a\n", null]],
  ["capsule_root", `"capsule_root" ${NO_DIGEST}`, [digest.toUpperCase(), null]],
  ["journal_sha256", `"journal_sha256" ${NO_DIGEST}`, [`sha256:${digest}`, null]],
  ["projection_hash", `"projection_hash" ${NO_DIGEST}`, [digest.slice(1), null]],
  ["receipt_hash", `"receipt_hash" ${NO_DIGEST}`, [`${digest}\n`, null]],
  ["artifact_digest", `"artifact_digest" ${NO_OPTION}`, ["", false, digest.toUpperCase()]],
  ["gate_receipt_digest", `"gate_receipt_digest" ${NO_OPTION}`, ["", 0, `sha256:${digest}`]],
];

shape("validateReceipt() refuses each member by itself, absent ones as well", () => {
  for (const [name, why, values] of WORDS) {
    for (const value of [...values, undefined, {}, [digest], 1n, true]) {
      assert.equal(validateReceipt({ ...receipt, [name]: value }), refused(why), name);
    }
    const { [name]: _, ...rest } = receipt;
    assert.equal(validateReceipt(rest), refused(why), name);
  }
});

shape("validateReceipt() names the first of several faulty members", () => {
  for (const [index, [, why]] of WORDS.entries()) {
    const faulty = Object.fromEntries(WORDS.slice(index).map(([name]) => [name, {}]));
    assert.equal(validateReceipt({ ...receipt, ...faulty }), refused(why));
  }
});

shape.run();

const texts = suite("readReceipt(), hashReceipt() and formatReceipt()");

texts("readReceipt() gives the object of any layout", () => {
  const text = `\n${JSON.stringify(receipt, null, 2)}\r\n`;
  assert.equal(readReceipt(bytesOf(text)), { ok: true, value: receipt });
  assert.equal(readReceipt(bytesOf("{}")), { ok: true, value: {} });
});

texts("readReceipt() refuses by size, encoding, syntax, depth, then kind", () => {
  const read = (bytes: Uint8Array, maxBytes: number): unknown => readReceipt(bytes, { maxBytes });
  assert.equal(read(bytesOf("{}"), 2), { ok: true, value: {} });
  assert.equal(read(bytesOf("{} "), 2), refused("it is larger than 2 bytes"));
  assert.equal(read(Uint8Array.of(0xff, 0xff), 1), refused("it is larger than 1 bytes"));
  assert.equal(readReceipt(Uint8Array.of(0xff)), refused("it is not valid UTF-8"));
  assert.equal(readReceipt(bytesOf("\ufeff{}")), refused("it is not JSON"));
  assert.equal(readReceipt(new Uint8Array()), refused("it is not JSON"));
  assert.equal(readReceipt(bytesOf("[".repeat(1001))), refused("it is nested too deep"));
  for (const text of ["[]", "null", "5", '"a"', "[{}]"]) {
    assert.equal(readReceipt(bytesOf(text)), refused("it is no JSON object"));
  }
});

texts("hashReceipt() covers every member but receipt_hash, with signature as null", () => {
  const { receipt_hash: _, ...rest } = receipt;
  const expected = hashOf(rest, sha256);
  assert.is(hashReceipt(receipt, sha256), expected);
  assert.is(hashReceipt({ ...receipt, receipt_hash: 5, signature: "x" }, sha256), expected);
  const { signature: __, ...unsigned } = receipt;
  assert.is(hashReceipt(unsigned, sha256), expected);
  for (const name of [...Object.keys(rest).filter((name) => name !== "signature"), "more"]) {
    assert.is.not(hashReceipt({ ...receipt, [name]: "other" }, sha256), expected, name);
  }
});

texts("hashReceipt() takes __proto__ as a member like any other", () => {
  const withProto = JSON.parse(`{"__proto__":{"a":1},${JSON.stringify(receipt).slice(1)}`);
  const text = canonicalText(withProto).replace(`"receipt_hash":"${digest}",`, "");
  assert.ok(text.startsWith('{"__proto__":{"a":1},'));
  assert.is(hashReceipt(withProto, sha256), sha256.digest(bytesOf(text)));
});

texts("hashReceipt() refuses what is nested too deep", () => {
  let deep: unknown = 0;
  for (let level = 0; level < 1000; level++) deep = [deep];
  const error = thrownBy(() => hashReceipt({ ...receipt, deep }, sha256));
  assert.is(describe(error).code, "canonical.too_deep");
});

texts("formatReceipt() writes canonical text and a line feed", () => {
  const text = formatReceipt(receipt as unknown as Receipt);
  assert.is(text, `${canonicalText(receipt)}\n`);
  assert.equal(readReceipt(bytesOf(text)), { ok: true, value: receipt });
});

texts("the checks and the code of receipts are those of version 1", () => {
  assert.equal([...RECEIPT_CHECKS], [
    ...["schema", "receipt_hash", "signature", "journal_present", "journal_integrity"],
    ...["truncation", "capsule_root", "stale_checkpoint", "metadata", "projection", "artifact"],
    "gate_receipt",
  ]);
  assert.equal([...RECEIPT_CODES], ["receipt.schema_invalid"]);
});

texts.run();
