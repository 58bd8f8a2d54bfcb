import { spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { run as runProgram } from "../../src/cli/mod.ts";
import type { Io, Output } from "../../src/cli/mod.ts";
import { root } from "../house/project.ts";

const main = `${root}src/cli/main.ts`;
const peer = `${root}test/conformance/fixtures/peer.mjs`;

/** A command that runs a file in the runtime that runs this. */
function commandFor(file: string, ...args: string[]): string[] {
  const runtime = "Deno" in globalThis
    ? ["run", "-A", "--frozen", "--config", `${root}deno.json`]
    : "Bun" in globalThis
    ? ["run"]
    : ["--import", import.meta.resolve("tsx")];
  return [process.execPath, ...runtime, file, ...args];
}

interface Ended {
  status: number | null;
  stdout: string;
  stderr: string;
}

/** Runs the program with this input and waits for its end. */
function affidavit(args: string[], input: string | Uint8Array = ""): Promise<Ended> {
  const [command = "", ...rest] = commandFor(main, ...args);
  const child = spawn(command, rest, { cwd: root, stdio: "pipe" });
  return new Promise((resolve, reject) => {
    const ended: Ended = { status: null, stdout: "", stderr: "" };
    child.stdout.setEncoding("utf8").on("data", (text: string) => ended.stdout += text);
    child.stderr.setEncoding("utf8").on("data", (text: string) => ended.stderr += text);
    child.on("error", reject);
    child.on("close", (status) => resolve({ ...ended, status }));
    child.stdin.end(input);
  });
}

/** The same within this process. */
async function here(args: string[]): Promise<Ended> {
  const ended: Ended = { status: null, stdout: "", stderr: "" };
  const collect = (name: "stdout" | "stderr"): Output => {
    return { write: (text) => void (ended[name] += text), isTerminal: false };
  };
  const io: Io = {
    stdout: collect("stdout"),
    stderr: collect("stderr"),
    stdin: (async function* () {})(),
    useColour: false,
  };
  const status = await runProgram(["conformance", ...args], io);
  return { ...ended, status };
}

const serve = suite("affidavit conformance serve");

const linesOf = (text: string): unknown[] =>
  text.split("\n").slice(0, -1).map((line) => JSON.parse(line));
const encode = (id: unknown, value_json: string): string =>
  JSON.stringify({ id, op: "canonical.encode", input: { profile: "capsule", value_json } });

serve("answers what is open when its input ends, and exits with 0", async () => {
  const ids = Array.from({ length: 200 }, (_, index) => index);
  const requests = ids.map((id) => encode(id, String(id))).join("\n");
  const { status, stdout, stderr } = await affidavit(["conformance", "serve"], requests);
  const texts = linesOf(stdout).map((line) => {
    const { id, output } = line as { id: number; output: { text: string } };
    return [id, output.text];
  });
  assert.equal({ status, stderr, texts }, {
    status: 0,
    stderr: "",
    texts: ids.map((id) => [id, String(id)]),
  });
});

serve("takes and gives lines of 2 MiB, with U+2028 and unpaired surrogates in them", async () => {
  const value = JSON.stringify(`\u2028${"x".repeat(2 * 1024 * 1024)}\ud800`);
  const { status, stdout } = await affidavit(["conformance", "serve"], `${encode(1, value)}\n`);
  const [only] = linesOf(stdout) as { output: { text: string; byte_length: number } }[];
  assert.is(status, 0);
  assert.ok(only?.output.text === value, "the text, which is too long to be shown");
  assert.is(only?.output.byte_length, value.length + 2); // U+2028 takes three bytes
});

serve("works on real files, and goes on after lines that are no requests", async () => {
  const files = [{ path: "journal.ndjson", fifo: true }];
  const verify = JSON.stringify({ id: "v", op: "capsule.verify", input: { files } });
  const unknown = JSON.stringify({ id: "u", op: "no.such", input: {} });
  const input = Buffer.concat([
    Buffer.from(`nonsense\n`),
    Buffer.from([0xff, 0x0a]),
    Buffer.from(`${unknown}\n${verify}\n`),
  ]);
  const { status, stdout } = await affidavit(["conformance", "serve"], input);
  const output = {
    ok: false,
    code: "capsule.unreadable_journal",
    failed_at: null,
    entry_count: 0,
    root_hash: null,
  };
  assert.equal({ status, answers: linesOf(stdout) }, {
    status: 0,
    answers: [
      { id: null, error: "Reading a request: the line is not JSON" },
      { id: null, error: "Reading a request: the line is not valid UTF-8" },
      { id: "u", unsupported: true },
      { id: "v", output },
    ],
  });
});

serve.run();

const run = suite("affidavit conformance run");

interface Acts {
  [id: string]: string;
}

/** A suite whose cases tell the fixture how to behave, in a folder of its own. */
async function withVectors<T>(acts: Acts, step: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), "affidavit-vectors-"));
  const cases = Object.entries(acts).map(([id, act]) => {
    return { id, note: act, input: { do: act, value: id }, expect: { value: id } };
  });
  await writeFile(join(folder, "a.json"), JSON.stringify({ suite: "try/acts", op: "echo", cases }));
  try {
    return await step(folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function against(acts: Acts, command: string[], stallMs = 60_000): Promise<unknown> {
  return await withVectors(acts, async (folder) => {
    const options = ["--vectors", folder, "--stall-ms", String(stallMs)];
    const { status, stdout } = await here([
      "run",
      ...options,
      "--against",
      ...command,
    ]);
    return { status, ...JSON.parse(stdout) };
  });
}

const calm = { failure: null, strays: 0 };
const summary = (failures: unknown[], passed: number, unsupported = 0): unknown => {
  return { suite: "try/acts", op: "echo", passed, failed: failures.length, unsupported, failures };
};
const broken = (id: string, note: string, error: string): unknown => {
  return { id, note, differences: [], error };
};

run("runs the bundled vectors here, and those of one area or name alone", async () => {
  const suites = ["--suite", "capsule/receipt-b*", "--suite", "capsule/gate-refusals"];
  const { status, stdout } = await here(["run", ...suites, "--json"]);
  const counts = (passed: number): unknown => ({ passed, failed: 0, unsupported: 0 });
  assert.equal({ status, ...JSON.parse(stdout) }, {
    status: 0,
    ...counts(40) as object,
    protocol: calm,
    suites: [
      { suite: "capsule/gate-refusals", op: "gate.refuse", ...counts(20) as object, failures: [] },
      {
        suite: "capsule/receipt-build",
        op: "receipt.build",
        ...counts(20) as object,
        failures: [],
      },
    ],
  });
});

run("--against: passes this very program", async () => {
  const { status, stdout } = await here([
    ...["run", "--suite", "capsule/writes", "--against"],
    ...commandFor(main, "conformance", "serve"),
  ]);
  const { passed, failed, unsupported, protocol } = JSON.parse(stdout);
  assert.equal({ status, passed, failed, unsupported, protocol }, {
    status: 0,
    passed: 27,
    failed: 0,
    unsupported: 0,
    protocol: calm,
  });
});

run("--against: tells differing, failing and unsupported answers apart", async () => {
  const acts = { a: "answer", b: "differ", c: "fail", d: "decline", e: "babble" };
  const difference = { path: "/value", reason: "differs", expected: "b", found: "another" };
  assert.equal(await against(acts, commandFor(peer)), {
    status: 1,
    passed: 2,
    failed: 2,
    unsupported: 1,
    protocol: { failure: null, strays: 3 },
    suites: [summary(
      [{ id: "b", note: "differ", differences: [difference] }, broken("c", "fail", "out of order")],
      2,
      1,
    )],
  });
});

run(
  "--against: blames the request that the command dies of, and goes on with the rest",
  async () => {
    const acts = { a: "answer", b: "crash", c: "answer", d: "hang", e: "crash", f: "answer" };
    assert.equal(await against(acts, commandFor(peer), 5000), {
      status: 1,
      passed: 3,
      failed: 3,
      unsupported: 0,
      protocol: calm,
      suites: [summary([
        broken("b", "crash", "The command ended with code 3"),
        broken("d", "hang", "The command was silent for 5000 ms"),
        broken("e", "crash", "The command ended with code 3"),
      ], 3)],
    });
  },
);

run("--against: counts a death that no request explains as one failure", async () => {
  const acts = { a: "answer", b: "shy", c: "answer", d: "answer" };
  assert.equal(await against(acts, commandFor(peer)), {
    status: 1,
    passed: 4,
    failed: 1,
    unsupported: 0,
    protocol: {
      failure: "The command ended with code 4 with 3 requests open, and none of them explains it",
      strays: 0,
    },
    suites: [summary([], 4)],
  });
});

run("--against: counts an exit code other than 0 at the end as one failure", async () => {
  assert.equal(await against({ a: "answer" }, commandFor(peer, "7")), {
    status: 1,
    passed: 1,
    failed: 1,
    unsupported: 0,
    protocol: { failure: "The command ended with code 7 after its last answer", strays: 0 },
    suites: [summary([], 1)],
  });
});

run("--against: gives up on a command that never answers or cannot be started", async () => {
  const acts = { a: "answer", b: "answer", c: "answer", d: "answer" };
  const all = (error: string): unknown => {
    const failures = Object.entries(acts).map(([id, note]) => broken(id, note, error));
    return {
      status: 1,
      passed: 0,
      failed: 4,
      unsupported: 0,
      protocol: calm,
      suites: [summary(failures, 0)],
    };
  };
  const missing = all("The command cannot be started: ENOENT");
  assert.equal(await against(acts, [join(root, "no-such-command")]), missing);
  const { suites } = await against(acts, commandFor(peer, "never")) as {
    suites: { failures: { error: string }[] }[];
  };
  const errors = new Set(suites[0]?.failures.map(({ error }) => error));
  assert.equal([...errors].sort(), [
    "The command ended with code 5",
    "The command ended with code 5 and never answered",
  ]);
});

run("refuses arguments that it does not take, before anything else", async () => {
  const wrong: [string[], string][] = [
    [[], "An action is missing after conformance"],
    [["walk"], 'There is no action "walk" after conformance'],
    [["run", "capsule"], 'There is an argument too many: "capsule"'],
    [["run", "--against"], "--against needs a command"],
    [["run", "--stall-ms", "5"], "--stall-ms goes with --against"],
    [
      ["run", "--stall-ms", "0", "--against", "x"],
      "--stall-ms takes a whole number of milliseconds",
    ],
    [["run", "--suite", "capsul/*"], "No suite has such a name"],
    [["serve", "--quick"], "There is no flag --quick here"],
  ];
  for (const [args, message] of wrong) {
    const { status, stdout, stderr } = await here(args);
    const [line] = stderr.split("\n");
    assert.equal({ status, stdout, line }, {
      status: 2,
      stdout: "",
      line: `affidavit: ${message}`,
    });
  }
});

run("refuses a vector file that is no suite", async () => {
  const folder = await mkdtemp(join(tmpdir(), "affidavit-vectors-"));
  try {
    await writeFile(join(folder, "a.json"), "{}");
    assert.equal(await here(["run", "--vectors", folder]), {
      status: 1,
      stdout: "",
      stderr: 'affidavit: conformance.suite_invalid: a.json: Reading a suite: "suite" is no text\n',
    });
  } finally {
    await rm(folder, { recursive: true });
  }
});

run.run();
