/**
 * What waits for the input of a peer: bounded in bytes, and in the time for which the peer takes none of it.
 *
 * Rule: `docs/spec/mcp-stdio.md`, "Time-outs and cancelling".
 *
 * @module
 */
import type { Timers, Transport } from "../ports/mod.ts";
import { McpError } from "./error.ts";
import type { McpDetails } from "./error.ts";
import { formatMessage } from "./jsonrpc.ts";
import type { Members } from "./jsonrpc.ts";
import type { Lifeline } from "./lifeline.ts";
import { invalid } from "./options.ts";
import type { Settings } from "./options.ts";

/** Writes messages to one peer. */
export class Outbox {
  readonly #transport: Transport;
  readonly #timers: Timers;
  readonly #settings: Settings;
  readonly #life: Lifeline;
  #queued = 0;
  #stopTimer: (() => void) | undefined;

  constructor(transport: Transport, timers: Timers, settings: Settings, life: Lifeline) {
    this.#transport = transport;
    this.#timers = timers;
    this.#settings = settings;
    this.#life = life;
  }

  /**
   * The bytes of a message that may go out now. Writing params can run code of the caller, so all else is looked at later.
   *
   * @throws {McpError} `MCP_INVALID_ARGUMENT`, `MCP_QUEUE_FULL`, or why the peer is not talked to any more.
   */
  prepare(message: Members): Uint8Array {
    let bytes: Uint8Array;
    try {
      bytes = formatMessage(message);
    } catch (cause) {
      throw invalid("the params cannot be written as JSON", cause);
    }
    const { refusal } = this.#life;
    if (refusal !== undefined) throw refusal;
    const { maxFrameBytes } = this.#settings;
    const length = bytes.length - 1;
    if (length > maxFrameBytes) {
      throw invalid(`the message has ${length} bytes; at most ${maxFrameBytes} are sent`);
    }
    if (this.#hasRoom(bytes)) return bytes;
    const text = `Writing to "${this.#transport.label}": it has not taken what is queued for it`;
    throw new McpError("MCP_QUEUE_FULL", text, { details: this.#fill() });
  }

  /** Sends what nobody waits for. A peer that asks and never reads would else fill the memory. */
  post(message: Members | readonly Members[]): void {
    const bytes = formatMessage(message);
    if (this.#hasRoom(bytes)) this.write(bytes);
    else this.#fail("it reads nothing and asks", this.#fill());
  }

  /** Sends bytes, room or not; tells once the peer's input has taken them. */
  write(bytes: Uint8Array, written?: () => void): void {
    this.#queued += bytes.length;
    if (this.#stopTimer === undefined) this.#startTimer();
    this.#transport.write(bytes, (failure) => {
      this.#queued -= bytes.length;
      this.#stopTimer?.();
      this.#stopTimer = undefined;
      if (failure !== undefined) return this.#life.inputFailed(failure);
      if (this.#queued > 0 && this.#life.state === "running") this.#startTimer();
      written?.();
    });
  }

  /** Waits for nothing more. */
  stop(): void {
    this.#stopTimer?.();
  }

  #hasRoom({ length }: Uint8Array): boolean {
    return this.#queued + length <= this.#settings.maxQueuedBytes;
  }

  #fill(): { queuedBytes: number; maxQueuedBytes: number } {
    return { queuedBytes: this.#queued, maxQueuedBytes: this.#settings.maxQueuedBytes };
  }

  #startTimer(): void {
    const { writeTimeoutMs: timeoutMs } = this.#settings;
    this.#stopTimer = this.#timers.after(timeoutMs, () => {
      const details = { queuedBytes: this.#queued, timeoutMs };
      this.#fail(`it took nothing in ${timeoutMs} ms`, details);
    });
  }

  #fail(why: string, details: McpDetails): void {
    const message = `Writing to "${this.#transport.label}": ${why}`;
    this.#life.fail(new McpError("MCP_WRITE_FAILED", message, { details, isTerminal: true }));
  }
}
