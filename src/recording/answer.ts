/**
 * Recorded answers: what a server answered, one file an answer, beside the fixtures of version 1, of which there is one a
 * call. Answers to the same call are numbered, and the numbers are the order in which they are served.
 *
 * The hashes notice a change of any byte by whoever does not compute them anew; see `docs/spec/replay.md` for what that
 * leaves.
 *
 * @module
 */
import { decodeUtf8, encodeUtf8, fail, MAX_TEXT_BYTES, ok, readWhole } from "../core/mod.ts";
import type { FileInput, Result } from "../core/mod.ts";
import { digestValue, formatCapsuleV1, parseJson } from "../canonical/mod.ts";
import { isEffectClass } from "../capsule/mod.ts";
import type { EffectClass } from "../capsule/mod.ts";
import { isDigest } from "../hash/mod.ts";
import type { Digest, Sha256 } from "../hash/mod.ts";
import { classify } from "../mcp/mod.ts";
import type { Members } from "../mcp/mod.ts";
import type { FixtureStore } from "../ports/mod.ts";
import { ReplayError } from "../replay/mod.ts";
import type { FixtureCode } from "../replay/mod.ts";
import type { EffectSource } from "./policy.ts";

/** The `schema` of such a file. */
export const ANSWER_SCHEMA = "recorded-answer/v1";

/** What a server answered, and to what. */
export interface Answer {
  /** The method that was asked for. */
  readonly method: string;
  /** The tool, of `tools/call`. */
  readonly tool: string | null;
  /** Hash of its arguments, likewise. */
  readonly args_hash: Digest | null;
  /** Hash of tool and arguments, or of method and parameters. */
  readonly key: Digest;
  /** How far the effects of the call reach, likewise. */
  readonly effect_class: EffectClass | null;
  /** Who said so, likewise. */
  readonly effect_source: EffectSource | null;
  /** Did the server answer, or refuse? */
  readonly outcome: "result" | "error";
  /** The JSON text of the result or error as the server wrote it. */
  readonly text: string;
}

/** An answer as its file holds it. */
export interface RecordedAnswer extends Answer {
  /** Which of the answers to the same call it is, from 0; there may be gaps. */
  readonly occurrence: number;
  /** Hash of the value that `text` spells. */
  readonly response_hash: Digest;
}

/** Where an answer was stored. */
export interface StoredAnswer {
  /** The name of the file. */
  readonly file: string;
  /** Hash of the result or error. */
  readonly response_hash: Digest;
}

const FILE = /^([0-9a-f]{64})\.(0|[1-9][0-9]{0,14})\.answer\.json$/;
const SOURCES: readonly unknown[] = ["policy", "annotations", "default"];

/** The name of the file of an answer. */
export function answerFile(key: Digest, occurrence: number): string {
  return `${key}.${occurrence}.answer.json`;
}

/** The key of a request other than `tools/call`: what it asks for, without what is only said about it. */
export function keyOfRequest(
  method: string,
  params: Members | undefined,
  sha256: Sha256,
): Digest {
  const { _meta: _, ...asked } = params ?? {};
  // The parameters of initialize say who asks, and the answer is kept for whoever asks.
  const what = method === "initialize" ? {} : asked;
  return digestValue("capsule-v1", { method, params: what }, sha256);
}

/** The text of an answer's file: canonical, and a line feed. */
export function formatAnswer(answer: Answer, occurrence: number, sha256: Sha256): string {
  return formatHashed(answer, occurrence, hashResponse(answer.text, sha256), sha256);
}

function formatHashed(
  answer: Answer,
  occurrence: number,
  response_hash: Digest,
  sha256: Sha256,
): string {
  const { method, tool, args_hash, key, effect_class, effect_source, outcome, text } = answer;
  const call = { method, tool, args_hash, key, effect_class, effect_source };
  const rest = { schema: ANSWER_SCHEMA, ...call, occurrence, outcome, text, response_hash };
  const answer_hash = digestValue("capsule-v1", rest, sha256);
  return `${formatCapsuleV1({ ...rest, answer_hash })}\n`;
}

/**
 * Stores an answer under the first number that is free, and overwrites nothing, whoever else records into the same store.
 *
 * @param from the number that is tried first.
 * @throws {ReplayError} `tool.fixture_too_large` when nobody would read it back. @throws {IoError} with the system's code.
 */
