/**
 * `affidavit record` and `affidavit replay-server` as processes, between a client and a server.
 *
 * @module
 */
import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { existsSync } from "node:fs";
import { appendFile, readdir, readFile, writeFile } from "node:fs/promises";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { McpError, Members } from "../../src/mcp/mod.ts";
import { McpStdioClient, verifyCapsule } from "../../src/node/mod.ts";
import { root, runtimeArguments } from "../house/project.ts";
import { rejectionOf } from "../lib/thrown.ts";
import { NODE } from "../mcp/node.ts";
import { waitEnded } from "../mcp/proc.ts";
import { inDirectory, type } from "./terminal.ts";

const program = [...runtimeArguments(), `${root}src/cli/main.ts`];
const toolServer = fileURLToPath(new URL("tool_server.mjs", import.meta.url));
const POLICY = {
  schema: "effect-policy/v1",
  tools: { echo: "SE0", count: "SE1", fail: "SE0", image: "SE0", odd: "SE0", crash: "SE0" },
  deny: ["publish"],
};

type At = (name: string) => string;

/** The arguments of a recorder in a directory. */
function recordArguments(at: At, flags: string[] = []): string[] {
  const paths = ["--capsule", at("run"), "--fixtures", at("fixtures"), "--policy", at("policy")];
  return ["record", ...paths, ...flags, "--", NODE, toolServer, at("called")];
}

/** A client of the program, which closes both at the end. */
async function withProgram(
  argv: string[],
  step: (client: McpStdioClient) => Promise<void>,
): Promise<string> {
  const options = { closeTimeoutMs: 20_000, requestTimeoutMs: 30_000, drainTimeoutMs: 5_000 };
  const client = new McpStdioClient({ command: process.execPath, args: [...program, ...argv] }, {
    ...options,
    maxStderrBytes: 100_000,
  });
  try {
    await client.initialize();
    await step(client);
  } finally {
    await client.close();
  }
  return client.stderr;
}

async function record(
  at: At,
  step: (client: McpStdioClient) => Promise<void>,
  flags: string[] = [],
): Promise<string> {
  if (!existsSync(at("policy"))) await writeFile(at("policy"), JSON.stringify(POLICY));
  return await withProgram(recordArguments(at, flags), step);
}

/** The entries of the capsule: kind, class and payload, without what differs from run to run. */
async function entriesOf(at: At): Promise<Members[]> {
  const journal = await readFile(at("run/journal.ndjson"), "utf8");
  return journal.trimEnd().split("\n").map((line) => {
    const { kind, effect_class, payload } = JSON.parse(line) as Members;
    const { duration_ms, tool_call_id, ...rest } = payload as Members;
    assert.is(kind === "tool.result", typeof duration_ms === "number");
    assert.match(String(tool_call_id), /^[0-9a-f]{8}\.\d+$/);
    return { kind, effect_class, ...rest };
  });
}

const codeOfRefusal = async (call: Promise<unknown>): Promise<unknown> => {
  const { details } = await rejectionOf(call) as McpError;
  return (details["rpcData"] as Members | undefined)?.["code"] ?? details["rpcCode"];
};

const recording = suite("affidavit record");

