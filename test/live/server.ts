/**
 * The official server in a folder of its own, with a transport whose events are kept and whose bytes can be changed.
 *
 * @module
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { McpClient } from "../../src/mcp/mod.ts";
import type { ClientOptions } from "../../src/mcp/mod.ts";
import { stdioTransport, systemTimers } from "../../src/node/mod.ts";
import type { StdioSpec } from "../../src/node/mod.ts";
import type { PeerExit } from "../../src/ports/mod.ts";
import { EVERYTHING } from "./packages.ts";

/** All that the server needs to know of an environment. */
export const SCRUBBED: Record<string, string> = Object.fromEntries(
  ["PATH", "HOME", "TMPDIR"].map((name) => [name, process.env[name] ?? tmpdir()]),
);

/** A client and what became of its server. */
export interface Live {
  readonly client: McpClient;
  readonly pid: () => number | null;
  /** How the process ended; `undefined` as long as it runs. */
  readonly exit: () => PeerExit | undefined;
}

/** Settings of {@linkcode withServer}. */
export interface LiveOptions extends ClientOptions {
  /** The environment; {@linkcode SCRUBBED} unless told, `null` for the default of the client. */
  readonly env?: Record<string, string> | null;
  /** Changes what is written; `undefined` drops it. */
  readonly alter?: (line: string) => string | undefined;
}

/** Runs a test with an initialized client of a server in an empty folder, and closes it. */
export async function withServer(
  test: (live: Live) => Promise<void>,
  { env = SCRUBBED, alter, ...options }: LiveOptions = {},
): Promise<void> {
  const cwd = await mkdtemp(join(tmpdir(), "affidavit-live-"));
  const args = [EVERYTHING, "stdio"];
  const spec = { command: process.execPath, args, cwd, ...(env && { env }) };
  const live = connect(spec, alter, options);
  try {
    await live.client.initialize();
    await test(live);
  } finally {
    await live.client.close();
    await rm(cwd, { recursive: true });
  }
}

function connect(spec: StdioSpec, alter: LiveOptions["alter"], options: ClientOptions): Live {
  const transport = stdioTransport(spec);
  const { start, write } = transport;
  let exit: PeerExit | undefined;
  transport.start = (events) =>
    start.call(transport, { ...events, exited: (how) => (exit = how, events.exited(how)) });
  transport.write = (bytes, done) => {
    if (alter === undefined) return write.call(transport, bytes, done);
    const line = alter(new TextDecoder().decode(bytes));
    if (line === undefined) queueMicrotask(done);
    else write.call(transport, new TextEncoder().encode(line), done);
  };
  const client = new McpClient(transport, systemTimers(), options);
  return { client, pid: () => transport.pid, exit: () => exit };
}
