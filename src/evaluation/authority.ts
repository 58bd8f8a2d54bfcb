/**
 * Receipt authorities: a public record that says which key issues under which policy, and where its private half is kept,
 * never what it is. And acceptance with the pins that such a record gives.
 *
 * Rule: `docs/spec/evaluation.md`, "Authority".
 *
 * @module
 */
import type { JsonObject, JsonValue } from "../canonical/mod.ts";
import {
  checkVersion,
  exactMembers,
  filledTextAt,
  isLaxDigest,
  objectAt,
  reading,
  readingLater,
  refuse,
  required,
  rootObject,
  textAt,
  typed,
} from "../record/mod.ts";
import type { RecordProfile, RecordResult } from "../record/mod.ts";
import { acceptEvaluation, assertPins, assertReplay, decodeKey } from "./acceptance.ts";
import type {
  AcceptancePins,
  AcceptedEvaluation,
  EvaluationEvidence,
  MeasurementPins,
  Replay,
} from "./acceptance.ts";
import { parseEvaluationReceipt } from "./receipt.ts";
import { parseEvaluationSpec } from "./spec.ts";
import type { EvaluationContext } from "./spec.ts";

/** Where a private key is kept. */
export interface KeyCustody {
  /** Which secret store holds the key; text that is not blank, as the other four. */
  readonly backend: string;
  /** Environment within that store, such as `dev`. */
  readonly environment: string;
  /** Where in the environment the secret lies: a path in the store, not of a file system. */
  readonly path: string;
  /** What the store calls the secret. */
  readonly name: string;
  /** How the store writes the key, such as `base64-raw-32-byte-ed25519`. */
  readonly encoding: string;
}

/** A record of who issues receipts. */
export interface ReceiptAuthority {
  /** The profile's prefix of schema ids, then `receipt_authority.v1`. */
  readonly schema_version: string;
  /** Who issues: one or more of `A-Za-z0-9._:/@+-`, of any length. */
  readonly issuer_id: string;
  /** What receipts call the key in `issuer_key_id`; the same syntax as `issuer_id`. */
  readonly key_id: string;
  /** The one algorithm that there is: Ed25519 of RFC 8032 without prehash. */
  readonly algorithm: "Ed25519";
  /** A bare digest is taken, and then matches no receipt. */
  readonly issuer_policy_sha256: string;
  /** `null` until there is a key. */
  readonly public_key_base64: string | null;
  /** Where the private half is kept; a profile with an issuer pins all five members. */
  readonly private_key_source: KeyCustody;
  /** `configured` needs a public key. Acceptance asks for the key and not for this. */
  readonly status: "configured" | "pending_human_provisioning";
}

/** What an authority does not say, and so must be known otherwise. */
export interface AuthorityPins extends MeasurementPins {
  /** Media type of the raw result in lower case; an empty one is refused. */
  readonly expected_media_type: string;
  /** As the spec says, unless given. */
  readonly expected_deliverable_manifest_sha256?: string;
  /** As the spec says, unless given. */
  readonly expected_runtime_policy_sha256?: string;
}

const MEMBERS = [
  "schema_version",
  "issuer_id",
  "key_id",
  "algorithm",
  "issuer_policy_sha256",
  "public_key_base64",
  "private_key_source",
  "status",
];
const CUSTODY = ["backend", "environment", "path", "name", "encoding"] as const;
const SCHEMA = "receipt_authority.v1";

/** Reads a record of an authority. It has no hash: whoever relies on one got it from where they trust. */
export function parseReceiptAuthority(
  value: JsonValue,
  { profile }: EvaluationContext,
): RecordResult<ReceiptAuthority> {
  return reading(() => {
    const record = rootObject(value);
    exactMembers(record, MEMBERS);
    checkVersion(record, SCHEMA, profile);
    const source = objectAt(record.get("private_key_source"), "private_key_source");
    if (source.size !== CUSTODY.length || !CUSTODY.every((name) => source.has(name))) {
      refuse("authority_custody");
    }
    filledTextAt(source, "backend");
    checkCustody(source, "backend", profile);
    checkTexts(record, source);
    checkRules(record, source, profile);
    return typed<ReceiptAuthority>(record, MEMBERS);
  });
}

