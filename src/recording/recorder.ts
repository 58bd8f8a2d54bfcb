/**
 * The brain of a recorder: what becomes of each line that passes between a client and a server. It changes nothing that it
 * need not change, and lets no call pass that it could not write down first.
 *
 * @module
 */
import { codeOf, isPlainObject } from "../core/mod.ts";
import { parseStrictText } from "../canonical/mod.ts";
import { findCanaries, rankOf } from "../capsule/mod.ts";
import type { Sha256 } from "../hash/mod.ts";
import { hasBatches, RPC_CODES } from "../mcp/mod.ts";
import type {
  Members,
  RequestId,
  RpcError,
  RpcNotification,
  RpcRequest,
  RpcResult,
} from "../mcp/mod.ts";
import type { FixtureStore, Timers } from "../ports/mod.ts";
import { hashCall, WITHHELD, withhold } from "../replay/mod.ts";
import type { NewEntry } from "../store/mod.ts";
import { keyOfRequest } from "./answer.ts";
import type { Answer } from "./answer.ts";
import { CALL_STATUSES, callEntry, resultEntry } from "./call.ts";
import type { Call, CallEnd, CallStatus } from "./call.ts";
import { RecordingError } from "./error.ts";
import type { Journal } from "./journal.ts";
import { Keeper } from "./keeper.ts";
import {
  answeredId,
  compose,
  linesOf,
  readClientLine,
  readServerLine,
  refusal,
  REFUSED,
} from "./lines.ts";
import type { Item, Verdict } from "./lines.ts";
import { classOf } from "./policy.ts";
import type { EffectDecision, EffectPolicy } from "./policy.ts";
import { memberText } from "./raw.ts";

/** What is to be written where. Lines are without line feed; those that pass unchanged are the arrays that came. */
export interface Traffic {
  /** Lines for the server. */
  readonly toServer?: readonly Uint8Array[];
  /** Lines for the client. */
  readonly toClient?: readonly Uint8Array[];
  /** The recorder cannot go on: write the lines, and stop. */
  readonly stop?: RecordingError;
}

/** What a recorder works with. */
export interface RecorderOptions {
  /** Where the entries go. */
  readonly journal: Journal;
  /** Where the answers go. */
  readonly store: FixtureStore;
  /** Takes every hash. */
  readonly sha256: Sha256;
  /** Tells how long calls take, and when they take too long. */
  readonly timers: Timers;
  /** What no other recorder of the same capsule has, such as 8 hexadecimal digits; `tool_call_id` starts with it. */
  readonly randomId: string;
  /** What tools may do. */
  readonly policy: EffectPolicy;
  /** Believe what the server says of its tools where the policy is silent. Default false. */
  readonly trustAnnotations?: boolean;
  /** Milliseconds after which a call is given up. Never unless given. */
  readonly callTimeoutMs?: number;
  /** Gets what a call that is given up makes the recorder say; needed with `callTimeoutMs`. */
  readonly deliver?: (traffic: Traffic) => void;
  /** Longest line of the client, in bytes. */
  readonly maxFrameBytes: number;
}

