/**
 * A server that answers from recorded answers alone: it knows the tools that were recorded and has nothing to execute.
 *
 * @module
 */
import { compareCodeUnits, isPlainObject, VERSION } from "../core/mod.ts";
import { findCanaries, rankOf } from "../capsule/mod.ts";
import type { EffectClass } from "../capsule/mod.ts";
import type { Digest, Sha256 } from "../hash/mod.ts";
import { hasBatches, isRevision, REVISIONS, RPC_CODES } from "../mcp/mod.ts";
import type { Members, RequestId, RpcRequest } from "../mcp/mod.ts";
import type { FixtureStore } from "../ports/mod.ts";
import { argumentsFile, describeMiss, explainMiss, hashCall, WITHHELD } from "../replay/mod.ts";
import type { StoredFixture } from "../replay/mod.ts";
import { answerFile, keyOfRequest, listAnswers, readAnswer } from "./answer.ts";
import type { RecordedAnswer } from "./answer.ts";
import { linesOf, readCall, readClientLine, refusal, refusalOfMessage, REFUSED } from "./lines.ts";
import type { Item } from "./lines.ts";

/** What a server of recorded answers works with. */
export interface ReplayServerOptions {
  /** Where the answers are. */
  readonly store: FixtureStore;
  /** Takes every hash. */
  readonly sha256: Sha256;
  /** The highest effect class that is let through; of SE3 and SE4 nothing is, whatever it says. */
  readonly maxEffect: EffectClass;
  /** Longest line of the client, in bytes. Default 4 MiB. */
  readonly maxFrameBytes?: number;
}

/** What a server of recorded answers did. */
export interface ReplayReport {
  /** Calls that were answered as recorded. */
  readonly served: number;
  /** Calls that were refused, by tool and code; a greeting or list by its method. */
  readonly refused: readonly {
    readonly tool: string;
    readonly code: string;
    readonly count: number;
  }[];
  /** Recorded answers to calls that nobody made, by tool, arguments and number; of unsound files neither is known. */
  readonly unused: readonly {
    readonly tool: string | null;
    readonly args_hash: string | null;
    readonly occurrence: number;
  }[];
}

/** The answers to one call: their numbers in ascending order, and how many of them were used. */
interface Answers {
  readonly key: Digest;
  readonly occurrences: readonly number[];
  used: number;
}

/** A recorded answer by its name, and what it says; `null` when it is unsound. */
interface Indexed {
  readonly key: Digest;
  readonly occurrence: number;
  readonly answer: Pick<RecordedAnswer, "method" | "tool" | "args_hash"> | null;
}

type CallName = Pick<RecordedAnswer, "tool" | "args_hash">;

/** Why a request is refused. */
class Refusal extends Error {
  readonly code: number;
  readonly reason: string | undefined;

  constructor(message: string, reason: string | undefined, code: number = REFUSED) {
    super(message);
    this.reason = reason;
    this.code = code;
  }
}

const DEFAULT_MAX_BYTES = 4 * 1024 * 1024;

/**
 * Serves recorded answers: to each call the next one of those that were given to the same call. Hand over the lines of the
 * client one by one and wait for each. The store must not change meanwhile.
 */
export class ReplayServer {
  readonly #options: ReplayServerOptions;
  #answers: Promise<Map<Digest, Answers>> | undefined;
  #index: Promise<Indexed[]> | undefined;
  #hasBatches = false;
  #served = 0;
  readonly #refused = new Map<string, { tool: string; code: string; count: number }>();

  /** Reads nothing yet. */
  constructor(options: ReplayServerOptions) {
    this.#options = options;
  }

