import { readFileSync } from "node:fs";
import { basename } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { McpClient, McpError } from "../../src/mcp/mod.ts";
import type { ClientOptions, Notification, ToolResult } from "../../src/mcp/mod.ts";
import { defaultEnvironment, stdioTransport, systemTimers } from "../../src/node/mod.ts";
import type { Transport } from "../../src/ports/mod.ts";
import { rejectionOf } from "../lib/thrown.ts";
import { makeDisk } from "../node/disk.ts";
import { skip } from "../skip.ts";
import { NODE } from "./node.ts";
import { hasEnded, hasProc, waitEnded } from "./proc.ts";

const disk = makeDisk(true);
const hostile = suite("MCP client and hostile servers");
const server = fileURLToPath(new URL("hostile_server.mjs", import.meta.url));

/** A client with its server, and what a test can ask of them. */
interface Scene {
  readonly client: McpClient;
  readonly transport: Transport;
  /** Processes that the server started, as far as it is initialized. */
  helpers(): number[];
  /** What befell the server. */
  log(): string;
  /** Every notification so far. */
  readonly notifications: Notification[];
  /** Waits for a notification. */
  told(method: string): Promise<Notification>;
}

interface SceneOptions extends ClientOptions {
  readonly env?: Record<string, string>;
}

function open(mode: string, { env, ...options }: SceneOptions): Scene {
  const log = disk.path();
  const transport = stdioTransport({
    command: NODE,
    args: [server, mode, log],
    ...(env && { env }),
  });
  const notifications: Notification[] = [];
  const waiting = new Map<string, (notification: Notification) => void>();
  const onNotification = (notification: Notification): unknown => {
    notifications.push(notification);
    waiting.get(notification.method)?.(notification);
    return options.onNotification?.(notification);
  };
  const client = new McpClient(transport, systemTimers(), { ...options, onNotification });
  const helpers = (): number[] =>
    (client.initializeResult?.serverInfo as { helpers?: number[] } | undefined)?.helpers ?? [];
  const told = (method: string): Promise<Notification> =>
    new Promise((resolve) => waiting.set(method, resolve));
  return { client, transport, helpers, log: () => readFileSync(log, "utf8"), notifications, told };
}

/** Plays a scene, closes the client, and sees to it that nobody of it lives on. */
function play(
  name: string,
  mode: string,
  options: SceneOptions,
  scene: (scene: Scene) => Promise<void>,
): void {
  hostile(name, async () => {
    const opened = open(mode, options);
    let processes: number[];
    try {
      await scene(opened);
    } catch (error) {
      throw readable(error);
    } finally {
      processes = [opened.transport.pid ?? 0, ...opened.helpers()];
      await opened.client.close();
    }
    assert.is(opened.client.state, "closed");
    if (!hasProc) return;
    const [leader = 0, ...helpers] = processes;
    assert.ok(leader > 0);
    assert.ok(hasEnded(leader), "the server has ended when close() has");
    for (const helper of helpers) assert.ok(await waitEnded(helper), "its helper lives on");
  });
}

/** uvu takes the `details` of an error for a text, and falls over others. */
function readable(error: unknown): unknown {
  if (!(error instanceof McpError)) return error;
  return new Error(`${error.code}: ${error.message}, ${JSON.stringify(error.details)}`);
}

/** Plays a scene that begins with an initialized client. */
function playCall(
  name: string,
  mode: string,
  scene: (scene: Scene) => Promise<void>,
  options: SceneOptions = {},
): void {
  play(name, mode, options, async (opened) => {
    await opened.client.initialize();
    await scene(opened);
  });
}

const echo = (client: McpClient, text: string): Promise<ToolResult> =>
  client.callTool("echo", { text });

const textResult = (text: string): unknown => ({ content: [{ type: "text", text }] });

const textIn = ({ content }: ToolResult): string => String(content[0]?.["text"]);

