import { suite } from "uvu";
import * as assert from "uvu/assert";
import { filterPayload, PAYLOAD_FIELDS } from "../../src/capsule/mod.ts";
import { TABLE } from "../lib/plain.ts";

const payloads = suite("filterPayload()");

const NONE = { payload: {}, dropped: [], findings: [], errors: [] };

/** Values that no field takes, by no rule. */
const NEVER: unknown[] = [
  undefined,
  true,
  1n,
  {},
  [],
  Symbol("s"),
  () => 0,
  Object("a"),
  Object(1),
];

payloads("PAYLOAD_FIELDS are the 38 fields of the v1 table", () => {
  const expected = Object.entries(TABLE).flatMap(([type, names]) =>
    names.map((name) => [name, type])
  );
  assert.equal([...PAYLOAD_FIELDS].sort(), expected.sort());
  assert.is(PAYLOAD_FIELDS.size, 38);
});

payloads("filterPayload() refuses what is no plain object, and members that are no data", () => {
  for (const value of [undefined, null, "text", 5, [], [{}], new Date(0), new Map(), () => 0]) {
    assert.equal(filterPayload(value), { ...NONE, errors: [{ kind: "payload_not_object" }] });
  }
  const getter = {
    get tool(): string {
      throw new Error("was run");
    },
  };
  const hidden = Object.defineProperty({ tool: "a" }, "note", { value: "b" });
  for (const value of [getter, hidden, { tool: "a", [Symbol("s")]: 1 }]) {
    assert.equal(filterPayload(value), {
      ...NONE,
      errors: [{ kind: "payload_non_data_property" }],
    });
  }
});

payloads("filterPayload() keeps what the table takes and coerces nothing", () => {
  const takes: Record<string, unknown[]> = {
    "string": ["", "a", "0", "\ud800", "\u0000"],
    "integer": [0, -0, 1, -1, 2 ** 53, 1e300, -1e21],
    "integer|null": [null, 0, -5, 1e300],
    "number": [0, 0.5, -1.5e-7, 5e-324, 1e308],
  };
  const refuses: Record<string, unknown[]> = {
    "string": [...NEVER, null, 0],
    "integer": [...NEVER, null, "1", "", 0.5, NaN, Infinity, -Infinity],
    "integer|null": [...NEVER, "null", "1", 0.5, NaN, Infinity],
    "number": [...NEVER, null, "1", NaN, Infinity, -Infinity],
  };
  for (const [type, names] of Object.entries(TABLE)) {
    for (const field of names) {
      for (const value of takes[type] ?? []) {
        const { payload, ...rest } = filterPayload({ [field]: value });
        assert.equal([payload, rest], [{ [field]: value }, {
          dropped: [],
          findings: [],
          errors: [],
        }]);
        assert.is(Object.is(payload[field], value), true);
      }
      for (const value of refuses[type] ?? []) {
        const errors = [{ kind: "payload_type", field, expected_type: type }];
        assert.equal(filterPayload({ [field]: value }), { ...NONE, errors });
      }
    }
  }
});

payloads("filterPayload() keeps fields in their order, from any plain object", () => {
  const value = Object.assign(Object.create(null), { tool: "b", hits: 1, note: "a" });
  assert.equal(filterPayload(value), { ...NONE, payload: { tool: "b", hits: 1, note: "a" } });
  assert.equal(Object.keys(filterPayload(value).payload), ["tool", "hits", "note"]);
});

payloads("filterPayload() drops unknown fields unseen and sorts their names by code unit", () => {
  const value = JSON.parse('{"z":1,"prompt":1,"\ue000":1,"__proto__":{"tool":1},"a":1,"1":1}');
  Object.assign(value, { "\u{10000}": `AKIA${"X".repeat(16)}`, constructor: 1, tool: "t" });
  const dropped = ["1", "__proto__", "a", "constructor", "prompt", "z", "\u{10000}", "\ue000"];
  assert.equal(filterPayload(value), { ...NONE, payload: { tool: "t" }, dropped });
});

payloads("filterPayload() lets an allowlist narrow and never widen", () => {
  const value = { tool: "a", note: 5, extra: 1 };
  const dropped = ["extra", "note"]; // the value of note is not looked at
  const expected = { ...NONE, payload: { tool: "a" }, dropped };
  assert.equal(filterPayload(value, { allowlist: ["tool", "extra"] }), expected);
  assert.equal(filterPayload(value, { allowlist: [] }), {
    ...NONE,
    dropped: ["extra", "note", "tool"],
  });
  const errors = [{ kind: "payload_type", field: "note", expected_type: "string" }];
  assert.equal(filterPayload(value), {
    payload: { tool: "a" },
    dropped: ["extra"],
    findings: [],
    errors,
  });
});

const AWS = `AKIA${"X".repeat(16)}`;

payloads("filterPayload() names each secret-shaped text by canary and path", () => {
  const value = { note: `${AWS} sk-${"x".repeat(20)}`, hits: 1, tool: "grep", path: AWS };
  assert.equal(filterPayload(value), {
    ...NONE,
    payload: value,
    findings: [
      { canary: "aws_access_key", path: "$.note" },
      { canary: "openai_style_key", path: "$.note" },
      { canary: "aws_access_key", path: "$.path" },
    ],
  });
});

payloads(
  "filterPayload() looks for secrets in kept fields only, and not after a type error",
  () => {
    assert.equal(filterPayload({ note: AWS, extra: 1 }, { allowlist: ["tool"] }), {
      ...NONE,
      dropped: ["extra", "note"],
    });
    assert.equal(filterPayload({ note: AWS, extra: 1 }).findings, [
      { canary: "aws_access_key", path: "$.note" },
    ]);
    assert.equal(filterPayload({ note: AWS, hits: "1", total: null, extra: 1 }), {
      payload: { note: AWS },
      dropped: ["extra"],
      findings: [],
      errors: [
        { kind: "payload_type", field: "hits", expected_type: "integer" },
        { kind: "payload_type", field: "total", expected_type: "integer" },
      ],
    });
  },
);

payloads.run();
