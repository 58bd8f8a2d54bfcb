/**
 * The states of a client and every race between them, with a peer and a clock that a test plays.
 *
 * @module
 */
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { McpClient } from "../../src/mcp/mod.ts";
import type { ClientOptions, McpError, Revision } from "../../src/mcp/mod.ts";
import { rejectionOf, thrownBy } from "../lib/thrown.ts";
import { FakeTimers, settle } from "../lib/timers.ts";
import { failureOf, FakePeer, GREETING, makeReady, makeRig } from "./kit.ts";

const closed = { code: "MCP_CLOSED", details: {}, isTerminal: true };

const lifecycle = suite("McpClient lifecycle");

lifecycle(
  "goes from idle to initialized, and asks once for the first of its revisions",
  async () => {
    const { client, peer, timers } = makeRig();
    assert.is(client.state, "idle");
    peer.startsAtOnce = false;
    const starts = [client.start(), client.start()];
    assert.is(client.state, "starting");
    peer.events.started();
    assert.is(client.state, "running");
    await Promise.all(starts);
    const ready = [client.initialize(), client.initialize()];
    await settle();
    assert.is(client.state, "initializing");
    assert.equal(peer.sent(), [{
      jsonrpc: "2.0",
      id: 1,
      method: "initialize",
      params: {
        protocolVersion: "2025-11-25",
        capabilities: {},
        clientInfo: { name: "affidavit", version: "0.1.0" },
      },
    }]);
    assert.is(client.initializeResult, undefined);
    peer.answer(GREETING);
    const [first, second] = await Promise.all(ready);
    assert.is(first, second);
    assert.is(await client.initialize(), first);
    assert.is(client.initializeResult, first);
    assert.equal(first, GREETING);
    assert.is(client.state, "initialized");
    assert.equal(peer.sent().slice(1), [{ jsonrpc: "2.0", method: "notifications/initialized" }]);
    assert.equal(peer.asked, ["start"]);
    assert.is(timers.waiting, 0);
  },
);

lifecycle("initialize() starts the server when nobody has", async () => {
  const { client, peer } = await makeReady();
  assert.is(client.state, "initialized");
  assert.equal(peer.asked, ["start"]);
});

lifecycle("a start that fails, later or at once, is final", async () => {
  for (const isLate of [true, false]) {
    const { client, peer } = makeRig();
    peer.start = (events) => {
      if (!isLate) throw new Error("no such command");
      events.startFailed(new Error("no such command"));
    };
    const first = await rejectionOf(client.start()) as McpError;
    assert.is(first.code, "MCP_SPAWN_FAILED");
    assert.is(first.message, 'Starting "server": it cannot be started');
    assert.is((first.cause as Error).message, "no such command");
    assert.is(client.state, "failed");
    for (const call of [client.start(), client.initialize(), client.ping(), client.notify("x")]) {
      assert.is(await rejectionOf(call), first);
    }
    await client.close();
    assert.is(client.state, "closed");
    assert.is(await rejectionOf(client.start()), first);
    assert.equal(peer.asked, []);
  }
});

lifecycle("a start that fails says the system's code", async () => {
  const { client, peer } = makeRig();
  peer.start = (events) => events.startFailed(Object.assign(new Error("x"), { code: "EACCES" }));
  const { message } = await rejectionOf(client.start()) as McpError;
  assert.is(message, 'Starting "server": it cannot be started (EACCES)');
});

lifecycle("initializing fails for good: on no answer, which is never cancelled", async () => {
  const { client, peer, timers } = makeRig({ requestTimeoutMs: 50 });
  const ready = failureOf(client.initialize());
  await timers.pass(50);
  const details = { id: 1, method: "initialize", timeoutMs: 50 };
  assert.equal(await ready, { code: "MCP_TIMEOUT", details, isTerminal: true });
  assert.is((await rejectionOf(client.ping()) as McpError).isRetryable, false);
  assert.is(client.state, "failed");
  assert.is(peer.lines.length, 1);
});

