import { readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { TOOLS as EXAMPLE_TOOLS } from "../../examples/tools.ts";
import { addUpInvoices, INPUTS, TOOLS } from "../../src/cli/story_inputs.ts";
import { nativeSha256 } from "../../src/node/mod.ts";
import { createReplayer, memoryFixtures } from "../../src/replay/mod.ts";
import { filesBelow } from "../house/project.ts";
import { readText } from "../read.ts";
import { type } from "./terminal.ts";

const example = suite("affidavit example");

/** Directories of the story that lie about; other tests run their own stories meanwhile. */
async function leftOver(): Promise<string[]> {
  return (await readdir(tmpdir())).filter((name) => name.startsWith("affidavit-example-"));
}

example("tells what the verifier says of each change, and removes its directory", async () => {
  const { exit, stdout, stderr } = await type(["example"]);
  assert.equal([exit, stderr], [0, ""]);
  const titles = [...stdout.matchAll(/^\d+\. (.*)$/gm)].map(([, title]) => title);
  assert.equal(titles, [
    "A candidate is looked at, and not run",
    "Tools are recorded once, and replayed without effects",
    ...["A run is recorded", "It is handed over", "A stranger verifies it"],
    ...["Somebody changes one byte", "Somebody cuts the tail", "Somebody swaps two entries"],
    ...["What none of this shows", "What to do next"],
  ]);
  const [, directory = ""] = /^\$ cd .*(affidavit-example-\w+)$/m.exec(stdout) ?? [];
  assert.ok(directory !== "");
  assert.not((await leftOver()).includes(directory));
});

/** The commands of the story in order, with how each ends and the code or check it names. */
const story: [command: string, exit: number, verdict: string | null | undefined][] = [
  ["gate run candidate", 1, undefined],
  ["gate inspect candidate --taskset taskset.json", 0, undefined],
  ["replay list fixtures", 0, undefined],
  ["replay verify edited", 1, undefined],
  ["capsule create run", 0, undefined],
  ["capsule append run plan", 0, undefined],
  ["capsule append run - < steps.ndjson", 0, undefined],
  ["capsule append run interaction", 1, undefined],
  ["capsule project run", 0, undefined],
  ["capsule export run bundle", 0, undefined],
  ["receipt build run --artifact totals.csv --out receipt.json", 0, undefined],
  ["verify bundle receipt.json --artifact totals.csv", 0, undefined],
  ["capsule verify flipped", 1, "capsule.invalid_entry"],
  ["receipt verify receipt.json flipped", 1, "journal_integrity"],
  ["capsule verify cut", 0, "ok"],
  ["receipt verify receipt.json cut", 1, "truncation"],
  ["capsule verify cut --expect-count 8", 1, "capsule.count_differs"],
  ["capsule verify swapped", 1, "capsule.reordered"],
  ["receipt verify receipt.json swapped", 1, "journal_integrity"],
];

example("gives its commands and their results as JSON with --json", async () => {
  const { exit, stdout } = await type(["example", "--json"]);
  assert.is(exit, 0);
  const { dir, steps } = JSON.parse(stdout);
  assert.is(dir, null);
  assert.is(steps.length, story.length);
  for (const [index, [command, exitWanted, verdict]] of story.entries()) {
    const step = steps[index];
    assert.ok(step.command.startsWith(`affidavit ${command}`), step.command);
    assert.is(step.exit, exitWanted, command);
    assert.is(step.result?.check ?? step.result?.code, verdict, command);
  }
});

example(
  "refuses to run the candidate, finds its tripwire, and the fixture that was edited",
  async () => {
    const { steps } = JSON.parse((await type(["example", "--json"])).stdout);
    const [refused, inspected, listed, verified] = steps;
    assert.match(refused.stderr, /^affidavit: gate\.isolation_required: /);
    const hit = { variant: "totals-2", rule: "hidden_network", file: "run.js", line: 7 };
    assert.equal(inspected.result.tripwires, [hit]);
    assert.equal(listed.result.fixtures.map(({ tool }: { tool: string }) => tool), [
      ...["add_up", "read_invoices"],
    ]);
    const codes = verified.result.files.map(({ code }: { code: string | null }) => code);
    assert.equal(codes.filter((code: string | null) => code !== null), ["tool.fixture_mismatch"]);
  },
);

example("works on the files of examples/, and on tools that answer as those there do", async () => {
  for (const [path, text] of Object.entries(INPUTS)) {
    assert.is(await readText(`examples/${path}`), text, path);
  }
  const found = [await filesBelow("examples", ".js"), await filesBelow("examples", ".json")];
  assert.equal(found.flat().sort(), [
    ...Object.keys(INPUTS).map((path) => `examples/${path}`).sort(),
  ]);
  const totals: unknown[] = [];
  for (const tools of [TOOLS, EXAMPLE_TOOLS]) {
    const [store, sha256] = [memoryFixtures(), nativeSha256()];
    const replayer = createReplayer(tools, { store, sha256, mode: "record" });
    totals.push([await addUpInvoices((tool, args) => replayer.call(tool, args)), replayer.callLog]);
  }
  assert.equal(totals[0], totals[1]);
});

example("keeps its directory with --keep and says where", async () => {
  const { exit, stdout } = await type(["example", "--keep"]);
  assert.is(exit, 0);
  const [, directory = ""] = /\nKept: (.*)\n$/.exec(stdout) ?? [];
  assert.ok(directory.startsWith(tmpdir()));
  try {
    assert.equal((await readdir(directory)).sort(), [
      ...[
        "bundle",
        "candidate",
        "cut",
        "edited",
        "fixtures",
        "flipped",
        "receipt.json",
        "run",
        "steps.ndjson",
        "swapped",
        "taskset.json",
        "totals.csv",
      ],
    ]);
  } finally {
    await rm(directory, { recursive: true });
  }
});

example.run();
