import { suite } from "uvu";
import * as assert from "uvu/assert";
import { encodeUtf8 } from "../../src/core/mod.ts";
import { parseTaskset } from "../../src/gate/mod.ts";
import { loadSha256 } from "../../src/hash/mod.ts";

const tasksets = suite("parseTaskset()");
const sha256 = await loadSha256();
const parse = (text: string, maxBytes?: number) =>
  parseTaskset(encodeUtf8(text), "here", sha256, maxBytes === undefined ? {} : { maxBytes });

const TASK = '{"id":"t","input":null,"expected":1,"held_out":true}';
const SET = `{"version":1,"family":"f","tasks":[${TASK}]}`;

tasksets("gives the members of the file, and its path and digest in the place of its own", () => {
  const text = `${SET.slice(0, -1)},"path":"p","digest":"d","note":"n"}`;
  assert.equal(parse(text), {
    ok: true,
    value: {
      version: 1,
      family: "f",
      tasks: [{ id: "t", input: null, expected: 1, held_out: true }],
      path: "here",
      digest: sha256.digest(encodeUtf8(text)),
      note: "n",
    },
  });
});

/** What is wrong, what is said of it, and where. */
const refused: [text: string, why: string, pointer: string][] = [
  ["{", "it is not JSON", ""],
  [`${"[".repeat(1001)}`, "it is too deep", ""],
  ["[]", "it is no object", ""],
  ['{"family":"f"}', "it has no version", "/version"],
  ['{"version":1,"family":""}', "it has no family", "/family"],
  ['{"version":1,"family":1,"tasks":[]}', "it has no tasks", "/tasks"],
  [SET.replace(TASK, `null,${TASK},${TASK}`), "task 2 has the id of an earlier one", "/tasks/2"],
  [SET.replace(TASK, `${TASK},[]`), "task 1 is no object", "/tasks/1"],
  [SET.replace(TASK, '{"id":1}'), "task 0 has no id", "/tasks/0"],
  [SET.replace(TASK, '{"id":"a"}'), 'task 0 has no "input"', "/tasks/0"],
  [SET.replace(TASK, '{"id":"a","input":1}'), 'task 0 has no "expected"', "/tasks/0"],
  [SET.replace(TASK, '{"__proto__":{"id":"a"}}'), "task 0 has no id", "/tasks/0"],
];

tasksets("refuses with gate.taskset_invalid and names the first fault and its place", () => {
  for (const [text, why, pointer] of refused) {
    const reason = `Reading a task set: ${why}`;
    const wanted = { ok: false, code: "gate.taskset_invalid", reason, at: { pointer } };
    assert.equal(parse(text), wanted, text);
  }
});

tasksets("refuses a file over the bound before it is read as JSON", () => {
  assert.is(parse(SET, SET.length).ok, true);
  assert.equal(parse("{", 0), {
    ok: false,
    code: "gate.taskset_invalid",
    reason: "Reading a task set: it is larger than 0 bytes",
    at: { pointer: "" },
  });
});

tasksets.run();