  /**
   * Answers a line of the client.
   *
   * @returns lines without line feed. @throws {IoError} when the store cannot be listed.
   */
  async handle(line: Uint8Array): Promise<Uint8Array[]> {
    if (line.length === 0) return [];
    const { maxFrameBytes: maxBytes = DEFAULT_MAX_BYTES } = this.#options;
    const read = readClientLine(line, { maxBytes, hasBatches: this.#hasBatches });
    if ("refusal" in read) return linesOf([read.refusal], false);
    const replies: string[] = [];
    for (const item of read.items) {
      const reply = await this.#reply(item);
      if (reply !== null) replies.push(reply);
    }
    return linesOf(replies, read.isBatch);
  }

  /** What was served and refused, and what nobody asked for. @throws {IoError} when the store cannot be listed. */
  async report(): Promise<ReplayReport> {
    const answers = await this.#list();
    const unused = (await this.#read()).filter(({ key, occurrence, answer }) => {
      const { occurrences, used } = answers.get(key)!;
      return (answer === null || answer.method === "tools/call") &&
        occurrences.indexOf(occurrence) >= used;
    }).map(({ occurrence, answer }) => {
      return { tool: answer?.tool ?? null, args_hash: answer?.args_hash ?? null, occurrence };
    });
    unused.sort((a, b) => compareCalls(a, b) || a.occurrence - b.occurrence);
    const refused = [...this.#refused.values()].map((item) => ({ ...item }));
    return { served: this.#served, refused, unused };
  }

  async #reply({ message }: Item): Promise<string | null> {
    if (message.kind === "malformed") {
      return refusalOfMessage(null, RPC_CODES.invalidRequest, message.reason);
    }
    if (message.kind !== "request") return null;
    try {
      return await this.#serve(message);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const { code, reason } = error;
      const { method, params: { name } = {} } = message;
      if (reason !== undefined) {
        this.#noteRefusal(method === "tools/call" ? String(name) : method, reason);
      }
      const data = reason === undefined ? undefined : { code: reason };
      return refusal(message.id, code, error.message, data);
    }
  }

  async #serve({ id, method, params = {} }: RpcRequest): Promise<string> {
    switch (method) {
      case "initialize":
        return replyOf(id, "result", JSON.stringify(await this.#initialize(params)));
      case "ping":
        return replyOf(id, "result", "{}");
      case "tools/list":
        return replyOf(id, "result", await this.#listTools(params));
      case "tools/call":
        return await this.#call(id, params);
      default:
        throw new Refusal("The method is not served", undefined, RPC_CODES.methodNotFound);
    }
  }

  async #initialize({ protocolVersion: asked }: Members): Promise<Members> {
    const { serverInfo, instructions, protocolVersion } = await this.#recordedSession(asked);
    const isRecorded = typeof asked === "string" && asked === protocolVersion;
    const version = isRecorded || isRevision(asked) ? asked : REVISIONS[0];
    this.#hasBatches = hasBatches(version);
    return {
      protocolVersion: version,
      capabilities: { tools: {} },
      serverInfo: isPlainObject(serverInfo)
        ? serverInfo
        : { name: "affidavit-replay", version: VERSION },
      ...(typeof instructions === "string" && { instructions }),
    };
  }

  /** What the server said of itself to whoever asked for this revision, else to whoever asked first. */
  async #recordedSession(asked: unknown): Promise<Members> {
    let first: Members | undefined;
    const answers = await this.#find(keyOfRequest("initialize", {}, this.#options.sha256));
    for (const occurrence of answers.occurrences) {
      const result = JSON.parse((await this.#load(answers.key, occurrence)).text) as Members;
      if (result["protocolVersion"] === asked) return result;
      first ??= result;
    }
    return first ?? {};
  }

  async #listTools(params: Members): Promise<string> {
    const answers = await this.#find(keyOfRequest("tools/list", params, this.#options.sha256));
    const { occurrences, used } = answers;
    const occurrence = occurrences[used] ?? occurrences.at(-1);
    if (occurrence !== undefined) {
      answers.used++;
      return (await this.#load(answers.key, occurrence)).text;
    }
    if (Object.hasOwn(params, "cursor")) {
      throw new Refusal("No list with this cursor is recorded", undefined, RPC_CODES.invalidParams);
    }
    const names = new Set((await this.#read()).map(({ answer }) => answer?.tool ?? null));
    names.delete(null);
    const inputSchema = { type: "object" };
    return JSON.stringify({ tools: [...names].sort().map((name) => ({ name, inputSchema })) });
  }

  async #call(id: RequestId, params: Members): Promise<string> {
    const call = readCall(params);
    if ("wanted" in call) return refusalOfMessage(id, RPC_CODES.invalidParams, call.wanted);
    const { outcome, text } = await this.#next(call.tool, call.args);
    this.#served++;
    return replyOf(id, outcome, text);
  }

  /** The next answer to a call, which is used up by this, unless it is forbidden. */
  async #next(tool: string, args: object): Promise<RecordedAnswer> {
    const call = hashCall(tool, args, this.#options.sha256);
    const answers = await this.#find(call.key);
    const { occurrences } = answers;
    if (occurrences.length === 0) {
      const { store, sha256 } = this.#options;
      const miss = await explainMiss(call, args, await this.#listRecorded(), store, sha256);
      throw new Refusal(describeMiss(miss), "tool.fixture_missing");
    }
    const occurrence = occurrences[answers.used++];
    if (occurrence === undefined) {
      const times = occurrences.length === 1 ? "once" : `${occurrences.length} times`;
      const message = `Replaying a call: it is recorded ${times}, and no answer is left`;
      throw new Refusal(message, "tool.fixture_exhausted");
    }
    const answer = await this.#load(call.key, occurrence);
    if (answer.tool !== tool || answer.args_hash !== call.args_hash) {
      const message = "Reading an answer: it is of another tool or arguments";
      throw new Refusal(message, "tool.fixture_mismatch");
    }
    const rank = rankOf(answer.effect_class);
    if (rank > rankOf(this.#options.maxEffect) || rank > rankOf("SE2")) {
      answers.used--; // later calls are refused for the same reason, and not because it was used up
      const message = `Replaying a call: effect class ${answer.effect_class} is not let through`;
      throw new Refusal(message, "tool.effect_forbidden");
    }
    return answer;
  }

  async #load(key: Digest, occurrence: number): Promise<RecordedAnswer> {
    const { store, sha256 } = this.#options;
    const file = answerFile(key, occurrence);
    const read = await readAnswer(await store.read(file), key, occurrence, sha256);
    if (!read.ok) throw new Refusal(`${read.reason}, in "${file}"`, read.code);
    if (read.value !== null) return read.value;
    throw new Refusal(`Reading an answer: "${file}" was removed`, "tool.fixture_missing");
  }

  async #find(key: Digest): Promise<Answers> {
    return (await this.#list()).get(key) ?? { key, occurrences: [], used: 0 };
  }

  #list(): Promise<Map<Digest, Answers>> {
    this.#answers ??= listAnswers(this.#options.store).then((found) =>
      new Map([...found].map(([key, occurrences]) => [key, { key, occurrences, used: 0 }]))
    );
    return this.#answers;
  }

  /** What all answers are about. They are read once, and only when that is asked for. */
  #read(): Promise<Indexed[]> {
    this.#index ??= this.#readAll();
    return this.#index;
  }

  async #readAll(): Promise<Indexed[]> {
    const { store, sha256 } = this.#options;
    const found: Indexed[] = [];
    for (const { key, occurrences } of (await this.#list()).values()) {
      for (const occurrence of occurrences) {
        const file = await store.read(answerFile(key, occurrence));
        const read = await readAnswer(file, key, occurrence, sha256);
        const answer = read.ok ? read.value : null;
        found.push({
          key,
          occurrence,
          answer: answer && {
            method: answer.method,
            tool: answer.tool,
            args_hash: answer.args_hash,
          },
        });
      }
    }
    return found;
  }

  /** The recorded calls, one each, as a miss is explained by. */
  async #listRecorded(): Promise<StoredFixture[]> {
    const calls = new Map<Digest, StoredFixture>();
    for (const { key, answer } of await this.#read()) {
      const { tool = null, args_hash = null } = answer ?? {};
      if (tool === null) continue;
      const file = argumentsFile(key);
      const nothing = { code: null, reason: null, response_hash: null };
      calls.set(key, { file, tool, args_hash, ...nothing, has_arguments: true });
    }
    return [...calls.values()].sort(compareCalls);
  }

  #noteRefusal(name: string, code: string): void {
    const tool = findCanaries(name).length > 0 ? WITHHELD : name;
    const key = JSON.stringify([tool, code]);
    const item = this.#refused.get(key) ?? { tool, code, count: 0 };
    item.count++;
    this.#refused.set(key, item);
  }
}

/** By tool, then by arguments. */
function compareCalls(a: CallName, b: CallName): number {
  return compareCodeUnits(a.tool ?? "", b.tool ?? "") ||
    compareCodeUnits(a.args_hash ?? "", b.args_hash ?? "");
}

function replyOf(id: RequestId, member: "result" | "error", text: string): string {
  return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"${member}":${text}}`;
}
