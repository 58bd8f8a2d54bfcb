import { suite } from "uvu";
import * as assert from "uvu/assert";
import { ALWAYS_OPEN, formatMetadata, formatProjection, project } from "../../src/capsule/mod.ts";
import type { ByteSource, FileInput } from "../../src/core/mod.ts";
import { GENESIS, loadSha256 } from "../../src/hash/mod.ts";
import {
  buildReceipt,
  type CheckLine,
  type CheckOptions,
  checkReceipt,
  digestFile,
  formatReceipt,
  hashReceipt,
  RECEIPT_CHECKS,
  type ReceiptEvidence,
  type ReceiptVerdict,
} from "../../src/receipt/mod.ts";
import { type Fields, hashOf } from "../lib/plain.ts";
import {
  bytesOf,
  chainOf,
  failing,
  journalOf,
  METADATA,
  sampleParts,
  sourcesOf,
} from "../lib/sample.ts";
import { stateOf } from "../lib/state.ts";
import { rejectionOf } from "../lib/thrown.ts";

const sha256 = await loadSha256();
const artifact = bytesOf("what the run delivered");
const gateReceipt = { verdict: "pass", tasks: [1, 2] };
const state = await stateOf(3, sha256);
const receipt = await buildReceipt(state, () => new Date(0), sha256, {
  artifactDigest: sha256.digest(artifact),
  gateReceipt,
  signer: () => "sig",
}) as unknown as Fields;
const projection = project(state, sha256) as unknown as Fields;

/** A case: what is checked against what. Everything is given, and everything holds. */
interface Case {
  receipt: unknown;
  evidence: ReceiptEvidence;
  options: CheckOptions;
}

const sound = (): Case => ({
  receipt: bytesOf(formatReceipt(receipt as never)),
  evidence: {
    journal: journalOf(chainOf(sampleParts(3), sha256)),
    metadata: bytesOf(formatMetadata(METADATA)),
    projection: bytesOf(formatProjection(projection as never)),
    artifact,
    gateReceipt,
  },
  options: {
    verifier: (hash, signature) => hash === receipt["receipt_hash"] && signature === "sig",
  },
});

/** A receipt with other members, hashed anew. */
function resealed(members: Fields): Fields {
  const changed = { ...receipt, ...members };
  return { ...changed, receipt_hash: hashReceipt(changed, sha256) };
}

const check = ({ receipt, evidence, options }: Case): Promise<ReceiptVerdict> =>
  checkReceipt(receipt, evidence, sha256, options);

/** The lines of all checks, from their first letters: h(olds), f(ails), c(not checked), r(eached not). */
function linesOf(letters: string): CheckLine[] {
  const names = { h: "holds", f: "fails", c: "not_checked", r: "not_reached" } as const;
  return RECEIPT_CHECKS.map((check, index) => ({
    check,
    status: names[letters[index] as keyof typeof names],
  }));
}

const checking = suite("checkReceipt()");

checking("checkReceipt() says that all twelve checks hold", async () => {
  const expected = {
    ok: true,
    check: null,
    reason: null,
    checks: linesOf("hhhhhhhhhhhh"),
    not_checked: ALWAYS_OPEN.filter(({ what }) => what === "truth"),
  };
  assert.equal(await check(sound()), expected);
  assert.equal(await check({ ...sound(), receipt }), expected); // parsed already
});

