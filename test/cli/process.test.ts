/**
 * The program as a process of the runtime that runs the tests.
 *
 * @module
 */
import { spawn } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import process from "node:process";
import type { Readable, Writable } from "node:stream";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { VERSION } from "../../src/core/mod.ts";
import { verifyCapsule } from "../../src/node/mod.ts";
import { root, runFile } from "../house/project.ts";
import { ALWAYS, inDirectory, readDocumentAt, recordRun, TAIL } from "./terminal.ts";

const program = suite("the program");
const main = `${root}src/cli/main.ts`;

program("prints its version and exits 0", async () => {
  assert.equal(await runFile(main, ["--version"]), {
    status: 0,
    stdout: `${VERSION}\n`,
    stderr: "",
  });
});

program("exits 2 on wrong arguments and 1 on a refusal", async () => {
  const wrong = await runFile(main, ["verify"]);
  assert.equal([wrong.status, wrong.stdout, wrong.stderr.split("\n")[0]], [
    ...[2, "", "affidavit: PATH is missing"],
  ]);
  const refused = await runFile(main, ["gate", "run", "--help"]);
  assert.equal([refused.status, refused.stdout], [1, ""]);
  assert.match(refused.stderr, /^affidavit: gate\.isolation_required: .*\n$/);
});

program("prints JSON without colour to a pipe, and exits with the verdict", async () => {
  await inDirectory(async (at) => {
    const { lastHash: root_hash } = await recordRun(at("run"));
    const { status, stdout, stderr } = await runFile(main, ["capsule", "verify", at("run")]);
    assert.equal([status, stderr], [0, ""]);
    const verdict = {
      ok: true,
      code: "ok",
      reason: null,
      failed_at: null,
      entry_count: 3,
      root_hash,
    };
    assert.equal(JSON.parse(stdout), { ...verdict, not_checked: [TAIL, ...ALWAYS] });
    await writeFile(at("run/journal.ndjson"), "x");
    assert.is((await runFile(main, ["capsule", "verify", at("run")])).status, 1);
  });
});

program("reads paths from its working directory", async () => {
  await inDirectory(async (at) => {
    await recordRun(at("run"));
    const { status, stdout } = await runFile(main, ["capsule", "export", "run", "out"], {
      cwd: at("."),
    });
    assert.is(status, 0);
    assert.is(JSON.parse(stdout).dir, resolve(at("out")));
    assert.is((await readDocumentAt(at("out/projection.json")))["entry_count"], 3);
  });
});

interface Child {
  stdin: Writable;
  stdout: Readable;
  /** Exit status and what was printed, once it has ended. */
  ended: Promise<[status: number | null, stdout: string, stderr: string]>;
}

/** Starts the program with its streams in the hands of the test. */
function start(argv: string[]): Child {
  const child = spawn(process.execPath, [...runtimeArguments(), main, ...argv], {
    cwd: root,
    timeout: 30_000,
    killSignal: "SIGKILL",
  });
  const printed = ["", ""];
  child.stdout.on("data", (bytes) => printed[0] += bytes);
  child.stderr.on("data", (bytes) => printed[1] += bytes);
  const { stdin, stdout } = child;
  return {
    ...{ stdin, stdout },
    ended: new Promise((resolve, reject) => {
      child.on("error", reject);
      child.on("close", (status) => resolve([status, printed[0] ?? "", printed[1] ?? ""]));
    }),
  };
}

function runtimeArguments(): string[] {
  if ("Deno" in globalThis) return ["run", "-A", "--frozen", "--config", `${root}deno.json`];
  return "Bun" in globalThis ? ["run"] : ["--import", import.meta.resolve("tsx")];
}

program("append ends at a refused line, though the writer keeps standard input open", async () => {
  await inDirectory(async (at) => {
    await recordRun(at("run"));
    const { stdin, ended } = start(["capsule", "append", at("run"), "-", "--json"]);
    stdin.write('{"lineage":"plan","kind":"a"}\n{"lineage":"plan"}\n');
    const [status, stdout, stderr] = await ended;
    stdin.destroy();
    assert.is(status, 1, stderr);
    assert.is(JSON.parse(stdout).appended, 1);
    assert.equal(JSON.parse(stderr).error.at, { line: 2 });
  });
});

program("goes on to its end, quietly, when its reader goes away", async () => {
  await inDirectory(async (at) => {
    await recordRun(at("run"));
    const { stdin, stdout, ended } = start(["capsule", "append", at("run"), "-"]);
    stdout.destroy();
    stdin.end('{"lineage":"plan","kind":"a"}\n');
    assert.equal(await ended, [0, "", ""]);
    assert.is((await verifyCapsule(at("run"))).entry_count, 4);
  });
});

program("the story runs to its end", async () => {
  const { status, stdout, stderr } = await runFile(main, ["example"]);
  assert.equal([status, stderr], [0, ""]);
  assert.match(stdout, /\n10\. What to do next\n/);
});

program("examples/record_and_verify.ts runs", async () => {
  const { status, stdout, stderr } = await runFile(`${root}examples/record_and_verify.ts`);
  assert.equal([status, stderr], [0, ""]);
  assert.equal(stdout.split("\n"), [
    "consistent, 3 entries",
    `not checked: tail: ${TAIL.why}`,
    ...ALWAYS.map(({ what, why }) => `not checked: ${what}: ${why}`),
    "the receipt holds",
    "the receipt refuses: truncation: Checking the receipt: the journal has 0 entries where the " +
    "receipt saw 3: its tail was cut",
    "",
  ]);
});

program("examples/record_and_replay.ts runs", async () => {
  const { status, stdout, stderr } = await runFile(`${root}examples/record_and_replay.ts`);
  assert.equal([status, stderr], [0, ""]);
  assert.equal(stdout.split("\n"), [
    'record: {"Arnold":1204.5,"Baker":310,"Chandra":87.25}',
    'replay: {"Arnold":1204.5,"Baker":310,"Chandra":87.25}',
    "replay refuses: tool.fixture_missing",
    "",
  ]);
});

program.run();
