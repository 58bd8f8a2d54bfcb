/**
 * Messages: what is answered by what, what is passed over, what ends the client, what is given up.
 *
 * @module
 */
import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { McpError, Members, Notification, Progress } from "../../src/mcp/mod.ts";
import { rejectionOf } from "../lib/thrown.ts";
import { settle } from "../lib/timers.ts";
import { failureOf, GREETING, makeReady, makeRig } from "./kit.ts";

const v = { jsonrpc: "2.0" };

const exchange = suite("McpClient messages");

exchange("answers in any order find their calls; ids are one sequence", async () => {
  const { client, peer } = await makeReady();
  const calls = ["a", "b", "c"].map((name) => client.callTool(name));
  await settle();
  assert.equal(peer.sent().map(({ id }) => id), [2, 3, 4]);
  const content = (text: string): Members => ({ content: [{ type: "text", text }] });
  peer.say({ ...v, id: 4, result: content("c") }, { ...v, id: 2, result: content("a") });
  peer.say({ ...v, id: 3, result: content("b") });
  assert.equal(await Promise.all(calls), ["a", "b", "c"].map(content));
});

exchange(
  "an error reply rejects its call alone and keeps the server's words out of the message",
  async () => {
    const { client, peer } = await makeReady();
    const call = rejectionOf(client.request("x/y", { a: 1 }));
    await settle();
    peer.say({ ...v, id: 2, error: { code: -32000, message: "secret words", data: { d: 1 } } });
    const error = await call as McpError;
    assert.is(error.code, "MCP_RPC_ERROR");
    assert.is(error.message, 'Calling "x/y": the server answered with error -32000');
    const rest = { rpcCode: -32000, rpcMessage: "secret words", rpcData: { d: 1 } };
    assert.equal(error.details, { id: 2, method: "x/y", ...rest });
    assert.equal([error.isTerminal, error.isRetryable], [false, false]);
    assert.is(client.state, "initialized");
  },
);

exchange("late and second answers are counted and passed over", async () => {
  const { client, peer, timers } = await makeReady();
  const late = failureOf(client.ping({ timeoutMs: 10 }));
  await timers.pass(10);
  const details = { id: 2, method: "ping", timeoutMs: 10 };
  assert.equal(await late, { code: "MCP_TIMEOUT", details, isTerminal: false });
  const call = client.ping();
  await settle();
  const answer = { ...v, id: 3, result: {} };
  peer.say({ ...v, id: 2, result: {} }, { ...v, id: 2, result: {} }, answer, answer);
  await call;
  assert.equal(client.counters, { lateAnswers: 3, skippedLines: 0 });
  assert.is(client.state, "initialized");
});

exchange("what cannot be an answer or a message ends the client, with its place", async () => {
  const long = `x${"é".repeat(300)}`;
  const cases: [Uint8Array | string, Members][] = [
    [JSON.stringify({ ...v, id: 4, result: {} }), { fault: "unknown_id" }],
    [JSON.stringify({ ...v, id: "2", result: {} }), { fault: "unknown_id" }],
    [JSON.stringify({ ...v, id: 0, result: {} }), { fault: "unknown_id" }],
    [JSON.stringify({ ...v, id: 2, result: null }), { fault: "envelope" }],
    [JSON.stringify([{ ...v, id: 2, result: {} }]), { fault: "batch" }],
    ["Listening on stdio", { fault: "json" }],
    ["   ", { fault: "json" }],
    ['\uFEFF{"jsonrpc":"2.0"}', { fault: "json" }],
    [long, { fault: "json", prefix: long.slice(0, 256) }],
    [new Uint8Array([0x22, 0xc3, 0x22]), { fault: "utf8", prefix: '"\uFFFD"' }],
  ];
  for (const [line, expected] of cases) {
    const { client, peer } = await makeReady();
    const calls = [client.ping(), client.ping()].map(rejectionOf);
    await settle();
    const bytes = typeof line === "string" ? new TextEncoder().encode(line) : line;
    peer.events.received(new Uint8Array([...bytes, 0x0a]));
    const [first, second] = await Promise.all(calls) as [McpError, McpError];
    assert.is(first, second);
    assert.is(first.code, "MCP_PROTOCOL_ERROR");
    const prefix = typeof line === "string" ? line.slice(0, 256) : "";
    assert.equal(first.details, { line: 2, prefix, ...expected });
    assert.is(client.state, "failed");
    assert.equal(peer.asked.slice(0, 2), ["start", "terminate"]);
  }
});

