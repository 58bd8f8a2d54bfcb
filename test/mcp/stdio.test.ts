import { mkdirSync, realpathSync } from "node:fs";
import { basename } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { McpError } from "../../src/mcp/mod.ts";
import {
  defaultEnvironment,
  McpStdioClient,
  stdioTransport,
  systemTimers,
} from "../../src/node/mod.ts";
import type { StdioSpec } from "../../src/node/mod.ts";
import type { Transport } from "../../src/ports/mod.ts";
import { runFile } from "../house/project.ts";
import { describe, rejectionOf, thrownBy } from "../lib/thrown.ts";
import { makeDisk } from "../node/disk.ts";
import { NODE } from "./node.ts";

const disk = makeDisk(true);
const stdio = suite("MCP servers as child processes");
const server = fileURLToPath(new URL("hostile_server.mjs", import.meta.url));

/** Plays a call of the tool that tells what the server sees, and closes the client. */
async function askServer(args: string[], spec: Omit<StdioSpec, "command" | "args"> = {}): Promise<{
  client: McpStdioClient;
  seen: unknown;
}> {
  const client = new McpStdioClient({ command: NODE, args: [server, ...args], ...spec });
  try {
    await client.initialize();
    const { content: [piece] } = await client.callTool("any");
    return { client, seen: JSON.parse(String(piece?.["text"])) };
  } finally {
    await client.close();
  }
}

/** Starts a program, and gives what was told by the time that it has exited and everything was read. */
function run(
  transport: Transport,
  onStart?: () => void,
): Promise<[what: string, value: unknown][]> {
  const told: [string, unknown][] = [];
  const tell = (what: string) => (value?: unknown): void => void told.push([what, value]);
  let output = "";
  return new Promise((resolve) => {
    transport.start({
      started: () => {
        told.push(["started", transport.pid !== null]);
        onStart?.();
      },
      startFailed: tell("startFailed"),
      received: (chunk) => output += new TextDecoder().decode(chunk),
      outputEnded: () => tell("outputEnded")(output),
      failed: tell("failed"),
      inputFailed: tell("inputFailed"),
      exited: tell("exited"),
      drained: () => resolve(told),
    });
  });
}

const script = (code: string, maxStderrBytes = 100): Transport =>
  stdioTransport({ command: NODE, args: ["-e", code] }, { maxStderrBytes });

// Arguments

const wrong: [what: string, spec: unknown, options: unknown, why: string][] = [
  ["no spec", undefined, {}, "what to start must be an object"],
  ["no command", {}, {}, "command must be a text that is not blank"],
  ["a blank command", { command: " " }, {}, "command must be a text that is not blank"],
  ["args that are a text", { command: "a", args: "b" }, {}, "args must be a list of texts"],
  ["an argument that is no text", { command: "a", args: [1] }, {}, "args must be a list of texts"],
  ["an empty cwd", { command: "a", cwd: "" }, {}, "cwd must be a text that is not empty"],
  ["an env that is a list", { command: "a", env: [] }, {}, "env must be an object of texts"],
  [
    "a variable that is no text",
    { command: "a", env: { A: 1 } },
    {},
    "env must be an object of texts",
  ],
  [
    "no tail at all",
    { command: "a" },
    { maxStderrBytes: 0 },
    "maxStderrBytes must be a positive whole number",
  ],
  [
    "a bad option of the client",
    { command: "a" },
    { closeTimeoutMs: -1 },
    "closeTimeoutMs must be a positive whole number",
  ],
];
for (const [what, spec, options, why] of wrong) {
  stdio(`McpStdioClient refuses ${what}`, () => {
    const make = (): unknown => new McpStdioClient(spec as StdioSpec, options as object);
    assert.equal(describe(thrownBy(make)), {
      name: "McpError",
      code: "MCP_INVALID_ARGUMENT",
      message: `Using an MCP client: ${why}`,
    });
  });
}

// Starting

const nowhere = / \(ENOENT\)$/;
const unstartable: [what: string, spec: StdioSpec, label: string, why: RegExp][] = [
  ["a program that is not there", { command: "/nowhere/to be found" }, "to be found", nowhere],
  [
    "a working directory that is not there",
    { command: NODE, cwd: "/nowhere" },
    basename(NODE),
    nowhere,
  ],
  // Every runtime has a code of its own for this, or none.
  ["an argument that no system takes", { command: NODE, args: ["a\0b"] }, basename(NODE), /$/],
];
for (const [what, spec, label, why] of unstartable) {
  stdio(`initialize() tells that ${what} cannot be started`, async () => {
    const client = new McpStdioClient(spec);
    const error = await rejectionOf(client.initialize());
    const { code, message } = error as McpError;
    assert.is(code, "MCP_SPAWN_FAILED");
    assert.ok(message.startsWith(`Starting "${label}": it cannot be started`), message);
    assert.match(message, why);
    assert.equal([(error as McpError).isTerminal, client.state], [true, "failed"]);
    await client.close();
    assert.is(await rejectionOf(client.ping()), error);
  });
}

stdio(
  "a transport gives its arguments to the program as they are, in the directory told",
  async () => {
    const cwd = disk.path();
    mkdirSync(cwd);
    const args = ["$HOME", "a b", "; exit 1", "*", '"', ""];
    const { client, seen } = await askServer(["started with", ...args], { cwd });
    assert.equal(seen, { args, cwd: realpathSync(cwd) });
    assert.is(client.state, "closed");
  },
);

