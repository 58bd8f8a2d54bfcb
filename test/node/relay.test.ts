import process from "node:process";
import { fileURLToPath } from "node:url";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { McpError } from "../../src/mcp/mod.ts";
import { Relay } from "../../src/node/mod.ts";
import type { Relayed, RelayOptions } from "../../src/node/mod.ts";
import type { Timers } from "../../src/ports/mod.ts";
import { rejectionOf, thrownBy } from "../lib/thrown.ts";
import { NODE } from "../mcp/node.ts";
import { waitEnded } from "../mcp/proc.ts";

const relays = suite("Relay");
const server = fileURLToPath(new URL("../mcp/hostile_server.mjs", import.meta.url));
const encoder = new TextEncoder();
const INITIALIZE = request(1, "initialize", { protocolVersion: "2025-11-25" });

function request(id: number, method: string, params: object = {}): string {
  return JSON.stringify({ jsonrpc: "2.0", id, method, params });
}

/** A client whose lines a test writes, and ends. */
class Client {
  readonly received: string[] = [];
  readonly #lines: string[] = [];
  #wake = (): void => undefined;
  #hasEnded = false;
  /** Called for each line that it gets. */
  onLine: (line: string) => unknown = () => undefined;

  say(...lines: string[]): void {
    this.#lines.push(...lines);
    this.#wake();
  }

  end(): void {
    this.#hasEnded = true;
    this.#wake();
  }

  async *#input(): AsyncGenerator<Uint8Array> {
    for (;;) {
      while (this.#lines.length > 0) yield encoder.encode(`${this.#lines.shift()}\n`);
      if (this.#hasEnded) return;
      await new Promise<void>((resolve) => this.#wake = resolve);
    }
  }

  readonly input: AsyncIterable<Uint8Array> = this.#input();

  async write(bytes: Uint8Array): Promise<void> {
    const line = new TextDecoder().decode(bytes);
    this.received.push(line);
    await this.onLine(line);
  }
}

/** A recorder that lets everything pass. */
const PASS: Relayed = {
  fromClient: (line) => Promise.resolve({ toServer: [line] }),
  fromServer: (line) => Promise.resolve({ toClient: [line] }),
  serverEnded: () => Promise.resolve({ toClient: [encoder.encode("ended")] }),
};

/** Relays for a server in a mode. Its number is in what it says of itself. */
function relay(
  mode: string,
  options: RelayOptions & { recorder?: Partial<Relayed> } = {},
): { client: Client; made: Relay; ended: Promise<void>; pids: () => number[] } {
  const { recorder, ...rest } = options;
  const client = new Client();
  const made = new Relay(
    { command: NODE, args: [server, mode] },
    client,
    { ...PASS, ...recorder },
    {
      closeTimeoutMs: 200,
      ...rest,
    },
  );
  client.say(INITIALIZE);
  const pids = (): number[] =>
    client.received.filter((line) => line.includes('"helpers"')).flatMap((line) =>
      JSON.parse(line).result.serverInfo.helpers as number[]
    );
  return { client, made, ended: made.run(), pids };
}

relays("passes lines on until the client is done, and what is answered by then", async () => {
  const { client, ended } = relay("well behaved");
  client.say(request(2, "tools/call", { arguments: { text: "a" } }), request(3, "ping"));
  client.end();
  await ended;
  assert.equal(client.received.slice(1), [
    '{"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"a"}]}}\n',
    '{"jsonrpc":"2.0","id":3,"result":{}}\n',
    "ended\n",
  ]);
});

relays("ends a server that ignores the end of its input and SIGTERM", async () => {
  for (const mode of ["ignores end", "ignores sigterm"]) {
    const { client, ended } = relay(mode);
    client.onLine = () => client.end();
    await ended;
    assert.is(client.received.at(-1), "ended\n");
  }
});

relays("ends stray helpers, and does not wait for one that it cannot reach", async () => {
  const stray = relay("stubborn helper");
  stray.client.onLine = () => stray.client.end();
  await stray.ended;
  const [pid] = stray.pids();
  assert.ok(await waitEnded(pid!));

  const away = relay("helper out of reach");
  away.client.onLine = () => away.client.end();
  await away.ended;
  assert.is(away.client.received.at(-1), "ended\n");
  for (const pid of away.pids()) process.kill(pid, "SIGKILL");
});

relays("does not fail for the output that it closes when a helper holds it", async () => {
  const away = relay("helper out of reach", {
    recorder: {
      serverEnded: async () => {
        for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve));
        return { toClient: [encoder.encode("ended")] };
      },
    },
  });
  away.client.onLine = () => away.client.end();
  await away.ended;
  assert.is(away.client.received.at(-1), "ended\n");
  for (const pid of away.pids()) process.kill(pid, "SIGKILL");
});

