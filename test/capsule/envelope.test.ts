import { suite } from "uvu";
import * as assert from "uvu/assert";
import {
  type Entry,
  type EntryFault,
  formatEntry,
  hashEntry,
  isTimestamp,
  validateEntry,
} from "../../src/capsule/mod.ts";
import { loadSha256 } from "../../src/hash/mod.ts";
import { canonicalText, FIELDS, type Fields } from "../lib/plain.ts";
import { chainOf, sampleParts, seal } from "../lib/sample.ts";

const sha256 = await loadSha256();
const sample = (): Fields => ({ ...chainOf(sampleParts(2), sha256)[1] });
const faultsOf = (value: unknown): EntryFault[] => validateEntry(value, sha256);
/** Faults of the sample with other fields, hashed anew. */
const withFields = (fields: Fields): EntryFault[] =>
  faultsOf(seal({ ...sample(), ...fields }, sha256));

const times = suite("isTimestamp()");

times("isTimestamp() takes RFC 3339 times with upper-case T and Z", () => {
  const good = [
    ...["2026-09-02T00:00:00.000Z", "2026-09-02T23:59:59Z", "0000-01-01T00:00:00Z"],
    ...["9999-12-31T23:59:59.999999999999Z", "2026-09-02T00:00:00+00:00"],
    ...["2026-09-02T00:00:00-23:59", "2026-09-02T00:00:00.5+05:30"],
  ];
  assert.equal(good.filter((ts) => !isTimestamp(ts)), []);
});

times("isTimestamp() refuses every part out of its bounds", () => {
  const bad = [
    ...["26-09-02T00:00:00Z", "+12026-09-02T00:00:00Z", "-0001-09-02T00:00:00Z"],
    ...["10000-01-01T00:00:00Z", "2026-00-02T00:00:00Z", "2026-13-02T00:00:00Z"],
    ...["2026-9-02T00:00:00Z", "2026-09-00T00:00:00Z", "2026-09-32T00:00:00Z"],
    ...["2026-09-2T00:00:00Z", "2026-09-02T24:00:00Z", "2026-09-02T25:00:00Z"],
    ...["2026-09-02T0:00:00Z", "2026-09-02T00:60:00Z", "2026-09-02T23:59:60Z"],
    ...["2026-09-02T00:00:0Z", "2026-09-02T00:00Z", "2026-09-02T00:00:00.Z"],
    ...["2026-09-02T00:00:00,5Z", "2026-09-02T00:00:00", "2026-09-02T00:00:00+24:00"],
    ...["2026-09-02T00:00:00+00:60", "2026-09-02T00:00:00+0000", "2026-09-02T00:00:00+00"],
    ...["2026-09-02T00:00:00\u221200:00", "2026-09-02t00:00:00Z", "2026-09-02T00:00:00z"],
    ...["2026-09-02 00:00:00Z", "20260902T000000Z", "2026-09-02", "2026", ""],
    ...["2026-09-02T00:00:00Z\n", " 2026-09-02T00:00:00Z", "2026-09-02T00:00:00ZZ"],
    ...["2026-0\u0669-02T00:00:00Z", "Sep 2 2026", "2026-W36-3T00:00:00Z"],
  ];
  assert.equal(bad.filter(isTimestamp), []);
  assert.equal([undefined, null, 0, new Date(0), ["2026-09-02T00:00:00Z"]].filter(isTimestamp), []);
});

times("isTimestamp() knows how long each month is", () => {
  const days = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
  const at = (year: string, month: number, day: number): string =>
    `${year}-${String(month).padStart(2, "0")}-${day}T00:00:00Z`;
  for (const [index, last] of days.entries()) {
    assert.is(isTimestamp(at("2026", index + 1, last)), true);
    assert.is(isTimestamp(at("2026", index + 1, last + 1)), false);
  }
  const leap = ["0000", "0004", "2000", "2024", "2400", "1600"];
  const common = ["0001", "0100", "1900", "2026", "2100", "2200", "9999"];
  assert.equal(leap.map((year) => isTimestamp(at(year, 2, 29))), leap.map(() => true));
  assert.equal(leap.map((year) => isTimestamp(at(year, 2, 30))), leap.map(() => false));
  assert.equal(common.map((year) => isTimestamp(at(year, 2, 29))), common.map(() => false));
});

times.run();

const entries = suite("validateEntry()");

entries("validateEntry() finds nothing wrong with a sound entry", () => {
  assert.equal(faultsOf(sample()), []);
  assert.equal(faultsOf(Object.assign(Object.create(null), sample())), []);
});

entries("validateEntry() stops at a value that is no plain object", () => {
  class Made {}
  const others = [undefined, null, 1, "{}", [], [sample()], Object.assign(new Made(), sample())];
  for (const value of [...others, Object.create(sample())]) {
    assert.equal(faultsOf(value), [{ kind: "not_plain_object" }]);
  }
});

entries("validateEntry() stops at accessors, hidden members and symbols, and reads nothing", () => {
  const fail = (): never => {
    throw new Error("was read");
  };
  const getter = Object.defineProperty(sample(), "payload", { get: fail, enumerable: true });
  const hidden = Object.defineProperty(sample(), "kind", { enumerable: false });
  for (const value of [getter, hidden, { ...sample(), [Symbol("s")]: 1 }]) {
    assert.equal(faultsOf(value), [{ kind: "non_data_property" }]);
  }
});

