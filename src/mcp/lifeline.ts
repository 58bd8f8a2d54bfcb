/**
 * The life of the peer: start, failure, closing in stages. Every race ends in one of the states, and the first failure is
 * the one that is told ever after.
 *
 * Rule: `docs/spec/mcp-stdio.md`, "States" and "Closing".
 *
 * @module
 */
import type { PeerExit, Timers, Transport } from "../ports/mod.ts";
import { describeExit, McpError, notStarted, outlived } from "./error.ts";
import type { McpCode } from "./codes.ts";
import { endPeer, Settled } from "./ending.ts";
import type { Stage } from "./ending.ts";

/** Where the life of the peer stands. */
export type LifeState = "idle" | "starting" | "running" | "closing" | "closed" | "failed";

/** What a lifeline tells its user. */
export interface LifelineEvents {
  /** Bytes of the peer's output, valid during the call only; none come once it is no longer running. */
  received(chunk: Uint8Array): void;
  /** It is over: whatever waits is to be rejected with this. */
  ended(error: McpError): void;
}

/** How long it waits, and what it says. */
export interface LifelineSettings {
  readonly closeTimeoutMs: number;
  readonly drainTimeoutMs: number;
  readonly stderrInMessage: boolean;
}

/** Keeps one peer. */
export class Lifeline {
  readonly #transport: Transport;
  readonly #timers: Timers;
  readonly #settings: LifelineSettings;
  readonly #events: LifelineEvents;
  readonly #started = new Settled();
  readonly #gone = new Settled();
  #state: LifeState = "idle";
  #failure: McpError | undefined;
  #exit: PeerExit | undefined;
  #diagnosis: (() => void) | undefined;
  #ending: Promise<boolean> | undefined;
  #closed: Promise<void> | undefined;

  constructor(
    transport: Transport,
    timers: Timers,
    settings: LifelineSettings,
    events: LifelineEvents,
  ) {
    this.#transport = transport;
    this.#timers = timers;
    this.#settings = settings;
    this.#events = events;
  }

  get state(): LifeState {
    return this.#state;
  }

  /** Why calls are refused now, if they are. */
  get refusal(): McpError | undefined {
    if (this.#failure !== undefined) return this.#failure;
    return this.#state === "closing" || this.#state === "closed" ? closedError() : undefined;
  }

  /** Starts the peer once. */
  start(): Promise<void> {
    const { refusal } = this;
    if (refusal !== undefined) return Promise.reject(refusal);
    if (this.#state === "idle") this.#start();
    return this.#started.promise;
  }

  /** Ends it for good: the first failure is kept, and the peer is told to end and made to. */
  fail(error: McpError): void {
    if (!this.#isLive) return;
    this.#diagnosis?.();
    this.#failure = error;
    this.#state = "failed";
    this.#started.reject(error);
    this.#events.ended(error);
    const neverRan = error.code === "MCP_SPAWN_FAILED";
    this.#ending = neverRan ? Promise.resolve(true) : this.#end(["terminate", "kill"]);
  }

  /** Says what went wrong with writing; an exit of the peer, which follows soon, explains it better. */
  inputFailed(cause: unknown): void {
    const where = this.#transport.label;
    this.#suspect("MCP_WRITE_FAILED", `Writing to "${where}": its input is broken`, cause);
  }

  /** Ends the peer in three stages. Always the same promise. */
  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  get #isLive(): boolean {
    return this.#state === "starting" || this.#state === "running";
  }

  #start(): void {
    this.#state = "starting";
    const failed = (cause: unknown): void => {
      if (this.#state === "closing") return this.#gone.resolve();
      this.fail(notStarted(this.#transport.label, cause));
    };
    try {
      this.#transport.start({
        started: () => {
          if (this.#state === "starting") this.#state = "running";
          this.#started.resolve();
        },
        startFailed: failed,
        received: (chunk) => {
          if (this.#state === "running") this.#events.received(chunk);
        },
        outputEnded: () => {
          const message = `Reading from "${this.#transport.label}": it ended its output and lives`;
          this.#suspect("MCP_TRANSPORT_ERROR", message);
        },
        failed: (cause) => {
          const message = `Talking to "${this.#transport.label}": a pipe or the process failed`;
          this.#fail("MCP_TRANSPORT_ERROR", message, {}, cause);
        },
        inputFailed: (cause) => this.inputFailed(cause),
        exited: (exit) => this.#exited(exit),
        drained: () => {
          if (this.#isLive) this.#failExited();
        },
      });
    } catch (cause) {
      failed(cause);
    }
  }

  /** Something is broken, which an exit would explain: that is waited for, for a moment. */
  #suspect(code: McpCode, message: string, cause?: unknown): void {
    if (!this.#isLive || this.#diagnosis !== undefined) return;
    this.#diagnosis = this.#timers.after(this.#settings.drainTimeoutMs, () => {
      this.#fail(code, message, {}, cause);
    });
  }

  #exited(exit: PeerExit): void {
    this.#exit ??= exit;
    this.#gone.resolve();
    if (!this.#isLive) return;
    this.#diagnosis?.(); // answers may still be unread: they are waited for, unless somebody else holds the pipe
    this.#diagnosis = this.#timers.after(this.#settings.drainTimeoutMs, () => this.#failExited());
  }

  #failExited(): void {
    const { code = null, signal = null } = this.#exit ?? {};
    const message = `Talking to "${this.#transport.label}": ${describeExit({ code, signal })}`;
    this.#fail("MCP_SERVER_EXITED", message, { code, signal });
  }

  #fail(code: McpCode, message: string, details: object, cause?: unknown): void {
    const stderr = this.#transport.errorTail();
    const shown = this.#settings.stderrInMessage && stderr !== ""
      ? `${message}; its standard error ends: ${stderr.trimEnd()}`
      : message;
    const options = { cause, details: { ...details, stderr }, isTerminal: true };
    this.fail(new McpError(code, shown, options));
  }

  async #close(): Promise<void> {
    const before = this.#state;
    this.#state = "closing";
    this.#diagnosis?.();
    if (before !== "failed") {
      const error = closedError();
      this.#started.reject(error);
      this.#events.ended(error);
    }
    if (before === "idle") this.#ending = Promise.resolve(true);
    this.#ending ??= this.#end(["endInput", "terminate", "kill"]);
    if (await this.#ending) {
      this.#state = "closed";
      return;
    }
    this.#state = "failed";
    const { label, pid } = this.#transport;
    const error = outlived(label, pid);
    this.#failure ??= error;
    throw error;
  }

  /** False when the peer outlives every stage. */
  async #end(stages: readonly Stage[]): Promise<boolean> {
    const { closeTimeoutMs } = this.#settings;
    const isGone = await endPeer(this.#transport, this.#gone, stages, this.#timers, closeTimeoutMs);
    if (isGone) this.#transport.release();
    return isGone;
  }
}

function closedError(): McpError {
  return new McpError("MCP_CLOSED", "Using an MCP client: it is closed", { isTerminal: true });
}
