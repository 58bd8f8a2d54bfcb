import { readdir } from "node:fs/promises";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { VERSION } from "../../src/core/mod.ts";
import { readText } from "../read.ts";
import { inDirectory, type } from "./terminal.ts";

const usage = suite("usage");
const hash = "0".repeat(64);

/** Command lines whose arguments are wrong, and the first line on standard error. */
const wrong: [line: string, message: string][] = [
  ["", "A command is missing"],
  ["bogus", 'There is no command "bogus"'],
  ["constructor", 'There is no command "constructor"'],
  ["--json", "Flags come last, after the command and its paths"],
  ["--version D", "--version takes no arguments"],
  ["capsule", "A directory is missing after the action"],
  ["capsule bogus", "A directory is missing after the action"],
  ["capsule verify", "A directory is missing after the action"],
  ["capsule verify --json D", "A directory is missing after the action"],
  ["capsule bogus D", 'There is no action "bogus" on capsules'],
  ["capsule create D --run-id", "--run-id needs a value"],
  ["capsule create D --run-id --json", "--run-id needs a value that does not start with --"],
  ["capsule create D --run-id=", "--run-id needs a value"],
  ["capsule create D --run-id a --run-id b", "--run-id is given twice"],
  ["capsule create D extra", 'There is an argument too many: "extra"'],
  ["capsule append D", "LINEAGE is missing"],
  ["capsule append D plan", "KIND is missing"],
  ["capsule append D plan start --payload {", "The value of --payload is not JSON"],
  ["capsule append D plan start --drop-unknown=1", "--drop-unknown takes no value"],
  ["capsule append D - --payload {}", "--payload is a matter of each line here"],
  ["capsule append D - --effect-class SE1", "--effect-class is a matter of each line here"],
  ["capsule append D - extra", 'There is an argument too many: "extra"'],
  ["capsule verify D --artefact F", "There is no flag --artefact here"],
  ["capsule verify D --secret=hunter2", "There is no flag --secret here"],
  ["capsule verify D -x", "There is no flag -x here"],
  ["capsule verify D --", "There is no flag -- here"],
  ["capsule verify D --json D", "Flags come last, after all other arguments"],
  ["capsule verify D --json --json", "--json is given twice"],
  ["capsule verify D --expect-root abc", "--expect-root takes 64 lower-case hexadecimal digits"],
  ["capsule verify D --expect-count -1", "--expect-count takes a whole number"],
  ["capsule verify D --expect-count 9007199254740992", "--expect-count takes a whole number"],
  [`capsule project D --expect-root ${hash}`, "There is no flag --expect-root here"],
  ["capsule export D", "OUT is missing"],
  ["gate", "The actions of gate are run and inspect"],
  ["gate bogus D", "The actions of gate are run and inspect"],
  ["gate inspect", "DIR is missing"],
  ["gate inspect D E", 'There is an argument too many: "E"'],
  ["gate inspect D --taskset", "--taskset needs a value"],
  ["gate inspect D --run", "There is no flag --run here"],
  ["gate --json", "The actions of gate are run and inspect"],
  ["gate run", "CANDIDATE is missing"],
  ["receipt", "An action is missing"],
  ["receipt bogus D", 'There is no action "bogus" on receipts'],
  ["receipt bogus D --artifact", "--artifact needs a value"],
  ["receipt bogus D --gate --out", "--gate needs a value that does not start with --"],
  ["receipt bogus D --out a --out b", "--out is given twice"],
  ["receipt verify R D --out", "--out needs a value"],
  ["receipt verify R", "DIR is missing"],
  ["receipt verify R D --artefact F", "There is no flag --artefact here"],
  ["receipt verify --artifact F R D", "Flags come last, after all other arguments"],
  ["receipt build", "DIR is missing"],
  ["receipt build D --out D/journal.ndjson", "--out names a file that the receipt is made from"],
  ["receipt build D --artifact F --out ./F", "--out names a file that the receipt is made from"],
  ["verify", "PATH is missing"],
  ["verify D --expect-count 1e3", "--expect-count takes a whole number"],
  ["page", "--out is missing"],
  ["page verify.html", 'There is an argument too many: "verify.html"'],
  ["example now", 'There is an argument too many: "now"'],
];

