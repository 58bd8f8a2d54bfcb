/**
 * Profile `jcs`: the JSON Canonicalization Scheme of RFC 8785. Members by UTF-16 code unit, numbers as ECMAScript writes
 * doubles. What the scheme or I-JSON excludes is refused with its place: unpaired surrogates, NaN, infinities, BigInt.
 *
 * @module
 */
import { compareCodeUnits } from "../core/mod.ts";
import { isWellFormed } from "./code_points.ts";
import { JsonNumber } from "./value_model.ts";
import { writeValue } from "./writer.ts";
import type { Refusal, Spelling } from "./writer.ts";

/**
 * The text of a value under profile `jcs`.
 *
 * @throws {CanonicalError} for what has none, with the place.
 *
 * @example
 * ```ts
 * import { formatJcs } from "affidavit/canonical";
 *
 * console.log(formatJcs({ "10": 1e21, "9": -0, "€": "\u000f" })); // {"10":1e+21,"9":0,"€":"\u000f"}
 * ```
 */
export function formatJcs(value: unknown): string {
  return writeValue(value, JCS);
}

const JCS: Spelling = {
  compare: compareCodeUnits,
  string: (text) =>
    isWellFormed(text)
      ? JSON.stringify(text)
      : { code: "canonical.not_encodable", why: "an unpaired surrogate has no UTF-8" },
  number: writeDouble,
};

function writeDouble(value: number | bigint | JsonNumber): string | Refusal {
  if (typeof value === "bigint") {
    return { code: "canonical.no_text", why: "BigInt has no text in this scheme" };
  }
  const double = value instanceof JsonNumber ? value.toNumber() : value;
  if (!Number.isFinite(double)) {
    return { code: "canonical.non_finite_number", why: "a number is not finite" };
  }
  return String(double); // -0 comes out as 0
}
