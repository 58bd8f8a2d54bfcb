/**
 * EvaluationReceipt: one measurement, bound to its spec, its raw result and what it took, and signed by its issuer.
 * Reading one checks its form and its hash, never its signature: that is for acceptance, with a key known beforehand.
 *
 * Rule: `docs/spec/evaluation.md`, "Receipt".
 *
 * @module
 */
import { commit, formatValue, JsonNumber } from "../canonical/mod.ts";
import type { JsonObject, JsonValue } from "../canonical/mod.ts";
import { encodeUtf8 } from "../core/mod.ts";
import {
  checkVersion,
  exactMembers,
  hashWithout,
  integerAt,
  isJudge,
  isMediaType,
  isOpaqueId,
  isStrictDigest,
  lowerAscii,
  objectAt,
  reading,
  readingLater,
  refuse,
  required,
  rootObject,
  scanPublic,
  textAt,
  typed,
  untyped,
} from "../record/mod.ts";
import type { RecordProfile, RecordResult } from "../record/mod.ts";
import { decodeBase64, encodeBase64, signEd25519 } from "../signature/mod.ts";
import { readCost, readTiming, readTokenUsage } from "./measure.ts";
import type { Cost, Timing, TokenUsage } from "./measure.ts";
import type { EvaluationContext, EvaluationSpecFields } from "./spec.ts";

/**
 * The members of a receipt that say something, all but its version, its hash and its signature.
 *
 * Every hash is a strict digest: `sha256:` and 64 lower-case hexadecimal digits.
 */
export interface EvaluationReceiptFields {
  /** Opaque id of this measurement; it is accepted once, and a retry has a new one. */
  readonly measurement_id: string;
  /** Opaque id of the attempt; compared with its pin, but not remembered after acceptance. */
  readonly evaluation_attempt_id: string;
  /** Opaque id given out for this attempt; it is accepted once. */
  readonly attempt_nonce: string;
  /** From 1 on. */
  readonly repeat_index: bigint;
  /** `spec_sha256` of the spec that was measured under. */
  readonly evaluation_spec_sha256: string;
  /** The spec's: `manifest_sha256` of the deliverable that was evaluated. */
  readonly deliverable_manifest_sha256: string;
  /** The spec's: `tree_sha256` of the same deliverable. */
  readonly deliverable_tree_sha256: string;
  /** The spec's: hash of the task that the deliverable answers. */
  readonly task_sha256: string;
  /** The spec's: hash of the run that made the deliverable. */
  readonly run_sha256: string;
  /** The spec's: hash of that run's configuration. */
  readonly config_sha256: string;
  /** The spec's: the judge that was asked for. */
  readonly judge_requested_identity: string;
  /** The spec's: hash of the settings that the judge is called with. */
  readonly judge_settings_sha256: string;
  /** The spec's: hash of the judge's prompt. */
  readonly judge_prompt_sha256: string;
  /** The spec's: hash of the schema of the judge's output. */
  readonly judge_output_schema_sha256: string;
  /** The spec's: hash of the policy on what the evaluation runs in. */
  readonly runtime_policy_sha256: string;
  /** The spec's: hash of the policy on what the evaluation may reach over the network. */
  readonly egress_policy_sha256: string;
  /** The spec's: hash of the policy on what resources the evaluation may use. */
  readonly resource_policy_sha256: string;
  /** The spec's: hash of the policy on how tokens are counted. */
  readonly token_accounting_policy_sha256: string;
  /** Who judged in fact; nothing relates it to the judge that was asked for. */
  readonly judge_resolved_identity: string;
  /** SHA-256 of the raw result's bytes. */
  readonly raw_result_sha256: string;
  /** Length of the raw result, an integer from 0. */
  readonly raw_result_size_bytes: bigint;
  /** In lower case. */
  readonly raw_result_media_type: string;
  /** A failed evaluation is evidence too; only scoring asks for success. */
  readonly status: "succeeded" | "failed";
  /** Tokens of this attempt alone, never of the ones before it. */
  readonly token_usage: TokenUsage;
  /** Money for this attempt alone, in micro-USD, or why it is not known. */
  readonly cost: Cost;
  /** Start, end and durations of this attempt; durations in nanoseconds. */
  readonly timing: Timing;
  /** Hash of the policy that it was issued under, as `commitIssuerPolicy` gives it. */
  readonly issuer_policy_sha256: string;
  /** A claim to compare with a pin, never a way to find a key. */
  readonly issuer_key_id: string;
}

/** A receipt whose form and hash hold. */
export interface EvaluationReceipt extends EvaluationReceiptFields {
  /** The profile's prefix of schema ids, then `evaluation_receipt.v1`. */
  readonly schema_version: string;
  /** The commitment to all members but itself and the signature, under profile `value`. */
  readonly receipt_sha256: string;
  /** 64 bytes of Ed25519 in base64. */
  readonly signature: string;
}

/** @internal Members that a receipt repeats from its spec, in the order in which acceptance compares them. */
export const BINDINGS: readonly (keyof EvaluationReceiptFields & keyof EvaluationSpecFields)[] = [
  "deliverable_manifest_sha256",
  "deliverable_tree_sha256",
  "task_sha256",
  "run_sha256",
  "config_sha256",
  "judge_requested_identity",
  "judge_settings_sha256",
  "judge_prompt_sha256",
  "judge_output_schema_sha256",
  "runtime_policy_sha256",
  "egress_policy_sha256",
  "resource_policy_sha256",
  "token_accounting_policy_sha256",
];

