/**
 * Lines that pass between a client and a server. A client's are read so strictly that nobody reads another call out of
 * them, a server's so that no answer is overlooked.
 *
 * @module
 */
import { decodeUtf8, encodeUtf8, isPlainObject } from "../core/mod.ts";
import { parseJson, parseStrict, toPlain } from "../canonical/mod.ts";
import { classify, errorReply, isRequestId, RPC_CODES } from "../mcp/mod.ts";
import type { Malformed, Members, RequestId, RpcMessage } from "../mcp/mod.ts";
import { splitParts } from "./raw.ts";

/** A message, or what should have been one. */
export interface Item {
  /** Its JSON text as it was written. */
  readonly text: string;
  /** What it is. */
  readonly message: RpcMessage | Malformed;
}

/** A line in its messages, or the answer to a line that has none. */
export type ClientLine =
  | { readonly isBatch: boolean; readonly items: readonly Item[] }
  | { readonly refusal: string };

/** The code of a refusal of our own: JSON-RPC leaves -32000 to -32099 to implementations. */
export const REFUSED = -32000;

const CARRIAGE_RETURN = 0x0d;
const ENVELOPE = ["jsonrpc", "id", "method", "params", "result", "error"];
const CALL = ["name", "arguments", "task"];

/**
 * Reads a line of a client.
 *
 * Refused are texts that readers differ on, since a call could hide in them: repeated members, bytes that are no UTF-8, a
 * byte order mark; members that differ in case only, which some readers take for the same; answers with a method, which
 * some readers take for requests; a carriage return, at which some readers end the line; ids past the integers that a
 * double holds, which would be taken for each other.
 */
export function readClientLine(
  line: Uint8Array,
  options: { readonly maxBytes: number; readonly hasBatches: boolean },
): ClientLine {
  if (line.includes(CARRIAGE_RETURN)) {
    return { refusal: refusal(null, RPC_CODES.parseError, "The line holds a carriage return") };
  }
  const parsed = parseStrict(line, { maxBytes: options.maxBytes });
  if (!parsed.ok) return { refusal: refusal(null, RPC_CODES.parseError, parsed.reason) };
  const text = decodeUtf8(line)!;
  const value = toPlain(parsed.value);
  if (!Array.isArray(value)) {
    return { isBatch: false, items: [{ text, message: readOfClient(value) }] };
  }
  if (!options.hasBatches || value.length === 0) {
    const message = "A list of messages was not agreed on, or is empty";
    return { refusal: refusal(null, RPC_CODES.invalidRequest, message) };
  }
  const items = splitParts(text).map((text, index) => {
    return { text, message: readOfClient(value[index]) };
  });
  return { isBatch: true, items };
}

/** The text of a refusal. */
export function refusal(
  id: RequestId | null,
  code: number,
  message: string,
  data?: Members,
): string {
  const fault = { code, message, ...(data !== undefined && { data }) };
  return JSON.stringify(errorReply(id, fault));
}

/** The text that refuses a message for what it is. */
export function refusalOfMessage(id: RequestId | null, code: number, why: string): string {
  return refusal(id, code, `The message is refused: ${why}`);
}

/** Reads what a call is to: the parameters of `tools/call`, or what was wanted of them. */
export function readCall(
  params: Members,
): { readonly tool: string; readonly args: object } | { readonly wanted: string } {
  const { name: tool, arguments: args = {} } = params;
  if (typeof tool !== "string" || !isPlainObject(args)) {
    return { wanted: '"name" must be a text and "arguments" an object' };
  }
  return Object.hasOwn(params, "task") // its answer would come by other requests
    ? { wanted: "a call as a task cannot be recorded" }
    : { tool, args };
}

/** The lines that say these texts: all in one list, or each by itself. */
export function linesOf(texts: readonly string[], isBatch: boolean): Uint8Array[] {
  if (texts.length === 0) return [];
  return (isBatch ? [`[${texts.join(",")}]`] : texts).map(encodeUtf8);
}

