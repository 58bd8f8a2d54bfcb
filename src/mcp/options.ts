/**
 * What a client and its calls can be told, and the checks of it.
 *
 * @module
 */
import { isPlainObject, VERSION } from "../core/mod.ts";
import { McpError } from "./error.ts";
import type { Members } from "./jsonrpc.ts";
import { DEFAULT_REVISIONS, isRevision } from "./revisions.ts";
import type { Revision } from "./revisions.ts";

/** A notification of the server. */
export interface Notification {
  /** What it is about, such as `notifications/message`. */
  readonly method: string;
  /** The rest of it. */
  readonly params?: Members;
}

/** Progress of a call, as the server tells it. */
export interface Progress {
  /** How far it is; it grows. */
  readonly progress: number;
  /** How far it has to go, if the server says so. */
  readonly total?: number;
  /** In words of the server. */
  readonly message?: string;
}

/** How a client behaves. Every number is a positive whole one; times are milliseconds, sizes bytes. */
export interface ClientOptions {
  /** Longest wait for an answer. Default 10,000. */
  readonly requestTimeoutMs?: number;
  /** Longest wait at each of the three stages of closing. Default 1,000. */
  readonly closeTimeoutMs?: number;
  /** Longest time in which the server may take no whole message of what is queued for it. Default 10,000. */
  readonly writeTimeoutMs?: number;
  /** How long unread output is waited for once the server has exited, or its exit once a pipe has ended. Default 200. */
  readonly drainTimeoutMs?: number;
  /** Longest line, in and out, without its line feed. Default 4,194,304. */
  readonly maxFrameBytes?: number;
  /** Most bytes that wait for the server to take them. Default 16,777,216; no less than `maxFrameBytes`. */
  readonly maxQueuedBytes?: number;
  /** What the client says of itself. Both texts must hold something. */
  readonly clientInfo?: { readonly name: string; readonly version: string };
  /** The revisions that are accepted; the first is asked for. Default: 2025-11-25, 2025-06-18, 2025-03-26. */
  readonly supportedProtocolVersions?: readonly Revision[];
  /** Gets every notification. It is not waited for, and what it throws or rejects with is dropped. */
  readonly onNotification?: (notification: Notification) => unknown;
  /** Passes over lines that are no JSON, such as a log on the wrong stream, instead of failing. Default false. */
  readonly skipNonJsonLines?: boolean;
  /** Puts the end of the server's standard error into messages on an exit or a pipe; it may hold secrets. Default false. */
  readonly stderrInMessage?: boolean;
}

/** How one call behaves. */
export interface CallOptions {
  /** Longest wait for the answer, in milliseconds. Default: that of the client. */
  readonly timeoutMs?: number;
  /** Gives the call up, and tells the server so. */
  readonly signal?: AbortSignal;
  /** Gets the progress of the call, which is asked for only then. What it throws or rejects with is dropped. */
  readonly onProgress?: (progress: Progress) => unknown;
  /** Begins the wait anew with each progress that grows; needs `onProgress`. Default false. */
  readonly extendOnProgress?: boolean;
  /** Longest wait in all when progress extends it, in milliseconds, no less than `timeoutMs`. Default: ten times that. */
  readonly maxTimeoutMs?: number;
}

/** How the pages of a list are followed. */
export interface ListOptions extends CallOptions {
  /** Most pages. Default 100. */
  readonly maxPages?: number;
  /** Most items in all. Default 10,000. */
  readonly maxItems?: number;
}

/** Options with every default filled in. */
export type Settings =
  & Required<Omit<ClientOptions, "onNotification">>
  & Pick<ClientOptions, "onNotification">;