exchange("an error without an id ends the client", async () => {
  const { client, peer } = await makeReady();
  const call = failureOf(client.ping());
  await settle();
  peer.say({ ...v, error: { code: -32700, message: "what?" } });
  const details = { fault: "uncorrelated", rpcCode: -32700, rpcMessage: "what?", line: 2 };
  assert.equal(await call, { code: "MCP_PROTOCOL_ERROR", details, isTerminal: true });
});

exchange("a line over the bound ends the client before its end has come", async () => {
  const { client, peer } = await makeReady({ maxFrameBytes: 500 });
  const call = failureOf(client.ping());
  await settle();
  peer.events.received(new Uint8Array(400).fill(0x20));
  assert.is(client.state, "initialized");
  peer.events.received(new Uint8Array(101).fill(0x20));
  const details = { fault: "frame", maxFrameBytes: 500, line: 2 };
  assert.equal(await call, { code: "MCP_PROTOCOL_ERROR", details, isTerminal: true });
});

exchange("what follows the end of the client in one chunk is not looked at", async () => {
  const told: string[] = [];
  const onNotification = ({ method }: Notification): void => {
    told.push(method);
    void client.close();
  };
  const { client, peer } = await makeReady({ onNotification });
  peer.say({ ...v, method: "one" }, { ...v, method: "two" }, "no JSON");
  await client.close();
  assert.equal(told, ["one"]);
  assert.is(client.state, "closed");
});

exchange("lines that are no JSON are passed over and counted where that is asked for", async () => {
  const { client, peer } = await makeReady({ skipNonJsonLines: true });
  const call = client.ping();
  await settle();
  peer.say("log line", "another", { ...v, id: 2, result: {} });
  await call;
  assert.equal(client.counters, { lateAnswers: 0, skippedLines: 2 });
  const failing = failureOf(client.ping());
  peer.say({ jsonrpc: "1.0" });
  assert.is((await failing).code, "MCP_PROTOCOL_ERROR");
});

exchange("lists of messages are taken apart where 2025-03-26 was agreed on", async () => {
  const told: string[] = [];
  const options = { onNotification: ({ method }: Notification) => told.push(method) };
  const greeting = { ...GREETING, protocolVersion: "2025-03-26" };
  const { client, peer } = await makeReady(options, greeting);
  const call = client.callTool("a");
  await settle();
  peer.lines.length = 0;
  peer.say([
    { ...v, method: "note" },
    { ...v, id: "p", method: "ping" },
    { ...v, id: 9, method: "roots/list" },
    { ...v, id: 2, result: { content: [] } },
  ]);
  assert.equal(await call, { content: [] });
  assert.equal(told, ["note"]);
  const error = { code: -32601, message: "Method not found" };
  assert.equal(peer.lines, [
    `${JSON.stringify([{ ...v, id: "p", result: {} }, { ...v, id: 9, error }])}\n`,
  ]);
  peer.say([{ ...v, method: "note" }]);
  assert.is(peer.lines.length, 1);

  for (const list of [[], [[{ ...v, method: "x" }]], [{ ...v, method: "note" }, 1]]) {
    const rig = await makeReady(options, greeting);
    const failing = failureOf(rig.client.ping());
    rig.peer.say(list);
    assert.is((await failing).code, "MCP_PROTOCOL_ERROR", JSON.stringify(list));
  }
});

exchange("a list counts that comes in one chunk with the answer that agrees on lists", async () => {
  const told: string[] = [];
  const { client, peer } = makeRig({ onNotification: ({ method }) => told.push(method) });
  const ready = client.initialize();
  await settle();
  const greeting = { ...GREETING, protocolVersion: "2025-03-26" };
  peer.say({ ...v, id: 1, result: greeting }, [{ ...v, method: "note" }]);
  assert.equal(await ready, greeting);
  assert.equal([told, client.state], [["note"], "initialized"]);
});