checking("checkReceipt() lists what was not given as not checked", async () => {
  const { artifact: _, gateReceipt: __, ...evidence } = sound().evidence;
  const [origin, truth] = ALWAYS_OPEN;
  const open = [
    {
      what: "artifact",
      why: "no artifact was given to compare with",
      how: "the artifact, or its digest",
    },
    {
      what: "gate_receipt",
      why: "no gate receipt was given to compare with",
      how: "the gate receipt",
    },
    origin,
    truth,
  ];
  const signed = {
    what: "signature",
    why: "the receipt carries a signature, which was not checked",
    how: "a verifier for a key that you pinned beforehand",
  };
  assert.equal(await check({ ...sound(), evidence, options: {} }), {
    ok: true,
    check: null,
    reason: null,
    checks: linesOf("hhchhhhhhhcc"),
    not_checked: [signed, ...open],
  });
  const unsigned = { what: "signature", why: "the receipt is not signed", how: null };
  for (const signature of [null, "", 0, false, undefined]) {
    const verdict = await check({
      receipt: { ...receipt, signature },
      evidence: { ...evidence, artifactDigest: "", gateReceipt: null },
      options: {},
    });
    assert.equal([verdict.ok, verdict.not_checked], [true, [unsigned, ...open]]);
  }
});

/** One way to make each check fail, in the order in which they are made. */
const BREAKS: [check: string, letters: string, reason: string, change: (sound: Case) => void][] = [
  [
    "schema",
    "frrrrrrrrrrr",
    'Reading the receipt: "schema" is not "capsule-receipt/v1"',
    (made) => edit(made, { schema: "capsule-receipt/v2" }),
  ],
  [
    "receipt_hash",
    "hfrrrrrrrrrr",
    "its receipt_hash is not the hash of its other members: something in it was changed",
    (made) => made.receipt = { ...made.receipt as Fields, created_at: "another" },
  ],
  [
    "signature",
    "hhfrrrrrrrrr",
    "its signature is not one of the pinned key over its receipt_hash",
    (made) => made.options = { verifier: () => false },
  ],
  [
    "journal_present",
    "hhhfrrrrrrrr",
    "there is no journal",
    (made) => give(made, { journal: null }),
  ],
  [
    "journal_integrity",
    "hhhhfrrrrrrr",
    "capsule.corrupt_entry: Verifying the capsule: entry 0: it is not JSON",
    (made) => give(made, { journal: bytesOf("no entry\n") }),
  ],
  [
    "metadata",
    "hhhhrrrrfrrr", // the chain was sound, and nothing was compared with the receipt yet
    "capsule.metadata_invalid: Verifying the capsule: capsule.json is absent",
    (made) => give(made, { metadata: null }),
  ],
  [
    "truncation",
    "hhhhrfrrrrrr",
    "the journal has 3 entries where the receipt saw 4: its tail was cut",
    (made) => edit(made, { entry_count: 4 }),
  ],
  [
    "capsule_root",
    "hhhhrhfrrrrr",
    "after 3 entries the journal has another root than the receipt states",
    (made) => edit(made, { capsule_root: GENESIS }),
  ],
  [
    "stale_checkpoint",
    "hhhhrhhfrrrr",
    "the journal went on to 4 entries after the receipt, which saw 3",
    (made) => give(made, { journal: journalOf(chainOf(sampleParts(4), sha256)) }),
  ],
  [
    "journal_integrity",
    "hhhhfhhhrrrr",
    "the bytes of the journal are not those that the receipt states",
    (made) => edit(made, { journal_sha256: GENESIS }),
  ],
  [
    "metadata",
    "hhhhhhhhfrrr",
    "it is about another run or capsule",
    (made) => edit(made, { run_id: "r2" }),
  ],
  [
    "projection",
    "hhhhhhhhhfrr",
    "the projection is absent",
    (made) => give(made, { projection: null }),
  ],
  [
    "artifact",
    "hhhhhhhhhhfr",
    "the artifact is not the one that the receipt states",
    (made) => give(made, { artifact: bytesOf("another") }),
  ],
  [
    "gate_receipt",
    "hhhhhhhhhhhf",
    "the gate receipt is not the one that the receipt states",
    (made) => give(made, { gateReceipt: { verdict: "fail" } }),
  ],
];

/** Gives the receipt other members and seals it, so that only what they say is wrong. */
function edit(made: Case, members: Fields): void {
  const changed = { ...made.receipt as Fields, ...members };
  made.receipt = { ...changed, receipt_hash: hashReceipt(changed, sha256) };
}

