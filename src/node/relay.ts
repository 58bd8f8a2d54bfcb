/**
 * Stands between a client on this process's standard streams and a server that is started here, with a recorder that looks
 * at every line. Each direction waits for the recorder, and for whoever reads slowly: nothing piles up.
 *
 * Rule: `docs/spec/recording.md`, "Traffic".
 *
 * @module
 */
import type { ChildProcess } from "node:child_process";
import { basename } from "node:path";
import {
  describeExit,
  endPeer,
  Framer,
  McpError,
  notStarted,
  outlived,
  Settled,
  withLineFeed,
} from "../mcp/mod.ts";
import type { Stage } from "../mcp/mod.ts";
import type { PeerExit, Timers } from "../ports/mod.ts";
import type { Traffic } from "../recording/mod.ts";
import { handlesOf, startServer } from "./server_process.ts";
import { checkSpec } from "./stdio_spec.ts";
import type { StdioSpec } from "./stdio_spec.ts";
import { systemTimers } from "./timers.ts";

/** How often output that ought to end is looked after. */
const DRAIN_LOOK_MS = 10;

/** Who decides on every line; `affidavit/recording` has one. */
export interface Relayed {
  /** Takes a line of the client, without its line feed. */
  fromClient(line: Uint8Array): Promise<Traffic>;
  /** Takes a line of the server. */
  fromServer(line: Uint8Array): Promise<Traffic>;
  /** The server is gone. */
  serverEnded(): Promise<Traffic>;
}

/** The client's side. */
export interface RelayClient {
  /** What it sends. */
  readonly input: AsyncIterable<Uint8Array>;
  /** Sends it something, and resolves once that was taken; a rejection ends the relay. */
  write(bytes: Uint8Array): Promise<void>;
}

/** How a relay behaves. */
export interface RelayOptions {
  /** Longest wait at each stage of ending, in milliseconds. Default 1,000. */
  readonly closeTimeoutMs?: number;
  /** Longest line of either side, in bytes. Default 16,777,216. */
  readonly maxFrameBytes?: number;
  /** Ends the server when it aborts, which is no failure; then a client that takes nothing is waited for once more. */
  readonly signal?: AbortSignal;
  /** Waiting. */
  readonly timers?: Timers;
}

/** Relays until the client or the server ends. Its `deliver` sends what a recorder has to say out of turn. */
export class Relay {
  readonly #child: ChildProcess;
  readonly #label: string;
  readonly #client: RelayClient;
  readonly #recorder: Relayed;
  readonly #options: Required<Omit<RelayOptions, "signal">>;
  readonly #gone = new Settled();
  readonly #unwritten = new Set<() => void>();
  #isOutputDone = false;
  #lastLineAt = 0;
  #isPassingOutput = false;
  #isHeardOut = false;
  #isClientLeft = false;
  #hasRun = false;
  #callOff = (): void => undefined;
  #lastOfClient: Promise<Traffic> | undefined;
  #exit: PeerExit | undefined;
  #startFailure: unknown;
  #ending: Promise<boolean> | undefined;
  #failure: unknown;
  #isMeantToEnd = false;

