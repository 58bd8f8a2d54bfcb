import { suite } from "uvu";
import * as assert from "uvu/assert";
import { project } from "../../src/capsule/mod.ts";
import { type Digest, loadSha256 } from "../../src/hash/mod.ts";
import {
  buildReceipt,
  formatReceipt,
  hashReceipt,
  readArtifactDigest,
  type Receipt,
  ReceiptError,
  type ReceiptOptions,
} from "../../src/receipt/mod.ts";
import { type Fields, hashOf } from "../lib/plain.ts";
import { stateOf } from "../lib/state.ts";
import { describe, rejectionOf, thrownBy } from "../lib/thrown.ts";

const sha256 = await loadSha256();
const state = await stateOf(3, sha256);
const digest = "ab".repeat(32) as Digest;
const clock = (): Date => new Date("2026-09-02T10:00:00.123Z");
const build = (options?: ReceiptOptions): Promise<Receipt> =>
  buildReceipt(state, clock, sha256, options);

const building = suite("buildReceipt()");

const fields: Fields = {
  schema: "capsule-receipt/v1",
  envelope_schema: "capsule-envelope/v1",
  capsule_id: "c1",
  run_id: "r1",
  capsule_root: state.root_hash,
  entry_count: 3,
  journal_sha256: state.journal_sha256,
  projection_hash: project(state, sha256).projection_hash,
  artifact_digest: null,
  gate_receipt_digest: null,
  gate_verdict: null,
  created_at: "2026-09-02T10:00:00.123Z",
  signature: null,
};

building("buildReceipt() states where the journal stands, in the order of the format", async () => {
  const receipt = await build();
  assert.equal(receipt, { ...fields, receipt_hash: hashOf(fields, sha256) });
  assert.equal(Object.keys(receipt), [...Object.keys(fields), "receipt_hash"]);
});

building("buildReceipt() of an empty capsule states the genesis root", async () => {
  const receipt = await buildReceipt(await stateOf(0, sha256), clock, sha256);
  assert.equal([receipt.capsule_root, receipt.entry_count], ["0".repeat(64), 0]);
});

building("buildReceipt() takes the artifact digest, absent or null as none", async () => {
  assert.is((await build({ artifactDigest: digest })).artifact_digest, digest);
  assert.is((await build({ artifactDigest: null })).artifact_digest, null);
  const undefinedDigest = { artifactDigest: undefined } as unknown as ReceiptOptions;
  assert.is((await build(undefinedDigest)).artifact_digest, null);
});

const REFUSAL = {
  name: "ReceiptError",
  code: "receipt.schema_invalid",
  message: "Building a receipt: the artifact digest is not 64 lower-case hexadecimal digits",
};

building(
  "buildReceipt() refuses an artifact digest that is none, before clock and gate",
  async () => {
    const never = (): never => {
      throw new Error("was asked");
    };
    const gateReceipt = { n: 1n };
    for (
      const value of ["", 0, false, {}, `sha256:${digest}`, digest.toUpperCase(), `${digest}\n`]
    ) {
      const options = { artifactDigest: value as Digest, gateReceipt, signer: never };
      const error = await rejectionOf(buildReceipt(state, never, sha256, options));
      assert.instance(error, ReceiptError);
      assert.equal(describe(error), REFUSAL);
    }
  },
);

building("readArtifactDigest() gives a digest or null, and refuses the rest", () => {
  assert.equal([digest, null, undefined].map(readArtifactDigest), [digest, null, null]);
  assert.equal(describe(thrownBy(() => readArtifactDigest(""))), REFUSAL);
});

building(
  "buildReceipt() digests a truthy gate receipt and copies its verdict as data",
  async () => {
    const verdicts: [unknown, unknown][] = [
      ["pass", "pass"],
      [1, 1],
      [{ b: 1, a: [2] }, { b: 1, a: [2] }],
      [true, true],
      ["", null],
      [0, null],
      [false, null],
      [null, null],
      [undefined, null],
    ];
    for (const [verdict, expected] of verdicts) {
      const gateReceipt = { z: 1, verdict };
      const receipt = await build({ gateReceipt });
      assert.equal([receipt.gate_receipt_digest, receipt.gate_verdict], [
        hashOf(gateReceipt, sha256),
        expected,
      ]);
      assert.is(receipt.receipt_hash, hashReceipt(receipt, sha256));
    }
  },
);

building(
  "buildReceipt() takes a falsy gate receipt as none, and any other value as data",
  async () => {
    for (const gateReceipt of [undefined, null, 0, "", false, NaN]) {
      const { gate_receipt_digest, gate_verdict } = await build({ gateReceipt });
      assert.equal([gate_receipt_digest, gate_verdict], [null, null]);
    }
    for (const gateReceipt of ["text", 5, true, [1], []]) {
      const { gate_receipt_digest, gate_verdict } = await build({ gateReceipt });
      assert.equal([gate_receipt_digest, gate_verdict], [hashOf(gateReceipt, sha256), null]);
    }
  },
);

building("buildReceipt() refuses a gate receipt without canonical text by code", async () => {
  const error = await rejectionOf(build({ gateReceipt: { n: 1n } }));
  assert.is(describe(error).code, "canonical.no_text");
});

building("buildReceipt() hands the hash to a signer that may be asynchronous", async () => {
  const given: unknown[] = [];
  const signatures: unknown[] = ["sig", { scheme: "x" }, null, 0, ""];
  for (const signature of signatures) {
    for (const later of [false, true]) {
      const signer = (hash: Digest): unknown => {
        given.push(hash);
        return later ? Promise.resolve(signature) : signature;
      };
      const receipt_hash = hashOf(fields, sha256);
      assert.equal(await build({ signer }), { ...fields, signature, receipt_hash });
      assert.is(given.pop(), receipt_hash);
    }
  }
  const unsigned = await build({ signer: () => undefined });
  assert.is(unsigned.signature, undefined);
  assert.is(formatReceipt(unsigned).includes("signature"), false);
});

building("buildReceipt() lets what clock and signer throw pass, the clock first", async () => {
  const mine = new Error("mine");
  const fail = (): never => {
    throw mine;
  };
  const never = (): never => {
    throw new Error("was asked");
  };
  assert.is(await rejectionOf(build({ signer: fail })), mine);
  assert.is(await rejectionOf(buildReceipt(state, fail, sha256, { signer: never })), mine);
  const invalid = buildReceipt(state, () => new Date(NaN), sha256, { signer: never });
  assert.instance(await rejectionOf(invalid), RangeError);
});

building.run();