const DIGESTS: readonly string[] = [
  "evaluation_spec_sha256",
  ...BINDINGS.filter((name) => name !== "judge_requested_identity"),
  "raw_result_sha256",
  "issuer_policy_sha256",
];
const IDS = ["measurement_id", "evaluation_attempt_id", "attempt_nonce", "issuer_key_id"];
const JUDGES = ["judge_requested_identity", "judge_resolved_identity"];
const FIELDS: readonly string[] = [
  ...IDS,
  ...JUDGES,
  ...DIGESTS,
  "repeat_index",
  "raw_result_size_bytes",
  "raw_result_media_type",
  "status",
  "token_usage",
  "cost",
  "timing",
];

/** @internal The exact members of a receipt. */
export const RECEIPT_MEMBERS: readonly string[] = [
  "schema_version",
  ...FIELDS,
  "receipt_sha256",
  "signature",
];

/** @internal */
export const RECEIPT_SCHEMA = "evaluation_receipt.v1";

/** Reads a receipt: its members, its hash, the form of its signature, and that nothing in it looks like a secret. */
export function parseEvaluationReceipt(
  value: JsonValue,
  { profile, sha256 }: EvaluationContext,
): RecordResult<EvaluationReceipt> {
  return reading(() => {
    const record = rootObject(value);
    exactMembers(record, RECEIPT_MEMBERS);
    checkMeasures(record);
    checkVersion(record, RECEIPT_SCHEMA, profile);
    checkFields(record, [...DIGESTS, "receipt_sha256"]);
    const hash = hashWithout(record, ["receipt_sha256", "signature"], "value", sha256);
    if (record.get("receipt_sha256") !== hash) refuse("self_hash_mismatch", "receipt_sha256");
    checkSignatureForm(record.get("signature"));
    scanPublic(record, profile.reservedWords);
    return typed<EvaluationReceipt>(record, RECEIPT_MEMBERS);
  });
}

/** The bytes that an issuer signs: the profile's domain, NUL, then all members but the signature. */
export function evaluationSignedBytes(
  receipt: Omit<EvaluationReceipt, "signature">,
  profile: RecordProfile,
): Uint8Array<ArrayBuffer> {
  const { signature: _, ...signed } = receipt as EvaluationReceipt;
  return bytesToSign(signed, profile);
}

/**
 * Makes and signs a receipt of its fields. The fields pass the reader before anything is signed. The key is not kept.
 *
 * @param seed the 32 bytes of the issuer's private key.
 * @throws {SignatureError} where the runtime has no Ed25519. @throws {CanonicalError} for an object that no JSON is.
 */
export async function signEvaluationReceipt(
  fields: EvaluationReceiptFields | JsonValue,
  seed: Uint8Array,
  context: EvaluationContext,
): Promise<RecordResult<EvaluationReceipt>> {
  const { profile, sha256 } = context;
  return await readingLater(async () => {
    const given = rootObject(untyped(fields));
    exactMembers(given, FIELDS);
    checkMeasures(given);
    checkFields(given, DIGESTS);
    const record = new Map(given).set("schema_version", profile.idPrefix + RECEIPT_SCHEMA);
    record.set("receipt_sha256", commit("value", record, sha256));
    scanPublic(record, profile.reservedWords);
    record.set("signature", encodeBase64(await signEd25519(seed, bytesToSign(record, profile))));
    return required(parseEvaluationReceipt(record, context));
  });
}

function bytesToSign(unsigned: object, profile: RecordProfile): Uint8Array<ArrayBuffer> {
  return encodeUtf8(`${profile.signatureDomain}\0${formatValue(unsigned)}`);
}

/** Token usage, cost and timing, each whole before the next. */
function checkMeasures(record: JsonObject): void {
  readTokenUsage(objectAt(record.get("token_usage"), "token_usage"));
  readCost(objectAt(record.get("cost"), "cost"));
  readTiming(objectAt(record.get("timing"), "timing"));
}

function checkFields(record: JsonObject, digests: readonly string[]): void {
  for (const name of IDS) textAt(record, name, isOpaqueId, "opaque_id_invalid");
  for (const name of JUDGES) textAt(record, name, isJudge, "judge_identity_invalid");
  for (const name of digests) textAt(record, name, isStrictDigest, "digest_invalid");
  integerAt(record, "repeat_index", 1n, "not_positive_integer");
  integerAt(record, "raw_result_size_bytes", 0n, "not_non_negative_integer");
  const mediaType = record.get("raw_result_media_type");
  if (typeof mediaType !== "string") refuse("wrong_type");
  if (!isMediaType(mediaType) || mediaType !== lowerAscii(mediaType)) {
    refuse("media_type_invalid", "raw_result_media_type");
  }
  const status = record.get("status");
  if (Array.isArray(status) || status instanceof Map) refuse("wrong_type");
  if (status !== "succeeded" && status !== "failed") refuse("status_invalid", "status");
}

/** What the first writer took for "no signature" is malformed, any other value that is no text of a wrong type. */
function checkSignatureForm(signature: JsonValue | undefined): void {
  if (typeof signature === "string") {
    // The length is judged first: what decodes is meant for short texts.
    const bytes = signature.length === 88 ? decodeBase64(signature) : undefined;
    if (bytes?.length !== 64) refuse("signature_malformed");
    return;
  }
  refuse(isNothing(signature) ? "signature_malformed" : "wrong_type");
}

function isNothing(value: JsonValue | undefined): boolean {
  if (value instanceof Map) return value.size === 0;
  if (Array.isArray(value)) return value.length === 0;
  if (value instanceof JsonNumber) return value.toNumber() === 0;
  return value === null || value === false;
}
