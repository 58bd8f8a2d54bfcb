/**
 * An MCP client over a transport: the lifecycle that begins with `initialize`, and typed calls.
 *
 * What a server says is untrusted: no answer, order of answers, delay or silence makes the client throw anything but an
 * `McpError`, hang past its waits, or hold more than its bounds. Whether a tool did what its answer says cannot be told.
 *
 * Rule: `docs/spec/mcp-stdio.md`.
 *
 * @module
 */
import { isPlainObject } from "../core/mod.ts";
import type { Timers, Transport } from "../ports/mod.ts";
import { McpError } from "./error.ts";
import { Exchange } from "./exchange.ts";
import type { Counters, RequestPlan } from "./exchange.ts";
import type { Members } from "./jsonrpc.ts";
import type { LifeState } from "./lifeline.ts";
import { invalid, isBlank, readClientOptions, readWaits, takeCount } from "./options.ts";
import type { CallOptions, ClientOptions, ListOptions, Settings } from "./options.ts";
import { hasBatches } from "./revisions.ts";
import { findShapeFault } from "./shapes.ts";
import type {
  InitializeResult,
  ListedPrompt,
  ListedResource,
  ListedTemplate,
  ListedTool,
  Page,
  PromptPage,
  PromptResult,
  ResourcePage,
  ResourceResult,
  TemplatePage,
  ToolPage,
  ToolResult,
} from "./shapes.ts";

/** Where a client stands. Nothing leads out of `closed`, and out of `failed` only `close()`. */
export type ClientState = LifeState | "initializing" | "initialized";

/** What a server must have declared before a method that starts so is sent. */
const CAPABILITIES: Readonly<Record<string, string>> = {
  tools: "tools",
  resources: "resources",
  prompts: "prompts",
  logging: "logging",
  completion: "completions",
};

/** Talks to one server, once. */
export class McpClient {
  readonly #exchange: Exchange;
  readonly #settings: Settings;
  #phase: "running" | "initializing" | "initialized" = "running";
  #initializing: Promise<InitializeResult> | undefined;
  #result: InitializeResult | undefined;

  /** Starts nothing yet. @throws {McpError} `MCP_INVALID_ARGUMENT`. */
  constructor(transport: Transport, timers: Timers, options: ClientOptions = {}) {
    this.#settings = readClientOptions(options);
    this.#exchange = new Exchange(transport, timers, this.#settings);
  }

  /** Where it stands. */
  get state(): ClientState {
    const { state } = this.#exchange.life;
    return state === "running" ? this.#phase : state;
  }

  /** What the server said of itself; `undefined` until it is initialized. */
  get initializeResult(): InitializeResult | undefined {
    return this.#result;
  }

  /** What was passed over so far. */
  get counters(): Counters {
    return this.#exchange.counters;
  }

  /**
   * Starts the server; does nothing once it runs.
   *
   * @throws {McpError} `MCP_SPAWN_FAILED`, `MCP_CLOSED`, or what the client failed with.
   */
  async start(): Promise<void> {
    await this.#exchange.life.start();
  }

  /**
   * Starts the server if need be and agrees on a revision. Later calls give the same result.
   *
   * @throws {McpError} after which the client has failed, or `MCP_CLOSED`.
   */
  initialize(): Promise<InitializeResult> {
    const { refusal } = this.#exchange.life;
    if (refusal !== undefined) return Promise.reject(refusal);
    this.#initializing ??= this.#initialize();
    return this.#initializing;
  }

  /** Asks whether the server is there. @throws {McpError} */
  async ping(options: CallOptions = {}): Promise<void> {
    await this.#call("ping", undefined, options);
  }

  /** A page of the server's tools. @throws {McpError} */
  listTools(cursor?: string, options: CallOptions = {}): Promise<ToolPage> {
    return this.#page("tools/list", cursor, options);
  }

  /** A page of the server's resources. @throws {McpError} */
  listResources(cursor?: string, options: CallOptions = {}): Promise<ResourcePage> {
    return this.#page("resources/list", cursor, options);
  }

  /** A page of the server's templates of resources. @throws {McpError} */
  listResourceTemplates(cursor?: string, options: CallOptions = {}): Promise<TemplatePage> {
    return this.#page("resources/templates/list", cursor, options);
  }

  /** A page of the server's prompts. @throws {McpError} */
  listPrompts(cursor?: string, options: CallOptions = {}): Promise<PromptPage> {
    return this.#page("prompts/list", cursor, options);
  }

