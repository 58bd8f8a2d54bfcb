/**
 * Replays recorded answers of tools in their place, or records them.
 *
 * In replay no implementation is called, whatever the store holds. The effect class of a tool is what its declaration
 * says: nothing here can tell whether that is true.
 *
 * Rule: `docs/spec/replay.md`, "Calls".
 *
 * @module
 */
import { isEffectClass, rankOf } from "../capsule/mod.ts";
import type { EffectClass } from "../capsule/mod.ts";
import { formatCapsuleV1 } from "../canonical/mod.ts";
import type { Digest, Sha256 } from "../hash/mod.ts";
import type { FixtureStore } from "../ports/mod.ts";
import { storeArguments } from "./arguments.ts";
import { listFixtures } from "./catalogue.ts";
import type { StoredFixture } from "./catalogue.ts";
import { ReplayError } from "./error.ts";
import { fixtureFile, hashCall, readFixture, storeFixture } from "./fixture.ts";
import type { CallId, Fixture } from "./fixture.ts";
import { describeMiss, explainMiss } from "./miss.ts";

/** `replay` answers from fixtures and executes nothing; `record` executes and stores. */
export type Mode = "replay" | "record";

/** Whether the same arguments always give the same answer. Said for readers: nothing depends on it. */
export type Determinism = "deterministic" | "nondeterministic";

/** A tool as its user declares it. */
export interface Tool {
  /** How far its effects reach. */
  readonly effect_class: EffectClass;
  /** Whether its answers vary. */
  readonly determinism: Determinism;
  /** Answers a call, now or later. Wanted in record mode only. */
  impl?(args: unknown): unknown;
}

/** Tools by name. */
export type Tools = Readonly<Record<string, Tool>>;

/** A line of the call log. */
export type CallItem =
  | {
    readonly tool: string;
    readonly mode: Mode;
    readonly status: "refused";
    readonly code: "tool.effect_forbidden";
  }
  | {
    readonly tool: string;
    readonly mode: Mode;
    readonly status: "replayed" | "recorded";
    /** As the file of the fixture says, which nothing checks. */
    readonly fixture_key: unknown;
    readonly args_hash: Digest;
    readonly response_hash: Digest;
  };

/** How to replay or record. */
export interface ReplayerOptions {
  /** Where the fixtures are. */
  readonly store: FixtureStore;
  /** Takes every hash. */
  readonly sha256: Sha256;
  /** Default `replay`. */
  readonly mode?: Mode;
  /** The highest effect class that is let through. Default `SE2`; one that does not exist lets nothing through. */
  readonly maxEffectClass?: EffectClass;
  /** Gets each line of the call log once it is there, and is waited for; what it throws comes out of the call. */
  readonly onCall?: (item: CallItem) => unknown;
  /** Keeps arguments beside recorded fixtures, but for what looks like a secret. Default false: only their hash is kept. */
  readonly recordArguments?: boolean;
  /** Largest file of a fixture, in bytes. Default 64 MiB. */
  readonly maxFixtureBytes?: number;
}

/** Answers calls. */
export interface Replayer {
  /** How it answers them. */
  readonly mode: Mode;
  /** What was refused for its effect, replayed or recorded so far. Unknown tools and faulty fixtures leave no line. */
  readonly callLog: readonly CallItem[];
  /**
   * Answers a call: with the recorded answer, or by executing the tool and recording what it answers.
   *
   * @param args an empty object unless given.
   * @throws {ReplayError} with a code starting `tool.`; `miss` says what is recorded instead of a missing fixture. In
   * record mode also what the implementation throws, of which nothing is recorded, and {IoError} with the system's code.
   */
  call(name: string, args?: unknown): Promise<unknown>;
  /** The fixtures of the store that no call has used so far. @throws {IoError} with the system's code. */
  listUnused(): Promise<StoredFixture[]>;
}

/**
 * Makes a replayer. Declarations are read now: changing them later changes nothing.
 *
 * @throws {ReplayError} `replay.bad_mode`, `replay.no_store`, `replay.bad_declaration`, in this order.
 *
 * @example
 * ```ts
 * import { loadSha256 } from "affidavit/hash";
 * import { createReplayer, memoryFixtures } from "affidavit/replay";
 * import type { Tools } from "affidavit/replay";
 *
 * const tools: Tools = {
 *   add: {
 *     effect_class: "SE0",
 *     determinism: "deterministic",
 *     impl: ({ a, b }: { a: number; b: number }) => a + b,
 *   },
 * };
 * const store = memoryFixtures();
 * const sha256 = await loadSha256();
 * await createReplayer(tools, { store, sha256, mode: "record" }).call("add", { a: 2, b: 3 });
 * console.log(await createReplayer(tools, { store, sha256 }).call("add", { b: 3, a: 2 })); // 5
 * ```
 */
export function createReplayer(tools: Tools, options: ReplayerOptions): Replayer {
  const mode: unknown = options.mode || "replay";
  if (mode !== "replay" && mode !== "record") {
    throw new ReplayError("replay.bad_mode", "Making a replayer: the mode is not replay or record");
  }
  if (!options.store) {
    throw new ReplayError("replay.no_store", "Making a replayer: there is no store of fixtures");
  }
  const declared = new Map<string, Tool>();
  for (const [name, declaration] of Object.entries(tools)) {
    declared.set(name, readDeclaration(name, declaration, mode));
  }
  return new StoreReplayer(mode, declared, tools, options);
}

class StoreReplayer implements Replayer {
  readonly mode: Mode;
  readonly #declared: ReadonlyMap<string, Tool>;
  readonly #tools: object;
  readonly #options: ReplayerOptions;
  readonly #ceiling: number;
  readonly #log: CallItem[] = [];
  readonly #used = new Set<string>();
  #fixtures: Promise<StoredFixture[]> | undefined;

