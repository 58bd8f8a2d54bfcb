/**
 * Messages over one peer: frames in, messages out, answers brought to whoever asked. It knows nothing of a handshake,
 * so that a lifecycle with one and a lifecycle without can both stand on it.
 *
 * Rule: `docs/spec/mcp-stdio.md`, "Messages" and "Time-outs and cancelling".
 *
 * @module
 */
import { decodeUtf8, isPlainObject } from "../core/mod.ts";
import type { Timers, Transport } from "../ports/mod.ts";
import { Aborts } from "./aborts.ts";
import { McpError } from "./error.ts";
import type { McpDetails } from "./error.ts";
import { Framer } from "./frame.ts";
import {
  classify,
  errorReply,
  formatMessage,
  readMessage,
  resultReply,
  RPC_CODES,
} from "./jsonrpc.ts";
import type { Malformed, Members, RequestId, RpcError, RpcMessage, RpcResult } from "./jsonrpc.ts";
import { Lifeline } from "./lifeline.ts";
import { invalid } from "./options.ts";
import type { CallOptions, Notification, Progress, Settings } from "./options.ts";
import { Outbox } from "./outbox.ts";

/** How a request waits, checked and complete. */
export interface RequestPlan
  extends Pick<CallOptions, "signal" | "onProgress" | "extendOnProgress"> {
  readonly timeoutMs: number;
  readonly maxTimeoutMs: number;
  /** Its failure is the end of the client, and it is never cancelled. */
  readonly isHandshake?: boolean;
  /** Is told of the result before anything behind it is read. */
  readonly answered?: (result: Members) => void;
}

/** What was passed over, by kind. */
export interface Counters {
  /** Answers to requests that were not waited for any more: late ones, and second ones. */
  readonly lateAnswers: number;
  /** Lines that are no JSON, where those are passed over. */
  readonly skippedLines: number;
}

/** A request that waits. */
interface Pending {
  readonly method: string;
  readonly plan: RequestPlan;
  readonly resolve: (result: Members) => void;
  readonly reject: (error: McpError) => void;
  readonly askedAt: number;
  endsAt: number;
  callOff: () => void;
  lastProgress: number;
}

/** Longest piece of a line that is no message which an error keeps, in characters. */
const MAX_PREFIX = 256;