function give(made: Case, files: Partial<ReceiptEvidence>): void {
  made.evidence = { ...made.evidence, ...files };
}

/** A sound case, signed whatever its receipt says, with some of the breaks made in it. */
function broken(...indices: number[]): Case {
  const made = { ...sound(), receipt, options: { verifier: () => true } };
  for (const index of indices) BREAKS[index]?.[3](made); // later seals cover earlier edits
  return made;
}

for (const [index, [name, letters, reason]] of BREAKS.entries()) {
  checking(`${name} fails by itself, in step ${index + 1} of the documented order`, async () => {
    const verdict = await check(broken(index));
    assert.equal({ ...verdict, not_checked: [] }, {
      ok: false,
      check: name,
      reason: `Checking the receipt: ${reason}`,
      checks: linesOf(letters),
      not_checked: [],
    });
  });
}

checking("of any two faults the one that comes earlier in the order is named", async () => {
  const names = BREAKS.map(([name]) => name);
  for (const [first, [name, , reason]] of BREAKS.entries()) {
    for (let second = first + 1; second < BREAKS.length; second++) {
      if (name === "truncation" && names[second] === "stale_checkpoint") continue; // exclude each other
      const verdict = await check(broken(second, first));
      const expected = [name, `Checking the receipt: ${reason}`];
      assert.equal([verdict.check, verdict.reason], expected, `${name} and ${names[second]}`);
    }
  }
});

checking("what is no receipt fails the schema, as bytes and as a value", async () => {
  const schema = async (value: unknown, why: string, options: CheckOptions = {}): Promise<void> => {
    const verdict = await check({ ...sound(), receipt: value, options });
    const reason = `Checking the receipt: ${why}`;
    assert.equal([verdict.check, verdict.reason, verdict.ok], ["schema", reason, false]);
  };
  for (const value of [undefined, null, 5, "{}", [], [receipt]]) {
    await schema(value, "Reading the receipt: it is no JSON object");
  }
  await schema(bytesOf("[]"), "Reading the receipt: it is no JSON object");
  await schema(bytesOf("{"), "Reading the receipt: it is not JSON");
  await schema(Uint8Array.of(0xff), "Reading the receipt: it is not valid UTF-8");
  await schema(bytesOf("[".repeat(1001)), "Reading the receipt: it is nested too deep");
  await schema(bytesOf("{}"), "Reading the receipt: it is larger than 1 bytes", {
    maxTextBytes: 1,
  });
});

checking("a receipt that nests too deep or has no text fails the schema", async () => {
  let deep: unknown = 0;
  for (let level = 0; level < 1000; level++) deep = [deep];
  for (
    const [more, why] of [
      [deep, "a cycle, or more than 1000 levels"],
      [1n, "the value cannot be written as JSON"],
    ]
  ) {
    const verdict = await check({ ...sound(), receipt: { ...receipt, more } });
    assert.equal([verdict.check, verdict.reason], [
      "schema",
      `Checking the receipt: Writing canonical text: ${why}`,
    ]);
  }
});

checking("more members are accepted when they are hashed, __proto__ among them", async () => {
  assert.is((await check({ ...broken(), receipt: resealed({ more: [1] }) })).ok, true);
  const text = JSON.stringify(receipt).replace("{", '{"__proto__":{"schema":1},');
  assert.is((await check({ ...broken(), receipt: bytesOf(text) })).check, "receipt_hash");
  const parsed = JSON.parse(text) as Fields;
  Object.assign(parsed, { receipt_hash: hashReceipt(parsed, sha256) });
  assert.is((await check({ ...broken(), receipt: parsed })).ok, true);
});

