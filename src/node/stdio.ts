/**
 * MCP servers as child processes of Node, Deno and Bun: no shell, a group of their own, an environment of a few names.
 *
 * Rule: `docs/spec/mcp-stdio.md`, "Options" and "Closing". Stray helpers are reached by the group of the process, which
 * Windows does not have: there only the process itself is. A helper that leaves the group is out of reach everywhere.
 *
 * @module
 */
import type { ChildProcessWithoutNullStreams } from "node:child_process";
import { basename } from "node:path";
import { ByteBuffer } from "../core/mod.ts";
import { McpClient, takeCount } from "../mcp/mod.ts";
import type { ClientOptions } from "../mcp/mod.ts";
import type { Transport, TransportEvents } from "../ports/mod.ts";
import { handlesOf, startServer } from "./server_process.ts";
import { checkSpec } from "./stdio_spec.ts";
import type { StdioSpec } from "./stdio_spec.ts";
import { systemTimers } from "./timers.ts";

/** Settings of {@linkcode stdioTransport}. */
export interface StdioOptions {
  /** How many bytes of the end of its standard error are kept. Default 16,384. */
  readonly maxStderrBytes?: number;
}

/** Settings of {@linkcode McpStdioClient}. */
export interface StdioClientOptions extends ClientOptions, StdioOptions {}

/**
 * An MCP client that starts its server.
 *
 * @example
 * ```ts
 * import { McpStdioClient } from "affidavit/node";
 *
 * const server = `process.stdin.on("data", (chunk) => {
 *   for (const line of String(chunk).trim().split("\\n")) {
 *     const { id, method, params } = JSON.parse(line);
 *     if (id === undefined) continue;
 *     const serverInfo = { name: "sums", version: "1" };
 *     const result = method === "initialize"
 *       ? { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo }
 *       : { content: [{ type: "text", text: String(params.arguments.a + params.arguments.b) }] };
 *     console.log(JSON.stringify({ jsonrpc: "2.0", id, result }));
 *   }
 * });`;
 * const client = new McpStdioClient({ command: "node", args: ["-e", server] });
 * await client.initialize();
 * console.log((await client.callTool("add", { a: 2, b: 3 })).content); // [ { type: "text", text: "5" } ]
 * await client.close();
 * ```
 */
export class McpStdioClient extends McpClient {
  readonly #transport: Transport;

  /** Starts nothing yet. @throws {McpError} `MCP_INVALID_ARGUMENT`. */
  constructor(spec: StdioSpec, options: StdioClientOptions = {}) {
    const transport = stdioTransport(spec, options);
    super(transport, systemTimers(), options);
    this.#transport = transport;
  }

  /** The end of what the server wrote to its standard error so far. It may hold secrets. */
  get stderr(): string {
    return this.#transport.errorTail();
  }
}

/** A child process as the peer of a client. @throws {McpError} `MCP_INVALID_ARGUMENT`. */
export function stdioTransport(spec: StdioSpec, options: StdioOptions = {}): Transport {
  return new StdioTransport(checkSpec(spec), takeCount(options, "maxStderrBytes", 16_384));
}

class StdioTransport implements Transport {
  readonly label: string;
  readonly #spec: StdioSpec;
  readonly #errors: Tail;
  #child: ChildProcessWithoutNullStreams | undefined;
  #handles: ReturnType<typeof handlesOf> | undefined;

  constructor(spec: StdioSpec, maxStderrBytes: number) {
    this.label = basename(spec.command); // messages hold no paths
    this.#spec = spec;
    this.#errors = new Tail(maxStderrBytes);
  }

  get pid(): number | null {
    return this.#child?.pid ?? null;
  }

  start(events: TransportEvents): void {
    const child = startServer(this.#spec, "pipe") as ChildProcessWithoutNullStreams; // of its three pipes
    this.#child = child;
    this.#handles = handlesOf(child);
    tellProcess(child, events);
    tellPipes(child, events);
    child.stderr.on("data", (chunk: Uint8Array) => this.#errors.push(chunk));
  }

  write(bytes: Uint8Array, done: (failure?: unknown) => void): void {
    try {
      if (this.#child === undefined) throw new Error("The process was not started");
      this.#child.stdin.write(bytes, (failure) => done(failure ?? undefined));
    } catch (failure) {
      queueMicrotask(() => done(failure));
    }
  }

  endInput(): void {
    this.#handles?.endInput();
  }

  signal(how: "look" | "terminate" | "kill"): boolean {
    return this.#handles?.signal(how) ?? false;
  }

  release(): void {
    this.#handles?.release();
  }

  errorTail(): string {
    return this.#errors.text();
  }
}

/** Tells how the process itself fares. */
function tellProcess(child: ChildProcessWithoutNullStreams, events: TransportEvents): void {
  let [isStarted, hasExited] = [false, false];
  child.on("spawn", () => {
    isStarted = true;
    events.started();
  });
  child.on("error", (cause) => isStarted ? events.failed(cause) : events.startFailed(cause));
  child.on("exit", (code, signal) => {
    hasExited = true;
    events.exited({ code, signal });
  });
  child.on("close", () => {
    if (hasExited) events.drained(); // without an exit it was never started
  });
}

/** Tells of the three pipes once the process runs; those of one that was not started close too. */
function tellPipes(child: ChildProcessWithoutNullStreams, events: TransportEvents): void {
  const { stdin, stdout, stderr } = child;
  const once = <T>(tell: (value: T) => void): (value: T) => void => {
    let isTold = false;
    return (value) => {
      if (!isTold && child.pid !== undefined) tell(value);
      isTold = true;
    };
  };
  const onEnd = once(() => events.outputEnded());
  stdin.on("error", once((cause: unknown) => events.inputFailed(cause)));
  stdout.on("data", (chunk: Uint8Array) => events.received(chunk));
  stdout.on("end", onEnd);
  stdout.on("close", onEnd); // alone after an error
  const onError = once((cause: unknown) => events.failed(cause));
  stdout.on("error", onError);
  stderr.on("error", onError);
}

/** The end of a text that may be long. */
class Tail {
  readonly #maxBytes: number;
  readonly #bytes = new ByteBuffer();

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  push(chunk: Uint8Array): void {
    this.#bytes.append(chunk.subarray(-this.#maxBytes));
    if (this.#bytes.length <= 2 * this.#maxBytes) return; // rarely moved, so a byte costs little however they are cut
    const end = this.#bytes.view().slice(-this.#maxBytes);
    this.#bytes.clear();
    this.#bytes.append(end);
  }

  text(): string {
    return new TextDecoder().decode(this.#bytes.view().subarray(-this.#maxBytes));
  }
}