/**
 * Accepts a receipt that the authority's key has signed, as {@linkcode acceptEvaluation} does with pins.
 *
 * @throws {TypeError} when pins or state are not given as the types say.
 */
export async function acceptByAuthority(
  evidence: EvaluationEvidence & { readonly authority: JsonValue },
  pins: AuthorityPins,
  replay: Replay,
  context: EvaluationContext,
): Promise<RecordResult<AcceptedEvaluation>> {
  const given = OPTIONAL_PINS.filter((name) => pins[name] !== undefined);
  assertPins(pins, [...PINS, ...given]);
  assertReplay(replay);
  return await readingLater(async () => {
    const receipt = required(parseEvaluationReceipt(evidence.receipt, context));
    const spec = required(parseEvaluationSpec(evidence.spec, context));
    const authority = required(parseReceiptAuthority(evidence.authority, context));
    if (pins.expected_media_type === "") refuse("media_type_pin_required");
    if (receipt.issuer_key_id !== authority.key_id) refuse("issuer_key_unknown");
    if (receipt.issuer_policy_sha256 !== authority.issuer_policy_sha256) {
      refuse("issuer_policy_unknown");
    }
    const key = authority.public_key_base64 ?? refuse("authority_pending");
    const all: AcceptancePins = {
      ...pins,
      expected_deliverable_manifest_sha256: pins.expected_deliverable_manifest_sha256 ??
        spec.deliverable_manifest_sha256,
      expected_runtime_policy_sha256: pins.expected_runtime_policy_sha256 ??
        spec.runtime_policy_sha256,
      expected_spec_sha256: spec.spec_sha256,
      expected_issuer_policy_sha256: authority.issuer_policy_sha256,
      expected_issuer_key_id: authority.key_id,
      issuer_public_key_base64: key,
    };
    return required(await acceptEvaluation(evidence, all, replay, context));
  });
}

const PINS = [
  "expected_measurement_id",
  "expected_evaluation_attempt_id",
  "expected_attempt_nonce",
  "expected_repeat_index",
  "expected_media_type",
];
const OPTIONAL_PINS = [
  "expected_deliverable_manifest_sha256",
  "expected_runtime_policy_sha256",
] as const;

function checkTexts(record: JsonObject, source: JsonObject): void {
  for (const name of ["issuer_id", "key_id", "algorithm", "issuer_policy_sha256"]) {
    filledTextAt(record, name);
  }
  const key = record.get("public_key_base64");
  if (key !== null && typeof key !== "string") refuse("string_empty", "public_key_base64");
  for (const name of CUSTODY.slice(1)) filledTextAt(source, name);
  filledTextAt(record, "status");
}

function checkRules(record: JsonObject, source: JsonObject, profile: RecordProfile): void {
  for (const name of ["issuer_id", "key_id"]) {
    textAt(record, name, isIssuerIdentifier, "issuer_identifier_invalid");
  }
  if (record.get("algorithm") !== "Ed25519") refuse("authority_algorithm");
  textAt(record, "issuer_policy_sha256", isLaxDigest, "digest_invalid");
  for (const name of CUSTODY.slice(1)) checkCustody(source, name, profile);
  const status = record.get("status");
  if (status !== "configured" && status !== "pending_human_provisioning") {
    refuse("authority_status");
  }
  const key = record.get("public_key_base64");
  if (typeof key === "string" && decodeKey(key) === undefined) refuse("authority_public_key");
  if (status === "configured" && key === null) refuse("authority_status");
}

/** A profile that pins no issuer leaves the place of the key free. */
function checkCustody(
  source: JsonObject,
  name: typeof CUSTODY[number],
  { issuer }: RecordProfile,
): void {
  if (issuer !== null && source.get(name) !== issuer.custody[name]) refuse("authority_custody");
}

function isIssuerIdentifier(value: unknown): value is string {
  return typeof value === "string" && /^[A-Za-z0-9._:/@+-]+$/.test(value);
}