entries("validateEntry() reports unknown, then missing fields, and stops", () => {
  const { kind: _, ts: __, ...rest } = sample();
  const unknown = { ...rest, b: 1, a: 2, schema: 5 };
  const missing = { kind: "missing_fields", keys: ["ts", "kind"] };
  assert.equal(faultsOf(unknown), [{ kind: "unknown_fields", keys: ["a", "b"] }, missing]);
  assert.equal(faultsOf({ ...rest, schema: 5 }), [missing]);
  assert.equal(faultsOf({ ...sample(), b: 1, schema: 5 }), [{
    kind: "unknown_fields",
    keys: ["b"],
  }]);
  const proto = JSON.parse(`{"__proto__":{},${canonicalText(sample()).slice(1)}`);
  assert.equal(faultsOf(proto), [{ kind: "unknown_fields", keys: ["__proto__"] }]);
  assert.equal(faultsOf({}), [{
    kind: "missing_fields",
    keys: [
      ...["schema", "run_id", "capsule_id", "seq", "ts", "lineage", "kind", "effect_class"],
      ...["harness_version", "task_family", "parent_hash", "payload", "entry_hash"],
    ],
  }]);
});

entries("validateEntry() asks each field for its own type", () => {
  const wrong = [undefined, null, true, 1n, {}, ["SE0"], Symbol("s"), "", Object("plan")];
  const digest = "a".repeat(64);
  const more: Fields = {
    schema: ["capsule-envelope/v2", "capsule-envelope/v1 "],
    run_id: [5, "a b", "a".repeat(129)],
    capsule_id: [5, ".a", "a\n"],
    seq: [-1, 0.5, NaN, Infinity, "0"],
    ts: [0, "2026-02-30T00:00:00Z"],
    lineage: ["Plan", "toString"],
    kind: ["A", "a".repeat(65)],
    effect_class: ["SE5", "se0"],
    harness_version: [5],
    task_family: [5],
    parent_hash: [digest.toUpperCase(), `sha256:${digest}`, digest.slice(1)],
  };
  for (const [kind, values] of Object.entries(more)) {
    for (const value of [...wrong, ...values as unknown[]]) {
      assert.equal(faultsOf({ ...sample(), [kind]: value }), [{ kind }]);
    }
  }
});

entries("validateEntry() takes an integer of any size and a blank harness and family", () => {
  for (const seq of [0, -0, 2 ** 53, 1e21, 1e300]) assert.equal(withFields({ seq }), []);
  assert.equal(withFields({ harness_version: " ", task_family: "\ufeff" }), []);
});

entries("validateEntry() reports all faults of fields in the documented order", () => {
  const all = Object.fromEntries(FIELDS.map((name) => [name, 5]));
  assert.equal(
    faultsOf(all),
    [
      ...["schema", "run_id", "capsule_id", "ts", "lineage", "kind", "effect_class"],
      ...["harness_version", "task_family", "parent_hash", "entry_hash_format"],
      "payload_not_object",
    ].map((kind) => ({ kind })),
  );
});

const AWS = `AKIA${"X".repeat(16)}`;

entries("validateEntry() reports payload types, then unknown keys, then canaries", () => {
  const payload = { z: 1, note: AWS, a: 1, tool: AWS };
  const unknown = { kind: "payload_unknown_keys", keys: ["a", "z"] };
  const canary = { kind: "payload_canary", canary: "aws_access_key" };
  assert.equal(faultsOf({ ...sample(), seq: -1, payload, entry_hash: "" }), [
    { kind: "seq" },
    { kind: "entry_hash_format" },
    unknown,
    { ...canary, path: "$.note" },
    { ...canary, path: "$.tool" },
  ]);
  assert.equal(faultsOf({ ...sample(), payload: { ...payload, total: "1", hits: null } }), [
    { kind: "payload_type", field: "total", expected_type: "integer" },
    { kind: "payload_type", field: "hits", expected_type: "integer" },
    unknown,
  ]);
  assert.equal(faultsOf({ ...sample(), payload: JSON.parse('{"__proto__":1}') }), [
    { kind: "payload_unknown_keys", keys: ["__proto__"] },
  ]);
  assert.equal(
    faultsOf({ ...sample(), payload: Object.defineProperty({}, "tool", { get: () => "a" }) }),
    [
      { kind: "payload_non_data_property" },
    ],
  );
});

entries("validateEntry() compares the hash only when nothing else is wrong", () => {
  const entry_hash = "a".repeat(64);
  assert.equal(faultsOf({ ...sample(), entry_hash }), [{ kind: "entry_hash_mismatch" }]);
  assert.equal(faultsOf({ ...sample(), kind: "other" }), [{ kind: "entry_hash_mismatch" }]);
  assert.equal(faultsOf({ ...sample(), entry_hash, kind: "A" }), [{ kind: "kind" }]);
});

entries("hashEntry() hashes all fields but entry_hash, formatEntry() writes them all", () => {
  const entry = sample() as unknown as Entry;
  assert.is(hashEntry(entry, sha256), entry.entry_hash);
  const other = { ...entry, entry_hash: "0".repeat(64) } as Entry;
  assert.is(hashEntry(other, sha256), entry.entry_hash);
  assert.is(formatEntry(entry), canonicalText(entry));
});

entries.run();
