import { suite } from "uvu";
import * as assert from "uvu/assert";
import { encodeUtf8 } from "../../src/core/mod.ts";
import {
  type Answer,
  answerFile,
  formatAnswer,
  keyOfRequest,
  listAnswers,
  readAnswer,
  storeAnswer,
} from "../../src/recording/mod.ts";
import { hashCall, memoryFixtures } from "../../src/replay/mod.ts";
import { MemoryDirectory } from "../../src/store/mod.ts";
import { canonicalText } from "../lib/plain.ts";
import { describe, rejectionOf } from "../lib/thrown.ts";
import { filesOf, hashOf, sha256 } from "./kit.ts";

const { key, args_hash } = hashCall("echo", { message: "hi" }, sha256);
const TEXT = '{ "content" :[{"type":"text","text":"hi"}], "n": 1.0 }';
const ANSWER: Answer = {
  method: "tools/call",
  tool: "echo",
  args_hash,
  key,
  effect_class: "SE1",
  effect_source: "policy",
  outcome: "result",
  text: TEXT,
};
const LIST: Answer = {
  method: "tools/list",
  tool: null,
  args_hash: null,
  key: keyOfRequest("tools/list", {}, sha256),
  effect_class: null,
  effect_source: null,
  outcome: "error",
  text: '{"code":-1,"message":"no"}',
};

const writing = suite("formatAnswer()");

writing("writes every member and the hashes that bind them", () => {
  const rest = {
    schema: "recorded-answer/v1",
    ...ANSWER,
    occurrence: 3,
    response_hash: hashOf('{"content":[{"text":"hi","type":"text"}],"n":1}'),
  };
  const whole = { ...rest, answer_hash: hashOf(canonicalText(rest)) };
  assert.is(formatAnswer(ANSWER, 3, sha256), `${canonicalText(whole)}\n`);
});

writing("names the file by the call and the number", () => {
  assert.is(answerFile(key, 10), `${key}.10.answer.json`);
});

writing.run();

const keys = suite("keyOfRequest()");

keys("is of method and parameters, without what is said about the request", () => {
  const wanted = hashOf('{"method":"tools/list","params":{"cursor":"2"}}');
  assert.is(keyOfRequest("tools/list", { _meta: { a: 1 }, cursor: "2" }, sha256), wanted);
  const without = hashOf('{"method":"tools/list","params":{}}');
  assert.is(keyOfRequest("tools/list", undefined, sha256), without);
  const named = keyOfRequest("tools/list", JSON.parse('{"__proto__":1}'), sha256);
  assert.is(named, hashOf('{"method":"tools/list","params":{"__proto__":1}}'));
});

keys("is the same for everybody who initializes", () => {
  const wanted = hashOf('{"method":"initialize","params":{}}');
  assert.is(keyOfRequest("initialize", { clientInfo: { name: "a" } }, sha256), wanted);
});

keys.run();

const reading = suite("readAnswer()");
const read = (text: string, of = key, occurrence = 3) =>
  readAnswer(encodeUtf8(text), of, occurrence, sha256);

reading("gives back what was written", async () => {
  for (const answer of [ANSWER, LIST]) {
    const text = formatAnswer(answer, 3, sha256);
    const found = await read(text, answer.key);
    assert.equal(found, { ok: true, value: JSON.parse(text) });
  }
  assert.equal(await readAnswer(null, key, 3, sha256), { ok: true, value: null });
});

const CORRUPT = "tool.fixture_corrupt", MISMATCH = "tool.fixture_mismatch";

reading("refuses another value of any member, and members more or fewer", async () => {
  const others: Record<string, [value: unknown, code: string][]> = {
    schema: [["recorded-answer/v2", CORRUPT], [undefined, CORRUPT]],
    method: [["tools/list", CORRUPT], ["tools/Call", CORRUPT], [null, CORRUPT]],
    tool: [["echo2", MISMATCH], [null, CORRUPT], [1, CORRUPT], ["__proto__", MISMATCH]],
    args_hash: [["0".repeat(64), MISMATCH], [null, CORRUPT], ["0", CORRUPT]],
    key: [["0".repeat(64), MISMATCH], [undefined, MISMATCH]],
    occurrence: [[4, MISMATCH], ["3", MISMATCH]],
    effect_class: [["SE0", MISMATCH], ["SE5", CORRUPT], [null, CORRUPT]],
    effect_source: [["default", MISMATCH], ["server", CORRUPT], [null, CORRUPT]],
    outcome: [["error", CORRUPT], ["both", CORRUPT]],
    text: [
      [TEXT.replace("hi", "ho"), MISMATCH],
      [TEXT.replace("1.0", "1"), MISMATCH],
      [TEXT.replace("1.0", "\n1.0"), CORRUPT],
      ["null", CORRUPT],
      ["{", CORRUPT],
      [{}, CORRUPT],
    ],
    response_hash: [["0".repeat(64), MISMATCH], [null, MISMATCH]],
    answer_hash: [["0".repeat(64), MISMATCH], [undefined, MISMATCH]],
    more: [[1, MISMATCH]],
    ["__proto__"]: [[1, MISMATCH]],
  };
  const whole = JSON.parse(formatAnswer(ANSWER, 3, sha256));
  assert.equal(Object.keys(whole).filter((name) => !Object.hasOwn(others, name)), []);
  for (const [name, list] of Object.entries(others)) {
    for (const [value, code] of list) {
      const edited = canonicalText({ ...whole, [name]: value });
      const found = await read(`${edited}\n`);
      assert.is(found.ok ? "ok" : found.code, code, `${name}: ${JSON.stringify(value)}`);
    }
  }
});