recording("records what passes, and replay-server serves it byte for byte", async () => {
  await inDirectory(async (at) => {
    const results: unknown[] = [];
    const said = await record(at, async (client) => {
      assert.is((await client.listAllTools()).length, 6);
      results.push(await client.callTool("echo", { message: "hi" }));
      results.push(await client.callTool("count"), await client.callTool("count"));
      results.push(await client.callTool("fail"), await client.callTool("image"));
      results.push(await client.callTool("odd"));
      assert.is(await codeOfRefusal(client.callTool("none")), -32602);
      assert.is(await codeOfRefusal(client.callTool("publish")), "tool.effect_forbidden");
      const secret = "AKIA" + "ABCDEFGHIJKLMNOP";
      const { content } = await client.callTool("echo", { message: secret });
      assert.is(content[0]?.["text"], `Echo: ${secret}`);
    });
    const calls = "9 calls: 5 ok, 1 tool_error, 1 rpc_error, 1 denied, 1 withheld";
    assert.is(
      said,
      `affidavit: recorded ${calls}; 7 answers kept\naffidavit: withheld 1 call of echo\n`,
    );
    assert.is(await readFile(at("called"), "utf8"), CALLED);
    const verdict = await verifyCapsule(at("run"));
    assert.equal([verdict.ok, verdict.entry_count], [true, 18]);
    const entries = await entriesOf(at);
    assert.equal(entries.map((entry) => [entry["kind"], entry["tool"], entry["status"]]), ENTRIES);
    assert.equal(entries.at(-1), {
      ...{ kind: "tool.result", effect_class: "SE0", tool: "echo", decision: "policy" },
      status: "withheld",
    });
    assert.equal(
      entries.slice(12, 14).map(({ effect_class, decision }) => [effect_class, decision]),
      [
        ["SE4", "default"],
        ["SE4", "default"],
      ],
    );
    for (const file of await readdir(at("fixtures"))) {
      const text = await readFile(at(`fixtures/${file}`), "utf8");
      assert.not.ok(text.includes("AKIA"), file);
    }

    const held = ["replay", "verify", at("fixtures"), "--capsule", at("run")];
    const { exit, stdout } = await type(held);
    const { ok, answer_count, not_checked } = JSON.parse(stdout);
    assert.equal([exit, ok, answer_count], [0, true, 9]);
    assert.equal(not_checked.map(({ what }: Members) => what), ["call", "truth", "capsule"]);

    const replay = ["replay-server", "--fixtures", at("fixtures")];
    const told = await withProgram(replay, async (client) => {
      assert.equal(client.initializeResult?.serverInfo, { name: "tools", version: "1" });
      assert.is((await client.listAllTools()).length, 6);
      const again = [
        await client.callTool("echo", { message: "hi" }),
        await client.callTool("count"),
        await client.callTool("count"),
        await client.callTool("fail"),
        await client.callTool("image"),
      ];
      assert.is(JSON.stringify(again), JSON.stringify(results.slice(0, 5)));
      assert.is(await codeOfRefusal(client.callTool("count")), "tool.fixture_exhausted");
      assert.is(await codeOfRefusal(client.callTool("echo")), "tool.fixture_missing");
      assert.is(await codeOfRefusal(client.callTool("none")), "tool.effect_forbidden");
    });
    const [first, ...rest] = told.trimEnd().split("\n");
    assert.is(first, "affidavit: served 5 recorded answers");
    assert.equal(rest.map((line) => line.replace(/[0-9a-f]{64}/, "HASH")), [
      "affidavit: refused 1 call of count: tool.fixture_exhausted",
      "affidavit: refused 1 call of echo: tool.fixture_missing",
      "affidavit: refused 1 call of none: tool.effect_forbidden",
      "affidavit: never served: none, arguments HASH, answer 0",
      "affidavit: never served: odd, arguments HASH, answer 0",
    ]);
    assert.is(await readFile(at("called"), "utf8"), CALLED); // nothing was called again
  });
});

const CALLED = "echo\ncount\ncount\nfail\nimage\nodd\nnone\necho\n";
const ENTRIES = [
  ["echo", "ok"],
  ["count", "ok"],
  ["count", "ok"],
  ["fail", "tool_error"],
  ["image", "ok"],
  ["odd", "ok"],
  ["none", "rpc_error"],
  ["publish", "denied"],
  ["echo", "withheld"],
].flatMap(([tool, status]) => {
  const before = status === "denied" || status === "withheld" ? status : "forwarded";
  return [["tool.call", tool, before], ["tool.result", tool, status]];
});

/** The program with its streams in the hands of the test. */
function start(argv: string[]): {
  child: ChildProcess;
  ended: Promise<{ status: number | null; stdout: string; stderr: string }>;
} {
  const child = spawn(process.execPath, [...program, ...argv], { stdio: "pipe", cwd: root });
  const printed = { stdout: "", stderr: "" };
  child.stdout.setEncoding("utf8").on("data", (text: string) => printed.stdout += text);
  child.stderr.setEncoding("utf8").on("data", (text: string) => printed.stderr += text);
  child.stdin.on("error", () => undefined);
  const ended = new Promise<{ status: number | null; stdout: string; stderr: string }>(
    (resolve) => child.on("close", (status) => resolve({ status, ...printed })),
  );
  return { child, ended };
}

const line = (message: Members): string => `${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`;
const callOf = (id: number, name: string): string =>
  line({ id, method: "tools/call", params: { name } });

