import { mkdir, rm } from "node:fs/promises";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { groupCapsules } from "../../src/node/mod.ts";
import { inDirectory, recordRun, type } from "./terminal.ts";

const group = suite("affidavit capsule group");

group("prints the report as JSON, on a terminal too", async () => {
  await inDirectory(async (at) => {
    await recordRun(at("a"));
    await recordRun(at("b"), { capsule_id: "capsule-2" });
    const verdict = await groupCapsules([at("a"), at("b"), at("a")]);
    const stdout = verdict.ok ? `${JSON.stringify(verdict.report, null, 2)}\n` : "";
    const argv = ["capsule", "group", at("a"), at("b"), at("a")];
    assert.equal(await type(argv, { terminal: true }), { exit: 0, stdout, stderr: "" });
    assert.equal(await type([...argv, "--json"]), { exit: 0, stdout, stderr: "" });
    await rm(at("a/projection.json"), { force: true });
    assert.is((await type(argv)).stdout, stdout);
  });
});

group("exits 1 with nothing on standard output and names the input by its index", async () => {
  await inDirectory(async (at) => {
    await recordRun(at("a"));
    await mkdir(at("empty"));
    const code = "retrospective.invalid_capsule";
    const message =
      "Grouping capsules: the capsule of input 1 does not verify (capsule.missing_journal)";
    const argv = ["capsule", "group", at("a"), at("empty"), at("a")];
    const stderr = `affidavit: ${code}: ${message}\n`;
    assert.equal(await type(argv), { exit: 1, stdout: "", stderr });
    assert.equal(await type([...argv, "--json"]), {
      exit: 1,
      stdout: "",
      stderr: `${JSON.stringify({ error: { code, message, at: { input: 1 } } })}\n`,
    });
    assert.equal(await type(["capsule", "group", "a\0b"]), {
      exit: 1,
      stdout: "",
      stderr:
        "affidavit: retrospective.invalid_inputs: Grouping capsules: 1 to 100 inputs were wanted, " +
        "not blank and without NUL\n",
    });
  });
});

/** What exits 2, and why. */
const wrong: [argv: string[], why: string][] = [
  [[], "A directory is missing after the action"],
  [[""], "A directory is missing after the action"],
  [["a", ""], "A directory is blank"],
  [["a", " \t"], "A directory is blank"],
  [[" "], "A directory is blank"],
  [["a", "--b"], "There is no flag --b here"],
  [["a", "--", "b"], "There is no flag -- here"],
  [Array(101).fill("a"), "No more than 100 directories fit"],
];

group(
  "exits 2 for no directory, a blank one, a flag it does not know, and more than 100",
  async () => {
    for (const [argv, why] of wrong) {
      const { exit, stdout, stderr } = await type(["capsule", "group", ...argv]);
      assert.equal([exit, stdout, stderr.split("\n")[0]], [2, "", `affidavit: ${why}`]);
    }
  },
);

group("says in its help that labels are verbatim and digests linkable", async () => {
  const { stdout } = await type(["capsule", "group", "--help"]);
  assert.match(stdout, /in it verbatim/);
  assert.match(stdout, /linkable, not anonymous/);
});

group.run();