exchange("a ping of the server is answered, also before it has answered initialize", async () => {
  const { client, peer } = await makeReady();
  peer.say({ ...v, id: "1", method: "ping" }, { ...v, id: 5, method: "sampling/createMessage" });
  assert.equal(peer.sent(), [
    { ...v, id: "1", result: {} },
    { ...v, id: 5, error: { code: -32601, message: "Method not found" } },
  ]);
  assert.is(client.state, "initialized");
  const early = makeRig();
  const ready = early.client.initialize();
  await settle();
  early.peer.say({ ...v, id: 1, method: "ping" });
  early.peer.say({ ...v, id: 1, result: GREETING });
  await ready;
  assert.equal(early.peer.sent()[1], { ...v, id: 1, result: {} });
});

exchange("an observer that throws or rejects is its own matter", async () => {
  let calls = 0;
  const { client, peer } = await makeReady({
    onNotification: () => {
      calls++;
      if (calls === 1) throw new Error("observer");
      return Promise.reject(new Error("observer"));
    },
  });
  peer.say({ ...v, method: "a" }, { ...v, method: "b", params: { x: 1 } });
  await settle();
  assert.is(calls, 2);
  assert.is(client.state, "initialized");
});

exchange("a call that times out is cancelled at the server, and may be made again", async () => {
  const { client, peer, timers } = await makeReady();
  const call = rejectionOf(client.callTool("slow", { a: 1 }, { timeoutMs: 30 }));
  await timers.pass(29);
  assert.is(peer.lines.length, 1);
  await timers.pass(1);
  const error = await call as McpError;
  assert.equal([error.code, error.isRetryable], ["MCP_TIMEOUT", true]);
  assert.is(error.message, 'Calling "tools/call": no answer in 30 ms');
  assert.equal(peer.sent()[1], {
    ...v,
    method: "notifications/cancelled",
    params: { requestId: 2, reason: "the request timed out" },
  });
});

exchange("the caller cancels a call, before it is sent or while it waits", async () => {
  const { client, peer, timers } = await makeReady();
  const before = AbortSignal.abort("early");
  const refused = await rejectionOf(client.ping({ signal: before })) as McpError;
  assert.equal([refused.code, refused.cause], ["MCP_CANCELLED", "early"]);
  assert.is(peer.lines.length, 0);

  const control = new AbortController();
  const call = rejectionOf(client.callTool("slow", {}, { signal: control.signal }));
  await settle();
  control.abort("enough");
  const error = await call as McpError;
  assert.equal([error.code, error.cause, error.isTerminal], ["MCP_CANCELLED", "enough", false]);
  assert.equal(peer.sent()[1], {
    ...v,
    method: "notifications/cancelled",
    params: { requestId: 2, reason: "the caller cancelled" },
  });
  assert.is(timers.waiting, 0);

  const again = new AbortController();
  const answered = client.ping({ signal: again.signal });
  await settle();
  peer.answer({});
  await answered;
  again.abort();
  assert.is(peer.sent().length, 3);
});

exchange("one listener on a signal gives up every call that waits on it", async () => {
  const { client, peer } = await makeReady();
  const control = new AbortController();
  const { signal } = control;
  const told: string[] = [];
  for (const name of ["addEventListener", "removeEventListener"] as const) {
    const original = signal[name].bind(signal) as (...args: unknown[]) => void;
    signal[name] = (...args: unknown[]) => {
      told.push(name);
      original(...args);
    };
  }
  const both = ["addEventListener", "removeEventListener"];
  const answered = client.ping({ signal });
  await settle();
  peer.answer({});
  await answered;
  assert.equal(told, both);
  const calls = Array.from({ length: 20 }, () => rejectionOf(client.ping({ signal })));
  await settle();
  control.abort();
  const codes = (await Promise.all(calls)).map((error) => (error as McpError).code);
  assert.equal(codes, Array(20).fill("MCP_CANCELLED"));
  assert.equal(told, [...both, ...both]);
  assert.is(peer.sent().filter(({ method }) => method === "notifications/cancelled").length, 20);
});