lifecycle(
  "initializing fails for good: on an error, a bad shape, a revision not accepted",
  async () => {
    const cases: [object, object][] = [
      [{ error: { code: -32602, message: "no", data: 1 } }, {
        code: "MCP_RPC_ERROR",
        details: { id: 1, method: "initialize", rpcCode: -32602, rpcMessage: "no", rpcData: 1 },
        isTerminal: true,
      }],
      [{ result: { ...GREETING, serverInfo: { name: "x" } } }, {
        code: "MCP_PROTOCOL_ERROR",
        details: { fault: "result", method: "initialize", pointer: "/serverInfo/version" },
        isTerminal: true,
      }],
      [{ result: { ...GREETING, protocolVersion: "2024-11-05" } }, {
        code: "MCP_UNSUPPORTED_PROTOCOL_VERSION",
        details: {
          selected: "2024-11-05",
          supported: ["2025-11-25", "2025-06-18", "2025-03-26"],
        },
        isTerminal: true,
      }],
    ];
    for (const [answer, expected] of cases) {
      const { client, peer } = makeRig();
      const ready = client.initialize();
      const failure = failureOf(ready);
      await settle();
      peer.say({ jsonrpc: "2.0", id: 1, ...answer });
      assert.equal(await failure, expected);
      assert.is(client.state, "failed");
      assert.is(client.initializeResult, undefined);
      assert.is(await rejectionOf(client.ping()), await rejectionOf(ready));
      assert.equal(peer.asked.slice(0, 2), ["start", "terminate"]);
    }
  },
);

lifecycle("initializing fails for good: on a message that is too long to be sent", async () => {
  const { client } = makeRig({ maxFrameBytes: 10 });
  const first = await rejectionOf(client.initialize()) as McpError;
  assert.equal([first.code, first.isTerminal], ["MCP_INVALID_ARGUMENT", true]);
  assert.is(client.state, "failed");
  assert.is(await rejectionOf(client.ping()), first);
});

lifecycle("initializing fails for good: on garbage right behind a good answer", async () => {
  const { client, peer } = makeRig();
  const ready = rejectionOf(client.initialize());
  await settle();
  peer.say({ jsonrpc: "2.0", id: 1, result: GREETING }, "garbage");
  const error = await ready as McpError;
  assert.is(error.code, "MCP_PROTOCOL_ERROR");
  assert.is(await rejectionOf(client.ping()), error);
  assert.equal([client.state, client.initializeResult], ["failed", undefined]);
  assert.is(peer.lines.length, 1);
});

lifecycle("an older revision is taken when the caller lists it", async () => {
  const options: ClientOptions = { supportedProtocolVersions: ["2025-06-18", "2024-11-05"] };
  const { client } = await makeReady(options, { ...GREETING, protocolVersion: "2024-11-05" });
  assert.is(client.state, "initialized");
});

lifecycle("options that are changed after the constructor change nothing", async () => {
  const supportedProtocolVersions: Revision[] = ["2025-06-18"];
  const clientInfo = { name: "me", version: "1" };
  const { client, peer } = makeRig({ supportedProtocolVersions, clientInfo });
  supportedProtocolVersions.pop();
  clientInfo.name = "";
  const ready = client.initialize();
  await settle();
  const wanted = { protocolVersion: "2025-06-18", clientInfo: { name: "me", version: "1" } };
  assert.equal(peer.lastRequest()["params"], { ...wanted, capabilities: {} });
  peer.answer({ ...GREETING, protocolVersion: "2025-06-18" });
  await ready;
});

lifecycle("calls out of their time are refused and change nothing", async () => {
  const { client, peer } = makeRig();
  const refusals = async (): Promise<string[]> => {
    const calls = [client.ping(), client.callTool("x"), client.notify("x"), client.request("x")];
    return (await Promise.all(calls.map(failureOf))).map(({ code }) => code);
  };
  assert.equal(await refusals(), Array(4).fill("MCP_NOT_STARTED"));
  peer.startsAtOnce = false;
  const ready = client.initialize();
  assert.equal(await refusals(), Array(4).fill("MCP_NOT_INITIALIZED"));
  peer.events.started();
  await settle();
  assert.is(client.state, "initializing");
  assert.equal(await refusals(), Array(4).fill("MCP_NOT_INITIALIZED"));
  peer.answer(GREETING);
  await ready;
  await client.close();
  assert.equal(await refusals(), Array(4).fill("MCP_CLOSED"));
  assert.is(client.initializeResult?.protocolVersion, "2025-11-25");
});

