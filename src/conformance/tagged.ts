/**
 * JavaScript values that JSON cannot carry, written as `{"t": TAG, ...}`.
 *
 * Rule: `docs/spec/conformance.md`, "Tagged values".
 *
 * @module
 */
import { InputError, isObject, readList, readText } from "./input.ts";
import type { Input } from "./input.ts";

const TAGS: Readonly<Record<string, (tagged: Input) => unknown>> = {
  json: (tagged) => JSON.parse(readText(tagged, "text")),
  undefined: () => undefined,
  nan: () => NaN,
  inf: () => Infinity,
  "-inf": () => -Infinity,
  "-0": () => -0,
  function: () => () => undefined,
  symbol: () => Symbol("any"),
  bigint: (tagged) => BigInt(readText(tagged, "v")),
  date: (tagged) => new Date(readText(tagged, "v")),
  bytes: (tagged) => bytesOf(readText(tagged, "v")),
  map: () => new Map([["a", 1]]),
  set: () => new Set([1]),
  regexp: () => /x/,
  boxed_string: (tagged) => Object(readText(tagged, "v")),
  boxed_number: (tagged) => Object(tagged["v"]),
  array: arrayOf,
  object: (tagged) => define({}, tagged, true),
  null_proto: (tagged) => define(Object.create(null), tagged, true),
  hidden: (tagged) => define({}, tagged, false),
  inherits: (tagged) => {
    const prototype = decodeTagged(tagged["proto"]);
    return define(Object.create(isObject(prototype) ? prototype : null), tagged, true);
  },
  symbol_key: () => ({ [Symbol("key")]: 1 }),
  getter: (tagged) => {
    const value = decodeTagged(tagged["value"]);
    const property = { get: () => value, enumerable: true, configurable: true };
    return Object.defineProperty({}, readText(tagged, "key"), property);
  },
  tojson: (tagged) => {
    const value = decodeTagged(tagged["value"]);
    return define({ toJSON: () => value }, tagged, true);
  },
  cycle: (tagged) => {
    const itself: Record<string, unknown> = {};
    itself[readText(tagged, "key")] = itself;
    return itself;
  },
};

/**
 * The value that a tagged value stands for.
 *
 * @throws {InputError} for a tag that is not known, and whatever its parts make their constructors throw.
 */
export function decodeTagged(value: unknown): unknown {
  const tag = isObject(value) ? value["t"] : undefined;
  const decode = typeof tag === "string" && Object.hasOwn(TAGS, tag) ? TAGS[tag] : undefined;
  if (!isObject(value) || decode === undefined) throw new InputError("t", "a known tag");
  return decode(value);
}

function arrayOf(tagged: Input): unknown[] {
  const items = readList(tagged, "items");
  const array: unknown[] = [];
  array.length = items.length; // every index that is not set below stays a hole
  for (const [index, item] of items.entries()) {
    if (!isObject(item) || item["t"] !== "hole") array[index] = decodeTagged(item);
  }
  return array;
}

/** Gives an object the tagged entries as own data properties; `__proto__` is a name like any other. */
function define(target: object, tagged: Input, enumerable: boolean): object {
  for (const entry of readList(tagged, "entries")) {
    if (!Array.isArray(entry) || typeof entry[0] !== "string") {
      throw new InputError("entries", "a list of pairs");
    }
    const value = decodeTagged(entry[1]);
    Object.defineProperty(target, entry[0], {
      value,
      enumerable,
      writable: true,
      configurable: true,
    });
  }
  return target;
}

function bytesOf(hex: string): Uint8Array {
  const pairs = /^(?:[0-9a-f]{2})*$/.test(hex) ? hex.match(/../g) ?? [] : undefined;
  if (pairs === undefined) throw new InputError("v", "hexadecimal digits");
  return Uint8Array.from(pairs, (pair) => parseInt(pair, 16));
}
