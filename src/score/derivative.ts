/**
 * The authorised derivative: all that a raw result shows of its verdicts, in exactly one spelling, so that its hash binds
 * every byte of it.
 *
 * Rule: `docs/spec/score.md`, "Derivative".
 *
 * @module
 */
import { formatValue, parseStrict } from "../canonical/mod.ts";
import type { JsonValue } from "../canonical/mod.ts";
import { decodeUtf8, EvidenceError } from "../core/mod.ts";
import { exactMembers, objectAt, refuse } from "../record/mod.ts";
import type { RecordProfile } from "../record/mod.ts";
import { requireInteger } from "./metric.ts";

/** What a derivative says once it holds. */
export interface Tally {
  /** How many verdicts are `pass`. */
  readonly passed: bigint;
  /** How many there are. */
  readonly criteria: bigint;
}

const MEMBERS = ["n_criteria", "n_passed", "schema_version", "score", "verdicts"];

/** @internal Reads a derivative of so many verdicts; ends the reader with the first fault. */
export function readDerivative(bytes: Uint8Array, count: bigint, profile: RecordProfile): Tally {
  const record = objectAt(readCanonical(bytes), "raw_verdict_derivative");
  exactMembers(record, MEMBERS);
  const version = profile.idPrefix + profile.metric.raw_derivative_schema;
  if (record.get("schema_version") !== version) refuse("derivative_schema_unsupported");
  const verdicts = record.get("verdicts");
  if (!Array.isArray(verdicts)) refuse("verdicts_not_array");
  const passed = BigInt(verdicts.filter(readVerdict).length);

  const score = requireInteger(record, "score");
  if (score !== 0n && score !== 1n) refuse("not_binary", "score");
  const statedPassed = requireInteger(record, "n_passed");
  if (statedPassed < 0n) refuse("not_non_negative_integer", "n_passed");
  const statedCount = requireInteger(record, "n_criteria");
  if (statedCount <= 0n) refuse("not_positive_integer", "n_criteria");

  if (BigInt(verdicts.length) !== count) refuse("verdict_count_mismatch");
  if (
    statedCount !== count || statedPassed !== passed || score !== (passed === count ? 1n : 0n)
  ) {
    refuse("diagnostics_inconsistent");
  }
  return { passed, criteria: count };
}

/** The value of bytes that are the one spelling of it. */
function readCanonical(bytes: Uint8Array): JsonValue {
  const parsed = parseStrict(bytes, { nonFinite: true });
  if (!parsed.ok) {
    const isJson = parsed.code === "json.duplicate_key" &&
      parseStrict(bytes, { nonFinite: true, duplicateKeys: "last-wins" }).ok;
    refuse(isJson ? "derivative_duplicate_key" : "derivative_not_json");
  }
  if (spell(parsed.value) !== decodeUtf8(bytes)) refuse("derivative_not_canonical_bytes");
  return parsed.value;
}

function spell(value: JsonValue): string {
  try {
    return formatValue(value);
  } catch (error) {
    if (error instanceof EvidenceError) refuse("derivative_not_encodable");
    throw error;
  }
}

/** Is it a pass? */
function readVerdict(item: JsonValue, index: number): boolean {
  const record = objectAt(item, "verdict");
  exactMembers(record, ["ordinal", "verdict"]);
  const ordinal = requireInteger(record, "ordinal");
  if (ordinal <= 0n) refuse("not_positive_integer", "ordinal");
  if (ordinal !== BigInt(index + 1)) refuse("ordinals_not_contiguous");
  const verdict = record.get("verdict");
  if (typeof verdict !== "string") refuse("not_a_string", "verdict");
  if (verdict !== "pass" && verdict !== "fail") refuse("verdict_value_invalid");
  return verdict === "pass";
}