recording("passes the server's bytes unchanged, and again from the recording", async () => {
  await inDirectory(async (at) => {
    await writeFile(at("policy"), JSON.stringify(POLICY));
    const recorder = start(recordArguments(at));
    recorder.child.stdin?.end(callOf(7, "odd"));
    const { status, stdout } = await recorder.ended;
    const result = '{"n":1.0 ,"content":[ {"text":"\\u00e9\\/","type":"text"} ]}';
    assert.equal([status, stdout], [0, `{ "id":7, "result":${result},"jsonrpc":"2.0"}\r\n`]);
    const server = start(["replay-server", "--fixtures", at("fixtures"), "--json"]);
    server.child.stdin?.end(callOf(1, "odd"));
    const replayed = await server.ended;
    assert.equal(replayed, {
      status: 0,
      stdout: `{"jsonrpc":"2.0","id":1,"result":${result}}\n`,
      stderr: '{"replayed":{"served":1,"refused":[],"unused":[]}}\n',
    });
  });
});

recording("two recorders at once, and one after them, add to the same record", async () => {
  await inDirectory(async (at) => {
    await writeFile(at("policy"), JSON.stringify(POLICY));
    const five = async (client: McpStdioClient): Promise<void> => {
      for (let n = 0; n < 5; n++) await client.callTool("count");
    };
    await Promise.all([record(at, five), record(at, five)]);
    await record(at, five);
    const verdict = await verifyCapsule(at("run"));
    assert.equal([verdict.ok, verdict.entry_count], [true, 30]);
    const answers = (await readdir(at("fixtures"))).filter((name) =>
      /\.\d+\.answer\.json$/.test(name)
    );
    const texts = await Promise.all(answers.map(async (name) => {
      const { method, text } = JSON.parse(await readFile(at(`fixtures/${name}`), "utf8"));
      return method === "tools/call" ? JSON.parse(text).content[0].text : "";
    }));
    const numbers = texts.filter((text) => text !== "").sort();
    assert.equal(numbers, ["1", "2", "3", "4", "5"].flatMap((n) => [n, n, n]));
  });
});

recording("stops when the journal cannot be written, and lets no call through", async () => {
  await inDirectory(async (at) => {
    let refusal: unknown;
    const failure = rejectionOf(record(at, async (client) => {
      await client.callTool("echo", { message: "1" });
      await appendFile(at("run/journal.ndjson"), "damage");
      refusal = await rejectionOf(client.callTool("echo", { message: "2" }));
      await client.callTool("echo", { message: "3" });
    }));
    const error = await failure as McpError;
    const { code, details } = refusal as McpError;
    assert.equal([code, details["rpcCode"]], ["MCP_RPC_ERROR", -32603]);
    assert.is(error.code, "MCP_SERVER_EXITED");
    assert.is(error.details["code"], 1);
    const said = String(error.details["stderr"]).trimEnd().split("\n");
    assert.is(said[0], "affidavit: recorded 1 call: 1 ok; 1 answer kept");
    assert.match(said[1]!, /^affidavit: recording\.write_failed: Recording: the journal /);
    assert.is(await readFile(at("called"), "utf8"), "echo\n");
  });
});

recording("writes down what the server left unanswered, and says how it ended", async () => {
  await inDirectory(async (at) => {
    await writeFile(at("policy"), JSON.stringify(POLICY));
    const { child, ended } = start([
      ...recordArguments(at).slice(0, -4),
      "--json",
      "--",
      NODE,
      toolServer,
      at("called"),
    ]);
    child.stdin?.write(callOf(1, "crash"));
    const { status, stdout, stderr } = await ended;
    assert.equal([status, JSON.parse(stdout)], [1, {
      ...{ jsonrpc: "2.0", id: 1 },
      error: { code: -32000, message: "The server ended before it answered" },
    }]);
    const [summary, error] = stderr.trimEnd().split("\n").map((text) => JSON.parse(text));
    assert.is(summary.recorded.calls.unanswered, 1);
    const name = NODE.split("/").at(-1);
    assert.equal(error, {
      error: {
        code: "MCP_SERVER_EXITED",
        message: `Recording "${name}": it ended with status 3 before the client did`,
      },
    });
    const statuses = (await entriesOf(at)).map(({ status }) => status);
    assert.equal(statuses, ["forwarded", "unanswered"]);
  });
});

