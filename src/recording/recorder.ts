/**
 * The brain of a recorder: what becomes of each line that passes between a client and a server. It changes nothing that it
 * need not change, and lets no call pass that its ledger could not write down first.
 *
 * Rule: `docs/spec/recording.md`, "Traffic" and "Ending".
 *
 * @module
 */
import { codeOf } from "../core/mod.ts";
import { hasBatches, RPC_CODES } from "../mcp/mod.ts";
import type { Members, RequestId, RpcNotification, RpcRequest } from "../mcp/mod.ts";
import type { Call, CallStatus } from "./call.ts";
import { RecordingError } from "./error.ts";
import { Ledger } from "./ledger.ts";
import type { StartedCall } from "./ledger.ts";
import {
  answeredId,
  compose,
  linesOf,
  readCall,
  readClientLine,
  readServerLine,
  refusal,
  refusalOfMessage,
  REFUSED,
} from "./lines.ts";
import type { Item, Verdict } from "./lines.ts";
import type { RecorderOptions, RecordingSummary, Traffic } from "./options.ts";

/**
 * A request of the client. `held`: it has not reached the server. `open`: it may be answered. `drop`: it has ended, and a
 * late answer is not recorded, so it is not passed on.
 */
interface Pending {
  readonly id: RequestId;
  readonly method: string;
  readonly params?: Members | undefined;
  state: "held" | "open" | "drop";
  call?: Call;
  start: number;
  off?: () => void;
}

/** What MCP libraries use for a call that took too long. */
const TIMED_OUT = -32001;
const LOOKS_TIMED_OUT = /time(?:d)?[ -]?out/i;

/**
 * Records what passes between a client and a server. Hand over the lines of each direction one by one, without line feed,
 * wait for each, and write what comes back before the next. A line must stay as it is until then. That the client has ended
 * need not be told: its calls go on until they are answered or the server ends.
 */
export class Recorder {
  readonly #options: RecorderOptions;
  readonly #ledger: Ledger;
  readonly #pending = new Map<string, Pending>();
  readonly #counts = { refused: 0, unmatched: 0, dropped: 0 };
  #hasBatches = false;
  #hasEnded = false;
  #failure: RecordingError | undefined;

  /** Writes nothing yet. @throws {TypeError} when there is a `callTimeoutMs` and no `deliver`. */
  constructor(options: RecorderOptions) {
    if (options.callTimeoutMs !== undefined && options.deliver === undefined) {
      throw new TypeError("Making a recorder: with callTimeoutMs, deliver is needed");
    }
    this.#options = options;
    this.#ledger = new Ledger(options);
  }