exchange(
  "progress reaches its call, extends its wait up to a hard maximum, and no further",
  async () => {
    const { client, peer, timers } = await makeReady();
    const told: Progress[] = [];
    const options = {
      timeoutMs: 100,
      maxTimeoutMs: 250,
      extendOnProgress: true,
      onProgress: (progress: Progress) => {
        told.push(progress);
        throw new Error("its own matter");
      },
    };
    const control = new AbortController();
    const call = failureOf(
      client.callTool("slow", { a: 1 }, { ...options, signal: control.signal }),
    );
    await settle();
    assert.equal(peer.sent()[0]!["params"], {
      name: "slow",
      arguments: { a: 1 },
      _meta: { progressToken: 2 },
    });
    const progress = (params: Members): void =>
      peer.say({ ...v, method: "notifications/progress", params });
    await timers.pass(90);
    progress({ progressToken: 2, progress: 1, total: 3, message: "one", more: 1 });
    await timers.pass(90);
    progress({ progressToken: 2, progress: 1 }); // does not grow
    progress({ progressToken: "2", progress: 2 }); // another token
    progress({ progressToken: 2, progress: "2" });
    progress({ progressToken: 2, progress: 2, total: "x", message: 1 });
    await timers.pass(69);
    assert.is(peer.sent().length, 1);
    progress({ progressToken: 2, progress: 3 });
    await timers.pass(1);
    const details = { id: 2, method: "tools/call", timeoutMs: 100 };
    assert.equal(await call, { code: "MCP_TIMEOUT", details, isTerminal: false });
    const first = { progress: 1, total: 3, message: "one" };
    assert.equal(told, [first, { progress: 2 }, { progress: 3 }]);
    assert.is(timers.waiting, 0);
  },
);

exchange(
  "progress extends nothing unless that is asked for, and keeps the caller's _meta",
  async () => {
    const { client, peer, timers } = await makeReady();
    const told: Progress[] = [];
    const onProgress = (progress: Progress): number => told.push(progress);
    const params = { _meta: { traceparent: "x" } };
    const call = failureOf(client.request("x", params, { timeoutMs: 10, onProgress }));
    await settle();
    assert.equal(peer.sent()[0]!["params"], { _meta: { traceparent: "x", progressToken: 2 } });
    await timers.pass(9);
    const token = { progressToken: 2, progress: 1 };
    peer.say({ ...v, method: "notifications/progress", params: token });
    await timers.pass(1);
    assert.is((await call).code, "MCP_TIMEOUT");
    assert.equal(told, [{ progress: 1 }]);
  },
);

exchange("progress that never ends does not hold off the hard maximum", async () => {
  const { client, peer, timers } = await makeReady();
  let told = 0;
  const options = { timeoutMs: 10, maxTimeoutMs: 20, extendOnProgress: true };
  const call = failureOf(client.ping({ ...options, onProgress: () => told++ }));
  for (let progress = 1; progress <= 60; progress++) {
    await timers.pass(0.5);
    const params = { progressToken: 2, progress };
    peer.say({ ...v, method: "notifications/progress", params });
  }
  assert.is((await call).code, "MCP_TIMEOUT");
  assert.is(told, 39);
});

exchange("a call can be given up while nothing finds room, and ends nothing else", async () => {
  const { client, peer } = await makeReady({ maxFrameBytes: 400, maxQueuedBytes: 400 });
  peer.taking = "waits";
  const control = new AbortController();
  const call = client.request("x", { t: "a".repeat(300) }, { signal: control.signal });
  const failure = failureOf(call);
  control.abort();
  assert.is((await failure).code, "MCP_CANCELLED");
  assert.is(peer.sent()[1]!["method"], "notifications/cancelled");
  assert.is((await failureOf(client.notify("x"))).code, "MCP_QUEUE_FULL");
  peer.take();
  peer.taking = "at once";
  await client.notify("x");
});