  /**
   * All tools, page after page.
   *
   * @throws {McpError} also `MCP_TOO_MANY` past a bound, and `MCP_PROTOCOL_ERROR` when a cursor comes back.
   */
  listAllTools(options: ListOptions = {}): Promise<ListedTool[]> {
    return this.#all((cursor) => this.listTools(cursor, options), ({ tools }) => tools, options);
  }

  /** All resources; see {@linkcode McpClient.listAllTools}. */
  listAllResources(options: ListOptions = {}): Promise<ListedResource[]> {
    const next = (cursor?: string) => this.listResources(cursor, options);
    return this.#all(next, ({ resources }) => resources, options);
  }

  /** All templates of resources; see {@linkcode McpClient.listAllTools}. */
  listAllResourceTemplates(options: ListOptions = {}): Promise<ListedTemplate[]> {
    const next = (cursor?: string) => this.listResourceTemplates(cursor, options);
    return this.#all(next, ({ resourceTemplates }) => resourceTemplates, options);
  }

  /** All prompts; see {@linkcode McpClient.listAllTools}. */
  listAllPrompts(options: ListOptions = {}): Promise<ListedPrompt[]> {
    const next = (cursor?: string) => this.listPrompts(cursor, options);
    return this.#all(next, ({ prompts }) => prompts, options);
  }

  /**
   * Calls a tool. That the tool failed (`isError`) is an answer like any other.
   *
   * @throws {McpError} A result that is none rejects this call alone, with `MCP_PROTOCOL_ERROR`.
   */
  async callTool(name: string, args?: Members, options: CallOptions = {}): Promise<ToolResult> {
    requireName("a tool", name);
    requireObject("the arguments", args);
    const params = args === undefined ? { name } : { name, arguments: args };
    return await this.#call("tools/call", params, options) as ToolResult;
  }

  /** Reads a resource. @throws {McpError} */
  async readResource(uri: string, options: CallOptions = {}): Promise<ResourceResult> {
    requireName("a resource", uri);
    return await this.#call("resources/read", { uri }, options) as ResourceResult;
  }

  /** Fills in a prompt. @throws {McpError} */
  async getPrompt(
    name: string,
    args?: Readonly<Record<string, string>>,
    options: CallOptions = {},
  ): Promise<PromptResult> {
    requireName("a prompt", name);
    requireObject("the arguments", args);
    const params = args === undefined ? { name } : { name, arguments: args };
    return await this.#call("prompts/get", params, options) as PromptResult;
  }

  /** Sends any request but `initialize` and gives its result. @throws {McpError} */
  async request(method: string, params?: Members, options: CallOptions = {}): Promise<Members> {
    requireMethod(method);
    if (method === "initialize") throw invalid("initialize() is the way to initialize");
    requireObject("params", params);
    return await this.#call(method, params, options);
  }

  /** Sends a notification; resolves once the server's input has taken it. @throws {McpError} */
  async notify(method: string, params?: Members): Promise<void> {
    this.#requireInitialized();
    requireMethod(method);
    requireObject("params", params);
    await this.#exchange.notify(method, params);
  }

  /**
   * Ends the server: its input is closed, then it is told to end, then it is made to; its stray helpers too.
   *
   * @throws {McpError} `MCP_CLOSE_TIMEOUT` when it survives all that. What still waits is rejected with `MCP_CLOSED`.
   */
  close(): Promise<void> {
    return this.#exchange.life.close();
  }