checking("an entry_count of -0 passes as 0", async () => {
  const empty = await stateOf(0, sha256);
  const made = await buildReceipt(empty, () => new Date(0), sha256);
  const text = formatReceipt(made).replace('"entry_count":0', '"entry_count":-0');
  const evidence = {
    journal: new Uint8Array(),
    metadata: bytesOf(formatMetadata(METADATA)),
    projection: bytesOf(formatProjection(project(empty, sha256))),
  };
  assert.ok(text.includes('"entry_count":-0'));
  assert.is((await check({ receipt: bytesOf(text), evidence, options: {} })).ok, true);
});

checking("a receipt over no entries is stale after the first, whatever its root", async () => {
  const made = broken();
  edit(made, { entry_count: 0, capsule_root: GENESIS });
  assert.is((await check(made)).check, "stale_checkpoint");
  edit(made, { capsule_root: state.root_hash });
  assert.is((await check(made)).check, "capsule_root");
});

checking("a verifier may be asynchronous; falsy signatures and errors fail", async () => {
  const signature = async (given: unknown, verifier: () => unknown): Promise<unknown> => {
    const made = { ...sound(), receipt: { ...receipt, signature: given }, options: { verifier } };
    const { check: name, reason } = await check(made);
    return name === null ? "holds" : `${name}: ${reason}`;
  };
  const fail = (): never => {
    throw new Error("a private key");
  };
  for (const verifier of [() => true, () => 1, () => "yes", () => Promise.resolve(true)]) {
    assert.is(await signature("sig", verifier), "holds");
  }
  const wrong = "its signature is not one of the pinned key over its receipt_hash";
  for (const verifier of [() => false, () => 0, () => undefined, () => Promise.resolve("")]) {
    assert.is(await signature("sig", verifier), `signature: Checking the receipt: ${wrong}`);
  }
  for (const verifier of [fail, () => Promise.reject(new Error("a private key"))]) {
    assert.is(
      await signature("sig", verifier),
      "signature: Checking the receipt: the verifier of its signature threw an error",
    );
  }
  for (const given of [null, "", 0, false, undefined]) {
    assert.is(await signature(given, fail), "signature: Checking the receipt: it is not signed");
  }
});

checking("a journal or metadata that cannot be read fails its own check", async () => {
  const found = async (files: Partial<ReceiptEvidence>): Promise<unknown> => {
    const made = broken();
    give(made, files);
    return (await check(made)).check;
  };
  assert.is(await found({ journal: { unreadable: "x" } }), "journal_integrity");
  assert.is(await found({ journal: failing() }), "journal_integrity");
  assert.is(await found({ metadata: { unreadable: "x" } }), "metadata");
  const foreign = bytesOf(formatMetadata({ ...METADATA, run_id: "r2" }));
  assert.is(await found({ metadata: foreign }), "metadata");
});

checking(
  "onCapsule hears the verdict over the capsule, good or bad, once it was read",
  async () => {
    const heard: string[] = [];
    const onCapsule: CheckOptions["onCapsule"] = (verdict) =>
      void heard.push(verdict.ok ? `${verdict.state.entry_count} entries` : verdict.code);
    const made = sound();
    const told = { ...made, options: { ...made.options, onCapsule } };
    assert.is((await check(told)).ok, true);
    const evidence = { ...made.evidence, metadata: null };
    assert.is((await check({ ...told, evidence })).ok, false);
    assert.is((await check({ ...told, receipt: null })).ok, false);
    assert.equal(heard, ["3 entries", "capsule.metadata_invalid"]);
  },
);

checking("metadata compares the run and the capsule", async () => {
  for (const name of ["run_id", "capsule_id"]) {
    const made = broken();
    edit(made, { [name]: "another" });
    assert.is(
      (await check(made)).reason,
      "Checking the receipt: it is about another run or capsule",
    );
  }
});

/** What is said of a projection file, or that it holds. */
async function saidOf(projection: FileInput, made: Case = broken()): Promise<unknown> {
  give(made, { projection });
  const { check: name, reason } = await check(made);
  return name === null ? "holds" : `${name}: ${reason?.replace("Checking the receipt: ", "")}`;
}

