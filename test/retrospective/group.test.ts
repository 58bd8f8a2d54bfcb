import { suite } from "uvu";
import * as assert from "uvu/assert";
import { digestValue } from "../../src/canonical/mod.ts";
import { project } from "../../src/capsule/mod.ts";
import type { CapsuleState, CapsuleVerdict, Metadata } from "../../src/capsule/mod.ts";
import { IoError } from "../../src/core/mod.ts";
import { loadSha256 } from "../../src/hash/mod.ts";
import { groupCapsules, groupStates, MAX_INPUTS } from "../../src/retrospective/mod.ts";
import { stateOf } from "../lib/state.ts";

const sha256 = await loadSha256();
const states = suite("groupStates()");

/** The state of a capsule of so many entries, under another identity. */
async function capsule(count: number, identity: Partial<Metadata> = {}): Promise<CapsuleState> {
  const state = await stateOf(count, sha256);
  return { ...state, metadata: { ...state.metadata, ...identity } };
}

const sourceOf = (state: CapsuleState) => {
  const { run_id, capsule_id, entry_count, root_hash, journal_sha256, projection_hash } = project(
    state,
    sha256,
  );
  const identity_hash = digestValue("capsule-v1", [run_id, capsule_id], sha256);
  return { identity_hash, entry_count, root_hash, journal_sha256, projection_hash };
};

states("counts by harness version in code units, sources by identity, once each", async () => {
  const [b, a, z] = [
    await capsule(5, { harness_version: "v10", run_id: "b" }),
    await capsule(2, { harness_version: "v10", run_id: "B" }),
    await capsule(0, { harness_version: "v1" }),
  ];
  const later = await capsule(5, { ...b.metadata, created_at: "2027-01-01T00:00:00.000Z" });
  const report = {
    schema: "capsule-retrospective/v1",
    report_only: true,
    task_family: "f",
    input_count: 4,
    capsule_count: 3,
    duplicate_count: 1,
    groups: [
      {
        harness_version: "v1",
        capsule_count: 1,
        entry_count: 0,
        by_lineage: { plan: 0, attempt: 0, interaction: 0, environment: 0, strategy: 0 },
        by_effect_class: { SE0: 0, SE1: 0, SE2: 0, SE3: 0, SE4: 0 },
        sources: [sourceOf(z)],
      },
      {
        harness_version: "v10",
        capsule_count: 2,
        entry_count: 7,
        by_lineage: { plan: 2, attempt: 3, interaction: 0, environment: 1, strategy: 1 },
        by_effect_class: { SE0: 3, SE1: 2, SE2: 1, SE3: 1, SE4: 0 },
        sources: [sourceOf(a), sourceOf(b)],
      },
    ],
  };
  const verdict = groupStates([b, z, later, a], sha256);
  const report_hash = digestValue("capsule-v1", report, sha256);
  assert.equal(verdict, { ok: true, report: { ...report, report_hash } });
  assert.equal(groupStates([a, b, b, z], sha256), verdict); // the order of inputs does not matter
});

states(
  "refuses families that differ and identities that conflict, by the index of the input",
  async () => {
    const [a, b] = [await capsule(2), await capsule(3)];
    const other = await capsule(2, { task_family: "private family" });
    assert.equal(groupStates([a, a, other, b], sha256), {
      ok: false,
      code: "retrospective.mixed_task_families",
      reason: "Grouping capsules: input 2 is of another task family than input 0",
      input_index: 2,
    });
    assert.equal(groupStates([a, b, other], sha256), {
      ok: false,
      code: "retrospective.conflicting_identity",
      reason:
        "Grouping capsules: input 1 has the run and capsule id of an earlier one, and differs",
      input_index: 1,
    });
  },
);

const invalidInputs = {
  ok: false,
  code: "retrospective.invalid_inputs",
  reason: "Grouping capsules: 1 to 100 inputs were wanted, not blank and without NUL",
  input_index: null,
};

states("takes 1 to 100", async () => {
  const one = await capsule(1);
  assert.equal(groupStates([], sha256), invalidInputs);
  assert.equal(groupStates(Array(MAX_INPUTS + 1).fill(one), sha256), invalidInputs);
  const verdict = groupStates(Array(MAX_INPUTS).fill(one), sha256);
  assert.is(verdict.ok && verdict.report.duplicate_count, MAX_INPUTS - 1);
});

states.run();

const capsules = suite("groupCapsules()");
const unread = () => Promise.reject(new Error("was read"));

capsules(
  "refuses a list that is none, too long or holds what is no input, and reads nothing",
  async () => {
    const lists = [undefined, "a", { length: 1, 0: "a" }, [], Array(101).fill("a"), Array(1)];
    const blank = ["", " ", "\u3000\ufeff\t", "a\0", 1, null, ["a"]].map((input) => ["a", input]);
    for (const inputs of [...lists, ...blank]) {
      const verdict = await groupCapsules(inputs as string[], unread, sha256);
      assert.equal(verdict, invalidInputs, JSON.stringify(inputs));
    }
  },
);

const verdictOf = (state: CapsuleState): CapsuleVerdict => ({
  ok: true,
  code: "ok",
  reason: null,
  failed_at: null,
  entry_count: state.entry_count,
  root_hash: state.root_hash,
  state,
});

capsules(
  "reads in order, and stops at the first that does not verify or cannot be read",
  async () => {
    const failures: [failure: unknown, told: string][] = [
      [new IoError("EACCES", "open", 'open "/home/me": EACCES'), "EACCES"],
      [Object.assign(new Error("/home/me"), { code: "/home/me" }), "it cannot be read"],
      [null, "it cannot be read"],
    ];
    for (const [failure, told] of failures) {
      const read: string[] = [];
      const verdict = await groupCapsules(["/a", "/home/me", "/c"], async (input) => {
        read.push(input);
        if (input === "/home/me") throw failure;
        return verdictOf(await capsule(1));
      }, sha256);
      assert.equal(read, ["/a", "/home/me"]);
      assert.equal(verdict, {
        ok: false,
        code: "retrospective.invalid_capsule",
        reason: `Grouping capsules: the capsule of input 1 does not verify (${told})`,
        input_index: 1,
      });
    }
  },
);

capsules("reads all before it compares any", async () => {
  const [a, other] = [await capsule(1), await capsule(1, { task_family: "g" })];
  const torn = { ok: false, code: "capsule.truncated_tail" } as CapsuleVerdict;
  const found = [verdictOf(a), verdictOf(other), torn];
  const verdict = await groupCapsules(
    ["0", "1", "2"],
    (input) => Promise.resolve(found[Number(input)]!),
    sha256,
  );
  assert.equal(verdict, {
    ok: false,
    code: "retrospective.invalid_capsule",
    reason: "Grouping capsules: the capsule of input 2 does not verify (capsule.truncated_tail)",
    input_index: 2,
  });
});

capsules("gives the report of what was read", async () => {
  const state = await capsule(3);
  const verdict = await groupCapsules(["x"], () => Promise.resolve(verdictOf(state)), sha256);
  assert.equal(verdict, groupStates([state], sha256));
});

capsules.run();