function readOfClient(value: unknown): RpcMessage | Malformed {
  const message = read(value);
  if (message.kind !== "request") return message;
  if (typeof message.id === "number" && !Number.isSafeInteger(message.id)) {
    return malformed('"id" is not a safe integer', value);
  }
  return message.method === "tools/call" && hasDouble(message.params ?? {}, CALL)
    ? malformed("a parameter differs in case only", value)
    : message;
}

/** A message that nobody takes for another one. */
function read(value: unknown): RpcMessage | Malformed {
  const message = classify(value);
  if (message.kind === "malformed") return message;
  if (hasDouble(value as object, ENVELOPE)) {
    return malformed("a member differs in case only", value);
  }
  const isAnswer = message.kind === "result" || message.kind === "error";
  return isAnswer && Object.hasOwn(value as object, "method")
    ? malformed("an answer has a method", value)
    : message;
}

function malformed(reason: string, value: unknown): Malformed {
  return { kind: "malformed", fault: "envelope", reason, value };
}

/** Is there a member that a reader that ignores case takes for one of these? */
function hasDouble(value: object, names: readonly string[]): boolean {
  return Object.keys(value).some((name) => !names.includes(name) && names.includes(fold(name)));
}

/** A name as readers take it that ignore case; to them U+017F is an s. */
function fold(name: string): string {
  return name.toUpperCase().toLowerCase();
}

/** Pass the message on, or do not, or say this text instead. */
export type Verdict = boolean | string;

/** A line as verdicts leave it: itself when nothing is changed. */
export function compose(
  line: Uint8Array,
  isBatch: boolean,
  items: readonly Item[],
  verdicts: readonly Verdict[],
): Uint8Array[] {
  if (verdicts.every((verdict) => verdict === true)) return [line];
  const texts = verdicts.flatMap((verdict, index) =>
    verdict === false ? [] : [verdict === true ? items[index]!.text : verdict]
  );
  return linesOf(texts, isBatch);
}

/** What clients make of bytes that are no UTF-8, or start with a byte order mark. */
const lenient = new TextDecoder();

/** A line of a server in its messages. */
export interface ServerLine {
  readonly isBatch: boolean;
  readonly items: readonly Item[];
  /** Is it read the same way by everybody, and to the end? */
  readonly isClean: boolean;
}

/** The messages of a line of the server, read as a client might that forgives its encoding; `null` when it has none. */
export function readServerLine(line: Uint8Array): ServerLine | null {
  const strict = decodeUtf8(line);
  let text = strict ?? "";
  const parsed = parseOutput(text) ?? parseOutput(text = lenient.decode(line));
  if (parsed === null) return null;
  const { value, isTooDeep } = parsed;
  const isClean = text === strict && !isTooDeep;
  if (!Array.isArray(value)) {
    return { isBatch: false, items: [{ text, message: read(value) }], isClean };
  }
  const items = splitParts(text).map((text, index) => ({ text, message: read(value[index]) }));
  return { isBatch: true, items, isClean };
}

/** A client may take an answer that is nested deeper than this library reads. */
function parseOutput(text: string): { value: unknown; isTooDeep: boolean } | null {
  const parsed = parseJson(text);
  if (parsed.ok) return { value: parsed.value, isTooDeep: false };
  if (parsed.code !== "json.too_deep") return null;
  try {
    return { value: JSON.parse(text), isTooDeep: true };
  } catch {
    return null;
  }
}

/** The id that a response answers, a malformed one too; `undefined` when it is none. */
export function answeredId(message: Item["message"]): RequestId | null | undefined {
  if (message.kind === "result" || message.kind === "error") return message.id;
  return message.kind === "malformed" ? idOfMalformed(message.value) : undefined;
}

function idOfMalformed(value: unknown): RequestId | null {
  const members = isPlainObject(value) ? Object.entries(value) : [];
  const folded = members.map(([name, member]) => [fold(name), member]);
  const { id, ...rest } = Object.fromEntries([...folded, ...members]) as Members;
  const isAnswer = ["result", "error"].some((name) => Object.hasOwn(rest, name)) ||
    !Object.hasOwn(rest, "method");
  return isAnswer && isRequestId(id) ? id : null;
}