  async #initialize(): Promise<InitializeResult> {
    const { life } = this.#exchange;
    if (life.state !== "running") await life.start();
    this.#phase = "initializing";
    try {
      const result = await this.#negotiate();
      await this.#exchange.notify("notifications/initialized");
      const { refusal } = life; // it may have ended since
      if (refusal !== undefined) throw refusal;
      this.#phase = "initialized";
      this.#result = result;
      return result;
    } catch (error) {
      life.fail(asTerminal(error as McpError)); // what ended it before is what it failed with
      throw life.refusal ?? error;
    }
  }

  async #negotiate(): Promise<InitializeResult> {
    const { supportedProtocolVersions, clientInfo, requestTimeoutMs } = this.#settings;
    const plan: RequestPlan = {
      timeoutMs: requestTimeoutMs,
      maxTimeoutMs: requestTimeoutMs,
      isHandshake: true,
      answered: (result) => {
        this.#exchange.acceptsBatches = hasBatches(result["protocolVersion"]);
      },
    };
    const [protocolVersion] = supportedProtocolVersions;
    const params = { protocolVersion, capabilities: {}, clientInfo };
    const answer = await this.#exchange.request("initialize", params, plan);
    requireShape("initialize", answer, true);
    const result = answer as InitializeResult;
    const selected = result.protocolVersion;
    if (!supportedProtocolVersions.some((version) => version === selected)) {
      const details = { selected, supported: [...supportedProtocolVersions] };
      const message = "Initializing: the server chose a revision that is not accepted";
      const options = { details, isTerminal: true };
      throw new McpError("MCP_UNSUPPORTED_PROTOCOL_VERSION", message, options);
    }
    return result;
  }

  /** Sends a request whose method and params are checked. */
  async #call(method: string, params: Members | undefined, options: CallOptions): Promise<Members> {
    this.#requireInitialized();
    const waits = readWaits(options, this.#settings.requestTimeoutMs);
    const { signal, onProgress, extendOnProgress } = options;
    const plan: RequestPlan = {
      ...waits,
      ...(signal !== undefined && { signal }),
      ...(onProgress !== undefined && { onProgress }),
      ...(extendOnProgress !== undefined && { extendOnProgress }),
    };
    this.#requireOffered(method);
    const result = await this.#exchange.request(method, params, plan);
    requireShape(method, result, false);
    return result;
  }

  async #page<P extends Page>(
    method: string,
    cursor: string | undefined,
    options: CallOptions,
  ): Promise<P> {
    if (cursor !== undefined && typeof cursor !== "string") throw invalid("a cursor is a text");
    const params = cursor === undefined ? undefined : { cursor };
    return await this.#call(method, params, options) as P;
  }

  async #all<P extends Page, T>(
    next: (cursor?: string) => Promise<P>,
    itemsOf: (page: P) => readonly T[],
    options: ListOptions,
  ): Promise<T[]> {
    const maxPages = takeCount(options, "maxPages", 100);
    const maxItems = takeCount(options, "maxItems", 10_000);
    const items: T[] = [];
    const seen = new Set<string>();
    for (let pages = 0, cursor: string | undefined;;) {
      if (pages++ === maxPages) throw tooMany(`more than ${maxPages} pages`);
      const page = await next(cursor);
      for (const item of itemsOf(page)) {
        if (items.length === maxItems) throw tooMany(`more than ${maxItems} items`);
        items.push(item);
      }
      cursor = page.nextCursor;
      if (cursor === undefined) return items;
      if (seen.has(cursor)) {
        const details = { fault: "repeated_cursor" };
        throw new McpError("MCP_PROTOCOL_ERROR", "Listing: a cursor came back", { details });
      }
      seen.add(cursor);
    }
  }

  #requireInitialized(): void {
    const { refusal, state } = this.#exchange.life;
    if (refusal !== undefined) throw refusal;
    if (state === "idle") {
      throw new McpError("MCP_NOT_STARTED", "Using an MCP client: it was not started");
    }
    if (this.state !== "initialized") {
      throw new McpError("MCP_NOT_INITIALIZED", "Using an MCP client: it is not initialized");
    }
  }

  /** A server is not asked for what it did not declare. */
  #requireOffered(method: string): void {
    const group = method.slice(0, Math.max(0, method.indexOf("/")));
    const capability = Object.hasOwn(CAPABILITIES, group) ? CAPABILITIES[group] : undefined;
    if (capability === undefined) return;
    if (Object.hasOwn(this.#result?.capabilities ?? {}, capability)) return;
    const message = `Calling "${method}": the server did not declare ${capability}`;
    throw new McpError("MCP_NOT_OFFERED", message, { details: { method, capability } });
  }
}

function requireMethod(method: unknown): void {
  if (isBlank(method)) throw invalid("a method must be a text that is not blank");
}

function requireName(what: string, name: unknown): void {
  if (isBlank(name)) throw invalid(`the name of ${what} must be a text that is not blank`);
}

function requireObject(what: string, value: unknown): void {
  if (value !== undefined && !isPlainObject(value)) throw invalid(`${what} must be an object`);
}

function requireShape(method: string, result: Members, isTerminal: boolean): void {
  const pointer = findShapeFault(method, result);
  if (pointer === undefined) return;
  const message = `Calling "${method}": the result is wrong at "${pointer}"`;
  const details = { fault: "result", method, pointer };
  throw new McpError("MCP_PROTOCOL_ERROR", message, { details, isTerminal });
}

/** The same error, of which the client ends. */
function asTerminal(error: McpError): McpError {
  if (error.isTerminal) return error;
  const { code, message, cause, details } = error;
  return new McpError(code, message, { cause, details, isTerminal: true });
}

function tooMany(what: string): McpError {
  return new McpError("MCP_TOO_MANY", `Listing: the server has ${what}`);
}
