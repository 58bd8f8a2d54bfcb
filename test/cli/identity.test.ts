import { writeFile } from "node:fs/promises";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { inDirectory, type } from "./terminal.ts";

const identities = suite("affidavit identity");
const DIGEST = `sha256:${"a".repeat(64)}`;
const TASK = {
  task_id: "suite.case-1",
  family: "contract_only",
  scoring_mode: "contract_only",
  suite_version: "2026.1",
  task_sha256: DIGEST,
};
const SOLVER = { provider: "acme", requested_model: "large", settings_sha256: DIGEST };
const RUN = {
  runtime_policy_sha256: DIGEST,
  config_sha256: DIGEST,
  temporal_block: "w18",
  order: 0,
  repeat_index: 0,
};

async function deriveInto(argv: string[], out: string): Promise<string> {
  const { exit, stdout, stderr } = await type(["identity", "derive", ...argv]);
  assert.equal([exit, stderr], [0, ""]);
  const { key, record_json } = JSON.parse(stdout);
  assert.is(JSON.parse(record_json).key, key);
  await writeFile(out, record_json);
  return key;
}

identities("records are derived, checked and resumed from", async () => {
  await inDirectory(async (at) => {
    const later = { ...RUN, order: 3 };
    for (const [name, members] of Object.entries({ TASK, SOLVER, RUN, later })) {
      await writeFile(at(name), JSON.stringify(members));
    }
    const key = await deriveInto(["task", at("TASK")], at("task.json"));
    await deriveInto(["solver", at("SOLVER")], at("solver.json"));
    const basis = ["--task", at("task.json"), "--solver", at("solver.json")];
    await deriveInto(["run", at("RUN"), ...basis], at("run.json"));
    await deriveInto(["run", at("later"), ...basis], at("later.json"));
    const checked = await type(["identity", "check", "task", at("task.json")]);
    assert.equal([checked.exit, JSON.parse(checked.stdout).key], [0, key]);
    const resumed = await type(["identity", "resume", at("run.json"), at("later.json")]);
    assert.equal(resumed, { exit: 0, stdout: '{\n  "ok": true\n}\n', stderr: "" });
    const people = await type(["identity", "check", "task", at("task.json")], { terminal: true });
    assert.match(people.stdout, `key  ${key}\n`);
  });
});

identities("a refusal names the code and, for machines, the member", async () => {
  await inDirectory(async (at) => {
    await writeFile(at("bad"), JSON.stringify({ ...TASK, family: "x" }));
    const argv = ["identity", "derive", "task", at("bad")];
    const message = 'a text is none of a closed set of the profile (at "family")';
    const text = await type(argv);
    assert.equal([text.exit, text.stderr], [1, `affidavit: record.not_a_member: ${message}\n`]);
    const json = JSON.parse((await type([...argv, "--json"])).stderr);
    assert.equal(json.error, { code: "record.not_a_member", message, at: { field: "family" } });
    await writeFile(at("broken"), '{"a": nul}');
    const broken = await type(["identity", "check", "task", at("broken"), "--json"]);
    assert.equal(JSON.parse(broken.stderr).error, {
      code: "json.syntax",
      message: 'Reading "broken": Reading JSON: a value was wanted',
      at: { byte: 6 },
    });
  });
});

identities("wrong arguments exit 2 before any file is read", async () => {
  const usages: [string[], string][] = [
    [[], "An action is missing on identities"],
    [["make"], 'There is no action "make" on identities'],
    [["check", "person", "f"], "KIND is one of task, solver, bundle, run, matched"],
    [["derive", "run", "f"], "--task and --solver go with run and matched, which take both"],
    [["check", "task", "f", "--full"], "--full does not go with check"],
    [["resume", "f"], "NOW is missing"],
  ];
  for (const [argv, message] of usages) {
    const { exit, stderr } = await type(["identity", ...argv]);
    assert.equal([exit, stderr.split("\n")[0]], [2, `affidavit: ${message}`]);
  }
  assert.match((await type(["identity", "--help"])).stdout, /^affidavit identity ACTION/);
});

identities.run();
