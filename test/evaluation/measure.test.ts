import { suite } from "uvu";
import * as assert from "uvu/assert";
import { parseCost, parseTiming, parseTokenUsage } from "../../src/evaluation/mod.ts";
import { loadSha256 } from "../../src/hash/mod.ts";
import { LAB_PROFILE } from "../../src/record/mod.ts";
import { makeSample, toJson } from "../lib/evaluation.ts";
import { checkOrder, outcomeOf } from "./order.ts";
import type { Fault } from "./order.ts";

const context = { profile: LAB_PROFILE, sha256: await loadSha256() };
const { receipt } = await makeSample(Array<boolean>(23).fill(true), context);
const { token_usage, cost, timing } = receipt;

const measures = suite("usage, cost and timing");

const COUNTS = [
  ...["input_tokens", "output_tokens", "cache_read_tokens", "cache_write_tokens"],
  ...["reasoning_tokens", "total_tokens"],
];

measures("parseTokenUsage() judges types before rules, count by count", () => {
  const faults: Fault[] = [
    ["total_tokens", null, "fields_mismatch"],
    ["source", "null", "code_invalid", "source"],
    ...COUNTS.flatMap((name): Fault[] => [
      [name, "[]", "not_an_object", name],
      [`${name}.more`, "1", "fields_mismatch"],
      [`${name}.value`, "-1", "not_non_negative_integer", "value"],
      [`${name}.unknown_reason`, '"two words"', "code_invalid", "unknown_reason"],
    ]),
    ["source", '"guess"', "token_source_invalid", "source"],
  ];
  checkOrder(token_usage, faults, parseTokenUsage);
});

measures("parseTokenUsage() wants a value or a reason, never both or none", () => {
  const parse = (value: unknown, unknown_reason: unknown) =>
    outcomeOf(
      parseTokenUsage(toJson({ ...token_usage, input_tokens: { value, unknown_reason } })),
    );
  assert.equal(parse(0n, null), ["accepted"]);
  assert.equal(parse(null, "not_applicable"), ["accepted"]);
  assert.equal(parse(null, null), ["unknown_reason_invalid", "unknown_reason"]);
  assert.equal(parse(null, "because"), ["unknown_reason_invalid", "unknown_reason"]);
  assert.equal(parse(0n, "unknown"), ["unknown_reason_must_be_null", "unknown_reason"]);
});

measures("parseCost() judges a known cost in the order of its rules", () => {
  const snapshot = "pricing_snapshot_sha256";
  const faults: Fault[] = [
    ["basis", null, "fields_mismatch"],
    ["amount_microusd", "1.0", "not_non_negative_integer", "amount_microusd"],
    ["currency", "1", "code_invalid", "currency"],
    ["basis", "null", "code_invalid", "basis"],
    [snapshot, '""', "code_invalid", snapshot],
    ["unknown_reason", "false", "code_invalid", "unknown_reason"],
    ["basis", '"free"', "cost_basis_invalid", "basis"],
    ["amount_microusd", "null", "not_non_negative_integer", "amount_microusd"],
    ["currency", '"EUR"', "currency_invalid", "currency"],
    ["unknown_reason", '"unknown"', "unknown_reason_must_be_null", "unknown_reason"],
    [snapshot, '"latest"', "digest_invalid", snapshot],
  ];
  checkOrder(cost, faults, parseCost);
  const estimate = { ...cost, basis: "estimated_from_pricing_snapshot" };
  assert.equal(outcomeOf(parseCost(toJson(estimate))), ["pricing_snapshot_required", snapshot]);
});

measures("parseCost() wants nothing but a reason for an unknown cost", () => {
  const unknown = {
    basis: "subscription_unallocable",
    amount_microusd: null,
    currency: null,
    pricing_snapshot_sha256: null,
    unknown_reason: "flat_subscription_has_no_per_call_allocation",
  };
  const faults = ["amount_microusd", "currency", "pricing_snapshot_sha256"].map((name): Fault => [
    name,
    name === "currency" ? '"USD"' : name === "amount_microusd" ? "0" : `"${receipt.task_sha256}"`,
    "must_be_null_for_basis",
    name,
  ]);
  const reason: Fault = ["unknown_reason", "null", "unknown_reason_invalid", "unknown_reason"];
  checkOrder(unknown, [...faults, reason], parseCost);
});

const NUMBERS = [
  ...["started_monotonic_ns", "ended_monotonic_ns", "wall_elapsed_ns"],
  ...["queue_elapsed_ns", "summed_call_elapsed_ns"],
];

measures("parseTiming() judges types before rules, and then in their order", () => {
  const faults: Fault[] = [
    ["clock_id", null, "fields_mismatch"],
    ["clock_id", '""', "code_invalid", "clock_id"],
    ["started_at_utc", '" "', "code_invalid", "started_at_utc"],
    ["ended_at_utc", "0", "code_invalid", "ended_at_utc"],
    ...NUMBERS.map((name): Fault => [name, "0.0", "not_non_negative_integer", name]),
    ["clock_id", '"a/b"', "opaque_id_invalid", "clock_id"],
    ["started_at_utc", '"2026-09-02T09Z"', "timestamp_not_canonical", "started_at_utc"],
    ["ended_at_utc", '"soon"', "timestamp_invalid", "ended_at_utc"],
    ["ended_at_utc", '"2026-09-02T08:59:59Z"', "ends_before_start", "ended_at_utc"],
    ["ended_monotonic_ns", "0", "ends_before_start", "ended_monotonic_ns"],
    ["wall_elapsed_ns", "1249999999", "wall_elapsed_mismatch", "wall_elapsed_ns"],
    ["queue_elapsed_ns", "1250000001", "queue_exceeds_wall", "queue_elapsed_ns"],
  ];
  checkOrder(timing, faults, parseTiming);
});

