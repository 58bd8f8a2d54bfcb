import { suite } from "uvu";
import * as assert from "uvu/assert";
import {
  type AppendOptions,
  buildEntry,
  CapsuleError,
  encodeEntry,
  type Entry,
  JournalVerifier,
} from "../../src/capsule/mod.ts";
import { EvidenceError } from "../../src/core/mod.ts";
import { loadSha256 } from "../../src/hash/mod.ts";
import { type Fields, hashOf } from "../lib/plain.ts";
import { bytesOf, chainOf, journalOf, sampleParts } from "../lib/sample.ts";
import { stateOf } from "../lib/state.ts";
import { describe, thrownBy } from "../lib/thrown.ts";

const sha256 = await loadSha256();
const state = await stateOf(2, sha256);
const clock = (): Date => new Date("2026-09-02T10:00:00.123Z");
const never = (): Date => {
  throw new Error("The clock was asked");
};

interface Request {
  lineage: unknown;
  kind: unknown;
  payload?: unknown;
  options?: AppendOptions;
}

const build = (request: Request, now: () => Date = clock): Entry =>
  buildEntry(state, request, now, sha256);
const good: Request = { lineage: "plan", kind: "start" };
const AWS = `AKIA${"X".repeat(16)}`;

/** The whole of a refusal. */
function refused(request: Request, now?: () => Date): Fields {
  const error = thrownBy(() => build(request, now));
  assert.instance(error, CapsuleError);
  const { name, code, message, failed_at, findings, dropped, faults } = error as CapsuleError;
  return { name, code, message, failed_at, findings, dropped, faults };
}

const refusal = (code: string, what: string, more: Fields = {}): Fields => ({
  name: "CapsuleError",
  code,
  message: `Appending an entry: ${what}`,
  failed_at: null,
  findings: [],
  dropped: [],
  faults: [],
  ...more,
});

const building = suite("buildEntry()");

building("buildEntry() gives the entry that follows, which verifies", () => {
  const fields = {
    schema: "capsule-envelope/v1",
    run_id: "r1",
    capsule_id: "c1",
    seq: 2,
    ts: "2026-09-02T10:00:00.123Z",
    lineage: "interaction",
    kind: "tool.call",
    effect_class: "SE2",
    harness_version: "h é",
    task_family: "f",
    parent_hash: state.root_hash,
    payload: { tool: "grep", hits: 3 },
  };
  const { lineage, kind, payload, effect_class } = fields;
  const entry = build({ lineage, kind, payload, options: { effect_class } });
  assert.equal(entry, { ...fields, entry_hash: hashOf(fields, sha256) });
  const verifier = new JournalVerifier(sha256);
  verifier.write(journalOf([...chainOf(sampleParts(2), sha256), entry]));
  const verdict = verifier.end();
  assert.equal([verdict.code, verdict.root_hash], ["ok", entry.entry_hash]);
});

building("buildEntry() takes an absent payload as {} and a falsy effect class as SE0", () => {
  for (const effect_class of [undefined, null, "", 0, false, 0n, NaN]) {
    const options = { effect_class } as AppendOptions;
    const { payload, effect_class: found } = build({ ...good, payload: undefined, options });
    assert.equal([payload, found], [{}, "SE0"]);
  }
  assert.equal(build(good).payload, {});
});

building("buildEntry() asks the clock once, and only when lineage and payload are in order", () => {
  let calls = 0;
  build(good, () => {
    calls++;
    return clock();
  });
  assert.is(calls, 1);
  const early: Request[] = [
    { ...good, lineage: "x" },
    { ...good, payload: null },
    { ...good, payload: { note: AWS } },
    { ...good, payload: { prompt: 1 } },
  ];
  for (const request of early) assert.is(String(refused(request, never)["name"]), "CapsuleError");
});

building("buildEntry() refuses in its documented order", () => {
  const payload = { hits: "1", prompt: 1 };
  const all = { lineage: "Plan", kind: "A", payload, options: { effect_class: "SE9" } };
  const lineage = "lineage is none of plan, attempt, interaction, environment, strategy";
  assert.equal(refused(all, never), refusal("capsule.bad_lineage", lineage));

  const faults = [{ kind: "payload_type", field: "hits", expected_type: "integer" }];
  assert.equal(
    refused({ ...all, lineage: "plan", payload: { ...payload, note: AWS } }, never),
    refusal("capsule.payload_invalid", 'payload field "hits" is not of type integer', { faults }),
  );
  assert.equal(
    refused({ ...all, lineage: "plan", payload: { note: AWS, prompt: 1 } }, never),
    refusal("capsule.secret_canary", "$.note holds text shaped like a secret (aws_access_key)", {
      findings: [{ canary: "aws_access_key", path: "$.note" }],
    }),
  );
  assert.equal(
    refused({ ...all, lineage: "plan", payload: { prompt: 1, body: 2 } }, never),
    refusal("capsule.payload_denied", 'the payload may not carry "body", "prompt"', {
      dropped: ["body", "prompt"],
    }),
  );
  const last = refused({ ...all, lineage: "plan", payload: {} });
  assert.equal([last["code"], last["faults"]], ["capsule.invalid_entry", [
    { kind: "kind" },
    { kind: "effect_class" },
  ]]);
});