checking("the projection may have any layout and order, but no other values", async () => {
  const said = (value: unknown): Promise<unknown> => saidOf(bytesOf(JSON.stringify(value)));
  const text = JSON.stringify(projection, null, 2);
  assert.is(await saidOf(bytesOf(`\n${text}\n\n`)), "holds");
  assert.is(await said(Object.fromEntries(Object.entries(projection).reverse())), "holds");
  const hash = "projection: the projection does not have the hash that it states";
  assert.is(await said({ ...projection, run_id: "r2" }), hash);
  assert.is(await said({ ...projection, more: 1 }), hash);
  const { projection_hash: _, ...rest } = projection;
  assert.is(await said(rest), hash);
  const other = { ...rest, more: 1 };
  assert.is(
    await said({ ...other, projection_hash: hashOf(other, sha256) }),
    "projection: the projection is not the one that the receipt states",
  );
});

checking("a projection that hashes equal and is not identical fails", async () => {
  const text = JSON.stringify(projection);
  const differs = "projection: the projection is not the one that the journal gives";
  assert.ok(text.includes('"SE2":0'));
  assert.is(await saidOf(bytesOf(text.replace('"SE2":0', '"SE2":-0'))), differs);
  assert.is(await saidOf(bytesOf(text.replace('"SE2":0', '"SE2":0.0'))), "holds");
  const empty = project(await stateOf(0, sha256), sha256);
  const made = {
    receipt: await buildReceipt(await stateOf(0, sha256), () => new Date(0), sha256),
    evidence: { ...sound().evidence, journal: new Uint8Array(), artifactDigest: null },
    options: {},
  };
  const { artifact: _, gateReceipt: __, ...evidence } = made.evidence;
  const bare = { ...made, evidence };
  assert.is(await saidOf(bytesOf(JSON.stringify(empty)), bare), "holds");
  const infinite = JSON.stringify(empty).replace('"last_seq":null', '"last_seq":1e999');
  assert.is(await saidOf(bytesOf(infinite), bare), differs); // infinity is written as null
});

checking("a projection that the receipt states, but the journal does not give, fails", async () => {
  const differs = "projection: the projection is not the one that the journal gives";
  const { projection_hash: _, ...rest } = projection;
  const others: Fields[] = [
    { ...rest, more: 1 },
    { ...rest, by_lineage: [] },
    { ...rest, by_lineage: { plan: 3 } },
    { ...rest, task_family: undefined, family: "f" },
  ];
  for (const fields of others) {
    const projection_hash = hashOf(fields, sha256);
    const made = broken();
    edit(made, { projection_hash });
    const bytes = bytesOf(JSON.stringify({ ...fields, projection_hash }));
    assert.is(await saidOf(bytes, made), differs);
  }
});

checking("a projection that cannot be read or is no JSON object fails", async () => {
  assert.is(await saidOf(null), "projection: the projection is absent");
  assert.is(await saidOf({ unreadable: "why" }), "projection: the projection is unreadable: why");
  assert.is(await saidOf(failing()), "projection: the projection is unreadable: reading failed");
  const large = broken();
  large.options = { ...large.options, maxTextBytes: 100 };
  large.receipt = receipt;
  const bytes = bytesOf(JSON.stringify(projection));
  assert.is(await saidOf(bytes, large), "projection: the projection is larger than 100 bytes");
  const texts = ["", "{", "[]", "null", "5", `\ufeff${JSON.stringify(projection)}`];
  for (const input of [...texts.map(bytesOf), Uint8Array.of(0xff), bytesOf("[".repeat(1001))]) {
    assert.is(await saidOf(input), "projection: the projection is no JSON object");
  }
});