lifecycle("close() goes through three stages, each with its wait, and is one promise", async () => {
  for (
    const [endsAt, stages] of [
      ["endInput", ["endInput"]],
      ["terminate", ["endInput", "terminate"]],
      ["kill", ["endInput", "terminate", "kill"]],
    ] as const
  ) {
    const { client, peer, timers } = await makeReady({ closeTimeoutMs: 100 });
    peer.endsAt = [endsAt];
    const closing = client.close();
    assert.is(client.close(), closing);
    assert.is(client.state, "closing");
    const waiting = failureOf(client.ping());
    assert.equal(await waiting, closed);
    await timers.pass(100 * (stages.length - 1));
    await closing;
    assert.is(client.state, "closed");
    assert.is(client.close(), closing);
    // the last one is for helpers, of whom there are none
    assert.equal(peer.asked, ["start", ...stages, "terminate", "release"]);
    assert.is(timers.waiting, 0);
  }
});

lifecycle("a process that survives every stage fails the client", async () => {
  const { client, peer, timers } = await makeReady({ closeTimeoutMs: 100 });
  peer.endsAt = [];
  const closing = failureOf(client.close());
  await timers.pass(300);
  const details = { pid: 7, command: "server" };
  assert.equal(await closing, { code: "MCP_CLOSE_TIMEOUT", details, isTerminal: true });
  assert.is(client.state, "failed");
  assert.is((await failureOf(client.ping())).code, "MCP_CLOSE_TIMEOUT");
  assert.equal(peer.asked, ["start", "endInput", "terminate", "kill"]);
});

lifecycle("helpers that outlive the server are told to end, and made to", async () => {
  const gone = await makeReady({ closeTimeoutMs: 100 });
  gone.peer.hasHelpers = true;
  const closing = gone.client.close();
  await settle();
  gone.peer.hasHelpers = false;
  await gone.timers.pass(20);
  await closing;
  assert.equal(gone.peer.asked, ["start", "endInput", "terminate", "look", "release"]);

  const stubborn = await makeReady({ closeTimeoutMs: 40 });
  stubborn.peer.hasHelpers = true;
  const ended = stubborn.client.close();
  await stubborn.timers.pass(40);
  await ended;
  const asked = ["start", "endInput", "terminate", "look", "look", "kill", "release"];
  assert.equal(stubborn.peer.asked, asked);
});

lifecycle("close() before, during and after the start", async () => {
  const idle = makeRig();
  await idle.client.close();
  assert.is(idle.client.state, "closed");
  assert.equal(await failureOf(idle.client.start()), closed);
  assert.equal(idle.peer.asked, []);

  for (const isStarted of [true, false]) {
    const { client, peer, timers } = makeRig();
    peer.startsAtOnce = false;
    peer.endsAt = ["terminate"];
    const start = failureOf(client.start());
    const closing = client.close();
    assert.equal(await start, closed);
    if (isStarted) peer.events.started();
    else {
      peer.hasExited = true;
      peer.events.startFailed(new Error("late"));
    }
    assert.is(client.state, "closing");
    await timers.pass(1000);
    await closing;
    assert.is(client.state, "closed");
    const stages = isStarted ? ["endInput", "terminate", "terminate"] : ["endInput", "terminate"];
    assert.equal(peer.asked, ["start", ...stages, "release"]);
  }
});

lifecycle("close() during initialize rejects it and leaves no result", async () => {
  const { client, peer } = makeRig();
  const ready = failureOf(client.initialize());
  await settle();
  peer.endsAt = ["terminate"];
  void client.close();
  assert.equal(await ready, closed);
  peer.answer(GREETING);
  assert.is(client.initializeResult, undefined);
  assert.is(client.state, "closing");
});

lifecycle("close() in the same turn as initialize() or its answer rejects it", async () => {
  const asked = makeRig();
  const first = failureOf(asked.client.initialize());
  await asked.client.close();
  assert.equal(await first, closed);
  assert.equal([asked.peer.lines, asked.timers.waiting], [[], 0]);

  const started = makeRig();
  await started.client.start();
  const second = failureOf(started.client.initialize());
  assert.is(started.client.state, "initializing");
  await started.client.close();
  assert.equal(await second, closed);

  const answered = makeRig();
  const third = failureOf(answered.client.initialize());
  await settle();
  answered.peer.answer(GREETING);
  await answered.client.close();
  assert.equal(await third, closed);
  assert.equal([answered.peer.lines.length, answered.client.initializeResult], [1, undefined]);

  const noticed = makeRig();
  const fourth = failureOf(noticed.client.initialize());
  await settle();
  noticed.peer.taking = "waits";
  noticed.peer.answer(GREETING);
  await settle();
  noticed.peer.take();
  await noticed.client.close();
  assert.equal(await fourth, closed);
  assert.is(noticed.client.initializeResult, undefined);
});

