/**
 * A run of the official client and the official server with the recorder between them, and once more with the replay server
 * in the place of both.
 *
 * @module
 */
import { mkdir, readdir, readFile, readlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { openCapsule } from "../../src/node/mod.ts";
import { inDirectory, type } from "../cli/terminal.ts";
import { root } from "../house/project.ts";
import { hasProc } from "../mcp/proc.ts";
import { EVERYTHING } from "./packages.ts";
import { makeSdkClient, makeSdkTransport } from "./sdk_client.ts";

const recording = suite("record and replay-server");

const SECRET = `AKIA${"Q".repeat(16)}`;
const POLICY = {
  schema: "effect-policy/v1",
  tools: {
    echo: "SE0",
    "get-env": "SE0",
    "get-sum": "SE0",
    "get-tiny-image": "SE0",
    "no-such-tool": "SE0",
    "trigger-long-running-operation": "SE1",
  },
  max_effect: "SE2",
};

const PROGRAM = ["--import", import.meta.resolve("tsx"), `${root}src/cli/main.ts`];

/** What the official client calls, with the status that the capsule is to hold. */
const CALLS: [status: string, tool: string, args?: Record<string, unknown>][] = [
  ["ok", "echo", { message: 'hällo \u2028 "1"' }],
  ["ok", "get-sum", { a: 1e21, b: 0.1 }],
  ["ok", "get-sum", { b: 3, a: 2 }],
  ["ok", "get-tiny-image"],
  ["tool_error", "get-sum", { a: "two" }],
  ["tool_error", "no-such-tool", {}],
  ["ok", "trigger-long-running-operation", { duration: 1, steps: 2 }],
  ["ok", "echo", { message: 'hällo \u2028 "1"' }],
  ["withheld", "echo", { message: `use ${SECRET} now` }],
  ["withheld", "get-env"],
  ["denied", "gzip-file-as-resource"],
];

recording("a recorded run verifies, and is replayed byte for byte without the server", async () => {
  await inDirectory(async (at) => {
    const cwd = at("empty");
    await mkdir(cwd);
    await writeFile(at("policy.json"), JSON.stringify(POLICY));
    const places = ["--capsule", at("run"), "--fixtures", at("fixtures")];
    const flags = [...places, "--policy", at("policy.json"), "--env", "AFFIDAVIT_LIVE_KEY"];
    const direct = await playRun([EVERYTHING, "stdio"], cwd);
    const recorded = await playRun(
      [...PROGRAM, "record", ...flags, "--", process.execPath, EVERYTHING, "stdio"],
      cwd,
    );
    const unkept = ["withheld", "denied"];
    assert.equal(refusing(unkept, recorded), refusing(unkept, direct));
    const passed = recorded.answers.map((text) => text.includes(SECRET) ? "secret" : text);
    assert.equal(passed.slice(-3), ["secret", "secret", "error -32000"]);

    assert.equal(await statuses(at("run")), CALLS.map(([status, tool]) => [tool, status]));
    const receipt = at("receipt.json");
    for (
      const line of [
        ["capsule", "verify", at("run")],
        ["receipt", "build", at("run"), "--out", receipt],
        ["receipt", "verify", receipt, at("run")],
      ]
    ) assert.equal((await type(line)).exit, 0, line.join(" "));
    assert.equal(await filesHolding(SECRET, at("run"), at("fixtures")), []);

    // The server has no part in this: nobody is told where it is.
    const replayed = await playRun([
      ...PROGRAM,
      "replay-server",
      "--fixtures",
      at("fixtures"),
      "--max-effect",
      "SE2",
    ], cwd);
    assert.equal(replayed, refusing(unkept, recorded));
    assert.equal(await processesIn(cwd), []);
  });
});

recording.run();

/** What a client saw. */
interface Run {
  /** The server by its own words, and its tools. */
  hello: string[];
  /** Answers to the calls as JSON text; the place of an error takes its code. */
  answers: string[];
}

/** Runs the calls with the official client against what Node is to run with these arguments. */
async function playRun(args: string[], cwd: string): Promise<Run> {
  const client = await makeSdkClient();
  const env = { AFFIDAVIT_LIVE_KEY: SECRET };
  const server = { command: process.execPath, args, cwd, env, stderr: "ignore" } as const;
  await client.connect(await makeSdkTransport(server));
  const hello = [client.getServerVersion(), await client.listTools()].map((value) =>
    JSON.stringify(value)
  );
  const answers: string[] = [];
  for (const [, name, args] of CALLS) {
    const call = args === undefined ? { name } : { name, arguments: args };
    answers.push(
      await client.callTool(call).then(
        ({ content, isError }) => `${isError ?? false} ${JSON.stringify(content)}`,
        ({ code }: { code: number }) => `error ${code}`,
      ),
    );
  }
  await client.close();
  return { hello, answers };
}

/** A run in which the calls of a status were refused. */
function refusing(unkept: string[], { hello, answers }: Run): Run {
  const isKept = (index: number): boolean => !unkept.includes(CALLS[index]?.[0] ?? "");
  return { hello, answers: answers.map((text, index) => isKept(index) ? text : "error -32000") };
}

/** Tool and status of each call of a capsule, in order. */
async function statuses(path: string): Promise<[unknown, unknown][]> {
  const found: [unknown, unknown][] = [];
  for await (const { kind, payload } of (await openCapsule(path)).entries()) {
    if (kind === "tool.result") found.push([payload["tool"], payload["status"]]);
  }
  return found;
}

/** Numbers of processes that run in this directory, as far as this machine says so. */
async function processesIn(directory: string): Promise<string[]> {
  const found: string[] = [];
  for (const pid of hasProc ? await readdir("/proc") : []) {
    if (await readlink(`/proc/${pid}/cwd`).catch(() => "") === directory) found.push(pid);
  }
  return found;
}

/** Names of files in these directories that hold a text. */
async function filesHolding(text: string, ...directories: string[]): Promise<string[]> {
  const found: string[] = [];
  for (const directory of directories) {
    for (const name of await readdir(directory, { recursive: true })) {
      const held = await readFile(join(directory, name), "utf8");
      if (held.includes(text)) found.push(name);
    }
  }
  return found;
}
