import { suite } from "uvu";
import * as assert from "uvu/assert";
import { encodeUtf8 } from "../../src/core/mod.ts";
import {
  baselineFailure,
  type ChildFailure,
  MAX_CHILD_OUTPUT_BYTES,
  parseChildResult,
} from "../../src/gate/mod.ts";

const children = suite("parseChildResult()");
const T = [{ id: "t" }];
const HELD = '{"results":[{"id":"t","output":1}]}';
const held = { outputs: new Map([["t", { id: "t", output: 1 }]]), fatal: null };
const ended = (stdout: unknown) => ({ status: 0, stdout });

/** What is wrong with a child, in words. */
const failures: [child: unknown, kind: ChildFailure, why: string][] = [
  [undefined, "missing", "there is none"],
  [{ error: { code: "ETIMEDOUT" } }, "timeout", "it took too long"],
  [{ error: true }, "process_error", "it could not be run"],
  [{ status: 0n, stdout: HELD }, "unsuccessful_exit", "it did not end with status 0"],
  [ended("{"), "protocol", "its last line is not JSON, or nested too deep"],
  [ended("1"), "protocol", "its last line is no object"],
  [ended('{"fatal":1}'), "protocol", 'its "fatal" is no text, or stands beside "results"'],
  [ended("{}"), "protocol", 'it has no "results"'],
  [ended('{"results":[]}'), "protocol", 'its "results" are no list of one row for each task'],
  [ended('{"results":[[]]}'), "protocol", "row 0 is no object"],
  [ended(HELD.replace("t", "T")), "protocol", 'it has no "results"'],
  [ended('{"results":[{"id":"u"}]}'), "protocol", "row 0 is for no task, or for one again"],
  [
    ended('{"results":[{"id":"t"}]}'),
    "protocol",
    'row 0 has not exactly one of "output" and "error"',
  ],
];

children("names the first failure, without the words of the child, and has no outputs", () => {
  for (const [child, kind, why] of failures) {
    const fatal = { kind, reason: `Reading the result of a child: ${why}` };
    assert.equal(parseChildResult(child, T), { outputs: new Map(), fatal });
  }
});

children("keeps the words of a child that reports a failure apart from ours", () => {
  assert.equal(parseChildResult(ended('{"fatal":"\\u001b[2J"}'), T), {
    outputs: new Map(),
    fatal: {
      kind: "reported",
      reason: "Reading the result of a child: it says that it failed",
      reported: "\u001b[2J",
    },
  });
});

children("takes the output as text or as bytes, whatever else the child holds", () => {
  const child = { ...ended(encodeUtf8(HELD)), output: "no", pid: {} };
  assert.equal(parseChildResult(child, T), held);
  assert.equal(parseChildResult(ended(encodeUtf8(`é\n\ufeff\n${HELD}\n`)), T), held);
  const bytes = new Uint8Array([0xff, 0x0a, ...encodeUtf8(HELD)]); // earlier lines are free
  assert.equal(parseChildResult(ended(bytes), T), held);
});

children("refuses an output that is neither, or has more bytes than the bound", () => {
  const why = `it wrote more than ${MAX_CHILD_OUTPUT_BYTES} bytes, or no text`;
  const refusal = {
    outputs: new Map(),
    fatal: { kind: "protocol", reason: `Reading the result of a child: ${why}` },
  };
  const padded = HELD.padStart(MAX_CHILD_OUTPUT_BYTES);
  assert.equal(parseChildResult(ended(padded), T), held);
  assert.equal(parseChildResult(ended(encodeUtf8(padded)), T), held);
  for (const stdout of [` ${padded}`, encodeUtf8(` ${padded}`), `é${padded.slice(1)}`, 1, {}, []]) {
    assert.equal(parseChildResult(ended(stdout), T), refusal);
  }
  assert.equal(
    parseChildResult(ended(new Uint8Array(MAX_CHILD_OUTPUT_BYTES).fill(0xff)), T),
    refusal,
  );
});

children("rows are kept whole, in the order of the child", () => {
  const rows = '{"id":2,"error":"x","ms":1},{"id":"2","output":null}';
  const { outputs } = parseChildResult(ended(`{"results":[${rows}]}`), [{ id: "2" }, { id: 2 }]);
  assert.equal([...outputs], [
    [2, { id: 2, error: "x", ms: 1 }],
    ["2", { id: "2", output: null }],
  ]);
});

children.run();

const baselines = suite("baselineFailure()");
const run = {
  fatal: null,
  exit_code: 0,
  marker_intact: true,
  fence_events: [],
  outputs: held.outputs,
};

/** What is wrong with a baseline, each beside all that is looked at later. */
const incomplete: [run: unknown, tasks: unknown, why: string][] = [
  [null, [], "the tasks are no list of different ids"],
  [null, [{ id: "t" }, undefined], "the tasks are no list of different ids"],
  [0, T, "there is no run"],
  ["run", T, "the exit code is not 0"],
  [{ fatal: {} }, T, "the run failed"],
  [{ ...run, exit_code: false, marker_intact: 1 }, T, "the exit code is not 0"],
  [{ ...run, marker_intact: 1, fence_events: "" }, T, "the marker is not intact"],
  [{ ...run, fence_events: "", outputs: [] }, T, "there are fence events, or no list of them"],
  [{ ...run, outputs: [] }, T, "the outputs are no map of one row for each task"],
  [run, [...T, { id: "u" }], "the outputs are no map of one row for each task"],
];

baselines("gives null for a complete baseline, and else the first fault in words", () => {
  assert.is(baselineFailure(run, T), null);
  for (const [run, tasks, why] of incomplete) {
    const wanted = { kind: "run_or_tasks", reason: `Checking a baseline: ${why}` };
    assert.equal(baselineFailure(run, tasks), wanted);
  }
});

baselines(
  "names the task whose row is missing, another's, without an output or with an error",
  () => {
    const why = "task 0 has no row of its own with an output and without an error";
    const own = { id: "t", output: 1 };
    for (
      const row of [undefined, null, "t", { ...own, id: "u" }, { id: "t" }, { ...own, error: 0 }]
    ) {
      const outputs = new Map([["t", row]]);
      const wanted = { kind: "row", reason: `Checking a baseline: ${why}` };
      assert.equal(baselineFailure({ ...run, outputs }, T), wanted);
    }
    const inherited = Object.assign(Object.create({ output: 1 }), { id: "t" });
    assert.is(baselineFailure({ ...run, outputs: new Map([["t", inherited]]) }, T)?.kind, "row");
  },
);

baselines.run();