/** Checks and completes the options of a client. @throws {McpError} `MCP_INVALID_ARGUMENT`. */
export function readClientOptions(options: ClientOptions): Settings {
  const maxFrameBytes = takeCount(options, "maxFrameBytes", 4_194_304);
  const settings: Settings = {
    requestTimeoutMs: takeCount(options, "requestTimeoutMs", 10_000),
    closeTimeoutMs: takeCount(options, "closeTimeoutMs", 1_000),
    writeTimeoutMs: takeCount(options, "writeTimeoutMs", 10_000),
    drainTimeoutMs: takeCount(options, "drainTimeoutMs", 200),
    maxFrameBytes,
    maxQueuedBytes: takeCount(options, "maxQueuedBytes", Math.max(16_777_216, maxFrameBytes)),
    clientInfo: options.clientInfo ?? { name: "affidavit", version: VERSION },
    supportedProtocolVersions: options.supportedProtocolVersions ?? DEFAULT_REVISIONS,
    skipNonJsonLines: options.skipNonJsonLines === true,
    stderrInMessage: options.stderrInMessage === true,
    ...(options.onNotification !== undefined && { onNotification: options.onNotification }),
  };
  const { clientInfo, supportedProtocolVersions, onNotification } = settings;
  if (!isPlainObject(clientInfo) || isBlank(clientInfo.name) || isBlank(clientInfo.version)) {
    throw invalid("clientInfo must have a name and a version that are not blank");
  }
  if (
    !Array.isArray(supportedProtocolVersions) || supportedProtocolVersions.length === 0 ||
    !supportedProtocolVersions.every(isRevision)
  ) {
    throw invalid("supportedProtocolVersions must be a list of revisions that have initialize");
  }
  if (onNotification !== undefined && typeof onNotification !== "function") {
    throw invalid("onNotification must be a function");
  }
  if (settings.maxQueuedBytes < settings.maxFrameBytes) {
    throw invalid("maxQueuedBytes must not be less than maxFrameBytes");
  }
  // Copies, so that nobody changes them under way.
  const copies = {
    clientInfo: { ...clientInfo },
    supportedProtocolVersions: [...supportedProtocolVersions],
  };
  return { ...settings, ...copies };
}

/** The waits of a call; what else it can be told is checked too. @throws {McpError} `MCP_INVALID_ARGUMENT`. */
export function readWaits(
  options: CallOptions,
  requestTimeoutMs: number,
): { timeoutMs: number; maxTimeoutMs: number } {
  const timeoutMs = takeCount(options, "timeoutMs", requestTimeoutMs);
  const most = Math.min(10 * timeoutMs, Number.MAX_SAFE_INTEGER);
  const maxTimeoutMs = takeCount(options, "maxTimeoutMs", most);
  if (maxTimeoutMs < timeoutMs) throw invalid("maxTimeoutMs must not be less than timeoutMs");
  const { signal, onProgress } = options as Readonly<Record<string, unknown>>;
  if (signal !== undefined && !isSignal(signal)) throw invalid("signal must be an AbortSignal");
  if (onProgress !== undefined && typeof onProgress !== "function") {
    throw invalid("onProgress must be a function");
  }
  return { timeoutMs, maxTimeoutMs };
}

/** Of whatever realm it is. */
function isSignal(value: unknown): boolean {
  const { addEventListener } = Object(value) as { addEventListener?: unknown };
  return typeof addEventListener === "function";
}

/** A positive whole number among options. @throws {McpError} `MCP_INVALID_ARGUMENT`. */
export function takeCount<N extends string>(
  options: { readonly [name in N]?: number },
  name: N,
  byDefault: number,
): number {
  if (typeof options !== "object" || options === null) throw invalid("options must be an object");
  const value: unknown = options[name];
  if (value === undefined) return byDefault;
  if (Number.isSafeInteger(value) && value as number > 0) return value as number;
  throw invalid(`${name} must be a positive whole number`);
}

/** Is this no text, or one without anything to see? */
export function isBlank(value: unknown): boolean {
  return typeof value !== "string" || value.trim() === "";
}

/** The failure of a call or constructor whose arguments are wrong. */
export function invalid(why: string, cause?: unknown): McpError {
  return new McpError("MCP_INVALID_ARGUMENT", `Using an MCP client: ${why}`, { cause });
}
