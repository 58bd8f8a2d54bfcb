/**
 * What an evaluation took: tokens, money, time. Each value is known, or unknown with a reason; nothing is added up or
 * guessed. Types are judged first, then rules.
 *
 * Rule: `docs/spec/evaluation.md`, "Usage, cost and timing".
 *
 * @module
 */
import type { JsonObject, JsonValue } from "../canonical/mod.ts";
import {
  exactMembers,
  integerAt,
  isCode,
  isOpaqueId,
  isStrictDigest,
  objectAt,
  reading,
  refuse,
  rootObject,
  textAt,
  typed,
} from "../record/mod.ts";
import type { RecordResult } from "../record/mod.ts";
import { isLater, judgeTimestamp } from "./timestamp.ts";

/** Why a value is not known. */
export type UnknownReason = typeof UNKNOWN_REASONS[number];

/** A count of tokens, or why there is none: exactly one of the two is null. */
export interface TokenCount {
  /** The count, an integer from 0; `null` when it is not known. */
  readonly value: bigint | null;
  /** Why there is no count; `null` when there is one. */
  readonly unknown_reason: UnknownReason | null;
}

/** Tokens of all calls together. */
export interface TokenUsage {
  /** Who counted: the provider in its responses, the evaluator's wrapper, or nobody can say. */
  readonly source: "provider_response" | "evaluator_wrapper" | "unknown";
  /** Tokens that went into the model. */
  readonly input_tokens: TokenCount;
  /** Tokens that came out of the model. */
  readonly output_tokens: TokenCount;
  /** Tokens that were taken from a prompt cache. */
  readonly cache_read_tokens: TokenCount;
  /** Tokens that were put into a prompt cache. */
  readonly cache_write_tokens: TokenCount;
  /** Tokens that the model spent on reasoning. */
  readonly reasoning_tokens: TokenCount;
  /** The total as its source gave it; it is not compared with the other counts. */
  readonly total_tokens: TokenCount;
}

/** Money that is known, and on what it is based; known to be nothing is an amount of 0. */
export interface KnownCost {
  /** Measured, told by the provider, or computed from a list of prices. */
  readonly basis: "metered" | "provider_reported" | "estimated_from_pricing_snapshot";
  /** In millionths of a US dollar. */
  readonly amount_microusd: bigint;
  /** The only currency there is. */
  readonly currency: "USD";
  /** Never null for an estimate. */
  readonly pricing_snapshot_sha256: string | null;
  /** Always `null`: an amount that is known has no reason. */
  readonly unknown_reason: null;
}

/** Money that is not known. */
export interface UnknownCost {
  /** A flat subscription that no share can be told of, or anything else that is not known. */
  readonly basis: "subscription_unallocable" | "unknown";
  /** Always `null`; free of charge is a known cost of 0. */
  readonly amount_microusd: null;
  /** Always `null`, as there is no amount. */
  readonly currency: null;
  /** Always `null`, as nothing was computed from prices. */
  readonly pricing_snapshot_sha256: null;
  /** Why there is no amount; any reason fits either basis. */
  readonly unknown_reason: UnknownReason;
}

/** What the evaluation cost. */
export type Cost = KnownCost | UnknownCost;

/** When the evaluation ran, by two clocks that are not compared with each other. */
export interface Timing {
  /** Opaque id of the clock that was read. */
  readonly clock_id: string;
  /** Start in UTC: `YYYY-MM-DDTHH:MM:SSZ`, or with six digits of a fraction, not all zero. */
  readonly started_at_utc: string;
  /** End in UTC, in the same spelling; not before the start. */
  readonly ended_at_utc: string;
  /** Start by the monotonic clock, in nanoseconds from 0; its zero means nothing. */
  readonly started_monotonic_ns: bigint;
  /** End by the monotonic clock, in nanoseconds; not before the start. */
  readonly ended_monotonic_ns: bigint;
  /** The difference of the monotonic times. */
  readonly wall_elapsed_ns: bigint;
  /** At most the elapsed time. */
  readonly queue_elapsed_ns: bigint;
  /** May exceed the elapsed time, as calls overlap. */
  readonly summed_call_elapsed_ns: bigint;
}

/** The reasons for which a value may be unknown; any of them fits anywhere. */
export const UNKNOWN_REASONS = [
  "not_reported",
  "provider_did_not_report",
  "flat_subscription_has_no_per_call_allocation",
  "not_applicable",
  "unknown",
] as const;

const COUNTS = [
  "input_tokens",
  "output_tokens",
  "cache_read_tokens",
  "cache_write_tokens",
  "reasoning_tokens",
  "total_tokens",
];
const USAGE = ["source", ...COUNTS];
const COST_TEXTS = ["currency", "basis", "pricing_snapshot_sha256", "unknown_reason"];
const COST = ["amount_microusd", ...COST_TEXTS];
const TIMING_TEXTS = ["clock_id", "started_at_utc", "ended_at_utc"];
const TIMING_NUMBERS = [
  "started_monotonic_ns",
  "ended_monotonic_ns",
  "wall_elapsed_ns",
  "queue_elapsed_ns",
  "summed_call_elapsed_ns",
];
const TIMING = [...TIMING_TEXTS, ...TIMING_NUMBERS];

