import { suite } from "uvu";
import * as assert from "uvu/assert";
import {
  evaluationSignedBytes,
  parseEvaluationReceipt,
  signEvaluationReceipt,
} from "../../src/evaluation/mod.ts";
import type { EvaluationReceiptFields } from "../../src/evaluation/mod.ts";
import { loadSha256 } from "../../src/hash/mod.ts";
import { formatRecord, LAB_PROFILE, UNSTABLE_NEUTRAL_PROFILE } from "../../src/record/mod.ts";
import { decodeBase64, derivePublicKey, verifyEd25519 } from "../../src/signature/mod.ts";
import { holds, json, makeSample, SEED, toJson } from "../lib/evaluation.ts";
import { describe, rejectionOf } from "../lib/thrown.ts";
import { checkOrder, outcomeOf } from "./order.ts";
import type { Fault } from "./order.ts";

const sha256 = await loadSha256();
const context = { profile: LAB_PROFILE, sha256 };
const neutral = { profile: UNSTABLE_NEUTRAL_PROFILE, sha256 };
const { receipt, spec } = await makeSample(Array<boolean>(23).fill(true), context);

const DIGESTS = [
  ...["evaluation_spec_sha256", "deliverable_manifest_sha256", "deliverable_tree_sha256"],
  ...["task_sha256", "run_sha256", "config_sha256", "judge_settings_sha256"],
  ...["judge_prompt_sha256", "judge_output_schema_sha256", "runtime_policy_sha256"],
  ...["egress_policy_sha256", "resource_policy_sha256", "token_accounting_policy_sha256"],
  ...["raw_result_sha256", "issuer_policy_sha256", "receipt_sha256"],
];
const IDS = ["measurement_id", "evaluation_attempt_id", "attempt_nonce", "issuer_key_id"];
const JUDGES = ["judge_requested_identity", "judge_resolved_identity"];

const FIELD_FAULTS: readonly Fault[] = [
  ["status", null, "fields_mismatch"],
  ["token_usage", '"none"', "not_an_object", "token_usage"],
  ["token_usage.source", '"guess"', "token_source_invalid", "source"],
  ["cost", "null", "not_an_object", "cost"],
  ["cost.basis", '"free"', "cost_basis_invalid", "basis"],
  ["timing", "[]", "not_an_object", "timing"],
  ["timing.queue_elapsed_ns", "1250000001", "queue_exceeds_wall", "queue_elapsed_ns"],
];
const LATER_FAULTS: readonly Fault[] = [
  ...IDS.map((name): Fault => [name, '" a"', "opaque_id_invalid", name]),
  ...JUDGES.map((name): Fault => [name, '"judge"', "judge_identity_invalid", name]),
  ...DIGESTS.map((name): Fault => [name, '"latest"', "digest_invalid", name]),
  ["repeat_index", "0", "not_positive_integer", "repeat_index"],
  ["raw_result_size_bytes", "1e2", "not_non_negative_integer", "raw_result_size_bytes"],
  ["raw_result_media_type", '"Text/plain"', "media_type_invalid", "raw_result_media_type"],
  ["raw_result_media_type", "1", "wrong_type"],
  ["status", '"done"', "status_invalid", "status"],
  ["status", "true", "status_invalid", "status"],
  ["status", "[]", "wrong_type"],
  ["status", "{}", "wrong_type"],
];

const receipts = suite("evaluation receipts");

receipts("parseEvaluationReceipt() names the fault whose rule comes first", () => {
  const version: Fault = ["schema_version", '"v1"', "schema_version_unsupported"];
  const hash: Fault = ["receipt_sha256", `"${spec.spec_sha256}"`, "self_hash_mismatch"];
  const faults: Fault[] = [
    ...FIELD_FAULTS,
    version,
    ...LATER_FAULTS,
    [...hash, "receipt_sha256"] as unknown as Fault,
    ["signature", '"AAAA"', "signature_malformed"],
  ];
  checkOrder(receipt, faults, (value) => parseEvaluationReceipt(value, context));
});

receipts("parseEvaluationReceipt() tells no signature from a signature of a wrong type", () => {
  const parse = (text: string) => {
    const value = toJson(receipt) as Map<string, ReturnType<typeof json>>;
    return outcomeOf(parseEvaluationReceipt(value.set("signature", json(text)), context))[0];
  };
  const stray = `"${receipt.signature.slice(0, 85)}B=="`;
  const spelled = [`"${receipt.signature.slice(0, -2)}"`, `"${receipt.signature}\\n"`, stray];
  for (const text of ['""', "null", "false", "0", "-0", "0.0", "[]", "{}", ...spelled]) {
    assert.is(parse(text), "signature_malformed", text);
  }
  for (const text of ["true", "1", "[0]", '{"a":0}', "NaN"]) assert.is(parse(text), "wrong_type");
  assert.is(parse(`"${"A".repeat(1_000_000)}"`), "signature_malformed");
});

receipts(
  "signEvaluationReceipt() signs the domain, NUL and all members but the signature",
  async () => {
    const key = await derivePublicKey(SEED);
    for (const each of [context, neutral]) {
      const signed = (await makeSample([true, false], {
        ...each,
        profile: { ...each.profile, metric: UNSTABLE_NEUTRAL_PROFILE.metric },
      })).receipt;
      const { signature, ...rest } = signed;
      const bytes = new TextEncoder().encode(
        `${each.profile.signatureDomain}\0${formatRecord(rest)}`,
      );
      assert.equal(evaluationSignedBytes(signed, each.profile), bytes);
      assert.is(await verifyEd25519(key, bytes, decodeBase64(signature)!), true);
      assert.equal(parseEvaluationReceipt(toJson(signed), each), { ok: true, value: signed });
    }
  },
);

receipts("signEvaluationReceipt() signs nothing that the reader would refuse", async () => {
  const { schema_version, receipt_sha256, signature, ...fields } = receipt;
  const sign = async (given: unknown) =>
    outcomeOf(await signEvaluationReceipt(given as EvaluationReceiptFields, SEED, context));
  for (const [path, text, kind, field] of [...FIELD_FAULTS, ...LATER_FAULTS]) {
    if (path.includes(".") || path === "receipt_sha256") continue;
    const given = toJson(fields) as Map<string, ReturnType<typeof json>>;
    if (text === null) given.delete(path);
    else given.set(path, json(text));
    assert.equal(await sign(given), [kind, field], `${path} ${text}`);
  }
  const extra = { schema_version, receipt_sha256, signature };
  for (const [name, value] of Object.entries(extra)) {
    assert.equal(await sign({ ...fields, [name]: value }), ["fields_mismatch", undefined]);
  }
  assert.equal(await sign({ ...fields, measurement_id: "official" }), [
    "public_scan_classification",
    undefined,
  ]);
  assert.equal(await sign(null), ["wrong_type", undefined]);
});

receipts(
  "signEvaluationReceipt() gives the same receipt again, and throws for a key of no key",
  async () => {
    const { schema_version: _, receipt_sha256: __, signature: ___, ...fields } = receipt;
    assert.equal(holds(await signEvaluationReceipt(fields, SEED, context)), receipt);
    const short = signEvaluationReceipt(fields, SEED.subarray(1), context);
    assert.equal(describe(await rejectionOf(short)), {
      name: "TypeError",
      message: "An Ed25519 private key has 32 bytes",
    });
  },
);

receipts("a root that is no object is of a wrong type, without a field", () => {
  for (const root of [null, [], "x", true]) {
    assert.equal(outcomeOf(parseEvaluationReceipt(root, context)), ["wrong_type", undefined]);
  }
});

receipts.run();
