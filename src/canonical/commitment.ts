/**
 * The spelling behind three profiles that were born in Python: members by code point, integers of any size as digits,
 * other numbers as Python writes floats. It takes integers from the strict reader, BigInt, and safe integers; a
 * JavaScript number that is no safe integer has no one meaning here and is refused.
 *
 * @module
 */
import { compareCodePoints, isWellFormed } from "./code_points.ts";
import { JsonNumber } from "./value_model.ts";
import { writeValue } from "./writer.ts";
import type { Refusal, Spelling } from "./writer.ts";

/** Text with non-ASCII characters as they are. */
export function writeRaw(value: unknown): string {
  return writeValue(value, RAW);
}

/** Text in ASCII alone: every other character as lower-case escapes, unpaired surrogates too. */
export function writeAscii(value: unknown): string {
  return writeValue(value, ASCII);
}

const RAW: Spelling = {
  compare: compareCodePoints,
  string: (text) =>
    isWellFormed(text)
      ? JSON.stringify(text)
      : { code: "canonical.not_encodable", why: "an unpaired surrogate has no UTF-8" },
  number: writeNumber,
};

const ASCII: Spelling = {
  compare: compareCodePoints,
  string: (text) =>
    JSON.stringify(text).replace(
      /[\u007f-\uffff]/g,
      (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
    ),
  number: writeNumber,
};

function writeNumber(value: number | bigint | JsonNumber): string | Refusal {
  if (typeof value === "bigint") return String(value);
  if (value instanceof JsonNumber) {
    if (value.isInteger) return value.lexeme === "-0" ? "0" : value.lexeme;
    return writeFloat(value.toNumber());
  }
  if (Number.isSafeInteger(value) && !Object.is(value, -0)) return String(value);
  return Number.isFinite(value)
    ? {
      code: "canonical.ambiguous_number",
      why: "a number that is no safe integer needs its text or BigInt",
    }
    : NON_FINITE;
}

const NON_FINITE: Refusal = { code: "canonical.non_finite_number", why: "a number is not finite" };

/** Python's `repr` of a float: shortest digits, positional from 1e-4 up to 1e16, always with a point or an exponent. */
function writeFloat(value: number): string | Refusal {
  if (!Number.isFinite(value)) return NON_FINITE;
  if (value === 0) return Object.is(value, -0) ? "-0.0" : "0.0";
  const size = Math.abs(value);
  if (size >= 1e-4 && size < 1e16) {
    const text = String(value); // positional in JavaScript too, from 1e-6 up to 1e21
    return text.includes(".") ? text : `${text}.0`;
  }
  const [digits, exponent] = value.toExponential().split("e") as [string, string];
  return `${digits}e${exponent[0]}${exponent.slice(1).padStart(2, "0")}`;
}
