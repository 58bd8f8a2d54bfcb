import { suite } from "uvu";
import * as assert from "uvu/assert";
import { ALWAYS_OPEN, checkExpectation, listUnchecked } from "../../src/capsule/mod.ts";
import { GENESIS, loadSha256 } from "../../src/hash/mod.ts";
import { stateOf } from "../lib/state.ts";

const sha256 = await loadSha256();
const expectations = suite("checkExpectation() and listUnchecked()");

expectations("checkExpectation() compares the count, then the root, where given", async () => {
  const state = await stateOf(2, sha256);
  const { root_hash: root } = state;
  const held = { ok: true, value: null };
  const count = {
    ok: false,
    code: "capsule.count_differs",
    reason: "The capsule has 2 entries, 3 were expected",
  };
  assert.equal(checkExpectation(state, {}), held);
  assert.equal(checkExpectation(state, { count: 2 }), held);
  assert.equal(checkExpectation(state, { root }), held);
  assert.equal(checkExpectation(state, { count: 2, root }), held);
  assert.equal(checkExpectation(state, { count: 3 }), count);
  assert.equal(checkExpectation(state, { count: 3, root: GENESIS }), count);
  assert.equal(checkExpectation(state, { count: 2, root: GENESIS }), {
    ok: false,
    code: "capsule.root_differs",
    reason: `The capsule ends in root ${root}, ${GENESIS} was expected`,
  });
  assert.equal(checkExpectation(await stateOf(0, sha256), { count: 0, root: GENESIS }), held);
});

const names = (list: readonly { what: string }[]): string[] => list.map(({ what }) => what);

expectations("listUnchecked() always leaves origin and truth open", () => {
  assert.equal(names(ALWAYS_OPEN), ["origin", "truth"]);
});

expectations("listUnchecked() leaves the tail open until the root is known", async () => {
  const state = await stateOf(2, sha256);
  const how =
    "a receipt from its producer, or --expect-root HASH and --expect-count N known from elsewhere";
  assert.equal(listUnchecked(state), [
    {
      what: "tail",
      why: "entries may be missing from the end: a chain whose tail was cut is still a chain",
      how,
    },
    ...ALWAYS_OPEN,
  ]);
  const why =
    "the number of entries is as expected, but the last ones may have been replaced by others";
  assert.equal(listUnchecked(state, { count: 2 }), [{ what: "tail", why, how }, ...ALWAYS_OPEN]);
  assert.equal(listUnchecked(state, { root: state.root_hash }), [...ALWAYS_OPEN]);
});

expectations("listUnchecked() says of an empty journal that it holds nothing", async () => {
  const state = await stateOf(0, sha256);
  assert.equal(listUnchecked(state)[0], {
    what: "content",
    why: "the journal is empty: it holds nothing that could be checked",
    how: null,
  });
  assert.equal(names(listUnchecked(state)), ["content", "tail", "origin", "truth"]);
  assert.equal(names(listUnchecked(state, { root: GENESIS })), ["content", "origin", "truth"]);
});

expectations.run();