lifecycle("close() between the answer and the notice of it leaves no result", async () => {
  const { client, peer } = makeRig();
  const ready = failureOf(client.initialize());
  await settle();
  peer.taking = "waits";
  peer.answer(GREETING);
  await settle();
  assert.is(client.state, "initializing");
  void client.close();
  assert.equal(await ready, closed);
  assert.is(client.initializeResult, undefined);
});

lifecycle(
  "an exit rejects all that waits with one error, after unread output was read",
  async () => {
    const { client, peer, timers } = await makeReady();
    peer.stderr = "Bearer of bad news";
    const calls = [client.callTool("a"), client.callTool("b")];
    const answered = client.callTool("c");
    await settle();
    peer.exit(3, null, false);
    assert.is(client.state, "initialized");
    peer.answer({ content: [] });
    assert.equal(await answered, { content: [] });
    const errors = Promise.all(calls.map(rejectionOf));
    peer.events.drained();
    const [first, second] = await errors;
    assert.is(first, second);
    const { code, message, details } = first as McpError;
    assert.is(code, "MCP_SERVER_EXITED");
    assert.is(message, 'Talking to "server": it ended with status 3');
    assert.equal(details, { code: 3, signal: null, stderr: "Bearer of bad news" });
    assert.is(client.state, "failed");
    await timers.pass(1000);
    assert.equal(peer.asked, ["start", "terminate", "release"]);
  },
);

lifecycle("a server may exit, and its pipes break, before its start is told", async () => {
  const told: [(peer: FakePeer) => void, string][] = [
    [(peer) => peer.exit(1), "MCP_SERVER_EXITED"],
    [(peer) => peer.exit(1, null, false), "MCP_SERVER_EXITED"],
    [(peer) => peer.events.outputEnded(), "MCP_TRANSPORT_ERROR"],
    [(peer) => peer.events.inputFailed(new Error("EPIPE")), "MCP_WRITE_FAILED"],
  ];
  for (const [tell, code] of told) {
    const { client, peer, timers } = makeRig();
    peer.startsAtOnce = false;
    const ready = rejectionOf(client.initialize());
    tell(peer);
    await timers.pass(200);
    const error = await ready as McpError;
    assert.is(error.code, code);
    peer.events.started();
    assert.equal([client.state, peer.lines], ["failed", []]);
    assert.is(await rejectionOf(client.start()), error);
  }
});

lifecycle("unread output of a server that exited is waited for only so long", async () => {
  const { client, peer, timers } = await makeReady({ drainTimeoutMs: 200 });
  const call = failureOf(client.callTool("a"));
  await settle();
  peer.exit(null, "SIGKILL", false);
  await timers.pass(199);
  assert.is(client.state, "initialized");
  await timers.pass(1);
  const details = { code: null, signal: "SIGKILL", stderr: "" };
  assert.equal(await call, { code: "MCP_SERVER_EXITED", details, isTerminal: true });
});

lifecycle("standard error is in messages only when that is asked for", async () => {
  const { client, peer } = await makeReady({ stderrInMessage: true });
  peer.stderr = "oops";
  peer.exit(1);
  const { message } = await rejectionOf(client.ping()) as McpError;
  assert.is(message, 'Talking to "server": it ended with status 1; its standard error ends: oops');
});

lifecycle(
  "output that ends is an exit if one follows soon, and else a failure of its own",
  async () => {
    const exits = await makeReady({ drainTimeoutMs: 200 });
    exits.peer.events.outputEnded();
    await exits.timers.pass(199);
    exits.peer.exit(0);
    assert.is((await failureOf(exits.client.ping())).code, "MCP_SERVER_EXITED");

    const lives = await makeReady({ drainTimeoutMs: 200 });
    const call = failureOf(lives.client.callTool("a"));
    await settle();
    lives.peer.events.outputEnded();
    await lives.timers.pass(200);
    const expected = { code: "MCP_TRANSPORT_ERROR", details: { stderr: "" }, isTerminal: true };
    assert.equal(await call, expected);
    assert.is(lives.client.state, "failed");
  },
);