exchange("what writing the params of a call does counts before it is sent", async () => {
  const doing = (run: () => void): Members => ({
    t: {
      toJSON: () => {
        run();
        return "t";
      },
    },
  });
  const calling = await makeReady();
  const inner: Promise<void>[] = [];
  const outer = calling.client.request("x", doing(() => inner.push(calling.client.ping())));
  assert.equal(calling.peer.sent().map(({ id, method }) => [id, method]), [[3, "ping"], [2, "x"]]);
  calling.peer.say({ ...v, id: 2, result: {} }, { ...v, id: 3, result: {} });
  await Promise.all([outer, ...inner]);

  const control = new AbortController();
  const aborting = doing(() => control.abort());
  const aborted = calling.client.request("x", aborting, { signal: control.signal });
  assert.is((await failureOf(aborted)).code, "MCP_CANCELLED");
  for (const way of ["request", "notify"] as const) {
    const { client, peer, timers } = await makeReady();
    const closing = doing(() => void client.close());
    assert.is((await failureOf(client[way]("x", closing))).code, "MCP_CLOSED");
    assert.equal([peer.lines, timers.waiting], [[], 0]);
  }
  assert.equal([calling.peer.lines.length, calling.timers.waiting], [2, 0]);
});

exchange("bytes that wait are bounded: calls are refused, and may be made again", async () => {
  const { client, peer } = await makeReady({ maxFrameBytes: 400, maxQueuedBytes: 500 });
  peer.taking = "waits";
  const first = client.request("x", { text: "a".repeat(300) });
  const error = await rejectionOf(client.request("x", { text: "b".repeat(300) })) as McpError;
  assert.equal([error.code, error.isRetryable, error.isTerminal], ["MCP_QUEUE_FULL", true, false]);
  assert.equal(error.details, { queuedBytes: 359, maxQueuedBytes: 500 });
  assert.is((await failureOf(client.notify("y", { t: "c".repeat(300) }))).code, "MCP_QUEUE_FULL");
  peer.take();
  const again = client.request("x", { text: "b".repeat(300) });
  assert.is(peer.lines.length, 2);
  peer.say({ ...v, id: 2, result: {} }, { ...v, id: 3, result: { ok: 1 } });
  assert.equal(await Promise.all([first, again]), [{}, { ok: 1 }]);
});

exchange("a server that takes nothing fails the client in time", async () => {
  const { client, peer, timers } = await makeReady({ writeTimeoutMs: 100 });
  peer.taking = "waits";
  const call = failureOf(client.ping({ timeoutMs: 500 }));
  const taken = client.notify("x");
  await timers.pass(60);
  peer.take();
  await taken;
  const more = failureOf(client.notify("y"));
  await timers.pass(99);
  assert.is(client.state, "initialized");
  await timers.pass(1);
  const details = { queuedBytes: 31, timeoutMs: 100 };
  const expected = { code: "MCP_WRITE_FAILED", details, isTerminal: true };
  assert.equal(await more, expected);
  assert.equal(await call, expected);
});

exchange("a server that asks and never reads fails the client", async () => {
  const { client, peer } = await makeReady({ maxFrameBytes: 200, maxQueuedBytes: 200 });
  peer.taking = "waits";
  const ping = { ...v, id: 1, method: "ping" };
  peer.say(...Array(10).fill(ping) as Members[]);
  const details = { queuedBytes: 185, maxQueuedBytes: 200 };
  assert.equal(await failureOf(client.ping()), {
    code: "MCP_WRITE_FAILED",
    details,
    isTerminal: true,
  });
});