/** What a call is rejected with, apart from its words. */
async function failureOf(call: Promise<unknown>): Promise<object> {
  const { code, details, isTerminal } = await errorOf(call);
  return { code, details, isTerminal };
}

async function errorOf(call: Promise<unknown>): Promise<McpError> {
  const error = await rejectionOf(call);
  assert.instance(error, McpError);
  return error as McpError;
}

/** The client has failed for good: two open calls and every later one are rejected with one error. */
async function failedWith(
  client: McpClient,
  code: string,
  details: object,
): Promise<McpError> {
  const [first, second] = await Promise.all([
    errorOf(echo(client, "1")),
    errorOf(client.callTool("wait")),
  ]);
  assert.equal({ code: first.code, details: first.details }, { code, details });
  assert.is(first.isTerminal, true);
  assert.is(second, first);
  assert.is(client.state, "failed");
  assert.is(await rejectionOf(client.ping()), first);
  return first;
}

/** A test for a server that breaks the protocol with its first answer. */
function breaks(name: string, mode: string, details: object, options: SceneOptions = {}): void {
  playCall(`a client fails for good at ${name}`, mode, async ({ client }) => {
    await failedWith(client, "MCP_PROTOCOL_ERROR", details);
  }, options);
}

// Framing

for (const mode of ["fragmented", "split character"]) {
  playCall(`callTool() gets an answer that comes in two pieces: ${mode}`, mode, async (scene) => {
    const cut = scene.told("test/cut");
    const call = echo(scene.client, "");
    await cut;
    await scene.client.notify("test/more");
    assert.equal(await call, textResult(mode === "fragmented" ? "whole" : "a €"));
  });
}

playCall("callTool() gets an answer that drips in by 200 pieces", "slow drip", async (scene) => {
  const dripping = scene.told("test/dripping");
  const call = echo(scene.client, "");
  const { pieces } = (await dripping).params as { pieces: number };
  assert.ok(pieces > 200);
  for (let piece = 0; piece < pieces; piece++) await scene.client.notify("test/more");
  assert.equal(await call, textResult("y".repeat(100_000)));
});

playCall("callTool() gets answers that come in one write", "many in one write", async (scene) => {
  const texts = ["1", "2", "3", "4", "5"];
  const results = await Promise.all(texts.map((text) => echo(scene.client, text)));
  assert.equal(results, texts.map(textResult));
  await scene.client.ping();
  assert.equal(scene.notifications, texts.map(() => ({ method: "test/between" })));
});

for (const mode of ["crlf", "blank lines"]) {
  playCall(
    `callTool() gets answers between line ends of all kinds: ${mode}`,
    mode,
    async (scene) => {
      assert.equal(await echo(scene.client, "1"), textResult("1"));
      assert.equal(await echo(scene.client, "2"), textResult("2"));
    },
  );
}

playCall("a line separator inside a text ends no line", "line separator", async ({ client }) => {
  assert.equal(await echo(client, ""), textResult("a\u2028b\u2029c\u0085d"));
});

playCall("a line of 4 MiB is taken", "longest line", async ({ client }) => {
  const result = await echo(client, "");
  assert.is(textIn(result).replaceAll("x", ""), "");
  assert.is(JSON.stringify({ jsonrpc: "2.0", id: 2, result }).length, 4_194_304);
});

const tooLong = { fault: "frame", maxFrameBytes: 4_194_304, line: 2 };
breaks("a line of 4 MiB and a byte", "long line", tooLong);
breaks("a line of 4 MiB and a byte that does not end", "endless line", tooLong);

// Correlation

playCall(
  "callTool() gets the answers to its calls in any order",
  "backwards",
  async ({ client }) => {
    const texts = ["1", "2", "3"];
    const results = await Promise.all(texts.map((text) => echo(client, text)));
    assert.equal(results, texts.map(textResult));
  },
);

playCall("a second answer is counted and passed over", "twice", async ({ client }) => {
  assert.equal(await echo(client, "1"), textResult("1"));
  await client.ping();
  assert.equal(client.counters, { lateAnswers: 1, skippedLines: 0 });
  assert.is(client.state, "initialized");
});

