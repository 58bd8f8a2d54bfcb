/**
 * A strict reader of JSON text that nobody vouches for: bytes in, every loss or doubt a refusal with its place.
 *
 * It takes exactly the texts of RFC 8259 in UTF-8 without a byte order mark, to the same depth in every runtime.
 *
 * @module
 */
import {
  decodeUtf8,
  encodeUtf8,
  fail,
  findInvalidUtf8,
  formatPointer,
  MAX_DEPTH,
  MAX_TEXT_BYTES,
  ok,
} from "../core/mod.ts";
import type { Fail, Result } from "../core/mod.ts";
import type { StrictJsonCode } from "./codes.ts";
import { JsonNumber } from "./value_model.ts";
import type { JsonObject, JsonValue } from "./value_model.ts";

/** How strict to be where formats differ. */
export interface StrictOptions {
  /** What a repeated member name means. Default `refuse`. */
  readonly duplicateKeys?: "refuse" | "last-wins";
  /** Take the bare words `NaN`, `Infinity` and `-Infinity` as numbers, to be refused where they are met. Default false. */
  readonly nonFinite?: boolean;
  /** Largest text in bytes. Default 64 MiB. */
  readonly maxBytes?: number;
}

/**
 * Reads bytes as one JSON value, without loss.
 *
 * @returns the value, or the first fault from the left with its byte offset and the JSON Pointer of the value it is in.
 *
 * @example
 * ```ts
 * import { JsonNumber, parseStrict } from "affidavit/canonical";
 *
 * const result = parseStrict(new TextEncoder().encode('[9007199254740993, 1.0, {"a": 1, "a": 2}]'));
 * if (!result.ok) console.log(result.code, result.at); // json.duplicate_key { byte: 33, pointer: "/2/a" }
 * ```
 */
export function parseStrict(
  bytes: Uint8Array,
  options: StrictOptions = {},
): Result<JsonValue, StrictJsonCode> {
  const maxBytes = options.maxBytes ?? MAX_TEXT_BYTES;
  if (bytes.length > maxBytes) {
    return refuse("json.too_large", `larger than ${maxBytes} bytes`, maxBytes, "");
  }
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) {
    return refuse("json.byte_order_mark", "it starts with a byte order mark", 0, "");
  }
  const text = decodeUtf8(bytes);
  if (text === undefined) {
    return refuse("json.bad_utf8", "it is not valid UTF-8", findInvalidUtf8(bytes), "");
  }
  return parseStrictText(text, options);
}

/** Reads a text as {@linkcode parseStrict} reads its bytes; unpaired surrogates in it are kept. */
export function parseStrictText(
  text: string,
  options: StrictOptions = {},
): Result<JsonValue, StrictJsonCode> {
  const reader = new Reader(text, options);
  try {
    return ok(reader.readDocument());
  } catch (error) {
    if (error !== reader.fault || reader.fault === undefined) throw error;
    const { code, why, at, pointer } = reader.fault;
    return refuse(code, why, encodeUtf8(text.slice(0, at)).length, pointer);
  }
}

function refuse(
  code: StrictJsonCode,
  why: string,
  byte: number,
  pointer: string,
): Fail<StrictJsonCode> {
  return fail(code, `Reading JSON: ${why}`, { byte, pointer });
}

/** The first fault of a text, thrown to unwind the reader and caught at its door. */
interface Fault {
  readonly code: StrictJsonCode;
  readonly why: string;
  readonly at: number;
  readonly pointer: string;
}