/** Sends and receives. */
export class Exchange {
  /** The life of the peer. */
  readonly life: Lifeline;
  /** Are lists of messages taken apart? Otherwise they are malformed. */
  acceptsBatches = false;
  readonly #transport: Transport;
  readonly #timers: Timers;
  readonly #settings: Settings;
  readonly #framer: Framer;
  readonly #out: Outbox;
  readonly #pending = new Map<number, Pending>();
  readonly #aborts = new Aborts((id, signal) => {
    const pending = this.#pending.get(id);
    if (pending === undefined) return;
    this.#giveUp(id, this.#cancelled(pending.method, signal), "the caller cancelled");
  });
  readonly #writing = new Set<(error: McpError) => void>();
  #lastId = 0;
  #lines = 0;
  #lateAnswers = 0;
  #skippedLines = 0;
  #batch: Members[] | undefined;

  constructor(transport: Transport, timers: Timers, settings: Settings) {
    this.#transport = transport;
    this.#timers = timers;
    this.#settings = settings;
    this.#framer = new Framer(settings.maxFrameBytes, (line) => this.#take(line));
    this.life = new Lifeline(transport, timers, settings, {
      received: (chunk) => this.#receive(chunk),
      ended: (error) => this.#end(error),
    });
    this.#out = new Outbox(transport, timers, settings, this.life);
  }

  get counters(): Counters {
    return { lateAnswers: this.#lateAnswers, skippedLines: this.#skippedLines };
  }

  /** Sends a request and waits for its answer. The peer must be running. */
  request(method: string, params: Members | undefined, plan: RequestPlan): Promise<Members> {
    return new Promise((resolve, reject) => {
      const { id, bytes } = this.#prepareRequest(method, params, plan);
      const askedAt = this.#timers.now();
      const common = { method, plan, resolve, reject, askedAt, lastProgress: -Infinity };
      const endsAt = askedAt + plan.timeoutMs;
      const pending: Pending = { ...common, endsAt, callOff: () => undefined };
      this.#pending.set(id, pending);
      this.#wait(id, pending, plan.timeoutMs);
      this.#out.write(bytes);
    });
  }

  /** Sends a notification; resolves once the peer's input has taken it. The peer must be running. */
  notify(method: string, params?: Members): Promise<void> {
    const message = { jsonrpc: "2.0", method, ...(params !== undefined && { params }) };
    return new Promise((resolve, reject) => {
      const bytes = this.#out.prepare(message);
      this.#writing.add(reject);
      this.#out.write(bytes, () => {
        this.#writing.delete(reject);
        resolve();
      });
    });
  }

  /** Gives a request up: nobody waits for its answer any more, and the peer is told. */
  #giveUp(id: number, error: McpError, reason: string): void {
    const pending = this.#remove(id);
    if (pending === undefined) return;
    if (pending.plan.isHandshake !== true && this.life.state === "running") {
      const params = { requestId: id, reason };
      // Always finds room: there is one at most for a call that waits, and giving a call up must not end the client.
      this.#out.write(formatMessage({ jsonrpc: "2.0", method: "notifications/cancelled", params }));
    }
    pending.reject(error);
  }

  #wait(id: number, pending: Pending, ms: number): void {
    const { method, plan: { timeoutMs, signal, isHandshake = false } } = pending;
    pending.callOff = this.#timers.after(ms, () => {
      const details = { id, method, timeoutMs };
      const message = `Calling "${method}": no answer in ${timeoutMs} ms`;
      const error = new McpError("MCP_TIMEOUT", message, { details, isTerminal: isHandshake });
      this.#giveUp(id, error, "the request timed out");
    });
    if (signal !== undefined) this.#aborts.watch(signal, id);
  }

  #cancelled(method: string, { reason }: AbortSignal): McpError {
    const message = `Calling "${method}": the caller cancelled`;
    return new McpError("MCP_CANCELLED", message, { cause: reason, details: { method } });
  }

  #remove(id: number): Pending | undefined {
    const pending = this.#pending.get(id);
    this.#pending.delete(id);
    if (pending !== undefined) this.#callOff(id, pending);
    return pending;
  }

  #callOff(id: number, { callOff, plan: { signal } }: Pending): void {
    callOff();
    if (signal !== undefined) this.#aborts.unwatch(signal, id);
  }

  #end(error: McpError): void {
    this.#framer.stop();
    this.#out.stop();
    const pending = [...this.#pending];
    this.#pending.clear();
    for (const [id, one] of pending) {
      this.#callOff(id, one);
      one.reject(error);
    }
    for (const reject of this.#writing) reject(error);
    this.#writing.clear();
  }

  // Reading

  #receive(chunk: Uint8Array): void {
    if (this.#framer.push(chunk)) return;
    const { maxFrameBytes } = this.#settings;
    const reason = `a line is longer than ${maxFrameBytes} bytes`;
    this.#fail(reason, { fault: "frame", maxFrameBytes, line: this.#lines + 1 });
  }

  /** Takes a line; false once the peer is no longer listened to. */
  #take(line: Uint8Array): boolean {
    this.#lines++;
    const message = readMessage(line);
    if (message.kind !== "malformed") this.#dispatch(message, line);
    else if (message.fault === "json" && this.#settings.skipNonJsonLines) this.#skippedLines++;
    else if (message.fault === "batch" && this.acceptsBatches) this.#unpack(message, line);
    else this.#failMalformed(message, line);
    return this.life.state === "running";
  }

  /** Takes a list of messages apart; what it asks for is answered by a list. */
  #unpack({ value }: Malformed, line: Uint8Array): void {
    const items = value as readonly unknown[];
    if (items.length === 0) {
      return this.#failMalformed({ ...EMPTY_BATCH, value }, line);
    }
    const replies: Members[] = [];
    this.#batch = replies;
    try {
      for (const item of items) {
        const message = classify(item);
        if (message.kind === "malformed") this.#failMalformed(message, line);
        else this.#dispatch(message, line);
        if (this.life.state !== "running") return;
      }
    } finally {
      this.#batch = undefined;
    }
    if (replies.length > 0) this.#out.post(replies);
  }

  #dispatch(message: RpcMessage, line: Uint8Array): void {
    switch (message.kind) {
      case "result":
      case "error":
        return this.#settle(message, line);
      case "request":
        return this.#reply(message.id, message.method);
      case "notification":
        if (message.method === "notifications/progress") this.#progress(message.params);
        return this.#observe(message);
    }
  }

  #settle(message: RpcResult | RpcError, line: Uint8Array): void {
    if (message.kind === "error" && message.id === null) {
      const { code, message: said } = message.error;
      const details = { fault: "uncorrelated", rpcCode: code, rpcMessage: said };
      return this.#fail("an error without an id", { ...details, line: this.#lines });
    }
    const { id } = message;
    const isIssued = typeof id === "number" && id >= 1 && id <= this.#lastId;
    if (!isIssued) {
      const details = { fault: "unknown_id", line: this.#lines, prefix: prefixOf(line) };
      return this.#fail("an answer to what was never asked", details);
    }
    const pending = this.#remove(id);
    if (pending === undefined) this.#lateAnswers++;
    else if (message.kind === "error") pending.reject(rpcError(id, pending, message));
    else {
      pending.plan.answered?.(message.result);
      pending.resolve(message.result);
    }
  }

  #reply(id: RequestId, method: string): void {
    const reply = method === "ping"
      ? resultReply(id, {})
      : errorReply(id, { code: RPC_CODES.methodNotFound, message: "Method not found" });
    if (this.#batch === undefined) this.#out.post(reply);
    else this.#batch.push(reply);
  }

  #progress(params: Members | undefined): void {
    const { progressToken: id, progress, total, message } = params ?? {};
    const pending = typeof id === "number" ? this.#pending.get(id) : undefined;
    if (pending?.plan.onProgress === undefined) return;
    if (typeof progress !== "number" || !(progress > pending.lastProgress)) return;
    pending.lastProgress = progress;
    if (pending.plan.extendOnProgress === true) this.#extend(id as number, pending);
    const told: Progress = {
      progress,
      ...(typeof total === "number" && { total }),
      ...(typeof message === "string" && { message }),
    };
    contain(() => pending.plan.onProgress?.(told));
  }

  /** Begins the wait anew, but never past the hard maximum. */
  #extend(id: number, pending: Pending): void {
    const { timeoutMs, maxTimeoutMs } = pending.plan;
    const now = this.#timers.now();
    const endsAt = Math.min(now + timeoutMs, pending.askedAt + maxTimeoutMs);
    if (endsAt <= pending.endsAt) return; // begun anew there too, a flood of progress would keep it from ever ending
    pending.endsAt = endsAt;
    pending.callOff();
    this.#wait(id, pending, Math.max(1, endsAt - now));
  }

  #observe({ method, params }: Notification): void {
    const { onNotification } = this.#settings;
    if (onNotification === undefined) return;
    contain(() => onNotification(params === undefined ? { method } : { method, params }));
  }

  #failMalformed({ fault, reason }: Malformed, line: Uint8Array): void {
    this.#fail(reason, { fault, line: this.#lines, prefix: prefixOf(line) });
  }

  #fail(why: string, details: McpDetails): void {
    const message = `Reading from "${this.#transport.label}": ${why}`;
    this.life.fail(new McpError("MCP_PROTOCOL_ERROR", message, { details, isTerminal: true }));
  }

  // Writing

  /** Takes the next id, and gives it back when nothing is to be sent under it. */
  #prepareRequest(
    method: string,
    params: Members | undefined,
    { signal, onProgress }: RequestPlan,
  ): { id: number; bytes: Uint8Array } {
    const id = ++this.#lastId;
    try {
      const sent = onProgress === undefined ? params : withToken(params, id);
      const message = { jsonrpc: "2.0", id, method, ...(sent !== undefined && { params: sent }) };
      const bytes = this.#out.prepare(message);
      if (signal?.aborted === true) throw this.#cancelled(method, signal);
      return { id, bytes };
    } catch (error) {
      if (this.#lastId === id) this.#lastId--;
      throw error;
    }
  }
}

