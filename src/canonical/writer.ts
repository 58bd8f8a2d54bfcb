/**
 * One strict walk over a value for every spelling that refuses what it cannot write the same way everywhere.
 *
 * @module
 */
import { EvidenceError, formatPointer, isPlainObject, MAX_DEPTH, ownData } from "../core/mod.ts";
import type { CanonicalCode } from "./codes.ts";
import { JsonNumber } from "./value_model.ts";

/** A value has no text in a canonical form. */
export class CanonicalError extends EvidenceError {
  /** Why it has none. */
  declare readonly code: CanonicalCode;
  /** JSON Pointer to what has none. */
  readonly pointer: string;

  /** `why` is said in the message, with the place that `pointer` names. */
  constructor(code: CanonicalCode, why: string, pointer: string, options?: { cause?: unknown }) {
    super(code, `Writing canonical text: ${why}${pointer === "" ? "" : ` at ${pointer}`}`, options);
    this.pointer = pointer;
  }
}

/** What differs between spellings. Each may give a code with words instead of a text. */
export interface Spelling {
  /** The order of member names. */
  compare(a: string, b: string): number;
  string(text: string): string | Refusal;
  number(value: number | bigint | JsonNumber): string | Refusal;
}

/** Why a scalar has no text. */
export interface Refusal {
  readonly code: CanonicalCode;
  readonly why: string;
}

/**
 * The text of a value: JSON values as the strict reader gives them, or the plain values of the language. Anything that
 * would have to be dropped, called or guessed is refused: `undefined`, holes, functions, symbols, accessors, hidden
 * members, class instances, `toJSON`.
 *
 * @throws {CanonicalError} with the place.
 */
export function writeValue(value: unknown, spelling: Spelling): string {
  return write(value, spelling, []);
}

function write(value: unknown, spelling: Spelling, path: (string | number)[]): string {
  if (value === null || typeof value === "boolean") return String(value);
  if (typeof value === "string") return settle(spelling.string(value), path);
  if (typeof value === "number" || typeof value === "bigint" || value instanceof JsonNumber) {
    return settle(spelling.number(value), path);
  }
  if (typeof value !== "object") {
    throw refused("canonical.no_text", `${typeof value} has no JSON text`, path);
  }
  if (path.length === MAX_DEPTH) {
    throw refused("canonical.too_deep", `a cycle, or more than ${MAX_DEPTH} levels`, []);
  }
  return Array.isArray(value)
    ? writeList(value, spelling, path)
    : writeObject(value, spelling, path);
}

function writeList(
  list: readonly unknown[],
  spelling: Spelling,
  path: (string | number)[],
): string {
  const items = readItems(list, path).map((item, index) => {
    path.push(index);
    const text = write(item, spelling, path);
    path.pop();
    return text;
  });
  return `[${items.join(",")}]`;
}

function writeObject(value: object, spelling: Spelling, path: (string | number)[]): string {
  const members = readMembers(value, path).sort(([a], [b]) => spelling.compare(a, b)).map(
    ([name, member]) => {
      path.push(name);
      const text = `${settle(spelling.string(name), path)}:${write(member, spelling, path)}`;
      path.pop();
      return text;
    },
  );
  return `{${members.join(",")}}`;
}

function readItems(list: readonly unknown[], path: (string | number)[]): unknown[] {
  const items = ownData(list, ["length"]);
  if (items === undefined || Object.getPrototypeOf(list) !== Array.prototype) {
    throw refused("canonical.no_text", "a list has accessors or members of its own", path);
  }
  if (items.length !== list.length || items.some(([index], at) => index !== String(at))) {
    throw refused("canonical.no_text", "a list has holes or members of its own", path);
  }
  return items.map(([, item]) => item);
}

function readMembers(value: object, path: (string | number)[]): [string, unknown][] {
  if (value instanceof Map) return readEntries(value as Map<unknown, unknown>, path);
  const members = isPlainObject(value) ? ownData(value) : undefined;
  if (members === undefined) {
    throw refused(
      "canonical.no_text",
      "an object is no plain one, or has accessors, hidden or symbol members",
      path,
    );
  }
  if (members.some(([name, member]) => name === "toJSON" && typeof member === "function")) {
    throw refused("canonical.no_text", "an object has a toJSON function", path);
  }
  return members;
}

/** An object as the strict reader gives it; other maps may have names that are no text. */
function readEntries(map: Map<unknown, unknown>, path: (string | number)[]): [string, unknown][] {
  const entries = [...map];
  if (entries.every((entry): entry is [string, unknown] => typeof entry[0] === "string")) {
    return entries;
  }
  throw refused("canonical.no_text", "a map has a name that is no text", path);
}

function settle(text: string | Refusal, path: (string | number)[]): string {
  if (typeof text === "string") return text;
  throw refused(text.code, text.why, path);
}

function refused(code: CanonicalCode, why: string, path: (string | number)[]): CanonicalError {
  return new CanonicalError(code, why, formatPointer(path));
}
