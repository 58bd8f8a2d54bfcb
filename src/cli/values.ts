/**
 * Values of flags that are more than text.
 *
 * @module
 */
import { parseJson } from "../canonical/mod.ts";
import type { Expectation } from "../capsule/mod.ts";
import { isDigest } from "../hash/mod.ts";
import type { Arguments } from "./args.ts";

/** Flags that say what is known of a capsule from elsewhere. */
export const EXPECTATION_FLAGS = { "expect-root": "value", "expect-count": "value" } as const;

/** Reads `--expect-root` and `--expect-count`. */
export function takeExpectation(args: Arguments): Expectation {
  const root = args.value("expect-root");
  if (root !== undefined && !isDigest(root)) {
    throw args.usage("--expect-root takes 64 lower-case hexadecimal digits");
  }
  const text = args.value("expect-count");
  const count = text === undefined ? undefined : Number(text);
  if (text !== undefined && !(/^\d+$/.test(text) && Number.isSafeInteger(count))) {
    throw args.usage("--expect-count takes a whole number");
  }
  return { ...(root !== undefined && { root }), ...(count !== undefined && { count }) };
}

/** Reads the value of a flag as a positive whole number; `undefined` when it is not given. */
export function takeNumber(args: Arguments, name: string): number | undefined {
  const text = args.value(name);
  if (text === undefined) return undefined;
  const value = Number(text);
  if (/^\d+$/.test(text) && Number.isSafeInteger(value) && value > 0) return value;
  throw args.usage(`--${name} takes a positive whole number`);
}

/** Reads the value of a flag as JSON; `undefined` when it is not given. */
export function takeJson(args: Arguments, name: string): unknown {
  const text = args.value(name);
  if (text === undefined) return undefined;
  const parsed = parseJson(text);
  if (parsed.ok) return parsed.value;
  const what = parsed.code === "json.syntax" ? "is not JSON" : "is nested too deep";
  throw args.usage(`The value of --${name} ${what}`);
}