relays("takes a server that closes its output for one that has ended", async () => {
  const { client, ended } = relay("closed stdout");
  client.say(request(2, "tools/call", { name: "any" }));
  await ended;
  assert.is(client.received.at(-1), "ended\n");
});

relays("fails when the server ends before the client, badly", async () => {
  const { client, ended } = relay("exit");
  client.say(request(2, "tools/call", { name: "any" }));
  const { code, details } = await rejectionOf(ended) as McpError;
  assert.equal([code, details], ["MCP_SERVER_EXITED", { code: 4, signal: null }]);
});

relays("refuses a line over the bound, of either side", async () => {
  const wide = relay("well behaved", { maxFrameBytes: 1000 });
  wide.client.say("x".repeat(1001));
  const ofClient = await rejectionOf(wide.ended) as McpError;
  assert.equal([ofClient.code, ofClient.message], [
    "MCP_PROTOCOL_ERROR",
    "Recording: a line of the client is longer than 1000 bytes",
  ]);
  const long = relay("long line", { maxFrameBytes: 4_194_304 });
  long.client.say(request(2, "tools/call", { name: "any" }));
  const ofServer = await rejectionOf(long.ended) as McpError;
  assert.is(ofServer.message, "Recording: a line of the server is longer than 4194304 bytes");
  assert.is(long.client.received.at(-1), "ended\n");
});

relays("stops when the recorder says so, or throws, once its lines are written", async () => {
  const stop = new Error("no space") as never;
  const told = relay("well behaved", {
    recorder: { fromServer: (line) => Promise.resolve({ toClient: [line], stop }) },
  });
  assert.is(await rejectionOf(told.ended), stop);
  assert.is(told.client.received.length, 2);
  const thrown = relay("well behaved", { recorder: { fromClient: () => Promise.reject(stop) } });
  assert.is(await rejectionOf(thrown.ended), stop);
});

relays("stops when the client takes nothing more", async () => {
  const { client, ended } = relay("well behaved");
  const failure = new Error("EPIPE");
  client.onLine = () => Promise.reject(failure);
  assert.is(await rejectionOf(ended), failure);
  assert.is(client.received.length, 2);
});

relays("waits for a client that reads slowly, and for the recorder", async () => {
  let taken = 0;
  const fromServer = (line: Uint8Array) => Promise.resolve({ toClient: (taken++, [line]) });
  const { client, ended } = relay("notification flood", { recorder: { fromServer } });
  let release = (): void => undefined;
  const isHeld = new Promise<void>((resolve) =>
    client.onLine = (line) => {
      if (line.includes('"result":{"content"')) client.end();
      if (!line.includes("flood") || taken > 2) return undefined;
      resolve();
      return new Promise<void>((go) => release = go);
    }
  );
  client.say(request(2, "tools/call", { arguments: { text: "a" } }));
  await isHeld;
  for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve));
  assert.is(taken, 2);
  release();
  await ended;
  assert.is(taken, 20_002);
});

/** Timers whose every look at the output is after all waits, and that call back at the third look. */
function hastyTimers(thirdLook: () => void): Timers {
  let now = 0;
  let looks = 0;
  return {
    now: () => now += 1000,
    after: (ms, fire) => {
      if (ms === 10 && ++looks === 3) thirdLook();
      const timer = setTimeout(fire, ms);
      return () => clearTimeout(timer);
    },
  };
}

