/**
 * The protocol of conformance: one JSON request a line, one JSON answer a line.
 *
 * Rule: `docs/spec/conformance.md`, "Protocol".
 *
 * @module
 */
import { parseJson } from "../canonical/mod.ts";
import { decodeUtf8, encodeUtf8 } from "../core/mod.ts";
import { isObject } from "./input.ts";
import type { Input, Output } from "./input.ts";
import { splitLines } from "./lines.ts";
import { OPERATIONS } from "./operations.ts";
import type { Host } from "./workspace.ts";

/** What an implementation says to a request. */
export type Answer =
  | { readonly output: Output }
  /** It does not know the operation, or not this variety of it. */
  | { readonly unsupported: true }
  /** It failed inside: always a failed case. */
  | { readonly error: string };

/** Asks some implementation for one operation. Never rejects: a failure is an answer. */
export type Ask = (op: string, input: Input) => Promise<Answer>;

/** Answers one request by this library. Nothing that a request holds makes it throw. */
export async function answer(op: unknown, input: unknown, host: Host): Promise<Answer> {
  if (typeof op !== "string") return { error: 'Reading a request: "op" must be text' };
  const operation = OPERATIONS.get(op);
  if (operation === undefined) return { unsupported: true };
  if (!isObject(input)) return { error: 'Reading a request: "input" must be an object' };
  try {
    const output = await operation(input, host);
    return output === undefined ? { unsupported: true } : { output };
  } catch (error) {
    return { error: `Answering ${op}: ${String(error)}` };
  }
}

/** Answers one line of the protocol; the answer has no line feed. */
export async function answerLine(line: Uint8Array | null, host: Host): Promise<string> {
  if (line === null) return refuse("the line is longer than any may be");
  const text = decodeUtf8(line);
  if (text === undefined) return refuse("the line is not valid UTF-8");
  const parsed = parseJson(text);
  if (!parsed.ok) {
    return refuse(
      parsed.code === "json.syntax" ? "the line is not JSON" : "the line is nested too deep",
    );
  }
  const request = parsed.value;
  if (!isObject(request) || request["id"] === undefined) {
    return refuse('the line is no object with an "id"');
  }
  const { id, op, input } = request;
  return JSON.stringify({ id, ...await answer(op, input, host) });
}

/**
 * Answers every request of a stream in turn. Ends when the stream does and everything is answered; blank lines are passed
 * over.
 */
export async function* serve(
  requests: AsyncIterable<Uint8Array>,
  host: Host,
): AsyncGenerator<string, void, undefined> {
  for await (const line of splitLines(requests)) {
    if (line === null || line.some((byte) => byte !== 0x20 && byte !== 0x0d)) {
      yield `${await answerLine(line, host)}\n`;
    }
  }
}

/** Asks this library, by way of the protocol's lines, so that what they cannot carry does not count. */
export function askHere(host: Host): Ask {
  return async (op, input) => {
    const request = encodeUtf8(JSON.stringify({ id: 0, op, input }));
    return readAnswer(JSON.parse(await answerLine(request, host)));
  };
}

/** The answer in a parsed line of an implementation. */
export function readAnswer(line: Input): Answer {
  if (isObject(line["output"])) return { output: line["output"] };
  if (line["unsupported"] === true) return { unsupported: true };
  const { error } = line;
  if (error !== undefined) {
    return { error: typeof error === "string" ? error : JSON.stringify(error) };
  }
  return { error: "The answer has neither output nor unsupported nor error" };
}

function refuse(why: string): string {
  return JSON.stringify({ id: null, error: `Reading a request: ${why}` });
}