exchange(
  "bad arguments are refused before anything is sent, and leave the client as it was",
  async () => {
    const { client, peer, timers } = await makeReady({ maxFrameBytes: 300 });
    const cycle: Record<string, unknown> = {};
    cycle["self"] = cycle;
    const calls: [Promise<unknown>, string][] = [
      [client.request(""), "a method must be a text that is not blank"],
      [client.request(1 as never), "a method must be a text that is not blank"],
      [client.request("initialize"), "initialize() is the way to initialize"],
      [client.request("x", [] as never), "params must be an object"],
      [client.notify(" "), "a method must be a text that is not blank"],
      [client.notify("x", 1 as never), "params must be an object"],
      [client.callTool(""), "the name of a tool must be a text that is not blank"],
      [client.callTool("x", [] as never), "the arguments must be an object"],
      [client.readResource(""), "the name of a resource must be a text that is not blank"],
      [client.getPrompt(""), "the name of a prompt must be a text that is not blank"],
      [client.listTools(1 as never), "a cursor is a text"],
      [client.ping({ timeoutMs: 0 }), "timeoutMs must be a positive whole number"],
      [client.ping({ maxTimeoutMs: 1 }), "maxTimeoutMs must not be less than timeoutMs"],
      [client.listAllTools({ maxPages: 0 }), "maxPages must be a positive whole number"],
      [client.ping(null as never), "options must be an object"],
      [client.ping({ signal: {} as never }), "signal must be an AbortSignal"],
      [client.ping({ signal: null as never }), "signal must be an AbortSignal"],
      [client.ping({ onProgress: 1 as never }), "onProgress must be a function"],
      [
        client.request("x", { _meta: "abc" }, { onProgress: () => 0 }),
        "_meta must be an object",
      ],
      [client.request("x", cycle), "the params cannot be written as JSON"],
      [client.request("x", { n: 1n }), "the params cannot be written as JSON"],
      [
        client.request("x", { t: "a".repeat(300) }),
        "the message has 355 bytes; at most 300 are sent",
      ],
    ];
    for (const [call, why] of calls) {
      const error = await rejectionOf(call) as McpError;
      assert.is(error.code, "MCP_INVALID_ARGUMENT", why);
      assert.is(error.message, `Using an MCP client: ${why}`);
    }
    assert.equal([peer.lines, timers.waiting], [[], 0]);
    const call = client.ping();
    await settle();
    assert.is(peer.lastRequest()["id"], 2);
    peer.answer({});
    await call;
  },
);

exchange("arguments are checked before the state, and time-outs after it", async () => {
  const { client } = makeRig();
  assert.is((await failureOf(client.request(""))).code, "MCP_INVALID_ARGUMENT");
  assert.is((await failureOf(client.callTool("x", {}, { timeoutMs: 0 }))).code, "MCP_NOT_STARTED");
  assert.is((await failureOf(client.notify(""))).code, "MCP_NOT_STARTED");
});

exchange("a server is not asked for what it did not declare", async () => {
  const { client, peer } = await makeReady({}, { ...GREETING, capabilities: { prompts: {} } });
  const calls: [Promise<unknown>, string, string][] = [
    [client.callTool("x"), "tools/call", "tools"],
    [client.listTools(), "tools/list", "tools"],
    [client.readResource("x:"), "resources/read", "resources"],
    [client.request("logging/setLevel", { level: "info" }), "logging/setLevel", "logging"],
    [client.request("completion/complete", {}), "completion/complete", "completions"],
  ];
  for (const [call, method, capability] of calls) {
    const details = { method, capability };
    const expected = { code: "MCP_NOT_OFFERED", details, isTerminal: false };
    assert.equal(await failureOf(call), expected);
  }
  assert.equal(peer.lines, []);
  void client.listPrompts().catch(() => undefined);
  void client.request("constructor/x").catch(() => undefined);
  await settle();
  assert.is(peer.lines.length, 2);
});

exchange("a result that is none rejects its call alone", async () => {
  const content = [{ type: "text" }, { type: 1 }];
  const cases: [
    (client: Awaited<ReturnType<typeof makeReady>>["client"]) => Promise<unknown>,
    Members,
    string,
  ][] = [
    [(client) => client.callTool("x"), {}, "/content"],
    [(client) => client.callTool("x"), { content }, "/content/1/type"],
    [(client) => client.callTool("x"), { content: [], isError: 1 }, "/isError"],
    [
      (client) => client.callTool("x"),
      { content: [], structuredContent: [] },
      "/structuredContent",
    ],
    [(client) => client.listTools(), { tools: [{ name: "a" }] }, "/tools/0/inputSchema"],
    [(client) => client.listTools(), { tools: [], nextCursor: 1 }, "/nextCursor"],
    [(client) => client.listResources(), { resources: [{ uri: "x" }] }, "/resources/0/name"],
    [(client) => client.listResourceTemplates(), { resourceTemplates: {} }, "/resourceTemplates"],
    [(client) => client.readResource("x"), { contents: [1] }, "/contents/0"],
    [(client) => client.listPrompts(), {}, "/prompts"],
    [(client) => client.getPrompt("x"), { messages: [{ role: "user" }] }, "/messages/0/content"],
  ];
  const { client, peer } = await makeReady();
  for (const [call, result, pointer] of cases) {
    const failure = failureOf(call(client));
    await settle();
    const { method } = peer.lastRequest();
    peer.answer(result);
    const details = { fault: "result", method, pointer };
    assert.equal(await failure, { code: "MCP_PROTOCOL_ERROR", details, isTerminal: false });
    assert.is(client.state, "initialized");
  }
});

