/**
 * Issuer policies: any JSON object, known by its hash. A profile may pin one, and with it who issues.
 *
 * Rule: `docs/spec/evaluation.md`, "Issuer policy".
 *
 * @module
 */
import { commit } from "../canonical/mod.ts";
import type { JsonValue } from "../canonical/mod.ts";
import { exactMembers, reading, refuse, rootObject } from "../record/mod.ts";
import type { RecordResult } from "../record/mod.ts";
import { RECEIPT_MEMBERS, RECEIPT_SCHEMA } from "./receipt.ts";
import type { EvaluationContext } from "./spec.ts";

/** The commitment that receipts and pins name a policy by. */
export function commitIssuerPolicy(
  policy: JsonValue,
  { sha256 }: EvaluationContext,
): RecordResult<string> {
  return reading<string>(() => commit("value", rootObject(policy), sha256));
}

/**
 * Does a receipt, as it came in, name the issuer that the profile pins? Nothing else about it is looked at.
 *
 * @throws {TypeError} when the profile pins no issuer.
 */
export function checkPinnedIssuer(
  receipt: JsonValue,
  { profile: { idPrefix, issuer } }: EvaluationContext,
): RecordResult<null> {
  if (issuer === null) throw new TypeError("Accepting an evaluation: the profile pins no issuer");
  return reading(() => {
    const record = rootObject(receipt);
    exactMembers(record, RECEIPT_MEMBERS);
    if (record.get("schema_version") !== idPrefix + RECEIPT_SCHEMA) {
      refuse("schema_version_unsupported", "schema_version");
    }
    if (record.get("issuer_policy_sha256") !== issuer.policy_sha256) {
      refuse("issuer_policy_unknown", "issuer_policy_sha256");
    }
    if (record.get("issuer_key_id") !== issuer.key_id) {
      refuse("issuer_key_unknown", "issuer_key_id");
    }
    return null;
  });
}
