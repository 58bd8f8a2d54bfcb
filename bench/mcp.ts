/**
 * The MCP client against the official one: lines out of bytes, and calls of an echo.
 *
 * @module
 */
import { Buffer } from "node:buffer";
import { EventEmitter } from "node:events";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { Framer, readMessage } from "../src/mcp/mod.ts";
import type { McpClient } from "../src/mcp/mod.ts";
import type { Transport, TransportEvents } from "../src/ports/mod.ts";
import { root, runtimeArguments } from "../test/house/project.ts";
import { importSdk, isInstalled } from "../test/live/packages.ts";
import { makeSdkClient, makeSdkTransport } from "../test/live/sdk_client.ts";
import type { SdkClient } from "../test/live/sdk_client.ts";
import { echo } from "./echo.ts";
import { compare } from "./measure.ts";
import type { Bench, Contender, Result } from "./measure.ts";

const AFTER = 10_000;
const AFTER_TURNS = 9;
const TOGETHER = 1_000;
const TURNS = 41; // short ones
const LINE_BYTES = 4 * 1024 * 1024;
const SAYING = "What the tool is told and says, in words.";

const [encoder, decoder] = [new TextEncoder(), new TextDecoder()];
const server = {
  command: process.execPath,
  args: [...runtimeArguments(), fileURLToPath(new URL("echo.ts", import.meta.url)), "stdio"],
};

/** Two clients of one kind of server. */
interface Pair {
  readonly official: SdkClient;
  readonly ours: McpClient;
}

/** What is compared, compiled as the package is: from the sources, the loader gives every function a name as it is made. */
interface Built {
  McpClient: typeof import("../src/mcp/mod.ts").McpClient;
  McpStdioClient: typeof import("../src/node/mod.ts").McpStdioClient;
  systemTimers: typeof import("../src/node/mod.ts").systemTimers;
}

async function importBuilt(): Promise<Built> {
  const contents = `export { McpClient } from "./src/mcp/mod.ts";
export { McpStdioClient, systemTimers } from "./src/node/mod.ts";`;
  const { outputFiles: [file] } = await build({
    stdin: { contents, resolveDir: root },
    bundle: true,
    write: false,
    format: "esm",
    platform: "node",
  });
  return await import(`data:text/javascript;base64,${Buffer.from(file!.text).toString("base64")}`);
}

/** What the official SDK has for reading and writing lines. */
interface SdkLines {
  ReadBuffer: new () => { append(chunk: Uint8Array): void; readMessage(): unknown };
  serializeMessage(message: unknown): string;
}

/** The bench. */
export const bench: Bench = {
  question:
    "Does a long line cost the same however it is cut, and what does a call cost, against the official SDK?",
  async *run() {
    yield await readLine();
    const reason = reasonToLeaveOut();
    if (reason !== undefined) return yield { what: `calls: left out, ${reason}`, timings: [] };
    const built = await importBuilt();
    yield* call("in one process", await connectInside(built));
    const children = await connectChildren(built);
    yield* call("over pipes", children);
    await Promise.all([children.official.close(), children.ours.close()]);
  },
};

/** Why the official SDK cannot run here; nothing when it can. */
function reasonToLeaveOut(): string | undefined {
  if ("Deno" in globalThis) return "the official SDK is loaded from node_modules, not by Deno";
  return isInstalled() ? undefined : "npm run test:live installs the official SDK";
}

/** Reading one line. */
async function readLine(): Promise<Result> {
  const envelope = encoder.encode(formatLine("")).length - 1;
  const bytes = encoder.encode(formatLine("x".repeat(LINE_BYTES - envelope)));
  const contender = (name: string, size: number): Contender => ({
    name,
    run: () => {
      let found: string | undefined;
      const framer = new Framer(LINE_BYTES, (line) => (found = readMessage(line).kind, true));
      for (let at = 0; at < bytes.length; at += size) framer.push(bytes.subarray(at, at + size));
      if (found !== "result") throw new Error(`Reading a line: wanted a result, found ${found}`);
    },
  });
  return {
    what: "one line of 4 MiB",
    timings: await compare([
      contender("in one piece", bytes.length),
      contender("in pieces of 64 KiB", 65_536),
      contender("in pieces of 512 bytes", 512),
    ], TURNS),
  };
}

function formatLine(text: string): string {
  return `${
    JSON.stringify({ jsonrpc: "2.0", id: 1, result: { content: [{ type: "text", text }] } })
  }\n`;
}

/** The same calls by both clients, with and without waiting for each other. */
async function* call(where: string, { official, ours }: Pair): AsyncGenerator<Result> {
  const callers = [
    ["official SDK", () => official.callTool({ name: "echo", arguments: { message: SAYING } })],
    ["McpClient", () => ours.callTool("echo", { message: SAYING })],
  ] as const;
  const after = callers.map(([name, once]) => ({
    name,
    run: async () => {
      for (let left = AFTER; left > 0; left--) await once();
    },
  }));
  const together = callers.map(([name, once]) => ({
    name,
    run: () => Promise.all(Array.from({ length: TOGETHER }, () => once())),
  }));
  yield {
    what: `${AFTER} calls ${where}, one after another`,
    timings: await compare(after, AFTER_TURNS),
  };
  yield {
    what: `${TOGETHER} calls ${where}, all at once`,
    timings: await compare(together, TURNS),
  };
}

/** Both in front of the echo in this process: bytes there and back, a microtask away. */
async function connectInside({ McpClient, systemTimers }: Built): Promise<Pair> {
  const answer = (bytes: Uint8Array): Uint8Array => encoder.encode(echo(decoder.decode(bytes)));
  const official = await makeSdkClient();
  await official.connect(officialTransport(answer, await importSdk<SdkLines>("shared/stdio.js")));
  const ours = new McpClient(transport(answer), systemTimers());
  await ours.initialize();
  return { official, ours };
}

function transport(answer: (bytes: Uint8Array) => Uint8Array): Transport {
  let events: TransportEvents | undefined;
  return {
    label: "echo",
    pid: null,
    start(told) {
      events = told;
      queueMicrotask(() => told.started());
    },
    write: (bytes, done) =>
      queueMicrotask(() => {
        done();
        events?.received(answer(bytes));
      }),
    endInput: () => undefined,
    signal: () => false,
    release: () => undefined,
    errorTail: () => "",
  };
}

/** As the official transport over pipes does it. */
function officialTransport(
  answer: (bytes: Uint8Array) => Uint8Array,
  { ReadBuffer, serializeMessage }: SdkLines,
): object {
  const held = new ReadBuffer();
  const transport = {
    onmessage: (_: unknown): void => undefined,
    start: () => Promise.resolve(),
    close: () => Promise.resolve(),
    send: (message: unknown): Promise<void> => {
      const bytes = encoder.encode(serializeMessage(message));
      queueMicrotask(() => {
        const { buffer, byteOffset, length } = answer(bytes);
        held.append(Buffer.from(buffer, byteOffset, length));
        for (let read = held.readMessage(); read !== null; read = held.readMessage()) {
          transport.onmessage(read);
        }
      });
      return Promise.resolve();
    },
  };
  return transport;
}

/** Both in front of the echo as a process, one each. */
async function connectChildren({ McpStdioClient }: Built): Promise<Pair> {
  // The official transport adds a listener for each call that waits for the pipe, of which Node warns.
  EventEmitter.defaultMaxListeners = TOGETHER + 1;
  const official = await makeSdkClient();
  await official.connect(await makeSdkTransport(server));
  const ours = new McpStdioClient(server);
  await ours.initialize();
  return { official, ours };
}