const EMPTY_BATCH: Malformed = {
  kind: "malformed",
  fault: "batch",
  reason: "a list of messages is empty",
};

/** The params with a token by which progress finds its call. */
function withToken(params: Members | undefined, progressToken: number): Members {
  const { _meta = {} } = params ?? {};
  if (!isPlainObject(_meta)) throw invalid("_meta must be an object");
  return { ...params, _meta: { ..._meta, progressToken } };
}

function rpcError(id: number, { method, plan }: Pending, { error }: RpcError): McpError {
  const details = {
    id,
    method,
    rpcCode: error.code,
    rpcMessage: error.message,
    rpcData: error.data,
  };
  const message = `Calling "${method}": the server answered with error ${error.code}`;
  return new McpError("MCP_RPC_ERROR", message, {
    details,
    isTerminal: plan.isHandshake === true,
  });
}

/** The start of a line that is no message, for details: it may hold anything. */
function prefixOf(line: Uint8Array): string {
  const start = line.subarray(0, 4 * MAX_PREFIX);
  const text = decodeUtf8(start) ?? new TextDecoder().decode(start);
  return text.slice(0, MAX_PREFIX);
}

/** Runs a callback of the user: what it throws or rejects with is its own matter. */
function contain(callback: () => unknown): void {
  try {
    void Promise.resolve(callback()).catch(() => undefined);
  } catch {
    // The session goes on.
  }
}