playCall(
  "a call that timed out is cancelled, its answer passed over",
  "late",
  async ({ client }) => {
    const call = client.callTool("echo", { text: "" }, { timeoutMs: 20 });
    assert.equal(await failureOf(call), {
      code: "MCP_TIMEOUT",
      details: { id: 2, method: "tools/call", timeoutMs: 20 },
      isTerminal: false,
    });
    await client.ping();
    assert.equal(client.counters, { lateAnswers: 1, skippedLines: 0 });
  },
);

const reply = (id: unknown): string =>
  JSON.stringify({ jsonrpc: "2.0", id, result: textResult("?") });
const second = { line: 2 };

breaks("an answer to what was never asked", "unknown id", {
  fault: "unknown_id",
  prefix: reply(999),
  ...second,
});
breaks("an answer whose id is a text", "text id", {
  fault: "unknown_id",
  prefix: reply("2"),
  ...second,
});
breaks("an error without an id", "error without id", {
  fault: "uncorrelated",
  rpcCode: -32700,
  rpcMessage: "what?",
  ...second,
});

// Messages

breaks("a result that is null", "null result", {
  fault: "envelope",
  prefix: '{"jsonrpc":"2.0","id":2,"result":null}',
  ...second,
});
breaks("a line that is no JSON", "no json", {
  fault: "json",
  prefix: "listening on port 1",
  ...second,
});
breaks("a line that is not UTF-8", "invalid utf-8", {
  fault: "utf8",
  prefix: '{"jsonrpc":"2.0","id":2,"result":{"a":"\ufffd"}}',
  ...second,
});

playCall("told so, a client passes over lines that are no JSON", "no json", async ({ client }) => {
  assert.equal(await echo(client, "1"), textResult("1"));
  assert.equal(await echo(client, "2"), textResult("2"));
  assert.equal(client.counters, { lateAnswers: 0, skippedLines: 2 });
}, { skipNonJsonLines: true });

breaks("a list of messages that was not agreed on", "batch", {
  fault: "batch",
  prefix: `[${
    [
      '{"jsonrpc":"2.0","method":"test/batched"}',
      '{"jsonrpc":"2.0","id":"of the server","method":"ping"}',
      '{"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"1"}]}}',
    ].join()
  }]`,
  ...second,
});

playCall("with 2025-03-26 a list of messages is taken apart", "batch", async (scene) => {
  for (const text of ["1", "2"]) assert.equal(await echo(scene.client, text), textResult(text));
  const batched = { method: "test/batched" };
  assert.equal(scene.notifications, [batched, batched]);
  assert.is(scene.client.state, "initialized");
}, { supportedProtocolVersions: ["2025-03-26"] });

// Requests and notifications of the server

play("a ping of the server is answered before initialize() is", "ping first", {}, async (scene) => {
  const { instructions } = await scene.client.initialize();
  assert.equal(JSON.parse(String(instructions)), {
    jsonrpc: "2.0",
    id: "of the server",
    result: {},
  });
});

playCall("an unknown request of the server is refused", "unknown request", async ({ client }) => {
  assert.equal(JSON.parse(textIn(await echo(client, ""))), {
    jsonrpc: "2.0",
    id: "of the server",
    error: { code: -32601, message: "Method not found" },
  });
});

playCall("20,000 notifications arrive in order", "notification flood", async (scene) => {
  assert.equal(await echo(scene.client, "1"), textResult("1"));
  const counts = scene.notifications.map(({ params }) => params?.["count"]);
  assert.equal(counts, Array.from({ length: 20_000 }, (_, count) => count));
});

