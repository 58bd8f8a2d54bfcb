import { suite } from "uvu";
import * as assert from "uvu/assert";
import { acceptByAuthority, parseReceiptAuthority } from "../../src/evaluation/mod.ts";
import type { AuthorityPins, ReceiptAuthority } from "../../src/evaluation/mod.ts";
import { loadSha256 } from "../../src/hash/mod.ts";
import { LAB_PROFILE, UNSTABLE_NEUTRAL_PROFILE } from "../../src/record/mod.ts";
import { makeSample, toJson } from "../lib/evaluation.ts";
import { describe, rejectionOf } from "../lib/thrown.ts";
import { checkOrder, outcomeOf } from "./order.ts";
import type { Fault } from "./order.ts";

const sha256 = await loadSha256();
const context = { profile: LAB_PROFILE, sha256 };
const neutral = { profile: UNSTABLE_NEUTRAL_PROFILE, sha256 };
const { receipt, pins, evidence } = await makeSample(Array<boolean>(23).fill(true), context);

const AUTHORITY: ReceiptAuthority = {
  schema_version: `${LAB_PROFILE.idPrefix}receipt_authority.v1`,
  issuer_id: "example.issuer.v1",
  key_id: receipt.issuer_key_id,
  algorithm: "Ed25519",
  issuer_policy_sha256: receipt.issuer_policy_sha256,
  public_key_base64: pins.issuer_public_key_base64,
  private_key_source: LAB_PROFILE.issuer!.custody,
  status: "configured",
};
const PINS: AuthorityPins = {
  expected_measurement_id: pins.expected_measurement_id,
  expected_evaluation_attempt_id: pins.expected_evaluation_attempt_id,
  expected_attempt_nonce: pins.expected_attempt_nonce,
  expected_repeat_index: pins.expected_repeat_index,
  expected_media_type: pins.expected_media_type,
};

const SOURCE = "private_key_source";
const blank = (path: string): Fault => [path, '" "', "string_empty", path.split(".").pop()!];
const custody = (name: string): Fault => [`${SOURCE}.${name}`, '"elsewhere"', "authority_custody"];

const FAULTS: readonly Fault[] = [
  ["status", null, "fields_mismatch"],
  ["schema_version", "1", "schema_version_unsupported"],
  [SOURCE, '"env"', "not_an_object", SOURCE],
  [`${SOURCE}.more`, "1", "authority_custody"],
  blank(`${SOURCE}.backend`),
  custody("backend"),
  ...["issuer_id", "key_id", "algorithm", "issuer_policy_sha256"].map(blank),
  ["public_key_base64", "false", "string_empty", "public_key_base64"],
  ...["environment", "path", "name", "encoding"].map((name) => blank(`${SOURCE}.${name}`)),
  blank("status"),
  ["issuer_id", '"a b"', "issuer_identifier_invalid", "issuer_id"],
  ["key_id", '"a\\n"', "issuer_identifier_invalid", "key_id"],
  ["algorithm", '"ed25519"', "authority_algorithm"],
  ["issuer_policy_sha256", '"x"', "digest_invalid", "issuer_policy_sha256"],
  ...["environment", "path", "name", "encoding"].map(custody),
  ["status", '"ready"', "authority_status"],
  ["public_key_base64", '" "', "authority_public_key"],
  ["public_key_base64", "null", "authority_status"],
];

const authorities = suite("receipt authorities");

authorities("parseReceiptAuthority() names the fault whose rule comes first", () => {
  checkOrder(AUTHORITY, FAULTS, (value) => parseReceiptAuthority(value, context));
});

authorities("parseReceiptAuthority() takes a bare policy hash and an id of any length", () => {
  const record = {
    ...AUTHORITY,
    issuer_id: "x".repeat(1000),
    issuer_policy_sha256: "0".repeat(64),
    public_key_base64: null,
    status: "pending_human_provisioning",
  };
  assert.equal(parseReceiptAuthority(toJson(record), context), { ok: true, value: record });
});

authorities(
  "parseReceiptAuthority() leaves the place of the key free where the profile does",
  () => {
    const record = {
      ...AUTHORITY,
      schema_version: `${UNSTABLE_NEUTRAL_PROFILE.idPrefix}receipt_authority.v1`,
      private_key_source: {
        backend: "vault",
        environment: "e",
        path: "p",
        name: "n",
        encoding: "x",
      },
    };
    const parse = (other: object) =>
      outcomeOf(parseReceiptAuthority(toJson({ ...record, ...other }), neutral));
    assert.equal(parse({}), ["accepted"]);
    const source = { ...record.private_key_source, path: "" };
    assert.equal(parse({ private_key_source: source }), ["string_empty", "path"]);
  },
);

const accept = async (authority: object, other: Partial<AuthorityPins> = {}) =>
  outcomeOf(
    await acceptByAuthority(
      { ...evidence, authority: toJson(authority) },
      { ...PINS, ...other },
      "archival",
      context,
    ),
  );

authorities(
  "acceptByAuthority() judges media type, key id, policy, key, then as acceptance does",
  async () => {
    const pending = {
      ...AUTHORITY,
      public_key_base64: null,
      status: "pending_human_provisioning",
    };
    const policy = { ...pending, issuer_policy_sha256: receipt.issuer_policy_sha256.slice(7) };
    const key = { ...policy, key_id: "other" };
    assert.equal(await accept(AUTHORITY), ["accepted"]);
    assert.equal(await accept(key, { expected_media_type: "" }), [
      "media_type_pin_required",
      undefined,
    ]);
    assert.equal(await accept(key), ["issuer_key_unknown", undefined]);
    assert.equal(await accept(policy), ["issuer_policy_unknown", undefined]);
    assert.equal(await accept(pending, { expected_measurement_id: "x" }), [
      "authority_pending",
      undefined,
    ]);
    const held = { ...AUTHORITY, status: "pending_human_provisioning" };
    assert.equal(await accept(held), ["accepted"]);
    assert.equal(await accept(held, { expected_measurement_id: "x" }), [
      "pin_mismatch",
      "measurement_id",
    ]);
  },
);

authorities(
  "acceptByAuthority() holds manifest and runtime policy against pins that are given",
  async () => {
    const [manifest, runtime] = [
      "expected_deliverable_manifest_sha256",
      "expected_runtime_policy_sha256",
    ] as const;
    const given = { [manifest]: pins[manifest], [runtime]: pins[runtime] };
    assert.equal(await accept(AUTHORITY, given), ["accepted"]);
    const absent: object = { [manifest]: undefined, [runtime]: undefined };
    assert.equal(await accept(AUTHORITY, absent), ["accepted"]);
    for (const name of [manifest, runtime]) {
      const field = name.slice("expected_".length);
      assert.equal(await accept(AUTHORITY, { [name]: "x" }), ["pin_mismatch", field]);
    }
  },
);

authorities("acceptByAuthority() throws for pins and states of other types", async () => {
  const given = { ...evidence, authority: toJson(AUTHORITY) };
  const noState = acceptByAuthority(given, PINS, undefined as never, context);
  assert.is((await rejectionOf(noState)) instanceof TypeError, true);
  const pin = { ...PINS, expected_runtime_policy_sha256: null } as unknown as AuthorityPins;
  assert.equal(
    describe(await rejectionOf(acceptByAuthority(given, pin, "archival", context))).name,
    "TypeError",
  );
});

authorities.run();