lifecycle(
  "a broken input is an exit if one follows soon, and else a failure of its own",
  async () => {
    for (const way of ["event", "write"]) {
      const exits = await makeReady();
      exits.peer.taking = "broken";
      const call = failureOf(exits.client.ping());
      if (way === "event") exits.peer.events.inputFailed(new Error("EPIPE"));
      await settle();
      exits.peer.exit(0);
      assert.is((await call).code, "MCP_SERVER_EXITED");

      const lives = await makeReady();
      if (way === "write") lives.peer.taking = "broken";
      const failing = rejectionOf(lives.client.ping());
      if (way === "event") lives.peer.events.inputFailed(new Error("EPIPE"));
      await lives.timers.pass(200);
      const { code, cause } = await failing as McpError;
      assert.is(code, "MCP_WRITE_FAILED");
      assert.is((cause as Error).message, "EPIPE");
    }
  },
);

lifecycle(
  "a pipe that fails ends the client, and ends the server by force if need be",
  async () => {
    const { client, peer, timers } = await makeReady({ closeTimeoutMs: 100 });
    peer.endsAt = ["kill"];
    const cause = new Error("EIO");
    peer.events.failed(cause);
    const error = await rejectionOf(client.ping()) as McpError;
    assert.is(error.code, "MCP_TRANSPORT_ERROR");
    assert.is(error.cause, cause);
    await timers.pass(100);
    assert.equal(peer.asked, ["start", "terminate", "kill", "terminate", "release"]);
    await client.close();
    assert.is(client.state, "closed");
    assert.is(await rejectionOf(client.ping()), error);
  },
);

lifecycle(
  "close() of a failed client waits until the server is gone, and says when it is not",
  async () => {
    const { client, peer, timers } = await makeReady({ closeTimeoutMs: 100 });
    peer.endsAt = [];
    peer.events.failed(new Error("EIO"));
    const first = await rejectionOf(client.ping());
    const closing = failureOf(client.close());
    assert.is(client.state, "closing");
    await timers.pass(200);
    assert.is((await closing).code, "MCP_CLOSE_TIMEOUT");
    assert.is(await rejectionOf(client.ping()), first);
  },
);

lifecycle("what is told of a client that has ended changes nothing", async () => {
  const { client, peer, timers } = await makeReady();
  await client.close();
  peer.events.failed(new Error("late"));
  peer.events.inputFailed(new Error("late"));
  peer.events.outputEnded();
  peer.events.drained();
  peer.say("no JSON");
  await timers.pass(5000);
  assert.is(client.state, "closed");
  assert.equal(await failureOf(client.ping()), closed);
});

lifecycle("bad arguments of the constructor are named", () => {
  const cases: [unknown, string][] = [
    [{ requestTimeoutMs: 0 }, "requestTimeoutMs must be a positive whole number"],
    [{ closeTimeoutMs: 1.5 }, "closeTimeoutMs must be a positive whole number"],
    [{ writeTimeoutMs: NaN }, "writeTimeoutMs must be a positive whole number"],
    [{ drainTimeoutMs: -1 }, "drainTimeoutMs must be a positive whole number"],
    [{ maxFrameBytes: "1" }, "maxFrameBytes must be a positive whole number"],
    [{ maxQueuedBytes: 2 ** 53 }, "maxQueuedBytes must be a positive whole number"],
    [{ maxQueuedBytes: 10 }, "maxQueuedBytes must not be less than maxFrameBytes"],
    [
      { clientInfo: { name: " ", version: "1" } },
      "clientInfo must have a name and a version that are not blank",
    ],
    [
      { clientInfo: { name: "x" } },
      "clientInfo must have a name and a version that are not blank",
    ],
    [
      { supportedProtocolVersions: [] },
      "supportedProtocolVersions must be a list of revisions that have initialize",
    ],
    [
      { supportedProtocolVersions: ["2026-07-28"] },
      "supportedProtocolVersions must be a list of revisions that have initialize",
    ],
    [{ onNotification: 1 }, "onNotification must be a function"],
    [null, "options must be an object"],
  ];
  for (const [options, why] of cases) {
    const error = thrownBy(() =>
      new McpClient(new FakePeer(), new FakeTimers(), options as ClientOptions)
    ) as McpError;
    assert.is(error.code, "MCP_INVALID_ARGUMENT");
    assert.is(error.message, `Using an MCP client: ${why}`);
    assert.is(error.isTerminal, false);
  }
});

lifecycle.run();
