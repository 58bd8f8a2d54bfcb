import { suite } from "uvu";
import * as assert from "uvu/assert";
import { type CapsuleState, formatProjection, project } from "../../src/capsule/mod.ts";
import { loadSha256 } from "../../src/hash/mod.ts";
import { canonicalText, type Fields, hashOf } from "../lib/plain.ts";
import { stateOf } from "../lib/state.ts";

const sha256 = await loadSha256();
const projections = suite("project()");

projections("project() summarises a capsule, without its creation time", async () => {
  const state = await stateOf(3, sha256);
  const fields = {
    schema: "capsule-envelope/v1",
    run_id: "r1",
    capsule_id: "c1",
    harness_version: "h é",
    task_family: "f",
    entry_count: 3,
    last_seq: 2,
    root_hash: state.root_hash,
    journal_sha256: state.journal_sha256,
    by_lineage: { plan: 1, attempt: 2, interaction: 0, environment: 0, strategy: 0 },
    by_effect_class: { SE0: 1, SE1: 1, SE2: 0, SE3: 1, SE4: 0 },
    max_effect_class: "SE3",
  };
  const projection = project(state, sha256);
  assert.equal(projection, { ...fields, projection_hash: hashOf(fields, sha256) });
  assert.equal(Object.keys(projection), [...Object.keys(fields), "projection_hash"]);
  const metadata = { ...state.metadata, created_at: "2030-01-01T00:00:00.000Z" };
  assert.equal(project({ ...state, metadata }, sha256), projection);
});

projections("project() of an empty capsule has no last seq and class SE0", async () => {
  const { last_seq, max_effect_class, entry_count } = project(await stateOf(0, sha256), sha256);
  assert.equal({ last_seq, max_effect_class, entry_count }, {
    last_seq: null,
    max_effect_class: "SE0",
    entry_count: 0,
  });
});

projections("project() names the highest effect class that occurs", async () => {
  const state = await stateOf(1, sha256);
  for (const name of ["SE0", "SE1", "SE2", "SE3", "SE4"] as const) {
    const none = { SE0: 5, SE1: 0, SE2: 0, SE3: 0, SE4: 0 };
    const counted: CapsuleState = { ...state, by_effect_class: { ...none, [name]: 1 } };
    assert.is(project(counted, sha256).max_effect_class, name);
  }
});

projections("formatProjection() writes canonical text and a line feed", async () => {
  const projection = project(await stateOf(2, sha256), sha256);
  assert.is(formatProjection(projection), `${canonicalText(projection as unknown as Fields)}\n`);
});

projections.run();
