import { mkdir, symlink, writeFile } from "node:fs/promises";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { loadTaskset, loadVariant } from "../../src/node/mod.ts";
import { inDirectory, type } from "./terminal.ts";

const inspect = suite("affidavit gate inspect");

/** A variant of class SE2 with a hostile file name, and a task set. */
async function candidate(at: (name: string) => string): Promise<void> {
  await mkdir(at("v"));
  await writeFile(at("v/variant.json"), '{"name":"v","effect_class":"SE2"}');
  await writeFile(at("v/run.js"), "1\nfetch(2)\n");
  await writeFile(at("v/\u202e.sh"), "NODE_OPTIONS=x");
  const task = '{"id":"a","input":1,"expected":1}';
  await writeFile(at("t.json"), `{"version":"1","family":"\\u001b[2J","tasks":[${task}]}`);
}

const not_checked = [{
  what: "behaviour",
  why: "nothing was run: what the candidate does is not known, with tripwires and without",
  how: null,
}];
const NOT_CHECKED =
  "not checked: behaviour: nothing was run: what the candidate does is not known, with tripwires and without\n";

inspect("prints digest, entry, class, tripwires and the task set as JSON", async () => {
  await inDirectory(async (at) => {
    await candidate(at);
    const [variant, taskset] = [await loadVariant(at("v")), await loadTaskset(at("t.json"))];
    const hit = (file: string, line: number, rule: string) => ({ variant: "v", rule, file, line });
    const report = {
      name: "v",
      effect_class: "SE2",
      entry: "run.js",
      digest: variant.ok && variant.value.digest,
      file_count: 3,
      tripwires: [
        { ...hit("variant.json", 1, "effect_class_expansion"), detail: "SE2 exceeds SE1" },
        hit("\u202e.sh", 1, "sandbox_weakening"),
        hit("run.js", 2, "hidden_network"),
      ],
      tripwires_cut: false,
      taskset: {
        version: "1",
        family: "\u001b[2J",
        digest: taskset.ok && taskset.value.digest,
        task_count: 1,
      },
      not_checked,
    };
    const { exit, stdout, stderr } = await type([
      "gate",
      "inspect",
      at("v"),
      "--taskset",
      at("t.json"),
    ]);
    assert.equal([exit, JSON.parse(stdout), stderr], [0, report, ""]);
    assert.not(stdout.includes("\u202e"));
    const alone = await type(["gate", "inspect", at("v"), "--json"], { terminal: true });
    assert.equal(JSON.parse(alone.stdout), { ...report, taskset: null });
  });
});

inspect(
  "prints lines on a terminal, one for each tripwire and for what was not checked",
  async () => {
    await inDirectory(async (at) => {
      await candidate(at);
      const [variant, taskset] = [await loadVariant(at("v")), await loadTaskset(at("t.json"))];
      const argv = ["gate", "inspect", at("v"), "--taskset", at("t.json")];
      const { exit, stdout } = await type(argv, { terminal: true });
      assert.is(exit, 0);
      assert.is(
        stdout,
        "variant     v\n" +
          "declares    SE2\n" +
          "entry       run.js\n" +
          "files       3\n" +
          `digest      ${variant.ok && variant.value.digest}\n` +
          "task set    1, \\u{1b}[2J\n" +
          "tasks       1\n" +
          `its digest  ${taskset.ok && taskset.value.digest}\n` +
          "tripwire: effect_class_expansion: variant.json:1 (SE2 exceeds SE1)\n" +
          "tripwire: sandbox_weakening: \\u{202e}.sh:1\n" +
          "tripwire: hidden_network: run.js:2\n" +
          NOT_CHECKED,
      );
    });
  },
);

inspect("says that no tripwire proves nothing", async () => {
  await inDirectory(async (at) => {
    await writeFile(at("variant.json"), '{"name":"v","effect_class":"SE0"}');
    await writeFile(at("run.js"), "1\n");
    const { stdout } = await type(["gate", "inspect", at("")], { terminal: true });
    assert.ok(stdout.endsWith(`\nno tripwire, which proves nothing\n${NOT_CHECKED}`), stdout);
  });
});

inspect("lists 10,000 tripwires and says that there are more", async () => {
  await inDirectory(async (at) => {
    await writeFile(at("variant.json"), '{"name":"v","effect_class":"SE0"}');
    await writeFile(at("run.js"), "fetch(\n".repeat(10_001));
    const { tripwires, tripwires_cut } = JSON.parse(
      (await type(["gate", "inspect", at("")])).stdout,
    );
    assert.equal([tripwires.length, tripwires.at(-1).line, tripwires_cut], [10_000, 10_000, true]);
    const { stdout } = await type(["gate", "inspect", at("")], { terminal: true });
    const more = "there are more tripwires; the first 10000 are listed";
    assert.ok(stdout.endsWith(`run.js:10000\n${more}\n${NOT_CHECKED}`), stdout.slice(-400));
  });
});

inspect("exits 1 with the code of what is refused", async () => {
  await inDirectory(async (at) => {
    const refused = async (...argv: string[]): Promise<string> => {
      const { exit, stdout, stderr } = await type(["gate", "inspect", ...argv]);
      assert.equal([exit, stdout], [1, ""]);
      return stderr;
    };
    const prefix = "affidavit: gate.";
    assert.is(
      await refused(at("")),
      `${prefix}variant_missing: Reading a variant: there is no variant.json\n`,
    );
    await candidate(at);
    assert.is(
      await refused(at("v"), "--taskset", at("v/variant.json")),
      `${prefix}taskset_invalid: Reading a task set: it has no version\n`,
    );
    await symlink("run.js", at("v/link"));
    assert.is(
      await refused(at("v")),
      `${prefix}variant_invalid: Reading a variant: "link" is a symbolic link\n`,
    );
    assert.match(await refused(at("nothing")), /^affidavit: ENOENT: /);
    assert.match(await refused(at("v"), "--taskset", at("nothing")), /^affidavit: /);
  });
});

inspect.run();