stdio("a transport tells of the start, the end of the output and the exit, each once", async () => {
  const transport = script("console.log('out'); process.exitCode = 3");
  assert.equal([transport.label, transport.pid, transport.errorTail()], [basename(NODE), null, ""]);
  const [first, ...rest] = await run(transport);
  assert.equal(first, ["started", true]);
  // Measured: in Deno the exit may come before the end of the output.
  assert.equal(rest.sort(), [["exited", { code: 3, signal: null }], ["outputEnded", "out\n"]]);
});

stdio("signal() says whether anybody is there", async () => {
  const transport = script("setTimeout(() => {}, 60_000)");
  const answers = [transport.signal("look")];
  const told = await run(transport, () => {
    answers.push(transport.signal("look"), transport.signal("terminate"));
  });
  answers.push(transport.signal("look"), transport.signal("terminate"), transport.signal("kill"));
  assert.equal(answers, [false, true, true, false, false, false]);
  assert.equal(Object.fromEntries(told)["exited"], { code: null, signal: "SIGTERM" });
});

stdio(
  "write() tells once that it failed, and throws nothing, before and after the process",
  async () => {
    const transport = script("");
    const write = (): Promise<unknown[]> => {
      const told: unknown[] = [];
      return new Promise((resolve) => {
        transport.write(new Uint8Array(1), (failure) => {
          told.push(failure instanceof Error);
          systemTimers().after(20, () => resolve(told));
        });
        told.push("returned");
      });
    };
    assert.equal(await write(), ["returned", true]);
    await run(transport);
    assert.equal(await write(), ["returned", true]);
    transport.endInput();
    transport.release();
  },
);

stdio("errorTail() gives the last bytes, and what they cut of a character as U+FFFD", async () => {
  const parts = Array.from({ length: 50 }, (_, part) => `part ${part} `);
  for (const [text, tail] of [[parts.join(""), "part 49 "], ["€12345€", "\ufffd12345€"]]) {
    const transport = script(
      `process.stderr.write(${JSON.stringify(text)})`,
      tail === "part 49 " ? 8 : 9,
    );
    await run(transport);
    assert.is(transport.errorTail(), tail);
  }
  const transport = script(
    `for (const part of ${JSON.stringify(parts)}) process.stderr.write(part)`,
    8,
  );
  await run(transport);
  assert.is(transport.errorTail(), "part 49 ");
});

stdio(
  "McpStdioClient gives the end of standard error, as long as it was told to keep",
  async () => {
    const spec = { command: NODE, args: [server, "stderr then exit"] };
    const client = new McpStdioClient(spec, { maxStderrBytes: 10, drainTimeoutMs: 10_000 });
    await client.initialize();
    assert.is(client.stderr, "");
    assert.is(describe(await rejectionOf(client.callTool("any"))).code, "MCP_SERVER_EXITED");
    assert.is(client.stderr, "swordfish\n");
    await client.close();
  },
);

// Environment

/** Sets variables of this process while something runs. */
async function withVariables<T>(
  variables: Record<string, string>,
  what: () => T,
): Promise<Awaited<T>> {
  const before = { ...process.env };
  Object.assign(process.env, variables);
  try {
    return await what();
  } finally {
    for (const name of Object.keys(variables)) {
      if (before[name] === undefined) delete process.env[name];
      else process.env[name] = before[name];
    }
  }
}

stdio("defaultEnvironment() gives fifteen variables as far as they are set", async () => {
  const names = ["PATH", "Path", "PATHEXT", "SYSTEMROOT", "WINDIR", "COMSPEC", "TMPDIR", "TMP"];
  names.push("TEMP", "LANG", "LC_ALL", "LC_CTYPE", "TZ", "TERM", "NO_COLOR");
  const all = Object.fromEntries(names.map((name) => [name, `the ${name}`]));
  const more = { HOME: "h", USER: "u", SHELL: "s", LOGNAME: "l", AFFIDAVIT_TEST_SECRET: "x" };
  assert.equal(await withVariables({ ...all, ...more }, defaultEnvironment), all);
});

stdio("a server does not get what a runtime adds for itself", async () => {
  const variables = { NODE_V8_COVERAGE: disk.path() };
  const { seen } = await withVariables(variables, () => askServer(["environment"]));
  assert.equal(seen, defaultEnvironment());
});

// Ending

stdio(
  "a process ends by itself after close(), though a helper out of reach holds the pipes",
  async () => {
    const child = fileURLToPath(new URL("child_close.ts", import.meta.url));
    const { status, stdout, stderr } = await runFile(child, [], { timeoutMs: 30_000 });
    const { helpers, state } = JSON.parse(stdout) as { helpers: number[]; state: string };
    for (const helper of helpers) process.kill(helper, "SIGKILL");
    assert.equal([status, stderr, helpers.length, state], [0, "", 1, "closed"]);
  },
);

// Timers

stdio("systemTimers() call back once, later and in order, not when called off", async () => {
  const { after, now } = systemTimers();
  const told: string[] = [];
  const start = now();
  await new Promise<void>((resolve) => {
    const callOff = after(2 ** 40, () => told.push("after centuries"));
    after(1, () => told.push("called off"))();
    after(1, () => told.push("soon"));
    after(20, () => {
      callOff();
      resolve();
    });
    told.push("returned");
  });
  assert.equal(told, ["returned", "soon"]);
  assert.ok(now() - start > 15);
});

stdio.after(disk.clear);

stdio.run();
