import { suite } from "uvu";
import * as assert from "uvu/assert";
import {
  acceptEvaluation,
  checkPinnedIssuer,
  commitIssuerPolicy,
} from "../../src/evaluation/mod.ts";
import type { AcceptancePins, Replay } from "../../src/evaluation/mod.ts";
import { loadSha256 } from "../../src/hash/mod.ts";
import type { ReplayState } from "../../src/ports/mod.ts";
import { formatRecord, LAB_PROFILE, UNSTABLE_NEUTRAL_PROFILE } from "../../src/record/mod.ts";
import { makeSample, toJson } from "../lib/evaluation.ts";
import type { Sample } from "../lib/evaluation.ts";
import { describe, rejectionOf } from "../lib/thrown.ts";
import { outcomeOf } from "./order.ts";

const sha256 = await loadSha256();
const context = { profile: LAB_PROFILE, sha256 };
const neutral = { profile: UNSTABLE_NEUTRAL_PROFILE, sha256 };
const sample = await makeSample(Array<boolean>(23).fill(true), context);
const EMPTY: ReplayState = {
  seen_measurement_ids: [],
  seen_attempt_nonces: [],
  occupied_repeat_slots: [],
};

const accept = async (
  pins: Partial<AcceptancePins>,
  replay: Replay = "archival",
  evidence: Partial<Sample["evidence"]> = {},
) =>
  outcomeOf(
    await acceptEvaluation(
      { ...sample.evidence, ...evidence },
      { ...sample.pins, ...pins },
      replay,
      context,
    ),
  );

const OTHER = `sha256:${"0".repeat(64)}`;

const acceptance = suite("acceptance of evaluations");

acceptance("acceptEvaluation() gives receipt, spec and what is to be consumed", async () => {
  for (const each of [context, neutral]) {
    const { spec, receipt, pins, evidence } = await makeSample(
      Array<boolean>(23).fill(false),
      each,
      { repeat_index: 10n ** 20n },
    );
    const before = [evidence.receipt, evidence.spec].map((value) => formatRecord(value as object));
    const accepted = await acceptEvaluation(evidence, pins, EMPTY, each);
    const consume = {
      measurement_id: "measurement-1",
      attempt_nonce: "nonce-1",
      repeat_slot: [spec.spec_sha256, 10n ** 20n],
    };
    assert.equal(accepted, { ok: true, value: { receipt, spec, consume } });
    const after = [evidence.receipt, evidence.spec].map((value) => formatRecord(value as object));
    assert.equal(after, before);
    assert.equal(EMPTY, {
      seen_measurement_ids: [],
      seen_attempt_nonces: [],
      occupied_repeat_slots: [],
    });
  }
});

/** Everything that can be wrong though every record holds, in the order of judgement. */
const STEPS: readonly [pins: Partial<AcceptancePins>, kind: string, field?: string][] = [
  [{ expected_spec_sha256: OTHER }, "pin_mismatch", "spec_sha256"],
  [{ expected_issuer_policy_sha256: OTHER }, "pin_mismatch", "issuer_policy_sha256"],
  [{ expected_issuer_key_id: "key-2" }, "pin_mismatch", "issuer_key_id"],
  [{ expected_measurement_id: "" }, "pin_mismatch", "measurement_id"],
  [{ expected_evaluation_attempt_id: "x" }, "pin_mismatch", "evaluation_attempt_id"],
  [{ expected_attempt_nonce: "x" }, "pin_mismatch", "attempt_nonce"],
  [{ expected_repeat_index: 2n }, "pin_mismatch", "repeat_index"],
  [
    { expected_deliverable_manifest_sha256: OTHER },
    "pin_mismatch",
    "deliverable_manifest_sha256",
  ],
  [{ expected_runtime_policy_sha256: OTHER }, "pin_mismatch", "runtime_policy_sha256"],
  [{ issuer_public_key_base64: "" }, "signature_invalid"],
  [{ expected_media_type: "text/plain" }, "pin_mismatch", "raw_result_media_type"],
];

acceptance("acceptEvaluation() names the pin that comes first", async () => {
  for (const [index, [first, kind, field]] of STEPS.entries()) {
    for (const [second] of STEPS.slice(index)) {
      assert.equal(await accept({ ...second, ...first }), [kind, field]);
    }
  }
});

acceptance(
  "acceptEvaluation() looks for a replay after the signature and before the raw result",
  async () => {
    const raw = Uint8Array.of(1);
    const slot = [sample.spec.spec_sha256, 1n] as const;
    const full: ReplayState = {
      seen_measurement_ids: new Set(["other", "measurement-1"]),
      seen_attempt_nonces: ["nonce-1"],
      occupied_repeat_slots: [[OTHER, 1n], slot],
    };
    const forged = { issuer_public_key_base64: "" };
    assert.equal(await accept(forged, full, { raw }), ["signature_invalid", undefined]);
    assert.equal(await accept({}, full, { raw }), ["already_consumed", "measurement_id"]);
    const nonce = { ...full, seen_measurement_ids: [] };
    assert.equal(await accept({}, nonce, { raw }), ["already_consumed", "attempt_nonce"]);
    const slots = { ...nonce, seen_attempt_nonces: [] };
    assert.equal(await accept({}, slots, { raw }), ["repeat_slot_occupied", undefined]);
    assert.equal(await accept({}, EMPTY, { raw }), ["raw_size_mismatch", undefined]);
    const same = { raw: sample.raw.slice().reverse() };
    assert.equal(await accept({}, EMPTY, same), ["raw_hash_mismatch", undefined]);
    assert.equal(
      await accept({ expected_media_type: "a/b" }, EMPTY, same),
      ["pin_mismatch", "raw_result_media_type"],
    );
    const otherSlots = { ...slots, occupied_repeat_slots: [[slot[0], 2n], [OTHER, 1n]] } as const;
    assert.equal(await accept({}, otherSlots), ["accepted"]);
  },
);