/** What a recorder has seen. */
export interface RecordingSummary {
  /** How many calls ended how. */
  readonly calls: Readonly<Record<CallStatus, number>>;
  /** Calls that are out. */
  readonly pending: number;
  /** Calls of which arguments or answer were withheld, by tool. */
  readonly withheld: readonly { readonly tool: string; readonly count: number }[];
  /** Answers to other requests that were withheld. */
  readonly withheld_others: number;
  /** Answers of tools that were stored. */
  readonly answers_stored: number;
  /** Messages of the client that were refused as unreadable or ambiguous. */
  readonly refused: number;
  /** Lines of the server that were no message, and answers to nothing that was asked; all were passed on. */
  readonly unmatched: number;
  /** Answers that were not passed on: before the call was, or after it was cancelled or given up. */
  readonly dropped: number;
}

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
  readonly #keeper: Keeper;
  readonly #pending = new Map<string, Pending>();
  readonly #annotations = new Map<string, unknown>();
  readonly #calls = new Map<CallStatus, number>(CALL_STATUSES.map((status) => [status, 0]));
  readonly #withheld = new Map<string, number>();
  readonly #counts = {
    withheld_others: 0,
    answers_stored: 0,
    refused: 0,
    unmatched: 0,
    dropped: 0,
  };
  #callCount = 0;
  #hasBatches = false;
  #hasEnded = false;
  #failure: RecordingError | undefined;

  /** Writes nothing yet. @throws {TypeError} when there is a `callTimeoutMs` and no `deliver`. */
  constructor(options: RecorderOptions) {
    if (options.callTimeoutMs !== undefined && options.deliver === undefined) {
      throw new TypeError("Making a recorder: with callTimeoutMs, deliver is needed");
    }
    this.#options = options;
    this.#keeper = new Keeper(options.store, options.sha256);
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
    return {
      calls: Object.fromEntries(this.#calls) as Record<CallStatus, number>,
      pending: open.length,
      withheld: [...this.#withheld].map(([tool, count]) => ({ tool, count })),
      ...this.#counts,
    };
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
    const { name: tool, arguments: args = {} } = params;
    if (typeof tool !== "string" || !isPlainObject(args)) {
      const wanted = '"name" must be a text and "arguments" an object';
      return this.#refuse(id, RPC_CODES.invalidParams, wanted);
    }
    if (Object.hasOwn(params, "task")) { // its answer would come by other requests
      return this.#refuse(id, RPC_CODES.invalidParams, "a call as a task cannot be recorded");
    }
    const { timers } = this.#options;
    const pending: Pending = { id, method: "tools/call", state: "held", start: timers.now() };
    try {
      const why = await this.#writeAhead(pending, tool, args, text);
      if (why !== undefined) return refusal(id, REFUSED, why, { code: "tool.effect_forbidden" });
    } catch (cause) {
      return this.#fail(id, cause);
    }
    return await this.#open(pending);
  }

  /** Writes a call down. @returns why it is not let through, if it is not. */
  async #writeAhead(
    pending: Pending,
    tool: string,
    args: object,
    text: string,
  ): Promise<string | undefined> {
    const { journal, policy, trustAnnotations = false } = this.#options;
    const decision = classOf(policy, tool, this.#annotations.get(tool), trustAnnotations);
    const denied = whyDenied(policy, tool, decision);
    const call = await this.#identify(tool, args, text, decision);
    if (denied !== undefined) {
      const end: CallEnd = { status: "denied", duration_ms: 0 };
      await journal.append([callEntry(call, "denied"), resultEntry(call, end)]);
      this.#count(call, "denied", call.id === null);
      return denied;
    }
    pending.call = call;
    this.#pending.set(keyOf(pending.id), pending);
    await journal.append([callEntry(call, call.id === null ? "withheld" : "forwarded")]);
    return undefined;
  }

  async #identify(
    tool: string,
    args: object,
    text: string,
    decision: EffectDecision,
  ): Promise<Call> {
    const isNameTelling = findCanaries(tool).length > 0;
    const id = isNameTelling || isTelling(text, args)
      ? null
      : hashCall(tool, args, this.#options.sha256);
    const tool_call_id = `${this.#options.randomId}.${++this.#callCount}`;
    const occurrence = id === null ? 0 : await this.#keeper.reserve(id.key);
    return { tool: isNameTelling ? WITHHELD : tool, tool_call_id, decision, id, args, occurrence };
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
      const isSound = isClean && (message.kind === "result" || message.kind === "error");
      if (pending.call !== undefined) {
        await this.#recordAnswer(pending.call, pending.start, isSound ? message : null, text);
      } else if (isSound && message.kind === "result") {
        await this.#observe(pending, message.result, text);
      }
      return true;
    } catch (cause) {
      return this.#fail(pending.id, cause);
    }
  }

  async #recordAnswer(
    call: Call,
    start: number,
    message: RpcResult | RpcError | null,
    text: string,
  ): Promise<void> {
    const duration_ms = this.#since(start);
    const value = message?.kind === "result" ? message.result : message?.error;
    const isWithheld = call.id === null || isTelling(text, value ?? null);
    let end: CallEnd = { status: isWithheld ? "withheld" : "malformed", duration_ms };
    if (!isWithheld && message !== null) {
      const { file: path, response_hash } = await this.#keep(call, message.kind, text, value);
      end = { status: statusOf(message), duration_ms, response_hash, path };
    }
    await this.#options.journal.append([resultEntry(call, end)]);
    this.#count(call, end.status, isWithheld);
  }

  async #keep(
    { id, decision, occurrence, args }: Call,
    outcome: Answer["outcome"],
    text: string,
    value: unknown,
  ): Promise<{ file: string; response_hash: string }> {
    const { tool, args_hash, key } = id!;
    const { effect_class, source: effect_source } = decision;
    const call = { method: "tools/call", tool, args_hash, key, effect_class, effect_source };
    const answer: Answer = { ...call, outcome, text: textOf(text, outcome, value) };
    const stored = await this.#keeper.keep(answer, occurrence);
    this.#counts.answers_stored++;
    await this.#keeper.keepFixture(id!, args, answer, stored);
    return stored;
  }

  /** Looks at the answers that recording or replaying depends on, and stores them. */
  async #observe({ method, params = {} }: Pending, result: Members, text: string): Promise<void> {
    if (method === "initialize") this.#hasBatches = hasBatches(result["protocolVersion"]);
    else if (method === "tools/list") this.#remember(result["tools"]);
    else return;
    if (isTelling(text, result) || isTelling("", params)) {
      this.#counts.withheld_others++;
      return;
    }
    const nothing = { tool: null, args_hash: null, effect_class: null, effect_source: null };
    const key = keyOfRequest(method, params, this.#options.sha256);
    const answer: Answer = {
      method,
      ...nothing,
      key,
      outcome: "result",
      text: textOf(text, "result", result),
    };
    await this.#keeper.keep(answer, await this.#keeper.reserve(key));
  }

  #remember(tools: unknown): void {
    for (const tool of Array.isArray(tools) ? tools : []) {
      const { name, annotations } = (tool ?? {}) as Members;
      if (typeof name === "string") this.#annotations.set(name, annotations);
    }
  }

  /** Answers requests with an error that the server will not answer any more. */
  async #abandon(list: readonly Pending[]): Promise<string[]> {
    const entries: NewEntry[] = [];
    for (const { id, call, start, off } of list) {
      this.#pending.delete(keyOf(id));
      off?.();
      if (call === undefined) continue;
      entries.push(resultEntry(call, { status: "unanswered", duration_ms: this.#since(start) }));
    }
    try {
      // Even with nothing to write, what is being written now is waited for: a lock would stay behind.
      await this.#options.journal.append(this.#failure === undefined ? entries : []);
      if (this.#failure === undefined) {
        for (const { call } of list) if (call) this.#count(call, "unanswered", call.id === null);
      }
    } catch (cause) {
      this.#fail(null, cause);
    }
    const reply = this.#failure === undefined ? ended : unrecorded;
    return list.map(({ id }) => reply(id));
  }

  /** Writes how a call ended without an answer, and forgets all of it but that an answer may still come. */
  async #end(pending: Pending, status: CallStatus): Promise<void> {
    const { call, start, off } = pending;
    off?.();
    pending.state = "drop";
    delete pending.call;
    const duration_ms = this.#since(start);
    try {
      await this.#options.journal.append([resultEntry(call!, { status, duration_ms })]);
      this.#count(call!, status, call!.id === null);
    } catch (cause) {
      this.#fail(null, cause);
    }
  }

  /** Milliseconds with three decimals: the clock tells no more. */
  #since(start: number): number {
    return Math.round((this.#options.timers.now() - start) * 1000) / 1000;
  }

  #count({ tool }: Call, status: CallStatus, isWithheld: boolean): void {
    this.#calls.set(status, this.#calls.get(status)! + 1);
    if (isWithheld) this.#withheld.set(tool, (this.#withheld.get(tool) ?? 0) + 1);
  }

  #refuse(id: RequestId | null, code: number, why: string): string {
    this.#counts.refused++;
    return refusal(id, code, `The message is refused: ${why}`);
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

function whyDenied(
  { deny, max_effect }: EffectPolicy,
  tool: string,
  { effect_class }: EffectDecision,
): string | undefined {
  if (deny.has(tool)) return "The policy denies this tool";
  return rankOf(effect_class) > rankOf(max_effect ?? "SE4")
    ? `The policy lets no tool through whose effect class is ${effect_class}`
    : undefined;
}

/** Does a canary refuse a value, or what was written to spell it? */
function isTelling(text: string, value: unknown): boolean {
  return findCanaries(text).length > 0 || withhold(value).withheld.length > 0;
}

function statusOf(message: RpcResult | RpcError): CallStatus {
  if (message.kind === "error") return "rpc_error";
  return message.result["isError"] === true ? "tool_error" : "ok";
}

/** What an answer says as it was written; as it was understood where readers may differ on that. */
function textOf(text: string, member: string, value: unknown): string {
  return parseStrictText(text).ok ? memberText(text, member)! : JSON.stringify(value);
}