const observers: Record<string, () => unknown> = {
  throws: () => {
    throw new Error("an observer that throws");
  },
  rejects: () => Promise.reject(new Error("an observer that rejects")),
};
for (const [what, onNotification] of Object.entries(observers)) {
  playCall(`an observer that ${what} harms nothing`, "many in one write", async (scene) => {
    const texts = ["1", "2", "3", "4", "5"];
    const results = await Promise.all(texts.map((text) => echo(scene.client, text)));
    assert.equal(results, texts.map(textResult));
    await scene.client.ping();
    assert.is(scene.notifications.length, 5);
  }, { onNotification });
}

// initialize()

play("initialize() without an answer in time fails the client", "late initialize", {
  requestTimeoutMs: 300,
}, async ({ client }) => {
  const error = await errorOf(client.initialize());
  assert.equal([error.code, error.details, error.isTerminal], [
    "MCP_TIMEOUT",
    { id: 1, method: "initialize", timeoutMs: 300 },
    true,
  ]);
  await client.close(); // the server answers as it ends
  assert.is(client.initializeResult, undefined);
  assert.is(await rejectionOf(client.initialize()), error);
});

play(
  "initialize() refuses a revision that it does not know",
  "unknown version",
  {},
  async (scene) => {
    assert.equal(await failureOf(scene.client.initialize()), {
      code: "MCP_UNSUPPORTED_PROTOCOL_VERSION",
      details: { selected: "1900-01-01", supported: ["2025-11-25", "2025-06-18", "2025-03-26"] },
      isTerminal: true,
    });
    assert.is(scene.client.state, "failed");
  },
);

// Exits

/** However busy the machine is: what ends the wait is that everything was read. */
const patient: ClientOptions = { drainTimeoutMs: 10_000 };
const lastWords = "password is swordfish\n";

playCall("the last words of a server stand in details alone", "stderr then exit", async (scene) => {
  const error = await failedWith(scene.client, "MCP_SERVER_EXITED", {
    code: 3,
    signal: null,
    stderr: "z".repeat(16_384 - lastWords.length) + lastWords,
  });
  assert.is(error.message, `Talking to "${basename(NODE)}": it ended with status 3`);
}, patient);

playCall("told so, a client puts them into the message", "stderr then exit", async ({ client }) => {
  const { message } = await errorOf(echo(client, ""));
  assert.ok(message.endsWith(`zzz${lastWords.trimEnd()}`));
}, { ...patient, stderrInMessage: true });

playCall("a server that exits rejects what waits", "exit", async ({ client }) => {
  await failedWith(client, "MCP_SERVER_EXITED", { code: 4, signal: null, stderr: "" });
}, patient);

playCall("a server that is killed rejects what waits", "killed", async ({ client }) => {
  await failedWith(client, "MCP_SERVER_EXITED", { code: null, signal: "SIGKILL", stderr: "" });
}, patient);

playCall(
  "an answer counts that the server exits right after",
  "answer then exit",
  async (scene) => {
    const [result, next] = await Promise.all([
      echo(scene.client, ""),
      failureOf(scene.client.callTool("wait")),
    ]);
    assert.is(JSON.stringify({ jsonrpc: "2.0", id: 2, result }).length, 4_000_000);
    const details = { code: 5, signal: null, stderr: "" };
    assert.equal(next, { code: "MCP_SERVER_EXITED", details, isTerminal: true });
  },
  patient,
);

playCall("a flood on standard error holds up nothing", "stderr flood", async ({ client }) => {
  assert.equal(await echo(client, "1"), textResult("1"));
  const stderr = `${"z".repeat(16_384 - 8)}the end\n`;
  assert.equal(await failureOf(client.callTool("exit")), {
    code: "MCP_SERVER_EXITED",
    details: { code: 7, signal: null, stderr },
    isTerminal: true,
  });
}, patient);

// Pipes

const large = "w".repeat(900_000);
const small: ClientOptions = { maxFrameBytes: 1_000_000, maxQueuedBytes: 1_000_000 };

playCall("a server that closed its input fails the client", "closed stdin", async ({ client }) => {
  assert.equal(await echo(client, "1"), textResult("1"));
  // Measured: Bun keeps the other end open as long as the server lives, so there it shows as a server that reads nothing.
  const { code, isTerminal } = await errorOf(echo(client, large));
  assert.equal([code, isTerminal, client.state], ["MCP_WRITE_FAILED", true, "failed"]);
}, { writeTimeoutMs: 300 });

