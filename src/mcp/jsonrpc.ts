/**
 * The shapes of JSON-RPC 2.0 messages as MCP narrows them: ids are texts or whole numbers, params and results are objects.
 *
 * Rule: `docs/spec/mcp-stdio.md`, "Messages".
 *
 * @module
 */
import { decodeUtf8, encodeUtf8, isPlainObject } from "../core/mod.ts";
import { parseJson } from "../canonical/mod.ts";

/** The id of a request. `"1"` and `1` are two ids. */
export type RequestId = string | number;

/** Members of a JSON object. */
export type Members = Readonly<Record<string, unknown>>;

/** Asks for an answer. */
export interface RpcRequest {
  /** Always `request`. */
  readonly kind: "request";
  /** Names it in its answer. */
  readonly id: RequestId;
  /** What is asked for. */
  readonly method: string;
  /** The rest of it. */
  readonly params?: Members;
}

/** Asks for nothing. */
export interface RpcNotification {
  /** Always `notification`. */
  readonly kind: "notification";
  /** What it is about. */
  readonly method: string;
  /** The rest of it. */
  readonly params?: Members;
}

/** Answers a request. */
export interface RpcResult {
  /** Always `result`. */
  readonly kind: "result";
  /** That of the request. */
  readonly id: RequestId;
  /** The answer. */
  readonly result: Members;
}

/** What a request was refused with. */
export interface RpcFault {
  /** A whole number; its meaning is the peer's. */
  readonly code: number;
  /** The peer's words, which nobody vouches for. */
  readonly message: string;
  /** More of them. */
  readonly data?: unknown;
}

/** Refuses a request; without an id it says that something could not even be read. */
export interface RpcError {
  /** Always `error`. */
  readonly kind: "error";
  /** That of the request; `null` when it has none. */
  readonly id: RequestId | null;
  /** Why. */
  readonly error: RpcFault;
}

/** Any message. */
export type RpcMessage = RpcRequest | RpcNotification | RpcResult | RpcError;

/** Why a line is no message. */
export interface Malformed {
  /** Always `malformed`. */
  readonly kind: "malformed";
  /** `utf8` and `json`: it cannot be read. `depth`: it is nested too deep. `batch`: it is a list. `envelope`: the rest. */
  readonly fault: "utf8" | "json" | "depth" | "batch" | "envelope";
  /** What was wanted, in words of ours. */
  readonly reason: string;
  /** The value, where the line is JSON. */
  readonly value?: unknown;
}

/** Codes that JSON-RPC 2.0 gives to faults of requests. */
export const RPC_CODES = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internalError: -32603,
} as const;

/** Reads a line as one message. */
export function readMessage(line: Uint8Array): RpcMessage | Malformed {
  const text = decodeUtf8(line);
  if (text === undefined) return malformed("utf8", "the line is not valid UTF-8");
  const parsed = parseJson(text);
  if (!parsed.ok) {
    return parsed.code === "json.syntax"
      ? malformed("json", "the line is no JSON")
      : malformed("depth", "the line is nested too deep");
  }
  return Array.isArray(parsed.value)
    ? malformed("batch", "a list of messages was not agreed on", parsed.value)
    : classify(parsed.value);
}

/** Tells what message a parsed JSON value is: a response, else a request, else a notification. */
export function classify(value: unknown): RpcMessage | Malformed {
  const wrong = (reason: string): Malformed => malformed("envelope", reason, value);
  if (!isPlainObject(value)) return wrong("a message is an object");
  const message = value as Members;
  const has = (name: string): boolean => Object.hasOwn(message, name);
  if (message["jsonrpc"] !== "2.0") return wrong('"jsonrpc" must be "2.0"');
  const { id, method, params } = message;
  if (has("result") || has("error")) return classifyResponse(message, has, wrong);
  if (typeof method !== "string" || method === "") return wrong('"method" must be a text');
  if (has("params") && !isPlainObject(params)) return wrong('"params" must be an object');
  const rest = has("params") ? { method, params: params as Members } : { method };
  if (!has("id")) return { kind: "notification", ...rest };
  return isRequestId(id) ? { kind: "request", id, ...rest } : wrong(WANTED_ID);
}

/** Is this the id of a request? */
export function isRequestId(id: unknown): id is RequestId {
  return typeof id === "string" || Number.isInteger(id);
}

/** The bytes of a message and its line feed. @throws {TypeError} or {RangeError} when a value in it is none of JSON. */
export function formatMessage(message: Members | readonly Members[]): Uint8Array<ArrayBuffer> {
  return encodeUtf8(`${JSON.stringify(message)}\n`);
}

/** The members of an error reply. */
export function errorReply(id: RequestId | null, error: RpcFault): Members {
  return { jsonrpc: "2.0", id, error };
}

/** The members of an answer. */
export function resultReply(id: RequestId, result: Members): Members {
  return { jsonrpc: "2.0", id, result };
}

const WANTED_ID = '"id" must be a text or a whole number';

function classifyResponse(
  message: Members,
  has: (name: string) => boolean,
  wrong: (reason: string) => Malformed,
): RpcResult | RpcError | Malformed {
  const { id, result, error } = message;
  if (has("result") && has("error")) return wrong("a response has a result or an error, not both");
  if (has("result")) {
    if (!isPlainObject(result)) return wrong('"result" must be an object');
    return isRequestId(id) ? { kind: "result", id, result: result as Members } : wrong(WANTED_ID);
  }
  if (!isRpcFault(error)) return wrong('"error" must have a whole "code" and a text "message"');
  if (!has("id")) return { kind: "error", id: null, error };
  return isRequestId(id) ? { kind: "error", id, error } : wrong(WANTED_ID);
}

function isRpcFault(error: unknown): error is RpcFault {
  if (!isPlainObject(error)) return false;
  const { code, message } = error as Members;
  return Number.isInteger(code) && typeof message === "string";
}

function malformed(
  fault: Malformed["fault"],
  reason: string,
  ...value: [unknown?]
): Malformed {
  return value.length === 0 ? { kind: "malformed", fault, reason } : {
    kind: "malformed",
    fault,
    reason,
    value: value[0],
  };
}