recording("ends the server when it is told to end", async () => {
  await inDirectory(async (at) => {
    await writeFile(at("policy"), JSON.stringify(POLICY));
    const { child, ended } = start(recordArguments(at));
    child.stdin?.write(line({ id: 1, method: "ping" }));
    await new Promise((resolve) => child.stdout?.once("data", resolve));
    process.kill(child.pid!, "SIGTERM");
    assert.equal(await ended, {
      status: 0,
      stdout: '{"jsonrpc":"2.0","id":1,"result":{}}\n',
      stderr: "affidavit: recorded 0 calls; 0 answers kept\n",
    });
    assert.ok(await waitEnded(child.pid!));
  });
});

recording("gives the lock back when it is told to end before the server starts", async () => {
  await inDirectory(async (at) => {
    await writeFile(at("policy"), JSON.stringify(POLICY));
    const { child, ended } = start(recordArguments(at));
    while (!existsSync(at("run/.append.lock"))) {
      await new Promise((resolve) => setImmediate(resolve));
    }
    process.kill(child.pid!, "SIGTERM");
    const { status, stdout } = await ended;
    assert.equal([status, stdout, existsSync(at("run/.append.lock"))], [0, "", false]);
  });
});

recording("says why when the server, the policy or a flag is wrong", async () => {
  await inDirectory(async (at) => {
    await writeFile(at("policy"), '{"schema":"effect-policy/v1","tools":{"a":"SE9"}}');
    const flags = ["--capsule", at("run"), "--fixtures", at("fixtures"), "--policy", at("policy")];
    const bad = await type(["record", ...flags, "--", NODE]);
    assert.is(bad.exit, 1);
    assert.match(bad.stderr, /^affidavit: recording\.policy_invalid: .* at "\/tools\/a" /);
    assert.not.ok(existsSync(at("run")));

    await writeFile(at("policy"), JSON.stringify(POLICY));
    assert.equal(await type(["record", ...flags, "--", at("none")]), {
      exit: 1,
      stdout: "",
      stderr: "affidavit: recorded 0 calls; 0 answers kept\n" +
        'affidavit: MCP_SPAWN_FAILED: Starting "none": it cannot be started (ENOENT)\n',
    });
    const absent = await type(["replay-server", "--fixtures", at("nothing")]);
    assert.is(absent.exit, 1);
    assert.match(absent.stderr, /^affidavit: ENOENT: /);
    const wrong: [string[], string][] = [
      [["record", ...flags], "The server is missing: its command and arguments stand behind --"],
      [
        ["record", ...flags, "--"],
        "The server is missing: its command and arguments stand behind --",
      ],
      [["record", "--capsule", "a", "--", "b"], "--fixtures is missing"],
      [["record", "x", ...flags, "--", "b"], 'There is an argument too many: "x"'],
      [
        ["record", ...flags, "--timeout", "0", "--", "b"],
        "--timeout takes a positive whole number",
      ],
      [
        ["record", ...flags, "--env", "NO_SUCH", "--", "b"],
        "--env NO_SUCH: there is no such variable",
      ],
      [["replay-server"], "--fixtures is missing"],
      ...["SE3", "SE9"].map((effect): [string[], string] => [
        ["replay-server", "--fixtures", "a", "--max-effect", effect],
        "--max-effect takes SE0, SE1 or SE2",
      ]),
    ];
    for (const [argv, why] of wrong) {
      const { exit, stderr } = await type(argv);
      assert.equal([exit, stderr.split("\n")[0]], [2, `affidavit: ${why}`]);
    }
  });
});

recording("refuses an answer that was edited", async () => {
  await inDirectory(async (at) => {
    await record(at, async (client) => void await client.callTool("echo", { message: "hi" }));
    const names = await readdir(at("fixtures"));
    for (const name of names.filter((name) => name.endsWith(".answer.json"))) {
      const text = await readFile(at(`fixtures/${name}`), "utf8");
      await writeFile(at(`fixtures/${name}`), text.replace("Echo: hi", "Echo: ho"));
    }
    const told = await withProgram(
      ["replay-server", "--fixtures", at("fixtures")],
      async (client) => {
        const code = await codeOfRefusal(client.callTool("echo", { message: "hi" }));
        assert.is(code, "tool.fixture_mismatch");
      },
    );
    assert.equal(told.split("\n").slice(0, 2), [
      "affidavit: served 0 recorded answers",
      "affidavit: refused 1 call of echo: tool.fixture_mismatch",
    ]);
  });
});

recording.run();