  constructor(
    mode: Mode,
    declared: ReadonlyMap<string, Tool>,
    tools: object,
    options: ReplayerOptions,
  ) {
    this.mode = mode;
    this.#declared = declared;
    this.#tools = tools;
    this.#options = options;
    this.#ceiling = rankOf(options.maxEffectClass || "SE2");
  }

  get callLog(): readonly CallItem[] {
    return [...this.#log];
  }

  async call(name: string, args: unknown = {}): Promise<unknown> {
    const tool = this.#find(name);
    const rank = rankOf(tool.effect_class);
    if (rank > this.#ceiling || (this.mode === "replay" && rank > rankOf("SE2"))) {
      const code = "tool.effect_forbidden";
      await this.#note({ tool: name, mode: this.mode, status: "refused", code });
      const why = `effect class ${tool.effect_class} is not let through`;
      throw new ReplayError(code, `Calling ${JSON.stringify(name)} in ${this.mode}: ${why}`);
    }
    const call = hashCall(name, args, this.#options.sha256);
    return this.mode === "replay" ? await this.#replay(call, args) : await this.#record(
      call,
      args,
      tool,
    );
  }

  async listUnused(): Promise<StoredFixture[]> {
    const { store, sha256 } = this.#options;
    return (await listFixtures(store, sha256)).filter(({ file }) => !this.#used.has(file));
  }

  /** The declaration of a tool. A name that is only inherited, such as `toString`, is known and has nothing to call. */
  #find(name: string): Partial<Tool> {
    const declared = this.#declared.get(name);
    if (declared !== undefined) return declared;
    const inherited = typeof name === "string" ? inheritedBy(this.#tools, name) : undefined;
    if (!inherited) {
      const shown = typeof name === "string" ? JSON.stringify(name) : "what is no name";
      throw new ReplayError("tool.unknown", `Calling ${shown}: it is not declared`);
    }
    return { effect_class: (inherited as Tool).effect_class };
  }

  async #replay(call: CallId, args: unknown): Promise<unknown> {
    const { store, sha256, maxFixtureBytes } = this.#options;
    const file = fixtureFile(call.key);
    const bound = maxFixtureBytes === undefined ? {} : { maxBytes: maxFixtureBytes };
    const fixture = await readFixture(await store.read(file), sha256, call, bound);
    if (!fixture.ok) throw new ReplayError(fixture.code, `${fixture.reason}, in "${file}"`);
    if (fixture.value === null) throw await this.#missing(call, args);
    await this.#use(call, "replayed", fixture.value);
    return fixture.value.response;
  }

  async #record(call: CallId, args: unknown, tool: Partial<Tool>): Promise<unknown> {
    const { store, sha256, maxFixtureBytes, recordArguments } = this.#options;
    if (typeof tool.impl !== "function") {
      const message = `Recording a call of ${JSON.stringify(call.tool)}: it has no implementation`;
      throw new ReplayError("tool.no_implementation", message);
    }
    const text = formatCapsuleV1(args); // before the call, which may change them
    const response = await tool.impl(args);
    const bound = maxFixtureBytes === undefined ? {} : { maxBytes: maxFixtureBytes };
    const fixture = await storeFixture(store, call, response, sha256, bound);
    if (recordArguments === true) await storeArguments(store, call, text);
    await this.#use(call, "recorded", fixture);
    return response;
  }

  async #missing(call: CallId, args: unknown): Promise<ReplayError> {
    const { store, sha256 } = this.#options;
    const start = `Replaying a call of ${JSON.stringify(call.tool)}: there is no fixture`;
    try {
      this.#fixtures ??= listFixtures(store, sha256); // once: a replayer does not change its store
      const miss = await explainMiss(call, args, await this.#fixtures, store, sha256);
      return new ReplayError("tool.fixture_missing", describeMiss(miss), { miss });
    } catch (cause) { // a store that cannot be listed has no say in what is missing
      return new ReplayError("tool.fixture_missing", start, { cause });
    }
  }

  async #use(call: CallId, status: "replayed" | "recorded", fixture: Fixture): Promise<void> {
    this.#used.add(fixtureFile(call.key));
    const { args_hash, response_hash } = fixture;
    const hashes = { fixture_key: fixture.key, args_hash, response_hash };
    await this.#note({ tool: call.tool, mode: this.mode, status, ...hashes });
  }

  async #note(item: CallItem): Promise<void> {
    this.#log.push(Object.freeze(item));
    await this.#options.onCall?.(item);
  }
}

/** What an object answers to a name; to `__proto__` its prototype, also in Deno, which has no such accessor. */
function inheritedBy(tools: object, name: string): unknown {
  return name === "__proto__"
    ? Object.getPrototypeOf(tools)
    : (tools as Readonly<Record<string, unknown>>)[name];
}

/** A declaration as it is now; in replay without the implementation, so that there is nothing to call. */
function readDeclaration(name: string, declaration: unknown, mode: Mode): Tool {
  const { effect_class, determinism, impl } = (declaration ?? {}) as Partial<Tool>;
  const refuse = (what: string): ReplayError =>
    new ReplayError(
      "replay.bad_declaration",
      `Making a replayer: ${what} of tool ${JSON.stringify(name)} is missing or unknown`,
    );
  if (!isEffectClass(effect_class)) throw refuse("effect_class");
  if (determinism !== "deterministic" && determinism !== "nondeterministic") {
    throw refuse("determinism");
  }
  const kept = { effect_class, determinism };
  return mode === "replay" || impl === undefined ? kept : { ...kept, impl };
}