  /** Starts the server; its standard error is this process's. @throws {McpError} `MCP_INVALID_ARGUMENT`, `MCP_SPAWN_FAILED`. */
  constructor(
    spec: StdioSpec,
    client: RelayClient,
    recorder: Relayed,
    { signal, closeTimeoutMs = 1_000, maxFrameBytes = 16_777_216, timers = systemTimers() }:
      RelayOptions = {},
  ) {
    this.#client = client;
    this.#recorder = recorder;
    this.#options = { closeTimeoutMs, maxFrameBytes, timers };
    this.#label = basename(spec.command);
    this.#child = this.#start(spec);
    signal?.addEventListener("abort", () => this.#interrupt(), { once: true });
    if (signal?.aborted === true) this.#interrupt();
  }

  /**
   * Relays until one side is done and the server has ended.
   *
   * @throws {McpError} `MCP_SPAWN_FAILED`, `MCP_SERVER_EXITED` when the server ended first and badly, `MCP_PROTOCOL_ERROR` for
   * a line over the bound, `MCP_CLOSE_TIMEOUT`. @throws {RecordingError} when the recorder stopped.
   */
  async run(): Promise<void> {
    void this.#pumpClient(); // it may wait for a client that says nothing more, so nobody waits for it
    void this.#pumpServer();
    await this.#gone.promise;
    const isGone = await this.#end(["endInput", "terminate", "kill"]);
    await this.#drain();
    this.#isHeardOut = true;
    handlesOf(this.#child).release();
    await this.deliver(await this.#recorder.serverEnded());
    await this.#lastOfClient?.catch(() => undefined); // it may be writing, and would leave its lock behind
    this.#hasRun = true;
    this.#callOff();
    this.#throwFailure(isGone);
  }

  /** Writes what a recorder wants written, and stops when it says so, or when the client takes nothing more. */
  async deliver({ toServer = [], toClient = [], stop }: Traffic): Promise<void> {
    if (stop !== undefined) this.#stop(stop); // before the client, which may be slow, takes its lines
    try {
      await Promise.all([ // what the client is told does not wait for a server that reads nothing
        writeLines(toServer, (bytes) => this.#writeToServer(bytes)),
        writeLines(toClient, (bytes) => this.#writeToClient(bytes)),
      ]);
    } catch (failure) {
      this.#stop(failure);
    }
  }

  #start(spec: StdioSpec): ChildProcess {
    let child: ChildProcess;
    try {
      child = startServer(checkSpec(spec), "inherit");
    } catch (cause) {
      if (cause instanceof McpError) throw cause;
      throw notStarted(this.#label, cause);
    }
    child.on("error", (cause) => {
      if (child.pid === undefined) this.#startFailure = cause;
      else this.#stop(cause);
      if (child.pid === undefined) this.#gone.resolve();
    });
    child.on("exit", (code, signal) => {
      this.#exit = { code, signal };
      this.#gone.resolve();
    });
    child.stdin?.on("error", () => undefined); // told by the write that failed, or by the exit
    return child;
  }

  async #pumpClient(): Promise<void> {
    try {
      const take = (line: Uint8Array): Promise<Traffic> => {
        this.#lastOfClient = this.#recorder.fromClient(line);
        return this.#lastOfClient;
      };
      await this.#pump(this.#client.input, "the client", take);
      this.#isMeantToEnd = true;
      void this.#end(["endInput", "terminate", "kill"]);
    } catch (error) {
      this.#stop(error);
    }
  }

  async #pumpServer(): Promise<void> {
    try {
      const { stdout } = this.#child;
      const take = (line: Uint8Array): Promise<Traffic> => this.#recorder.fromServer(line);
      if (stdout !== null) await this.#pump(stdout, "the server", take);
    } catch (error) {
      if (!this.#isHeardOut) this.#stop(error); // else it was closed here
    }
    this.#isOutputDone = true;
    void this.#end(["endInput", "terminate", "kill"]); // a server that says nothing more is of no use
  }

  /**
   * Waits until all output was read, recorded and passed on; where a helper that got away holds the pipe, until nothing more
   * comes of it.
   */
  async #drain(): Promise<void> {
    const { timers, closeTimeoutMs } = this.#options;
    this.#lastLineAt = timers.now();
    const isSilent = (): boolean => timers.now() - this.#lastLineAt >= closeTimeoutMs;
    while (!this.#isOutputDone && (this.#isPassingOutput || !isSilent())) {
      await new Promise<void>((resolve) => void timers.after(DRAIN_LOOK_MS, resolve));
    }
  }

  async #pump(
    source: AsyncIterable<Uint8Array>,
    whose: string,
    take: (line: Uint8Array) => Promise<Traffic>,
  ): Promise<void> {
    const { maxFrameBytes } = this.#options;
    const lines: Uint8Array[] = [];
    const keep = (line: Uint8Array): boolean => lines.push(line.slice()) > 0;
    // A client's line is read strictly, without its carriage return; a server's passes as it is.
    const isServer = whose === "the server";
    const framer = new Framer(maxFrameBytes, (line, whole) => keep(isServer ? whole : line));
    for await (const chunk of source) {
      if (isServer) this.#isPassingOutput = true;
      const isWithin = framer.push(chunk);
      for (const line of lines.splice(0)) {
        if (this.#failure !== undefined) return;
        await this.deliver(await take(line));
        this.#lastLineAt = this.#options.timers.now();
      }
      if (isServer) this.#isPassingOutput = false;
      if (isWithin) continue;
      const details = { fault: "frame", maxFrameBytes };
      const message = `Recording: a line of ${whose} is longer than ${maxFrameBytes} bytes`;
      throw new McpError("MCP_PROTOCOL_ERROR", message, { details, isTerminal: true });
    }
  }

  #writeToServer(bytes: Uint8Array): Promise<void> {
    return new Promise((resolve) => {
      const { stdin } = this.#child;
      if (stdin === null || stdin.writableEnded || stdin.destroyed) return resolve();
      stdin.write(bytes, () => resolve()); // a server that reads nothing more ends soon, or never answers
    });
  }

  #writeToClient(bytes: Uint8Array): Promise<void> {
    if (this.#isClientLeft) return Promise.resolve();
    return new Promise((resolve, reject) => {
      this.#unwritten.add(resolve);
      const done = (): unknown => this.#unwritten.delete(resolve);
      void this.#client.write(bytes).then(resolve, reject).finally(done);
    });
  }

  /** From now on nobody waits for the client, which may take nothing more. */
  #leaveClient(): void {
    this.#isClientLeft = true;
    for (const go of this.#unwritten) go();
  }

  #interrupt(): void {
    this.#isMeantToEnd = true;
    this.#endAtOnce();
  }

  /** The first reason is kept. */
  #stop(reason: unknown): void {
    this.#failure ??= reason;
    this.#endAtOnce();
  }