checking("the artifact is compared in pieces or by digest, the artifact first", async () => {
  const found = async (
    files: Partial<ReceiptEvidence>,
    artifact_digest = receipt["artifact_digest"],
  ): Promise<unknown> => {
    const made = broken();
    const { artifact: _, ...evidence } = made.evidence;
    made.evidence = { ...evidence, ...files };
    edit(made, { artifact_digest });
    const { check: name, reason } = await check(made);
    return name === null ? "holds" : `${name}: ${reason?.replace("Checking the receipt: ", "")}`;
  };
  const digest = sha256.digest(artifact);
  const other = "artifact: the artifact is not the one that the receipt states";
  const gone = "artifact: the artifact is absent or unreadable";
  for (const [name, open] of Object.entries(sourcesOf(artifact, 5))) {
    assert.is(await found({ artifact: open() }), "holds", name);
  }
  assert.is(await found({ artifactDigest: digest }), "holds");
  assert.is(await found({ artifact, artifactDigest: GENESIS }), "holds");
  assert.is(await found({ artifact: bytesOf("x"), artifactDigest: digest }), other);
  assert.is(await found({ artifactDigest: GENESIS }), other);
  assert.is(await found({ artifactDigest: digest.toUpperCase() }), other);
  assert.is(await found({ artifact: null, artifactDigest: digest }), gone);
  assert.is(await found({ artifact: { unreadable: "x" } }), gone);
  assert.is(await found({ artifact: failing(artifact) }), gone);
  const none = "artifact: the receipt is about no artifact";
  assert.is(await found({ artifact }, null), none);
  assert.is(await found({ artifactDigest: digest }, null), none);
  assert.is(await found({ artifactDigest: null }, null), "holds");
});

checking("a gate receipt is compared by its canonical form, whatever its verdict", async () => {
  const found = async (given: unknown, stated: unknown = receipt["gate_receipt_digest"]) => {
    const made = broken();
    give(made, { gateReceipt: given });
    edit(made, { gate_receipt_digest: stated, gate_verdict: { any: "type" } });
    return (await check(made)).check;
  };
  assert.is(await found({ tasks: [1, 2], verdict: "pass" }), null);
  assert.is(await found({ tasks: [2, 1], verdict: "pass" }), "gate_receipt");
  assert.is(await found(gateReceipt, null), "gate_receipt");
  assert.is(await found({ n: 1n }), "gate_receipt"); // has no canonical form
  assert.is(await found("text"), "gate_receipt");
  for (const none of [undefined, null, 0, "", false]) assert.is(await found(none), null);
});

checking("checkReceipt() throws only for misuse", async () => {
  for (const files of [{ journal: "text" }, { projection: 5 }, { artifact: "text" }]) {
    const made = broken();
    give(made, files as unknown as Partial<ReceiptEvidence>);
    assert.instance(await rejectionOf(check(made)), TypeError);
  }
});

checking("a hasher that fails is no fault of the receipt, at whatever call", async () => {
  const mine = new Error("mine");
  const { receipt: bytes, evidence } = sound();
  for (let failsAt = 1;; failsAt++) {
    let calls = 0;
    const digest: typeof sha256.digest = (given) => {
      if (++calls === failsAt) throw mine;
      return sha256.digest(given);
    };
    const answer = checkReceipt(bytes, evidence, { ...sha256, digest });
    if (failsAt > 7) { // the receipt, three entries, the projection twice, the gate receipt
      assert.is((await answer).ok, true);
      break;
    }
    assert.is(await rejectionOf(answer), mine, `call ${failsAt}`);
  }
});

checking.run();

const files = suite("digestFile()");

files("digestFile() digests every shape of source, null when it cannot be read", async () => {
  for (const [name, open] of Object.entries(sourcesOf(artifact, 3))) {
    assert.is(await digestFile(open(), sha256), sha256.digest(artifact), name);
  }
  for (const input of [null, { unreadable: "x" }, failing(artifact)]) {
    assert.is(await digestFile(input, sha256), null);
  }
  const misuse = digestFile([5] as unknown as ByteSource, sha256);
  assert.instance(await rejectionOf(misuse), TypeError);
});

files.run();
