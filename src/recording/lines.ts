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

/** The revision that has lists of messages. */
export const BATCH_REVISION = "2025-03-26";

const CARRIAGE_RETURN = 0x0d;
const ENVELOPE = ["jsonrpc", "id", "method", "params", "result", "error"];
const CALL = ["name", "arguments"];

/**
 * Reads a line of a client.
 *
 * Refused are texts that readers differ on, since a call could hide in them: repeated members, bytes that are no UTF-8, a
 * byte order mark; members that differ in case only, which some readers take for the same; a carriage return, at which
 * some readers end the line; ids past the integers that a double holds, which would be taken for each other.
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
  if (!Array.isArray(value)) return { isBatch: false, items: [{ text, message: read(value) }] };
  if (!options.hasBatches || value.length === 0) {
    const message = "A list of messages was not agreed on, or is empty";
    return { refusal: refusal(null, RPC_CODES.invalidRequest, message) };
  }
  const items = splitParts(text).map((text, index) => ({ text, message: read(value[index]) }));
  return { isBatch: true, items };
}

/** The text of a refusal. */
export function refusal(
  id: RequestId | null,
  code: number,
  message: string,
  data?: Members,
): string {
  return JSON.stringify(errorReply(
    id,
    data === undefined ? { code, message } : {
      code,
      message,
      data,
    },
  ));
}

/** The lines that say these texts: all in one list, or each by itself. */
export function linesOf(texts: readonly string[], isBatch: boolean): Uint8Array[] {
  if (texts.length === 0) return [];
  return (isBatch ? [`[${texts.join(",")}]`] : texts).map(encodeUtf8);
}

function read(value: unknown): RpcMessage | Malformed {
  const message = classify(value);
  const wrong = (reason: string): Malformed => ({
    kind: "malformed",
    fault: "envelope",
    reason,
    value,
  });
  if (message.kind === "malformed") return message;
  if (hasDouble(value as object, ENVELOPE)) return wrong("a member differs in case only");
  if (message.kind !== "request") return message;
  if (typeof message.id === "number" && !Number.isSafeInteger(message.id)) {
    return wrong('"id" is not a safe integer');
  }
  return message.method === "tools/call" && hasDouble(message.params ?? {}, CALL)
    ? wrong("a parameter differs in case only")
    : message;
}

/** Is there a member that a reader that ignores case takes for one of these? To such a reader U+017F is an s. */
function hasDouble(value: object, names: readonly string[]): boolean {
  return Object.keys(value).some((name) =>
    !names.includes(name) && names.includes(name.toUpperCase().toLowerCase())
  );
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
  /** Is it read the same way by everybody? */
  readonly isClean: boolean;
}

/** The messages of a line of the server, read as a client might that forgives its encoding; `null` when it has none. */
export function readServerLine(
  line: Uint8Array,
): ServerLine | null {
  const strict = decodeUtf8(line);
  let text = strict ?? "";
  let parsed = parseJson(text);
  if (!parsed.ok) parsed = parseJson(text = lenient.decode(line));
  if (!parsed.ok) return null;
  const value = parsed.value;
  const isClean = text === strict;
  if (!Array.isArray(value)) {
    return { isBatch: false, items: [{ text, message: classify(value) }], isClean };
  }
  const items = splitParts(text).map((text, index) => ({ text, message: classify(value[index]) }));
  return { isBatch: true, items, isClean };
}

/** The id that a response answers, a malformed one too; `undefined` when it is none. */
export function answeredId(message: Item["message"]): RequestId | null | undefined {
  if (message.kind === "result" || message.kind === "error") return message.id;
  return message.kind === "malformed" ? idOfMalformed(message.value) : undefined;
}

function idOfMalformed(value: unknown): RequestId | null {
  const { id, ...rest } = (isPlainObject(value) ? value : {}) as Members;
  const isAnswer = ["result", "error"].some((name) => Object.hasOwn(rest, name)) ||
    !Object.hasOwn(rest, "method");
  return isAnswer && isRequestId(id) ? id : null;
}
