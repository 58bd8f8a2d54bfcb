import { suite } from "uvu";
import * as assert from "uvu/assert";
import { encodeUtf8 } from "../../src/core/mod.ts";
import { collectNamed, formatAnswer, verifyAnswers } from "../../src/recording/mod.ts";
import type { Answer, AnswerVerdict } from "../../src/recording/mod.ts";
import { filesOf, makeScene, sha256 } from "./kit.ts";
import type { Scene } from "./kit.ts";

const HOLDS = { ok: true, code: null, reason: null, remark: null };

/** A recording of a list of tools and of two calls, and the names of the files of their answers. */
async function record(): Promise<{ scene: Scene; list: string; calls: [string, string] }> {
  const scene = await makeScene();
  const { recorder } = scene;
  const line = (message: object): Uint8Array =>
    encodeUtf8(JSON.stringify({ jsonrpc: "2.0", ...message }));
  await recorder.fromClient(line({ id: 1, method: "tools/list" }));
  await recorder.fromServer(line({ id: 1, result: { tools: [] } }));
  for (const id of [2, 3]) {
    const params = { name: "echo", arguments: { id } };
    await recorder.fromClient(line({ id, method: "tools/call", params }));
    await recorder.fromServer(line({ id, result: { content: [], id } }));
  }
  const named = [...(await collectNamed(scene.capsule.entries())).keys()];
  const files = Object.keys(filesOf(scene.fixtures)).filter((file) =>
    file.endsWith(".answer.json")
  );
  const list = files.find((file) => !named.includes(file))!;
  return { scene, list, calls: named as [string, string] };
}

function refused(file: string, code: AnswerVerdict["code"], why: string): AnswerVerdict {
  return { file, ok: false, code, reason: `Reading an answer: ${why}`, remark: null };
}

const byName = (a: AnswerVerdict, b: AnswerVerdict): number => a.file < b.file ? -1 : 1;

const verifying = suite("verifyAnswers()");

verifying("says of each answer of a store whether its hashes hold, by name", async () => {
  const { scene: { fixtures, store }, list, calls: [first, second] } = await record();
  const text = filesOf(fixtures)[first]!;
  fixtures.plant(first, encodeUtf8(text.replace("content", "contend")));
  fixtures.plant("README", encodeUtf8("no answer"));
  const expected = [
    refused(first, "tool.fixture_mismatch", "the response has another hash"),
    { file: second, ...HOLDS },
    { file: list, ...HOLDS },
  ];
  assert.equal(await verifyAnswers(store, sha256), expected.sort(byName));
});

verifying("passes over a file that is removed meanwhile, unless an entry names it", async () => {
  const { scene: { capsule, store }, list, calls: [first, second] } = await record();
  const read = store.read.bind(store);
  const without = {
    ...store,
    read: (name: string) => name === first ? Promise.resolve(null) : read(name),
  };
  const others = [{ file: second, ...HOLDS }, { file: list, ...HOLDS }];
  assert.equal(await verifyAnswers(without, sha256), others.sort(byName));
  const why = "an entry of the capsule names it, and it is not there";
  assert.equal(
    await verifyAnswers(without, sha256, await collectNamed(capsule.entries())),
    [...others, refused(first, "tool.fixture_missing", why)].sort(byName),
  );
});

verifying("holds every answer against the capsule that it was recorded with", async () => {
  const { scene: { capsule, fixtures, store }, list, calls: [first, second] } = await record();
  const named = await collectNamed(capsule.entries());
  const files = [first, second, list].map((file) => ({ file, ...HOLDS }));
  assert.equal(await verifyAnswers(store, sha256, named), files.sort(byName));

  // What whoever has the files can do: another answer with all its hashes, and one that was never given.
  const answer = JSON.parse(filesOf(fixtures)[first]!) as Answer;
  const forged = { ...answer, text: '{"content":[],"id":"forged"}' };
  fixtures.plant(first, encodeUtf8(formatAnswer(forged, 0, sha256)));
  const added = first.replace(".0.", ".1.");
  fixtures.plant(added, encodeUtf8(formatAnswer(answer, 1, sha256)));
  assert.ok((await verifyAnswers(store, sha256)).every(({ ok }) => ok));
  const why =
    "no entry of the capsule names it: it was added, or recording was cut off before its entry";
  const expected = [
    refused(first, "tool.fixture_mismatch", "the capsule has another hash for it"),
    refused(added, "tool.fixture_mismatch", why),
    { file: second, ...HOLDS },
    { file: list, ...HOLDS },
  ];
  assert.equal(await verifyAnswers(store, sha256, named), expected.sort(byName));
});

verifying.run();