playCall(
  "a server that closed its output fails the client",
  "closed stdout",
  async ({ client }) => {
    await failedWith(client, "MCP_TRANSPORT_ERROR", { stderr: "" });
  },
);

playCall(
  "a server that reads nothing fails the client, and little is queued for it",
  "reads nothing",
  async ({ client }) => {
    const stuck = errorOf(echo(client, large));
    const queuedBytes = JSON.stringify({
      jsonrpc: "2.0",
      id: 2,
      method: "tools/call",
      params: { name: "echo", arguments: { text: large } },
    }).length + 1;
    assert.equal(await failureOf(echo(client, large)), {
      code: "MCP_QUEUE_FULL",
      details: { queuedBytes, maxQueuedBytes: 1_000_000 },
      isTerminal: false,
    });
    const { code, details } = await stuck;
    assert.equal({ code, details }, {
      code: "MCP_WRITE_FAILED",
      details: { queuedBytes, timeoutMs: 100 },
    });
  },
  { ...small, writeTimeoutMs: 100, closeTimeoutMs: 300 },
);

// Processes

playCall("close() lets a server end by itself", "well behaved", async ({ client, log }) => {
  await client.close();
  assert.is(log(), "end of input\n");
}, { closeTimeoutMs: 10_000 });

playCall(
  "close() tells a server to end that ignores the end of its input",
  "ignores end",
  async ({ client, log }) => {
    await client.close();
    assert.is(log(), "end of input\nSIGTERM\n");
  },
  { closeTimeoutMs: 1_000 },
);

playCall("close() ends a server that ignores SIGTERM", "ignores sigterm", () => Promise.resolve(), {
  closeTimeoutMs: 200,
});

for (const mode of ["helper", "stubborn helper"]) {
  playCall(`close() ends a ${mode} that outlives its server`, mode, ({ helpers }) => {
    assert.is(helpers().length, 1);
    return Promise.resolve();
  }, { closeTimeoutMs: 200 });
}

/** What happens without close(). */
function playFailure(name: string, mode: string, code: string): void {
  if (!hasProc) return skip(hostile, name, "there is no /proc to look at");
  playCall(name, mode, async ({ client, transport, helpers }) => {
    const processes = [transport.pid ?? 0, ...helpers()];
    assert.is((await errorOf(echo(client, ""))).code, code);
    for (const pid of processes) assert.ok(await waitEnded(pid));
    assert.is(client.state, "failed");
  }, { closeTimeoutMs: 200 });
}

playFailure(
  "a client that fails ends a server that ignores SIGTERM, without close()",
  "garbage, ignores sigterm",
  "MCP_PROTOCOL_ERROR",
);
playFailure(
  "a client whose server exits ends a stubborn helper that holds the pipes, without close()",
  "stubborn helper, exit",
  "MCP_SERVER_EXITED",
);

// Environment

const SECRET = "AFFIDAVIT_TEST_SECRET";

async function environmentSeen({ client }: Scene): Promise<Record<string, string>> {
  return JSON.parse(textIn(await echo(client, "")));
}

hostile.before(() => {
  process.env[SECRET] = "swordfish";
});

playCall(
  "a server sees nothing of the environment but what is allowed",
  "environment",
  async (scene) => {
    const seen = await environmentSeen(scene);
    assert.equal(seen, defaultEnvironment());
    assert.is(JSON.stringify(seen).includes("swordfish"), false);
  },
);

const given = { PATH: process.env["PATH"] ?? "", ONLY: "this" };
playCall("an environment that is given replaces it all", "environment", async (scene) => {
  assert.equal(await environmentSeen(scene), given);
}, { env: given });

hostile.after(() => {
  delete process.env[SECRET];
  disk.clear();
});

hostile.run();