export async function storeAnswer(
  store: FixtureStore,
  answer: Answer,
  from: number,
  sha256: Sha256,
): Promise<StoredAnswer> {
  const response_hash = hashResponse(answer.text, sha256);
  for (let occurrence = from;; occurrence++) {
    const bytes = encodeUtf8(formatHashed(answer, occurrence, response_hash, sha256));
    if (bytes.length > MAX_TEXT_BYTES) {
      const message = `Recording an answer: its file is larger than ${MAX_TEXT_BYTES} bytes`;
      throw new ReplayError("tool.fixture_too_large", message);
    }
    const file = answerFile(answer.key, occurrence);
    if (await store.create(file, bytes)) return { file, response_hash };
  }
}

/**
 * Reads an answer from its file.
 *
 * @param key of the call, and `occurrence` of the answer, from the name of the file.
 * @returns the answer; `null` when the file is absent; `tool.fixture_corrupt` for what has not the shape of an answer;
 * `tool.fixture_mismatch` when a hash or the name is that of something else.
 */
export async function readAnswer(
  input: FileInput,
  key: Digest,
  occurrence: number,
  sha256: Sha256,
): Promise<Result<RecordedAnswer | null, FixtureCode>> {
  const bytes = await readWhole(input, MAX_TEXT_BYTES);
  if (!bytes.ok) return bytes.code === "absent" ? ok(null) : corrupt(bytes.reason);
  const text = decodeUtf8(bytes.value) ?? "";
  const parsed = parseJson(text);
  if (!parsed.ok) return corrupt("it is no JSON in UTF-8, or nested too deep");
  const found = parsed.value as RecordedAnswer;
  if (!hasShape(found)) return corrupt(`it is not of the shape ${ANSWER_SCHEMA}`);
  if (found.key !== key || found.occurrence !== occurrence) {
    return mismatch("it is of another call than the name says");
  }
  const response_hash = hashResponse(found.text, sha256);
  if (response_hash !== found.response_hash) {
    return mismatch("the response has another hash");
  }
  return formatHashed(found, occurrence, response_hash, sha256) === text
    ? ok(found)
    : mismatch("the answer has another hash, or is spelled otherwise");
}

/** The numbers of the answers in a store by key, in ascending order, as the names of the files say. */
export async function listAnswers(store: FixtureStore): Promise<Map<Digest, number[]>> {
  const found = new Map<Digest, number[]>();
  for (const name of await store.list()) {
    const [, key, occurrence] = FILE.exec(name) ?? [];
    if (key === undefined) continue;
    const numbers = found.get(key as Digest) ?? [];
    numbers.push(Number(occurrence));
    found.set(key as Digest, numbers);
  }
  for (const numbers of found.values()) numbers.sort((a, b) => a - b);
  return found;
}

function hashResponse(text: string, sha256: Sha256): Digest {
  return digestValue("capsule-v1", JSON.parse(text), sha256);
}

/** Is this an answer by the types of its members? What is not looked at here is in the hash of the answer. */
function hasShape(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  const found = value as Readonly<Record<string, unknown>>;
  const { schema, method, tool, args_hash, effect_class, effect_source, outcome, text } = found;
  const isOfCall = typeof tool === "string" && isDigest(args_hash) &&
    isEffectClass(effect_class) && SOURCES.includes(effect_source);
  const isOfOther = [tool, args_hash, effect_class, effect_source].every((item) => item === null);
  return schema === ANSWER_SCHEMA && typeof method === "string" &&
    (method === "tools/call" ? isOfCall : isOfOther) &&
    (outcome === "result" || outcome === "error") && typeof text === "string" &&
    isResponse(outcome, text);
}

/** Would this text be an answer in one line? */
function isResponse(outcome: string, text: string): boolean {
  if (text.includes("\n")) return false; // it would be served as two lines
  const parsed = parseJson(text);
  return parsed.ok && classify({ jsonrpc: "2.0", id: 0, [outcome]: parsed.value }).kind === outcome;
}

function corrupt(why: string): Result<never, FixtureCode> {
  return fail("tool.fixture_corrupt", `Reading an answer: ${why}`);
}

function mismatch(why: string): Result<never, FixtureCode> {
  return fail("tool.fixture_mismatch", `Reading an answer: ${why}`);
}
