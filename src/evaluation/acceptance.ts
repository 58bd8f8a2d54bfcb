/**
 * Acceptance of an evaluation receipt: against its spec, its raw result, pins that were known beforehand, and what was
 * accepted before. It changes nothing; whoever accepts consumes the measurement, the nonce and the slot afterwards.
 *
 * Not judged: whether the evaluation succeeded, and whether the judge that answered is the one that was asked for.
 *
 * Rule: `docs/spec/evaluation.md`, "Acceptance".
 *
 * @module
 */
import type { JsonValue } from "../canonical/mod.ts";
import { toCommitment } from "../hash/mod.ts";
import type { Consumption, RepeatSlot, ReplayState } from "../ports/mod.ts";
import { readingLater, refuse, required } from "../record/mod.ts";
import type { RecordResult } from "../record/mod.ts";
import { decodeBase64, verifyEd25519 } from "../signature/mod.ts";
import { BINDINGS, evaluationSignedBytes, parseEvaluationReceipt } from "./receipt.ts";
import type { EvaluationReceipt } from "./receipt.ts";
import { parseEvaluationSpec } from "./spec.ts";
import type { EvaluationContext, EvaluationSpec } from "./spec.ts";

/** What is to be accepted, as it came in. */
export interface EvaluationEvidence {
  /** The evaluation receipt as parsed JSON. It is read in full before anything is compared. */
  readonly receipt: JsonValue;
  /** The spec that the receipt is to be of, as parsed JSON; read after the receipt. */
  readonly spec: JsonValue;
  /** The raw result. Its bytes are hashed and never read. */
  readonly raw: Uint8Array;
}

/** What is known of one measurement before its receipt arrives. */
export interface MeasurementPins {
  /** Opaque id that the receipt's `measurement_id` must equal. */
  readonly expected_measurement_id: string;
  /** Opaque id that the receipt's `evaluation_attempt_id` must equal. */
  readonly expected_evaluation_attempt_id: string;
  /** Opaque id that was given out for this attempt, and that the receipt must repeat. */
  readonly expected_attempt_nonce: string;
  /** Which repetition under the spec is awaited, from 1 on. */
  readonly expected_repeat_index: bigint;
}

/** Everything that is known before a receipt arrives. */
export interface AcceptancePins extends MeasurementPins {
  /** The spec's `spec_sha256`: `sha256:` and 64 lower-case hexadecimal digits. */
  readonly expected_spec_sha256: string;
  /** Hash of the manifest that was to be evaluated, compared with the spec; a strict digest. */
  readonly expected_deliverable_manifest_sha256: string;
  /** Hash of the runtime policy that was agreed, compared with the spec; a strict digest. */
  readonly expected_runtime_policy_sha256: string;
  /** What `commitIssuerPolicy` gives for the trusted policy; a strict digest. */
  readonly expected_issuer_policy_sha256: string;
  /** Opaque id of the trusted key. Only compared: the key itself is pinned below. */
  readonly expected_issuer_key_id: string;
  /** 32 bytes in base64. */
  readonly issuer_public_key_base64: string;
  /** Media type of the raw result in lower case, without parameters: `application/json`. */
  readonly expected_media_type: string;
}

/** What was accepted before, or the word for not asking: a look at evidence that was accepted once already. */
export type Replay = ReplayState | "archival";

/** An accepted receipt, and what the caller has to consume for it. */
export interface AcceptedEvaluation {
  /** The receipt as it was read, its signature verified. Its `status` may still be `failed`. */
  readonly receipt: EvaluationReceipt;
  /** The spec as it was read, which the receipt is bound to. */
  readonly spec: EvaluationSpec;
  /** Measurement, nonce and slot: use up all three in one step before relying on the receipt. */
  readonly consume: Consumption;
}

/**
 * Accepts a receipt, or says which rule comes first that it breaks.
 *
 * @param replay what was accepted before, or `"archival"`; there is no default.
 * @throws {TypeError} when pins or state are not given as the types say.
 * @throws {SignatureError} where the runtime has no Ed25519.
 */
export async function acceptEvaluation(
  evidence: EvaluationEvidence,
  pins: AcceptancePins,
  replay: Replay,
  context: EvaluationContext,
): Promise<RecordResult<AcceptedEvaluation>> {
  assertPins(pins, PINS);
  assertReplay(replay);
  return await readingLater(async () => {
    const receipt = required(parseEvaluationReceipt(evidence.receipt, context));
    const spec = required(parseEvaluationSpec(evidence.spec, context));
    checkPins(receipt, spec, pins);
    const judgeRaw = takeRaw(evidence.raw, context); // the bytes of now, whatever happens to them during the wait
    await checkSignature(receipt, pins.issuer_public_key_base64, context);
    const consume: Consumption = {
      measurement_id: receipt.measurement_id,
      attempt_nonce: receipt.attempt_nonce,
      repeat_slot: [receipt.evaluation_spec_sha256, receipt.repeat_index],
    };
    if (replay !== "archival") checkReplay(consume, replay);
    if (receipt.raw_result_media_type !== pins.expected_media_type) {
      refuse("pin_mismatch", "raw_result_media_type");
    }
    judgeRaw(receipt);
    return { receipt, spec, consume };
  });
}