relays("waits for a client that reads slowly when the server has ended", async () => {
  let take = (): void => undefined;
  const { client, ended } = relay("well behaved", { timers: hastyTimers(() => take()) });
  client.onLine = (line) =>
    line.includes('"id":1') ? new Promise<void>((resolve) => take = resolve) : undefined;
  client.say(request(2, "ping"), request(3, "ping"));
  client.end();
  await ended;
  assert.equal(client.received.slice(1), [
    '{"jsonrpc":"2.0","id":2,"result":{}}\n',
    '{"jsonrpc":"2.0","id":3,"result":{}}\n',
    "ended\n",
  ]);
});

relays("waits for an answer that is being recorded when the server has ended", async () => {
  let record = (): void => undefined;
  const { client, ended } = relay("answer then exit", {
    timers: hastyTimers(() => record()),
    recorder: {
      fromServer: async (line) => {
        if (new TextDecoder().decode(line).includes('"id":2')) {
          await new Promise<void>((resolve) => record = resolve);
        }
        return { toClient: [line] };
      },
    },
  });
  client.say(request(2, "tools/call", { name: "any" }));
  assert.is((await rejectionOf(ended) as McpError).code, "MCP_SERVER_EXITED");
  assert.equal(client.received.map((line) => /"id":\d|ended/.exec(line)?.[0]), [
    '"id":1',
    '"id":2',
    "ended",
  ]);
});

relays("waits for a call that is being recorded when the server has ended", async () => {
  const control = new AbortController();
  let record = (): void => undefined;
  let tell = (): void => undefined;
  const isTold = new Promise<void>((resolve) => tell = resolve);
  const { client, ended } = relay("well behaved", {
    signal: control.signal,
    recorder: {
      fromClient: async (line) => {
        if (new TextDecoder().decode(line).includes('"id":2')) {
          control.abort();
          await new Promise<void>((resolve) => record = resolve);
        }
        return { toServer: [line] };
      },
      serverEnded: () => Promise.resolve({}).finally(tell),
    },
  });
  client.say(request(2, "ping"));
  let hasEnded = false;
  const over = ended.then(() => void (hasEnded = true));
  await isTold;
  for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve));
  assert.is(hasEnded, false);
  record();
  await over;
});

relays("tells the client what it must hear while the server reads nothing", async () => {
  const control = new AbortController();
  const told = [encoder.encode("given up")];
  const { client, made, ended } = relay("reads nothing", {
    signal: control.signal,
    recorder: {
      fromClient: (line) => {
        if (line.length > 1e6) {
          setImmediate(() => void made.deliver({ toServer: told, toClient: told }));
        }
        return Promise.resolve({ toServer: [line] });
      },
    },
  });
  client.onLine = (line) => line === "given up\n" && control.abort();
  const initialized = JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" });
  client.say(initialized, request(2, "ping", { text: "x".repeat(4e6) }));
  await ended;
  assert.ok(client.received.includes("given up\n"));
});

relays("ends when it is interrupted, before or while it runs", async () => {
  const early = relay("well behaved", { signal: AbortSignal.abort() });
  await early.ended;
  const control = new AbortController();
  const { client, ended } = relay("well behaved", { signal: control.signal });
  client.onLine = () => control.abort();
  await ended;
  assert.is(client.received.length, 2);
});

relays("stops when the recorder says so, though the client takes nothing more", async () => {
  const stop = new Error("no space") as never;
  const { client, ended } = relay("well behaved", {
    recorder: { fromServer: (line) => Promise.resolve({ toClient: [line], stop }) },
  });
  client.onLine = () => new Promise(() => undefined);
  assert.is(await rejectionOf(ended), stop);
  assert.is(client.received.length, 1);
});

relays("ends when it is interrupted, though the client takes nothing more", async () => {
  const control = new AbortController();
  const { client, ended } = relay("well behaved", { signal: control.signal });
  client.onLine = () => {
    control.abort();
    return new Promise(() => undefined);
  };
  await ended;
  assert.is(client.received.length, 1);
});

relays("says what cannot be started", async () => {
  const client = new Client();
  const absent = new Relay({ command: "no such command" }, client, PASS);
  assert.is((await rejectionOf(absent.run()) as McpError).code, "MCP_SPAWN_FAILED");
  const wrong = thrownBy(() => new Relay({ command: "" }, client, PASS)) as McpError;
  assert.is(wrong.code, "MCP_INVALID_ARGUMENT");
});

relays.run();