/** Reads token usage. */
export function parseTokenUsage(value: JsonValue): RecordResult<TokenUsage> {
  return reading(() => readTokenUsage(rootObject(value)));
}

/** Reads a cost. */
export function parseCost(value: JsonValue): RecordResult<Cost> {
  return reading(() => readCost(rootObject(value)));
}

/** Reads times. */
export function parseTiming(value: JsonValue): RecordResult<Timing> {
  return reading(() => readTiming(rootObject(value)));
}

/** @internal */
export function readTokenUsage(record: JsonObject): TokenUsage {
  exactMembers(record, USAGE);
  const source = textAt(record, "source", isCode, "code_invalid");
  for (const name of COUNTS) checkCount(objectAt(record.get(name), name));
  if (!["provider_response", "evaluator_wrapper", "unknown"].includes(source)) {
    refuse("token_source_invalid", "source");
  }
  return typed<TokenUsage>(record, USAGE);
}

function checkCount(count: JsonObject): void {
  exactMembers(count, ["value", "unknown_reason"]);
  const isKnown = count.get("value") !== null;
  if (isKnown) integerAt(count, "value", 0n, "not_non_negative_integer");
  codeOrNull(count, "unknown_reason");
  if (isKnown) checkNoReason(count);
  else checkReason(count);
}

/** @internal */
export function readCost(record: JsonObject): Cost {
  exactMembers(record, COST);
  const amount = record.get("amount_microusd");
  if (amount !== null) integerAt(record, "amount_microusd", 0n, "not_non_negative_integer");
  for (const name of COST_TEXTS) {
    if (name === "basis") textAt(record, name, isCode, "code_invalid");
    else codeOrNull(record, name);
  }
  switch (record.get("basis")) {
    case "metered":
    case "provider_reported":
    case "estimated_from_pricing_snapshot":
      checkKnownCost(record);
      break;
    case "subscription_unallocable":
    case "unknown":
      for (const name of ["amount_microusd", "currency", "pricing_snapshot_sha256"]) {
        if (record.get(name) !== null) refuse("must_be_null_for_basis", name);
      }
      checkReason(record);
      break;
    default:
      refuse("cost_basis_invalid", "basis");
  }
  return typed<Cost>(record, COST);
}

function checkKnownCost(record: JsonObject): void {
  if (record.get("amount_microusd") === null) {
    refuse("not_non_negative_integer", "amount_microusd");
  }
  if (record.get("currency") !== "USD") refuse("currency_invalid", "currency");
  checkNoReason(record);
  const snapshot = record.get("pricing_snapshot_sha256");
  if (snapshot !== null && !isStrictDigest(snapshot)) {
    refuse("digest_invalid", "pricing_snapshot_sha256");
  }
  if (snapshot === null && record.get("basis") === "estimated_from_pricing_snapshot") {
    refuse("pricing_snapshot_required", "pricing_snapshot_sha256");
  }
}

/** @internal */
export function readTiming(record: JsonObject): Timing {
  exactMembers(record, TIMING);
  for (const name of TIMING_TEXTS) textAt(record, name, isCode, "code_invalid");
  for (const name of TIMING_NUMBERS) integerAt(record, name, 0n, "not_non_negative_integer");
  textAt(record, "clock_id", isOpaqueId, "opaque_id_invalid");
  const timing = typed<Timing>(record, TIMING);
  for (const name of ["started_at_utc", "ended_at_utc"] as const) {
    const spelling = judgeTimestamp(timing[name]);
    if (spelling === "other") refuse("timestamp_not_canonical", name);
    if (spelling === "none") refuse("timestamp_invalid", name);
  }
  if (isLater(timing.started_at_utc, timing.ended_at_utc)) {
    refuse("ends_before_start", "ended_at_utc");
  }
  const elapsed = timing.ended_monotonic_ns - timing.started_monotonic_ns;
  if (elapsed < 0n) refuse("ends_before_start", "ended_monotonic_ns");
  if (timing.wall_elapsed_ns !== elapsed) refuse("wall_elapsed_mismatch", "wall_elapsed_ns");
  if (timing.queue_elapsed_ns > elapsed) refuse("queue_exceeds_wall", "queue_elapsed_ns");
  return timing;
}

function codeOrNull(record: JsonObject, name: string): void {
  if (record.get(name) !== null) textAt(record, name, isCode, "code_invalid");
}

function checkReason(record: JsonObject): void {
  const reason = record.get("unknown_reason");
  if (!(UNKNOWN_REASONS as readonly unknown[]).includes(reason)) {
    refuse("unknown_reason_invalid", "unknown_reason");
  }
}

function checkNoReason(record: JsonObject): void {
  if (record.get("unknown_reason") !== null) {
    refuse("unknown_reason_must_be_null", "unknown_reason");
  }
}