const MEASUREMENT_PINS = [
  "expected_measurement_id",
  "expected_evaluation_attempt_id",
  "expected_attempt_nonce",
  "expected_repeat_index",
] as const satisfies readonly (keyof MeasurementPins)[];

const PINS = [
  "expected_spec_sha256",
  "expected_deliverable_manifest_sha256",
  "expected_runtime_policy_sha256",
  "expected_issuer_policy_sha256",
  "expected_issuer_key_id",
  "issuer_public_key_base64",
  ...MEASUREMENT_PINS,
  "expected_media_type",
] as const satisfies readonly (keyof AcceptancePins)[];

/** @internal Misuse: a pin that is missing or of another type would compare as different, or not at all. */
export function assertPins(pins: object, names: readonly string[]): void {
  for (const name of names) {
    const pin = (pins as Record<string, unknown>)[name];
    if (name === "expected_repeat_index" ? typeof pin !== "bigint" : typeof pin !== "string") {
      throw new TypeError(`Accepting an evaluation: "${name}" must be a BigInt or text`);
    }
  }
}

/**
 * Misuse is found before anything else: whoever accepts says what was accepted before, or that they do not ask.
 *
 * @throws {TypeError} when neither was passed.
 */
export function assertReplay(replay: Replay): void {
  if (replay === "archival") return;
  const state: Partial<Record<keyof ReplayState, unknown>> =
    typeof replay === "object" && replay !== null ? replay : {};
  for (const name of STATE) {
    const members = state[name];
    if (typeof members !== "object" || members === null || !(Symbol.iterator in members)) {
      throw new TypeError(
        `Accepting an evaluation: pass what was accepted before, "${name}" among it, or "archival"`,
      );
    }
  }
}

const STATE = [
  "seen_measurement_ids",
  "seen_attempt_nonces",
  "occupied_repeat_slots",
] as const satisfies readonly (keyof ReplayState)[];

function checkPins(receipt: EvaluationReceipt, spec: EvaluationSpec, pins: AcceptancePins): void {
  if (spec.spec_sha256 !== pins.expected_spec_sha256) refuse("pin_mismatch", "spec_sha256");
  if (receipt.evaluation_spec_sha256 !== spec.spec_sha256) {
    refuse("pin_mismatch", "evaluation_spec_sha256");
  }
  const names = ["issuer_policy_sha256", "issuer_key_id", "measurement_id"] as const;
  for (
    const name of [...names, "evaluation_attempt_id", "attempt_nonce", "repeat_index"] as const
  ) {
    if (receipt[name] !== pins[`expected_${name}`]) refuse("pin_mismatch", name);
  }
  for (const name of BINDINGS) {
    if (receipt[name] !== spec[name]) refuse("spec_binding_mismatch", name);
  }
  for (const name of ["deliverable_manifest_sha256", "runtime_policy_sha256"] as const) {
    if (spec[name] !== pins[`expected_${name}`]) refuse("pin_mismatch", name);
  }
}

async function checkSignature(
  receipt: EvaluationReceipt,
  publicKey: string,
  { profile }: EvaluationContext,
): Promise<void> {
  const key = decodeKey(publicKey);
  const signature = decodeBase64(receipt.signature);
  const holds = key !== undefined && signature !== undefined &&
    await verifyEd25519(key, evaluationSignedBytes(receipt, profile), signature);
  if (!holds) refuse("signature_invalid");
}

/** @internal The 32 bytes of a key in canonical base64. */
export function decodeKey(text: string): Uint8Array | undefined {
  const bytes = text.length === 44 ? decodeBase64(text) : undefined; // long texts are not for it
  return bytes?.length === 32 ? bytes : undefined;
}

function checkReplay(consume: Consumption, state: ReplayState): void {
  if (holdsText(state.seen_measurement_ids, consume.measurement_id)) {
    refuse("already_consumed", "measurement_id");
  }
  if (holdsText(state.seen_attempt_nonces, consume.attempt_nonce)) {
    refuse("already_consumed", "attempt_nonce");
  }
  if (holdsSlot(state.occupied_repeat_slots, consume.repeat_slot)) refuse("repeat_slot_occupied");
}

function holdsText(seen: Iterable<string>, wanted: string): boolean {
  for (const text of seen) {
    if (typeof text !== "string") {
      throw new TypeError("A replay state holds ids and nonces as text");
    }
    if (text === wanted) return true;
  }
  return false;
}

function holdsSlot(occupied: Iterable<RepeatSlot>, [spec, repeat]: RepeatSlot): boolean {
  for (const slot of occupied) {
    if (!Array.isArray(slot) || typeof slot[0] !== "string" || typeof slot[1] !== "bigint") {
      throw new TypeError("A replay state holds slots as the hash of a spec and a BigInt");
    }
    if (slot[0] === spec && slot[1] === repeat) return true;
  }
  return false;
}

/** Measures the raw bytes at once and gives what judges the measure later. */
function takeRaw(
  raw: Uint8Array,
  { sha256 }: EvaluationContext,
): (receipt: EvaluationReceipt) => void {
  const [size, hash] = [BigInt(raw.length), toCommitment(sha256.digest(raw))];
  return (receipt) => {
    if (receipt.raw_result_size_bytes !== size) refuse("raw_size_mismatch");
    if (receipt.raw_result_sha256 !== hash) refuse("raw_hash_mismatch");
  };
}
