/**
 * Operations `evaluation.*`.
 *
 * @module
 */
import type { JsonValue } from "../canonical/mod.ts";
import { encodeUtf8 } from "../core/mod.ts";
import {
  acceptByAuthority,
  acceptEvaluation,
  buildEvaluationSpec,
  commitCriteria,
  evaluationSignedBytes,
  parseCost,
  parseEvaluationReceipt,
  parseEvaluationSpec,
  parseTiming,
  parseTokenUsage,
} from "../evaluation/mod.ts";
import type {
  AcceptancePins,
  AuthorityPins,
  EvaluationContext,
  Replay,
} from "../evaluation/mod.ts";
import type { RepeatSlot } from "../ports/mod.ts";
import { formatRecord, LAB_PROFILE } from "../record/mod.ts";
import type { RecordResult } from "../record/mod.ts";
import { decodeBase64, encodeBase64 } from "../signature/mod.ts";
import { InputError, isObject, readObject, readText } from "./input.ts";
import type { Input, Output } from "./input.ts";
import { answerRecord, NOT_JSON, readRecord } from "./record.ts";
import type { Host } from "./workspace.ts";

/** The context of a case: the profile of the vectors. */
export function contextOf({ sha256 }: Host): EvaluationContext {
  return { profile: LAB_PROFILE, sha256 };
}

/** `evaluation.parse_spec` */
export function parseSpec(input: Input, host: Host): Output {
  const record = readRecord(input, "record_json");
  if (record === undefined) return NOT_JSON;
  return answerRecord(
    parseEvaluationSpec(record, contextOf(host)),
    ({ spec_sha256, ...hashed }) => ({
      spec_sha256,
      self_hash_bytes_base64: encodeBase64(encodeUtf8(formatRecord(hashed))),
    }),
  );
}

/** `evaluation.build_spec` */
export function buildSpec(input: Input, host: Host): Output {
  const fields = readRecord(input, "fields_json");
  if (fields === undefined) return NOT_JSON;
  return answerRecord(buildEvaluationSpec(fields, contextOf(host)), (spec) => ({
    spec_sha256: spec.spec_sha256,
    record_json: formatRecord(spec),
  }));
}

/** `evaluation.commit_criteria` */
export function commitToCriteria(input: Input, host: Host): Output {
  const items = readRecord(input, "items_json");
  if (items === undefined) return NOT_JSON;
  return answerRecord(commitCriteria(items, contextOf(host)), (commitment) => ({ ...commitment }));
}

/** `evaluation.parse_receipt` */
export function parseReceipt(input: Input, host: Host): Output {
  const record = readRecord(input, "record_json");
  if (record === undefined) return NOT_JSON;
  return answerRecord(parseEvaluationReceipt(record, contextOf(host)), (receipt) => ({
    receipt_sha256: receipt.receipt_sha256,
    signed_bytes_base64: encodeBase64(evaluationSignedBytes(receipt, LAB_PROFILE)),
  }));
}

/** `evaluation.parse_usage` */
export function answerUsage(input: Input): Output {
  return rewrite(input, parseTokenUsage);
}

/** `evaluation.parse_cost` */
export function answerCost(input: Input): Output {
  return rewrite(input, parseCost);
}

/** `evaluation.parse_timing` */
export function answerTiming(input: Input): Output {
  return rewrite(input, parseTiming);
}

/** `evaluation.accept` */
export async function accept(input: Input, host: Host): Promise<Output> {
  const evidence = readEvidence(input, "receipt_json", "spec_json");
  if (evidence === undefined) return NOT_JSON;
  const [receipt, spec] = evidence as [JsonValue, JsonValue];
  const pins = readPins(input) as unknown as AcceptancePins;
  const result = await acceptEvaluation(
    { receipt, spec, raw: readRaw(input) },
    pins,
    readReplay(input),
    contextOf(host),
  );
  return answerRecord(result, ({ receipt, consume }) => ({
    receipt_sha256: receipt.receipt_sha256,
    consume: {
      measurement_id: consume.measurement_id,
      attempt_nonce: consume.attempt_nonce,
      repeat_slot: [consume.repeat_slot[0], Number(consume.repeat_slot[1])],
    },
  }));
}

/** `evaluation.accept_by_authority` */
export async function acceptByKnownAuthority(input: Input, host: Host): Promise<Output> {
  const evidence = readEvidence(input, "receipt_json", "spec_json", "authority_json");
  if (evidence === undefined) return NOT_JSON;
  const [receipt, spec, authority] = evidence as [JsonValue, JsonValue, JsonValue];
  const result = await acceptByAuthority(
    { receipt, spec, authority, raw: readRaw(input) },
    readPins(input) as unknown as AuthorityPins,
    readReplay(input),
    contextOf(host),
  );
  return answerRecord(result, ({ receipt }) => ({ receipt_sha256: receipt.receipt_sha256 }));
}

/** Reads a record and gives its canonical text. */
export function rewrite(
  input: Input,
  parse: (value: JsonValue) => RecordResult<object>,
): Output {
  const record = readRecord(input, "record_json");
  if (record === undefined) return NOT_JSON;
  return answerRecord(parse(record), (value) => ({ rewritten_json: formatRecord(value) }));
}

/** Several members that are JSON source text; `undefined` when one is no JSON. */
export function readEvidence(input: Input, ...names: string[]): JsonValue[] | undefined {
  const records = names.map((name) => readRecord(input, name));
  return records.includes(undefined) ? undefined : records as JsonValue[];
}

/** The raw result of a case. */
export function readRaw(input: Input): Uint8Array {
  const bytes = decodeBase64(readText(input, "raw_base64"));
  if (bytes === undefined) throw new InputError("raw_base64", "base64");
  return bytes;
}

/** The pins of a case, as the library takes them. */
export function readPins(input: Input): Record<string, unknown> {
  const pins = readObject(input, "pins");
  return { ...pins, expected_repeat_index: readInteger(pins["expected_repeat_index"]) };
}

/** The replay state of a case: archival when no set is supplied; a set that is not supplied holds nothing. */
export function readReplay(input: Input): Replay {
  const { seen_measurement_ids, seen_attempt_nonces, occupied_repeat_slots } =
    isObject(input["state"]) ? input["state"] : {};
  const given = [seen_measurement_ids, seen_attempt_nonces, occupied_repeat_slots].map(listOf);
  if (given.every((list) => list === null)) return "archival";
  return {
    seen_measurement_ids: (given[0] ?? []) as string[],
    seen_attempt_nonces: (given[1] ?? []) as string[],
    occupied_repeat_slots: (given[2] ?? []).map(readSlot),
  };
}

function listOf(value: unknown): readonly unknown[] | null {
  if (value === undefined || value === null) return null;
  if (!Array.isArray(value)) throw new InputError("state", "lists or null");
  return value;
}

function readSlot(slot: unknown): RepeatSlot {
  if (!Array.isArray(slot)) throw new InputError("occupied_repeat_slots", "pairs");
  return [String(slot[0]), readInteger(slot[1])];
}

function readInteger(value: unknown): bigint {
  if (!Number.isSafeInteger(value)) throw new InputError("a repeat index", "a whole number");
  return BigInt(value as number);
}