  /** Takes a line of the client. */
  async fromClient(line: Uint8Array): Promise<Traffic> {
    if (line.length === 0) return {};
    const maxBytes = this.#options.maxFrameBytes;
    const read = readClientLine(line, { maxBytes, hasBatches: this.#hasBatches });
    if ("refusal" in read) {
      this.#counts.refused++;
      return this.#traffic([], linesOf([read.refusal], false));
    }
    const { items, isBatch } = read;
    const verdicts: Verdict[] = [];
    for (const item of items) verdicts.push(await this.#judge(item));
    const replies = verdicts.filter((verdict) => typeof verdict === "string");
    const passed = verdicts.map((verdict) => verdict === true);
    return this.#traffic(compose(line, isBatch, items, passed), linesOf(replies, false));
  }

  /** Takes a line of the server. */
  async fromServer(line: Uint8Array): Promise<Traffic> {
    if (line.length === 0) return {};
    const read = readServerLine(line);
    if (read === null) {
      this.#counts.unmatched++;
      return this.#traffic([], [line]);
    }
    const { items, isBatch, isClean } = read;
    const verdicts: Verdict[] = [];
    for (const item of items) verdicts.push(await this.#answer(item, isClean));
    return this.#traffic([], compose(line, isBatch, items, verdicts));
  }

  /** The server says nothing more: what it has not answered is answered with an error. */
  async serverEnded(): Promise<Traffic> {
    this.#hasEnded = true;
    const open = [...this.#pending.values()].filter(({ state }) => state === "open");
    return this.#traffic([], linesOf(await this.#abandon(open), false));
  }

  /** What was seen so far. */
  summary(): RecordingSummary {
    const open = [...this.#pending.values()].filter(({ call, state }) => call && state === "open");
    const { calls, ...written } = this.#ledger.tally();
    return { calls, pending: open.length, ...written, ...this.#counts };
  }

  async #judge({ message, text }: Item): Promise<Verdict> {
    switch (message.kind) {
      case "malformed":
        return this.#refuse(null, RPC_CODES.invalidRequest, message.reason);
      case "notification":
        return await this.#judgeNotification(message);
      case "request":
        return await this.#judgeRequest(message, text);
      default:
        return true; // an answer to a request of the server, whose ids are its own
    }
  }

  async #judgeNotification({ method, params }: RpcNotification): Promise<Verdict> {
    if (method === "tools/call") { // some servers would execute it, and nothing would come of it that could be recorded
      this.#counts.refused++;
      return false;
    }
    if (method === "notifications/cancelled") await this.#cancel(params ?? {});
    return true;
  }

  async #cancel({ requestId, reason }: Members): Promise<void> {
    const pending = this.#pending.get(keyOf(requestId));
    if (pending?.call === undefined || pending.state !== "open") return;
    const isTimeout = typeof reason === "string" && LOOKS_TIMED_OUT.test(reason);
    await this.#end(pending, isTimeout ? "timed_out" : "cancelled");
  }

  async #judgeRequest(request: RpcRequest, text: string): Promise<Verdict> {
    const { id, method, params } = request;
    const { timers } = this.#options;
    if (this.#failure !== undefined) return unrecorded(id);
    if (this.#hasEnded) return ended(id);
    if (this.#pending.has(keyOf(id))) { // answered by its id, it would seem to be the answer to the other
      return this.#refuse(null, RPC_CODES.invalidRequest, "a request with this id is pending");
    }
    if (method === "tools/call") return await this.#judgeCall(id, params ?? {}, text);
    this.#pending.set(keyOf(id), { id, method, params, state: "open", start: timers.now() });
    return true;
  }

  async #judgeCall(id: RequestId, params: Members, text: string): Promise<Verdict> {
    const asked = readCall(params);
    if ("wanted" in asked) return this.#refuse(id, RPC_CODES.invalidParams, asked.wanted);
    const { timers } = this.#options;
    const pending: Pending = { id, method: "tools/call", state: "held", start: timers.now() };
    try {
      const call = await this.#ledger.identify(asked.tool, asked.args, text);
      if (call.denied === null) this.#hold(pending, call);
      await this.#ledger.begin(call);
      if (call.denied !== null) {
        return refusal(id, REFUSED, call.denied, { code: "tool.effect_forbidden" });
      }
    } catch (cause) {
      return this.#fail(id, cause);
    }
    return await this.#open(pending);
  }

  #hold(pending: Pending, call: Call): void {
    pending.call = call;
    this.#pending.set(keyOf(pending.id), pending);
  }

  /** Lets a call through that is written down, unless the recorder or the server ended meanwhile. */
  async #open(pending: Pending): Promise<Verdict> {
    const { timers, callTimeoutMs } = this.#options;
    if (this.#failure !== undefined || this.#hasEnded) {
      return (await this.#abandon([pending]))[0]!;
    }
    pending.state = "open";
    pending.start = timers.now();
    if (callTimeoutMs !== undefined) {
      pending.off = timers.after(callTimeoutMs, () => void this.#giveUp(pending));
    }
    return true;
  }

  async #giveUp(pending: Pending): Promise<void> {
    const { id } = pending;
    await this.#end(pending, "timed_out");
    const reason = "The call took too long";
    const params = { requestId: id, reason: "The recorder timed out" };
    const cancel = { jsonrpc: "2.0", method: "notifications/cancelled", params };
    this.#options.deliver?.(
      this.#traffic(
        linesOf([JSON.stringify(cancel)], false),
        linesOf([refusal(id, TIMED_OUT, reason)], false),
      ),
    );
  }

  async #answer({ message, text }: Item, isClean: boolean): Promise<Verdict> {
    const id = answeredId(message);
    if (id === undefined) return true;
    const pending = this.#pending.get(keyOf(id));
    if (pending === undefined) {
      this.#counts.unmatched++;
      return true;
    }
    if (pending.state !== "open") { // it answers nothing yet, or nothing any more, however often it comes
      this.#counts.dropped++;
      return false;
    }
    this.#pending.delete(keyOf(id));
    pending.off?.();
    if (this.#failure !== undefined) return unrecorded(pending.id);
    try {
      await this.#record(pending, message, text, isClean);
      return true;
    } catch (cause) {
      return this.#fail(pending.id, cause);
    }
  }

  async #record(
    { method, params = {}, call, start }: Pending,
    message: Item["message"],
    text: string,
    isClean: boolean,
  ): Promise<void> {
    const isSound = isClean && (message.kind === "result" || message.kind === "error");
    if (call !== undefined) {
      await this.#ledger.recordAnswer({ call, start }, isSound ? message : null, text);
    } else if (isSound && message.kind === "result") {
      const { result } = message;
      if (method === "initialize") this.#hasBatches = hasBatches(result["protocolVersion"]);
      await this.#ledger.observe(method, params, result, text);
    }
  }