reading("refuses every edit of one byte", async () => {
  const whole = encodeUtf8(formatAnswer(ANSWER, 3, sha256));
  for (let at = 0; at < whole.length; at++) {
    for (const byte of [whole[at]! ^ 1, 0x20, 0x30, 0x22]) {
      if (byte === whole[at]) continue;
      const edited = whole.slice();
      edited[at] = byte;
      const found = await readAnswer(edited, key, 3, sha256);
      assert.ok(!found.ok && [CORRUPT, MISMATCH].includes(found.code), `byte ${at} as ${byte}`);
    }
  }
});

reading("says why, and never what stands there", async () => {
  const whole = formatAnswer(ANSWER, 3, sha256);
  const reasons: [text: string, code: string, reason: string][] = [
    ["{", CORRUPT, "it is no JSON in UTF-8, or nested too deep"],
    ["\ufeff{}", CORRUPT, "it is no JSON in UTF-8, or nested too deep"],
    ["null", CORRUPT, "it is not of the shape recorded-answer/v1"],
    ["[]", CORRUPT, "it is not of the shape recorded-answer/v1"],
    [whole.replace(":3,", ":2,"), MISMATCH, "it is of another call than the name says"],
    [whole.replace("hi", "ho"), MISMATCH, "the response has another hash"],
    [whole.replace("SE1", "SE0"), MISMATCH, "the answer has another hash, or is spelled otherwise"],
    [`${whole} `, MISMATCH, "the answer has another hash, or is spelled otherwise"],
  ];
  for (const [text, code, reason] of reasons) {
    assert.equal(await read(text), { ok: false, code, reason: `Reading an answer: ${reason}` });
  }
  assert.equal(await readAnswer({ unreadable: "EIO" }, key, 3, sha256), {
    ok: false,
    code: CORRUPT,
    reason: "Reading an answer: unreadable: EIO",
  });
});

reading("refuses an answer that was given the name of another", async () => {
  const text = formatAnswer(ANSWER, 3, sha256);
  for (const found of [await read(text, LIST.key), await read(text, key, 0)]) {
    assert.equal(found, {
      ok: false,
      code: MISMATCH,
      reason: "Reading an answer: it is of another call than the name says",
    });
  }
});

reading.run();

const storing = suite("storeAnswer() and listAnswers()");

storing("take the first number that is free from one on, and overwrite nothing", async () => {
  const directory = new MemoryDirectory("memory:", { exists: true });
  const store = memoryFixtures(directory);
  const planted = encodeUtf8("planted");
  directory.plant(answerFile(key, 2), planted);
  const stored = [];
  for (const from of [0, 0, 1, 7]) stored.push(await storeAnswer(store, ANSWER, from, sha256));
  const response_hash = hashOf('{"content":[{"text":"hi","type":"text"}],"n":1}');
  const numbers = [0, 1, 3, 7];
  const wanted = numbers.map((number) => ({ file: answerFile(key, number), response_hash }));
  assert.equal(stored, wanted);
  assert.equal(filesOf(directory), {
    [answerFile(key, 2)]: "planted",
    ...Object.fromEntries(
      numbers.map((number) => [answerFile(key, number), formatAnswer(ANSWER, number, sha256)]),
    ),
  });
  assert.equal(await listAnswers(store), new Map([[key, [0, 1, 2, 3, 7]]]));
});

storing("see only names of answers, in the order of numbers", async () => {
  const directory = new MemoryDirectory("memory:", { exists: true });
  const names = [`${key}.json`, `${key}.args.json`, `.${key}.1.answer.json.00.tmp`];
  names.push(`${key}.01.answer.json`, `${key}.-1.answer.json`, `${key}..answer.json`);
  names.push(`${key}.10.answer.json`, `${key}.9.answer.json`, `${LIST.key}.0.answer.json`);
  for (const name of names) directory.plant(name, encodeUtf8("x"));
  const found = await listAnswers(memoryFixtures(directory));
  assert.equal(found, new Map([[key, [9, 10]], [LIST.key, [0]]]));
});

storing("an answer that nobody would read back is not stored", async () => {
  const directory = new MemoryDirectory("memory:", { exists: true });
  const long = { ...ANSWER, text: JSON.stringify({ content: "x".repeat(64 * 1024 * 1024) }) };
  const failure = await rejectionOf(storeAnswer(memoryFixtures(directory), long, 0, sha256));
  assert.is(describe(failure).code, "tool.fixture_too_large");
  assert.equal(filesOf(directory), {});
});

storing.run();
