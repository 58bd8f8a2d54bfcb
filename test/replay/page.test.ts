/**
 * docs/spec/replay.md and the vectors tell of what the library does.
 *
 * @module
 */
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { encodeUtf8 } from "../../src/core/mod.ts";
import { loadSha256 } from "../../src/hash/mod.ts";
import {
  ARGUMENTS_CODES,
  CALL_CODES,
  FIXTURE_CODES,
  fixtureFile,
  hashCall,
  judgeFixture,
  REPLAY_CODES,
  storeFixture,
} from "../../src/replay/mod.ts";
import { fence } from "../docs/page.ts";
import { readText } from "../read.ts";
import { makeStore, textOf } from "./kit.ts";

const sha256 = await loadSha256();
const text = await readText("docs/spec/replay.md");
const page = suite("docs/spec/replay.md");
const call = hashCall("read", { path: "a.txt" }, sha256);
const CODES: readonly string[] = [
  ...REPLAY_CODES,
  ...FIXTURE_CODES,
  ...CALL_CODES,
  ...ARGUMENTS_CODES,
];

page("shows the fixture that storeFixture() writes, and its name", async () => {
  const example = fence(text, "fixture.json");
  const judged = judgeFixture(encodeUtf8(example), sha256, call);
  const response = judged.ok ? judged.value.response : judged.code;
  const { directory, store } = makeStore();
  await storeFixture(store, call, response, sha256);
  assert.is(textOf(directory, fixtureFile(call.key)), example);
  assert.ok(text.includes(`\`${fixtureFile(call.key)}\``));
});

page("names every code", () => {
  assert.equal(CODES.filter((code) => !text.includes(`\`${code}\``)), []);
});

page(
  "has a vector for every code, but for a bound that is an option and a file of our own",
  async () => {
    let vectors = "";
    for (const name of ["replay", "replay-edges", "fixture-store", "fixture-store-edges"]) {
      vectors += await readText(`vectors/capsule/${name}.json`);
    }
    const without = CODES.filter((code) => !vectors.includes(`"code":"${code}"`));
    assert.equal(without, ["tool.fixture_too_large", "tool.arguments_invalid"]);
  },
);

page.run();