building("buildEntry() refuses a payload that is no plain object or runs code", () => {
  for (const payload of [null, [], "text", 5, new Map(), new Date(0)]) {
    const found = refused({ ...good, payload });
    assert.equal([found["code"], found["faults"]], [
      "capsule.payload_invalid",
      [{ kind: "payload_not_object" }],
    ]);
  }
  const getter = Object.defineProperty({}, "note", { get: never, enumerable: true });
  assert.equal(refused({ ...good, payload: getter })["faults"], [
    { kind: "payload_non_data_property" },
  ]);
});

building("buildEntry() drops fields only when strict is exactly false", () => {
  const payload = { tool: "grep", prompt: "x" };
  for (const strict of [true, undefined, null, 0, "", NaN]) {
    const options = { strict } as AppendOptions;
    assert.is(refused({ ...good, payload, options })["code"], "capsule.payload_denied");
  }
  assert.equal(build({ ...good, payload, options: { strict: false } }).payload, { tool: "grep" });
  const secret = { ...good, payload: { note: AWS, prompt: 1 }, options: { strict: false } };
  assert.is(refused(secret)["code"], "capsule.secret_canary");
});

building("buildEntry() narrows by an allowlist, where one is given", () => {
  const payload = { tool: "grep", note: "x" };
  for (const allowlist of [undefined, null, ["tool", "note", "prompt"]]) {
    const options = { allowlist } as AppendOptions;
    assert.equal(build({ ...good, payload, options }).payload, payload);
  }
  const options = { allowlist: ["tool"] };
  assert.equal(refused({ ...good, payload, options })["dropped"], ["note"]);
  assert.equal(refused({ ...good, payload, options: { allowlist: [] } })["dropped"], [
    ...["note", "tool"],
  ]);
});

building(
  "buildEntry() takes an allowlist that is no list of texts as misuse",
  () => {
    for (const allowlist of ["tool", 5, {}, [5], ["tool", undefined], true, new Set(["tool"])]) {
      const options = { allowlist } as unknown as AppendOptions;
      const error = thrownBy(() => build({ ...good, kind: "A", options }, never));
      const message = "Filtering a payload: allowlist must be a list of field names";
      assert.equal(describe(error), { name: "TypeError", message });
    }
  },
);

building(
  "encodeEntry() refuses a line that no reader would take, and takes the longest one",
  () => {
    const entry = build({ ...good, payload: { message: "" } }, () => new Date(0));
    const room = 64 * 1024 * 1024 - (encodeEntry(entry).length - 1);
    const withMessage = (length: number): Entry => ({
      ...entry,
      payload: { message: "a".repeat(length) },
    });
    assert.is(encodeEntry(withMessage(room)).length, 64 * 1024 * 1024 + 1);
    const error = thrownBy(() => encodeEntry(withMessage(room + 1)));
    const message = "Appending an entry: its line is longer than 67108864 bytes";
    assert.equal(describe(error), { name: "CapsuleError", code: "capsule.invalid_entry", message });
  },
);

const WANTED_KIND = "1 to 64 lower-case letters, digits and _.-, a letter first, were wanted";

building("buildEntry() takes an option that it does not know as misuse", () => {
  const misuses: [object, string][] = [
    [{ ...good, effect_class: "SE4" }, "effect_class"],
    [{ ...good, options: { effectClass: "SE4" } }, "effectClass"],
  ];
  for (const [asked, name] of misuses) {
    const error = thrownBy(() => build(asked as typeof good, never));
    const message = `Appending an entry: there is no option "${name}"`;
    assert.equal(describe(error), { name: "TypeError", message });
  }
});

building("buildEntry() refuses a kind or effect class of any type by code", () => {
  const odd = [1n, {}, [], Symbol("s"), () => 0, 5, true, Object.create(null), ["SE0"], "A", "SE5"];
  for (const value of odd) {
    const options = { effect_class: value } as AppendOptions;
    assert.equal(refused({ ...good, kind: value })["faults"], [{ kind: "kind" }]);
    assert.equal(refused({ ...good, options })["faults"], [{ kind: "effect_class" }]);
  }
  for (const kind of [undefined, null, ""]) {
    assert.equal(
      refused({ ...good, kind }),
      refusal("capsule.invalid_entry", `"kind" is not as the format demands: ${WANTED_KIND}`, {
        faults: [{ kind: "kind" }],
      }),
    );
  }
});

building(
  "buildEntry() takes an invalid instant as misuse, and one past 9999 as a bad entry",
  () => {
    assert.instance(thrownBy(() => build(good, () => new Date(NaN))), RangeError);
    const late = (): Date => new Date("+010000-01-01T00:00:00.000Z");
    assert.equal(refused(good, late)["faults"], [{ kind: "ts" }]);
  },
);

building("a CapsuleError is an EvidenceError and keeps its details and cause", () => {
  const cause = new Error("below");
  const error = new CapsuleError("capsule.busy", "why", { cause, failed_at: 3 });
  assert.instance(error, EvidenceError);
  assert.equal([error.cause, error.failed_at], [cause, 3]);
  assert.is("cause" in new CapsuleError("capsule.busy", "why"), false);
});

building("buildEntry() goes on from an empty capsule", async () => {
  const entry = buildEntry(await stateOf(0, sha256), good, clock, sha256);
  assert.equal([entry.seq, entry.parent_hash], [0, "0".repeat(64)]);
  const verifier = new JournalVerifier(sha256);
  verifier.write(bytesOf(`${JSON.stringify(entry, Object.keys(entry).sort())}\n`));
  assert.is(verifier.end().code, "ok");
});

building.run();