measures("parseTiming() compares times by microseconds, whatever their spelling", () => {
  const between = (started_at_utc: string, ended_at_utc: string) =>
    outcomeOf(parseTiming(toJson({ ...timing, started_at_utc, ended_at_utc })))[0];
  const at = (fraction: string): string => `2026-09-02T09:00:00${fraction}Z`;
  assert.is(between(at(""), at("")), "accepted");
  assert.is(between(at(""), at(".000001")), "accepted");
  assert.is(between(at(".000001"), at("")), "ends_before_start");
  assert.is(between(at(".999999"), "2026-09-02T09:00:01Z"), "accepted");
  assert.is(between("9999-12-31T23:59:59Z", "0001-01-01T00:00:00Z"), "ends_before_start");
});

/** What a time is taken for: `+` the one spelling, `~` a real time in another, `-` none. */
const TIMES: Readonly<Record<string, readonly string[]>> = {
  "+": [
    ...["2026-09-02T09:00:00Z", "2026-09-02T23:59:59.999999Z", "2026-09-02T09:00:00.000001Z"],
    ...["2028-02-29T00:00:00Z", "2000-02-29T00:00:00Z", "0001-01-01T00:00:00Z"],
    "9999-12-31T23:59:59.999999Z",
  ],
  "~": [
    ...["2026-09-02T09:00:00.000000Z", "2026-09-02T09:00:00.250Z", "2026-09-02T09:00:00.1Z"],
    ...["2026-09-02T09:00:00.250000000Z", "2026-09-02T09:00Z", "2026-09-02T09Z"],
    ...["20260902T090000Z", "20260902T0900Z", "20260902T090000.5Z", "2026-09-02T090000Z"],
    ...["2026-W36T09:00:00Z", "2026-W36-3T09:00:00Z", "2026W36T09Z", "2026W363T09Z"],
    ...["2026-09-02t09:00:00Z", "2026-09-02-09:00:00Z", "2026-09-02/09:00:00Z"],
    ...["2026-W53-7T00Z", "2020-W53T00Z", "2032-W53-1T00Z", "2015W537T00Z", "9999-W52-5T00Z"],
    ...["2026-W36-10Z", "2026-09-02_09Z"],
  ],
  "-": [
    ...["2026-02-30T00:00:00Z", "2026-02-29T00:00:00Z", "1900-02-29T00:00:00Z"],
    ...["2026-13-01T00:00:00Z", "2026-00-01T00:00:00Z", "2026-01-00T00:00:00Z"],
    ...["2026-04-31T00:00:00Z", "0000-01-01T00:00:00Z", "2026-09-02T24:00:00Z"],
    ...["2026-09-02T23:60:00Z", "2026-09-02T23:59:60Z", "2026-09-02", "2026-09-02Z"],
    ...["2026-09-02T09:00:00", "2026-09-02T09:00:00z", "2026-09-02T09:00:00+00:00"],
    ...["2026-09-02T09:00:00+00:00Z", "2026-09-02T9:00:00Z", "26-09-02T09:00:00Z"],
    ...["2026-0902T09:00:00Z", "202609-02T09:00:00Z", "2026-W363T09Z", "2026W36-3T09Z"],
    ...["2026-09-02T09:0000Z", "2026-09-02T0900:00Z", "2026-09-02T09:00.5Z", "2026-W00T00Z"],
    ...["2026-W54T00Z", "2025-W53T00Z", "2026-W36-0T00Z", "2026-W36-8T00Z", "9999-W52-6T00Z"],
    ...["2026-09-02T09:00:00.Z", "2026-w36T00Z", "2026-245T00Z", "2026-09-020900Z", "now", "Z"],
  ],
};

measures("parseTiming() tells the one spelling of a time from others and from no time", () => {
  const kinds = { accepted: "+", timestamp_not_canonical: "~", timestamp_invalid: "-" };
  for (const [kind, times] of Object.entries(TIMES)) {
    for (const started_at_utc of times) {
      const ended_at_utc = kind === "+" ? started_at_utc : timing.ended_at_utc;
      const [found] = outcomeOf(parseTiming(toJson({ ...timing, started_at_utc, ended_at_utc })));
      assert.is((kinds as Record<string, string>)[found], kind, `${started_at_utc}: ${found}`);
    }
  }
});

measures("integers keep every digit up to 4300, and are none past that, in every engine", () => {
  const parse = (digits: number) => {
    const large = toJson({ ...timing, summed_call_elapsed_ns: 10n ** BigInt(digits - 1) });
    const result = parseTiming(large);
    return result.ok
      ? result.value.summed_call_elapsed_ns === 10n ** BigInt(digits - 1)
      : result.code;
  };
  assert.equal([parse(4300), parse(4301)], [true, "record.not_non_negative_integer"]);
});

measures("a root that is no object is of a wrong type, without a field", () => {
  for (const parse of [parseTokenUsage, parseCost, parseTiming]) {
    for (const root of [null, [], "x", true]) {
      assert.equal(outcomeOf(parse(root)), ["wrong_type", undefined]);
    }
  }
});

measures.run();