  /** Answers requests with an error that the server will not answer any more. */
  async #abandon(list: readonly Pending[]): Promise<string[]> {
    const calls: StartedCall[] = [];
    for (const { id, call, start, off } of list) {
      this.#pending.delete(keyOf(id));
      off?.();
      if (call !== undefined) calls.push({ call, start });
    }
    try {
      // Even with nothing to write, what is being written now is waited for: a lock would stay behind.
      await this.#ledger.end(this.#failure === undefined ? calls : [], "unanswered");
    } catch (cause) {
      this.#fail(null, cause);
    }
    const reply = this.#failure === undefined ? ended : unrecorded;
    return list.map(({ id }) => reply(id));
  }

  /** Writes how a call ended without an answer, and forgets all of it but that an answer may still come. */
  async #end(pending: Pending, status: CallStatus): Promise<void> {
    const { start, off } = pending;
    const call = pending.call!;
    off?.();
    pending.state = "drop";
    delete pending.call;
    try {
      await this.#ledger.end([{ call, start }], status);
    } catch (cause) {
      this.#fail(null, cause);
    }
  }

  #refuse(id: RequestId | null, code: number, why: string): string {
    this.#counts.refused++;
    return refusalOfMessage(id, code, why);
  }

  #fail(id: RequestId | null, cause: unknown): string {
    const code = codeOf(cause);
    const message = "Recording: the journal or the store could not be written";
    const why = code === undefined ? message : `${message}, ${code}`;
    this.#failure ??= new RecordingError("recording.write_failed", why, cause);
    return unrecorded(id);
  }

  #traffic(toServer: readonly Uint8Array[], toClient: readonly Uint8Array[]): Traffic {
    return {
      ...(toServer.length > 0 && { toServer }),
      ...(toClient.length > 0 && { toClient }),
      ...(this.#failure && { stop: this.#failure }),
    };
  }
}

/** Ids by type: `"1"` is not `1`. */
function keyOf(id: unknown): string {
  return JSON.stringify(id) ?? "";
}

function unrecorded(id: RequestId | null): string {
  return refusal(id, RPC_CODES.internalError, "The call could not be recorded");
}

function ended(id: RequestId | null): string {
  return refusal(id, REFUSED, "The server ended before it answered");
}
