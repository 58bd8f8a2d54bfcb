/**
 * What a recorder writes down: calls before they pass and how they ended, and the answers that replaying needs. It keeps
 * no text in which a canary finds a secret, and lets nothing pass or wait: that is for the recorder.
 *
 * Failures are thrown as the journal and the store throw them; what was to be written is not certain then, nor counted.
 *
 * Rule: `docs/spec/recording.md`, "Entries", "Withholding" and "Answers".
 *
 * @module
 */
import { parseStrictText } from "../canonical/mod.ts";
import { findCanaries, rankOf } from "../capsule/mod.ts";
import type { Members, RpcError, RpcResult } from "../mcp/mod.ts";
import { hashCall, WITHHELD, withhold } from "../replay/mod.ts";
import { keyOfRequest } from "./answer.ts";
import type { Answer, StoredAnswer } from "./answer.ts";
import { CALL_STATUSES, callEntry, resultEntry } from "./call.ts";
import type { Call, CallEnd, CallStatus } from "./call.ts";
import { Keeper } from "./keeper.ts";
import type { RecorderOptions, RecordingSummary } from "./options.ts";
import { classOf } from "./policy.ts";
import type { EffectDecision, EffectPolicy } from "./policy.ts";
import { memberText } from "./raw.ts";

/** A call that passed, and when by the clock of the recorder. */
export interface StartedCall {
  readonly call: Call;
  readonly start: number;
}

/** What a ledger works with: nothing of lines and of waiting. */
export type LedgerOptions = Omit<RecorderOptions, "callTimeoutMs" | "deliver" | "maxFrameBytes">;

/** What was written down so far. */
export type Tally = Pick<
  RecordingSummary,
  "calls" | "withheld" | "withheld_others" | "answers_stored"
>;

/** Writes into one journal and one store. */
export class Ledger {
  readonly #options: LedgerOptions;
  readonly #keeper: Keeper;
  /** What the server says of its tools, by their names. */
  readonly #annotations = new Map<string, unknown>();
  readonly #calls = new Map<CallStatus, number>(CALL_STATUSES.map((status) => [status, 0]));
  readonly #withheld = new Map<string, number>();
  #withheldOthers = 0;
  #answersStored = 0;
  #callCount = 0;

  /** Writes nothing yet. */
  constructor(options: LedgerOptions) {
    this.#options = options;
    this.#keeper = new Keeper(options.store, options.sha256);
  }

  /** What was written down so far. */
  tally(): Tally {
    return {
      calls: Object.fromEntries(this.#calls) as Record<CallStatus, number>,
      withheld: [...this.#withheld].map(([tool, count]) => ({ tool, count })),
      withheld_others: this.#withheldOthers,
      answers_stored: this.#answersStored,
    };
  }

  /** Tells what is to be recorded of a call, and whether the policy lets it through. @param text its message. */
  async identify(tool: string, args: object, text: string): Promise<Call> {
    const { policy, trustAnnotations = false, sha256, randomId } = this.#options;
    const decision = classOf(policy, tool, this.#annotations.get(tool), trustAnnotations);
    const isNameTelling = findCanaries(tool).length > 0;
    const id = isNameTelling || isTelling(text, args) ? null : hashCall(tool, args, sha256);
    return {
      tool: isNameTelling ? WITHHELD : tool,
      tool_call_id: `${randomId}.${++this.#callCount}`,
      decision,
      denied: whyDenied(policy, tool, decision),
      id,
      args,
      occurrence: id === null ? 0 : await this.#keeper.reserve(id.key),
    };
  }

  /** Writes a call down before it passes; one that is denied has ended by that. */
  async begin(call: Call): Promise<void> {
    const { journal } = this.#options;
    if (call.denied === null) {
      await journal.append([callEntry(call, call.id === null ? "withheld" : "forwarded")]);
      return;
    }
    const end: CallEnd = { status: "denied", duration_ms: 0 };
    await journal.append([callEntry(call, "denied"), resultEntry(call, end)]);
    this.#count(call, "denied");
  }

  /**
   * Stores the answer to a call and writes it down, or that it is withheld or malformed.
   *
   * @param message `null` when readers may differ on what the answer says. @param text its message as it was written.
   */
  async recordAnswer(
    { call, start }: StartedCall,
    message: RpcResult | RpcError | null,
    text: string,
  ): Promise<void> {
    const duration_ms = this.#since(start);
    const value = message?.kind === "result" ? message.result : message?.error;
    const isWithheld = call.id === null || isTelling(text, value ?? null);
    let end: CallEnd = { status: isWithheld ? "withheld" : "malformed", duration_ms };
    if (!isWithheld && message !== null) {
      const { file: path, response_hash } = await this.#keepAnswer(call, message.kind, text, value);
      end = { status: statusOf(message), duration_ms, response_hash, path };
    }
    await this.#options.journal.append([resultEntry(call, end)]);
    this.#count(call, end.status, isWithheld);
  }

  async #keepAnswer(
    { id, decision, occurrence, args }: Call,
    outcome: Answer["outcome"],
    text: string,
    value: unknown,
  ): Promise<StoredAnswer> {
    const { tool, args_hash, key } = id!;
    const { effect_class, source: effect_source } = decision;
    const call = { method: "tools/call", tool, args_hash, key, effect_class, effect_source };
    const answer: Answer = { ...call, outcome, text: textOf(text, outcome, value) };
    const stored = await this.#keeper.keep(answer, occurrence);
    this.#answersStored++;
    await this.#keeper.keepFixture(id!, args, answer, stored);
    return stored;
  }

  /** Writes how calls ended without an answer, behind all that is being written. */
  async end(started: readonly StartedCall[], status: CallStatus): Promise<void> {
    const entries = started.map(({ call, start }) =>
      resultEntry(call, { status, duration_ms: this.#since(start) })
    );
    await this.#options.journal.append(entries);
    for (const { call } of started) this.#count(call, status);
  }

  #count({ tool, id }: Call, status: CallStatus, isWithheld: boolean = id === null): void {
    this.#calls.set(status, this.#calls.get(status)! + 1);
    if (isWithheld) this.#withheld.set(tool, (this.#withheld.get(tool) ?? 0) + 1);
  }

  /** Looks at the answers that recording or replaying depends on, and stores them. @param text the message. */
  async observe(method: string, params: Members, result: Members, text: string): Promise<void> {
    if (method === "tools/list") this.#remember(result["tools"]);
    else if (method !== "initialize") return;
    if (isTelling(text, result) || isTelling("", params)) {
      this.#withheldOthers++;
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

  /** Milliseconds with three decimals: the clock tells no more. */
  #since(start: number): number {
    return Math.round((this.#options.timers.now() - start) * 1000) / 1000;
  }
}

/** Why a policy does not let a call through; `null` when it does. */
function whyDenied(
  { deny, max_effect }: EffectPolicy,
  tool: string,
  { effect_class }: EffectDecision,
): string | null {
  if (deny.has(tool)) return "The policy denies this tool";
  return rankOf(effect_class) > rankOf(max_effect ?? "SE4")
    ? `The policy lets no tool through whose effect class is ${effect_class}`
    : null;
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