const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
// deno-lint-ignore no-control-regex -- these are what a JSON string may not hold bare
const PLAIN = /[^"\\\u0000-\u001f]*/y;
const SPACE = /[ \t\n\r]*/y;
const WORDS = new Map<string, null | boolean>([["null", null], ["true", true], ["false", false]]);
const NON_FINITE = ["NaN", "Infinity", "-Infinity"];
const ESCAPES: Readonly<Record<string, string>> = {
  '"': '"',
  "\\": "\\",
  "/": "/",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
};

class Reader {
  readonly #text: string;
  readonly #options: StrictOptions;
  readonly #path: (string | number | undefined)[] = []; // undefined: between the members
  #at = 0;
  fault: Fault | undefined;

  constructor(text: string, options: StrictOptions) {
    this.#text = text;
    this.#options = options;
  }

  readDocument(): JsonValue {
    this.#skip(SPACE);
    const value = this.#readValue();
    this.#skip(SPACE);
    if (this.#at < this.#text.length) {
      this.#fail("json.trailing", "there is more text after the value");
    }
    return value;
  }

  #readValue(): JsonValue {
    switch (this.#text[this.#at]) {
      case "{":
        return this.#readObject();
      case "[":
        return this.#readArray();
      case '"':
        return this.#readString();
      default:
        return this.#readScalar();
    }
  }

  #readObject(): JsonObject {
    const members: JsonObject = new Map();
    this.#open();
    for (let isFirst = true; !this.#closes("}", isFirst); isFirst = false) {
      const start = this.#at;
      if (this.#text[start] !== '"') this.#fail("json.syntax", "a member name was wanted");
      const name = this.#readString();
      this.#path[this.#path.length - 1] = name;
      if (members.has(name) && this.#options.duplicateKeys !== "last-wins") {
        this.#at = start;
        this.#fail("json.duplicate_key", "a member name is repeated");
      }
      this.#skip(SPACE);
      if (this.#text[this.#at] !== ":") this.#fail("json.syntax", "a colon was wanted");
      this.#at++;
      this.#skip(SPACE);
      members.delete(name); // the last one counts, at its own place
      members.set(name, this.#readValue());
    }
    this.#path.pop();
    return members;
  }

  #readArray(): JsonValue[] {
    const items: JsonValue[] = [];
    this.#open();
    for (let isFirst = true; !this.#closes("]", isFirst); isFirst = false) {
      this.#path[this.#path.length - 1] = items.length;
      items.push(this.#readValue());
    }
    this.#path.pop();
    return items;
  }

  #open(): void {
    if (this.#path.length === MAX_DEPTH) {
      this.#fail("json.too_deep", `it is nested deeper than ${MAX_DEPTH} levels`);
    }
    this.#at++;
    this.#path.push(undefined);
  }

  /** Is this the end of the object or array? If not, moves to the start of what follows. */
  #closes(bracket: string, isFirst: boolean): boolean {
    this.#path[this.#path.length - 1] = undefined;
    this.#skip(SPACE);
    if (this.#text[this.#at] === bracket) {
      this.#at++;
      return true;
    }
    if (isFirst) return false;
    if (this.#text[this.#at] !== ",") this.#fail("json.syntax", `a comma or ${bracket} was wanted`);
    this.#at++;
    this.#skip(SPACE);
    return false;
  }

  #readString(): string {
    let value = "";
    this.#at++;
    for (;;) {
      value += this.#skip(PLAIN);
      const character = this.#text[this.#at];
      if (character === '"') {
        this.#at++;
        return value;
      }
      if (character !== "\\") {
        this.#fail("json.syntax", "a string does not end, or holds a raw control character");
      }
      value += this.#readEscape();
    }
  }

  #readEscape(): string {
    const kind = this.#text[this.#at + 1] ?? "";
    if (kind === "u") {
      const digits = this.#text.slice(this.#at + 2, this.#at + 6);
      if (!/^[0-9a-fA-F]{4}$/.test(digits)) {
        this.#fail("json.syntax", "an escape does not have four hexadecimal digits");
      }
      this.#at += 6;
      return String.fromCharCode(parseInt(digits, 16));
    }
    const value = Object.hasOwn(ESCAPES, kind) ? ESCAPES[kind] : undefined;
    if (value === undefined) this.#fail("json.syntax", "there is no such escape");
    this.#at += 2;
    return value;
  }

  #readScalar(): JsonValue {
    for (const [word, value] of WORDS) {
      if (this.#take(word)) return value;
    }
    for (const word of this.#options.nonFinite === true ? NON_FINITE : []) {
      if (this.#take(word)) return new JsonNumber(word);
    }
    const lexeme = this.#skip(NUMBER);
    if (lexeme === "") this.#fail("json.syntax", "a value was wanted");
    return new JsonNumber(lexeme);
  }

  #take(word: string): boolean {
    if (!this.#text.startsWith(word, this.#at)) return false;
    this.#at += word.length;
    return true;
  }

  #skip(pattern: RegExp): string {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0] ?? "";
    this.#at += found.length;
    return found;
  }

  #fail(code: StrictJsonCode, why: string): never {
    const pointer = formatPointer(this.#path.filter((part) => part !== undefined));
    this.fault = { code, why, at: this.#at, pointer };
    throw this.fault;
  }
}