for (const [line, message] of wrong) {
  usage(`"${line}" exits 2, says why and shows help`, async () => {
    const { exit, stdout, stderr } = await type(line.split(" ").filter((word) => word !== ""));
    assert.is(exit, 2);
    assert.is(stdout, "");
    const isJson = line.split(" ").includes("--json");
    if (isJson) {
      assert.is(stderr, `${JSON.stringify({ error: { code: "cli.usage", message } })}\n`);
      return;
    }
    assert.is(stderr.split("\n")[0], `affidavit: ${message}`);
    assert.match(stderr, /^affidavit: .*\n\naffidavit[ :]/);
    assert.match(stderr, /Exit codes: /);
  });
}

usage("an empty path is a missing one, not the working directory", async () => {
  for (const argv of [["capsule", "verify", ""], ["verify", ""], ["receipt", "build", ""]]) {
    assert.is((await type(argv)).exit, 2, argv.join(" "));
  }
});

usage("arguments are checked before anything is touched", async () => {
  await inDirectory(async (at) => {
    await type(["capsule", "create", at("D"), "--run-id", "a", "--typo"]);
    await type(["capsule", "export", at("D"), at("OUT"), "--typo"]);
    assert.equal(await readdir(at("")), []);
  });
});

usage("a hostile argument is echoed without steering the terminal", async () => {
  const { stderr } = await type(["\x1b[2Jbogus\u202e"]);
  assert.is(stderr.split("\n")[0], 'affidavit: There is no command "\\u{1b}[2Jbogus\\u{202e}"');
});

const commands = [
  "",
  ...["capsule", "capsule create", "capsule append", "capsule verify", "capsule project"],
  ...[
    "capsule export",
    "capsule group",
    "receipt",
    "receipt build",
    "receipt verify",
    "gate",
    "gate inspect",
    "verify",
    "example",
  ],
  ...["record", "replay-server", "mcp", "mcp list", "mcp call", "mcp ping"],
];

for (const command of commands) {
  usage(`"${command}" explains itself when --help or -h follows`, async () => {
    const words = command.split(" ").filter((word) => word !== "");
    const long = await type([...words, "--help"]);
    assert.equal(await type([...words, "-h"]), long);
    assert.is(long.exit, 0);
    assert.is(long.stderr, "");
    assert.ok(long.stdout.startsWith(`affidavit${command && " "}${command}`), long.stdout);
    assert.match(long.stdout, /\nExit codes: .*\n/);
    assert.match(long.stdout, /\nExample: affidavit /);
  });
}

usage("help may also be the last flag, and nothing is done", async () => {
  const { exit, stdout } = await type(["capsule", "create", "D", "--run-id", "a", "--help"]);
  assert.is(exit, 0);
  assert.match(stdout, /^affidavit capsule create/);
});

usage("--version prints the version of package.json", async () => {
  assert.is(VERSION, JSON.parse(await readText("package.json")).version);
  assert.equal(await type(["--version"]), { exit: 0, stdout: `${VERSION}\n`, stderr: "" });
  const json = { exit: 0, stdout: `{\n  "version": "${VERSION}"\n}\n`, stderr: "" };
  assert.equal(await type(["--version", "--json"]), json);
});

const refusal = "Running a candidate: no supported isolation is at hand, so nothing is executed";

usage("gate run refuses whatever follows, flags included", async () => {
  const stderr = `affidavit: gate.isolation_required: ${refusal}\n`;
  for (const rest of [["X"], ["--help"], ["-h"], ["--unknown"], [""], ["X", "Y", "--out"]]) {
    assert.equal(await type(["gate", "run", ...rest]), { exit: 1, stdout: "", stderr });
  }
});

usage("gate run refuses in one line of JSON with --json", async () => {
  const error = { code: "gate.isolation_required", message: refusal };
  assert.equal(await type(["gate", "run", "X", "--json"]), {
    exit: 1,
    stdout: "",
    stderr: `${JSON.stringify({ error })}\n`,
  });
});

usage.run();