  /** Ends the server, and then waits for the client no longer than for a stage of that. */
  #endAtOnce(): void {
    const { timers, closeTimeoutMs } = this.#options;
    void this.#end(["terminate", "kill"]).then(() => {
      this.#callOff();
      if (!this.#hasRun) this.#callOff = timers.after(closeTimeoutMs, () => this.#leaveClient());
    });
  }

  #end(stages: readonly Stage[]): Promise<boolean> {
    this.#ending ??= this.#endOnce(stages);
    return this.#ending;
  }

  async #endOnce(stages: readonly Stage[]): Promise<boolean> {
    const { timers, closeTimeoutMs } = this.#options;
    const isGone = await endPeer(
      handlesOf(this.#child),
      this.#gone,
      stages,
      timers,
      closeTimeoutMs,
    );
    if (!isGone) this.#gone.resolve(); // it cannot be waited for
    return isGone;
  }

  #throwFailure(isGone: boolean): void {
    if (this.#startFailure !== undefined) throw notStarted(this.#label, this.#startFailure);
    if (this.#failure !== undefined) throw this.#failure;
    if (!isGone) throw outlived(this.#label, this.#child.pid ?? null);
    const { code = null, signal = null } = this.#exit ?? {};
    if (this.#isMeantToEnd || code === 0) return;
    const how = describeExit({ code, signal });
    const message = `Recording "${this.#label}": ${how} before the client did`;
    throw new McpError("MCP_SERVER_EXITED", message, {
      details: { code, signal },
      isTerminal: true,
    });
  }
}

async function writeLines(
  lines: readonly Uint8Array[],
  write: (bytes: Uint8Array) => Promise<void>,
): Promise<void> {
  for (const line of lines) await write(withLineFeed(line));
}