acceptance(
  "acceptEvaluation() reads receipt, then spec, and holds the one against the other",
  async () => {
    const { receipt, spec } = sample;
    const records = {
      receipt: toJson({ ...receipt, more: 1 }),
      spec: toJson({ ...spec, schema_version: "v1" }),
    };
    assert.equal(await accept({}, "archival", records), ["fields_mismatch", undefined]);
    assert.equal(await accept({}, "archival", { spec: records.spec }), [
      "schema_version_unsupported",
      undefined,
    ]);
    const task = { task_sha256: OTHER };
    const other = await makeSample(Array<boolean>(23).fill(true), context, task);
    assert.equal(await accept({}, "archival", other.evidence), [
      "spec_binding_mismatch",
      "task_sha256",
    ]);
    const apart = await makeSample(Array<boolean>(23).fill(true), context, {
      ...task,
      evaluation_spec_sha256: OTHER,
    });
    assert.equal(await accept({}, "archival", apart.evidence), [
      "pin_mismatch",
      "evaluation_spec_sha256",
    ]);
  },
);

acceptance("acceptEvaluation() takes no key that is weak or not in its one spelling", async () => {
  const key = sample.pins.issuer_public_key_base64;
  const weak = `${"A".repeat(43)}=`;
  const keys = [weak, key.slice(0, -1), ` ${key}`, key.replace("=", "=="), "A".repeat(100_000)];
  for (const issuer_public_key_base64 of keys) {
    assert.equal(await accept({ issuer_public_key_base64 }), ["signature_invalid", undefined]);
  }
});

acceptance("acceptEvaluation() judges the raw bytes that it was called with", async () => {
  const raw = sample.raw.slice();
  const pending = acceptEvaluation({ ...sample.evidence, raw }, sample.pins, EMPTY, context);
  raw.fill(0);
  assert.is((await pending).ok, true);
});

acceptance("acceptEvaluation() throws when it is not told what was accepted before", async () => {
  const wanted = (name: string): string =>
    `Accepting an evaluation: pass what was accepted before, "${name}" among it, or "archival"`;
  const cases: [unknown, string][] = [
    ...[undefined, null, {}, "none", true, []].map((state): [unknown, string] => [
      state,
      "seen_measurement_ids",
    ]),
    [{ ...EMPTY, seen_measurement_ids: "measurement-1" }, "seen_measurement_ids"],
    [{ ...EMPTY, seen_attempt_nonces: null }, "seen_attempt_nonces"],
    [{ ...EMPTY, occupied_repeat_slots: undefined }, "occupied_repeat_slots"],
  ];
  for (const [state, name] of cases) {
    const error = await rejectionOf(
      acceptEvaluation(sample.evidence, sample.pins, state as Replay, context),
    );
    assert.equal(describe(error), { name: "TypeError", message: wanted(name) });
  }
});

acceptance("acceptEvaluation() throws for a state whose entries could never be found", async () => {
  const states: unknown[] = [
    { ...EMPTY, seen_measurement_ids: [1] },
    { ...EMPTY, seen_attempt_nonces: [null] },
    { ...EMPTY, occupied_repeat_slots: [[sample.spec.spec_sha256, 1]] },
    { ...EMPTY, occupied_repeat_slots: ["x"] },
  ];
  for (const state of states) {
    const error = await rejectionOf(
      acceptEvaluation(sample.evidence, sample.pins, state as Replay, context),
    );
    assert.is(error instanceof TypeError, true);
  }
});

acceptance("acceptEvaluation() throws for a pin that is missing or of another type", async () => {
  for (const name of Object.keys(sample.pins)) {
    if (name === "expected_metric_definition_sha256") continue;
    for (const value of [undefined, null, 1]) {
      const pins = { ...sample.pins, [name]: value } as AcceptancePins;
      const error = await rejectionOf(
        acceptEvaluation(sample.evidence, pins, "archival", context),
      );
      assert.equal(describe(error), {
        name: "TypeError",
        message: `Accepting an evaluation: "${name}" must be a BigInt or text`,
      });
    }
  }
});

acceptance("commitIssuerPolicy() gives the hash that the LAB profile pins", () => {
  const { policy, policy_sha256 } = LAB_PROFILE.issuer!;
  assert.equal(commitIssuerPolicy(toJson(policy), context), { ok: true, value: policy_sha256 });
  assert.equal(outcomeOf(commitIssuerPolicy([], context)), ["wrong_type", undefined]);
});

acceptance("checkPinnedIssuer() looks at members, version, policy and key, in this order", () => {
  const check = (other: object) =>
    outcomeOf(checkPinnedIssuer(toJson({ ...sample.receipt, ...other }), context));
  const [key, policy] = [{ issuer_key_id: "k" }, { issuer_policy_sha256: OTHER }];
  const version = { schema_version: "v1" };
  assert.equal(check({ receipt_sha256: "whatever" }), ["accepted"]);
  assert.equal(check(key), ["issuer_key_unknown", "issuer_key_id"]);
  assert.equal(check({ ...key, ...policy }), ["issuer_policy_unknown", "issuer_policy_sha256"]);
  const all = { ...key, ...policy, ...version };
  assert.equal(check(all), ["schema_version_unsupported", "schema_version"]);
  assert.equal(check({ ...all, more: 1 }), ["fields_mismatch", undefined]);
  assert.throws(
    () => checkPinnedIssuer(sample.evidence.receipt, neutral),
    /the profile pins no issuer/,
  );
});

acceptance.run();