exchange("lists are followed page after page", async () => {
  const { client, peer } = await makeReady();
  const all = client.listAllTools();
  const tool = (name: string): Members => ({ name, inputSchema: { type: "object" } });
  await settle();
  peer.answer({ tools: [tool("a"), tool("b")], nextCursor: "" });
  await settle();
  assert.equal(peer.lastRequest(), { ...v, id: 3, method: "tools/list", params: { cursor: "" } });
  peer.answer({ tools: [], nextCursor: "p3" });
  await settle();
  peer.answer({ tools: [tool("c")] });
  assert.equal((await all).map(({ name }) => name), ["a", "b", "c"]);

  const others: [Promise<unknown>, Members, unknown][] = [
    [client.listAllResources(), { resources: [{ uri: "u", name: "n" }] }, [{
      uri: "u",
      name: "n",
    }]],
    [client.listAllPrompts(), { prompts: [{ name: "n" }] }, [{ name: "n" }]],
  ];
  await settle();
  const ids = peer.sent().slice(-2).map(({ id }) => id);
  for (const [index, [list, result, expected]] of others.entries()) {
    peer.say({ ...v, id: ids[index], result });
    assert.equal(await list, expected);
  }
  const templates = client.listAllResourceTemplates();
  await settle();
  peer.answer({ resourceTemplates: [{ uriTemplate: "u{x}", name: "n" }] });
  assert.equal(await templates, [{ uriTemplate: "u{x}", name: "n" }]);
});

exchange("lists end at their bounds, and at a cursor that comes back", async () => {
  const { client, peer } = await makeReady();
  const tools = [1, 2].map((n) => ({ name: `t${n}`, inputSchema: {} }));
  const pages = failureOf(client.listAllTools({ maxPages: 2 }));
  await settle();
  peer.answer({ tools, nextCursor: "2" });
  await settle();
  peer.answer({ tools, nextCursor: "3" });
  assert.equal(await pages, { code: "MCP_TOO_MANY", details: {}, isTerminal: false });
  const items = failureOf(client.listAllTools({ maxItems: 1 }));
  await settle();
  peer.answer({ tools });
  assert.equal(await items, { code: "MCP_TOO_MANY", details: {}, isTerminal: false });
  const loop = failureOf(client.listAllTools());
  await settle();
  peer.answer({ tools, nextCursor: "x" });
  await settle();
  peer.answer({ tools, nextCursor: "x" });
  const details = { fault: "repeated_cursor" };
  assert.equal(await loop, { code: "MCP_PROTOCOL_ERROR", details, isTerminal: false });
});

exchange("resources are read and prompts filled in", async () => {
  const { client, peer } = await makeReady();
  const read = client.readResource("file:///x");
  await settle();
  assert.equal(peer.lastRequest()["params"], { uri: "file:///x" });
  peer.answer({ contents: [{ uri: "file:///x", text: "t" }] });
  assert.equal(await read, { contents: [{ uri: "file:///x", text: "t" }] });
  const filled = client.getPrompt("p", { a: "1" });
  await settle();
  assert.equal(peer.lastRequest()["params"], { name: "p", arguments: { a: "1" } });
  const result = { messages: [{ role: "user", content: { type: "text", text: "t" } }] };
  peer.answer(result);
  assert.equal(await filled, result);
});

exchange("notify() resolves once the server's input has taken it", async () => {
  const { client, peer } = await makeReady();
  peer.taking = "waits";
  let isDone = false;
  const sent = client.notify("notifications/roots/list_changed").then(() => isDone = true);
  await settle();
  assert.is(isDone, false);
  peer.take();
  await sent;
  assert.equal(peer.sent(), [{ ...v, method: "notifications/roots/list_changed" }]);
});

exchange.run();
