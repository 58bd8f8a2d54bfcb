/**
 * The page of recordings tells the truth: its policy and its answer are what the library reads and writes.
 *
 * @module
 */
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { encodeUtf8 } from "../../src/core/mod.ts";
import { loadSha256 } from "../../src/hash/mod.ts";
import { answerFile, CALL_STATUSES, readAnswer, readPolicy } from "../../src/recording/mod.ts";
import { hashCall } from "../../src/replay/mod.ts";
import { readText } from "../read.ts";
import { fence, rowsOf, section } from "./page.ts";

const page = await readText("docs/spec/recording.md");
const sha256 = await loadSha256();
const pages = suite("the page of recordings");

pages("readPolicy() takes the policy on the page, and the guide's", async () => {
  const policy = readPolicy(encodeUtf8(fence(page, "policy.json")));
  if (!policy.ok) throw new Error(policy.reason);
  assert.equal([...policy.value.tools], [["search", "SE1"], ["add", "SE0"]]);
  const guide = await readText("docs/guide/record-an-agents-tool-calls.md");
  assert.ok(readPolicy(encodeUtf8(fence(guide, "policy.json"))).ok);
});

pages("readAnswer() takes the answer on the page, under the name that it has there", async () => {
  const { key } = hashCall("add", { a: 2, b: 3 }, sha256);
  assert.ok(section(page, "Answers").includes(`\`${answerFile(key, 0)}\``));
  const answer = await readAnswer(encodeUtf8(fence(page, "answer.json")), key, 0, sha256);
  if (!answer.ok) throw new Error(answer.reason);
  assert.is(answer.value?.text, '{"content":[{"type":"text","text":"5"}]}');
});

pages("the page names every status of a result", () => {
  const named = rowsOf(section(page, "Entries")).map(([first = ""]) => first.replaceAll("`", ""));
  const statuses = named.filter((name) => (CALL_STATUSES as readonly string[]).includes(name));
  assert.equal(statuses, [...CALL_STATUSES]);
});

pages.run();
