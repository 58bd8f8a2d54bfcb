/**
 * Every edit of one byte of a fixture's file is noticed with its code, or of a kind that docs/spec/replay.md lists as
 * unnoticed by version 1.
 *
 * @module
 */
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { encodeUtf8 } from "../../src/core/mod.ts";
import { loadSha256 } from "../../src/hash/mod.ts";
import { formatFixture, hashCall, judgeFixture, storeFixture } from "../../src/replay/mod.ts";
import { readText } from "../read.ts";
import { makeStore } from "./kit.ts";

const sha256 = await loadSha256();
const edits = suite("edits of one byte");
const call = hashCall("read", { path: "a" }, sha256);
/** A response with whatever has more than one spelling. */
const response = {
  n: [0.30000000000000004, 1e21, -1.5e-7, 7],
  s: "é\u001f\n\ufffd",
  t: true,
  z: {},
};

/** The bytes of the fixture. */
async function fixtureBytes(): Promise<Uint8Array> {
  const { store } = makeStore();
  return encodeUtf8(formatFixture(await storeFixture(store, call, response, sha256)));
}

/** Every file that one replaced, removed or inserted byte gives, and the place. */
function* editsOf(bytes: Uint8Array): Generator<{ at: number; edited: Uint8Array }> {
  for (let at = 0; at <= bytes.length; at++) {
    for (let byte = 0; byte < 256; byte++) {
      const inserted = new Uint8Array([...bytes.subarray(0, at), byte, ...bytes.subarray(at)]);
      yield { at, edited: inserted };
      if (at === bytes.length || bytes[at] === byte) continue;
      const edited = bytes.slice();
      edited[at] = byte;
      yield { at, edited };
    }
    if (at < bytes.length) {
      yield { at, edited: new Uint8Array([...bytes.subarray(0, at), ...bytes.subarray(at + 1)]) };
    }
  }
}

/** What version 1 looks at, read in the plainest way; `undefined` when it is no JSON. */
function essenceOf(bytes: Uint8Array): string | undefined {
  const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
  try {
    const { tool, args_hash, response_hash, response } = JSON.parse(text) ?? {};
    const sorted = JSON.stringify(
      response,
      (_, value) =>
        typeof value === "object" && value !== null && !Array.isArray(value)
          ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => a < b ? -1 : 1))
          : value,
    );
    return JSON.stringify([tool, args_hash, response_hash, sorted]);
  } catch {
    return undefined;
  }
}

/** Every part of the file that has spellings that mean the same, by the name that the page gives it. */
const KINDS: readonly [kind: string, part: string][] = [
  ["the member `key`, its name or its value", `"key":"${call.key}"`],
  ["another spelling of the same number", "[0.30000000000000004,1e+21,-1.5e-7,7]"],
  ["another spelling of the same text, such as bytes that are no UTF-8", '"é\\u001f\\n\ufffd"'],
];

/** The kind of an unnoticed edit by its place. */
function kindOf(at: number, text: string): string {
  const isIn = ([, part]: readonly [string, string]): boolean => {
    const start = text.indexOf(part);
    const [from, to] = [start, start + part.length].map((end) => encodeUtf8(text.slice(0, end)));
    return start >= 0 && at >= from!.length && at < to!.length;
  };
  return KINDS.find(isIn)?.[0] ?? "space between the parts, or none at the end";
}

/** Tries every edit. */
async function tryAll() {
  const bytes = await fixtureBytes();
  const text = new TextDecoder().decode(bytes);
  const essence = essenceOf(bytes);
  const [wrong, codes, kinds] = [new Set<string>(), new Set<string>(), new Set<string>()];
  let count = 0;
  for (const { at, edited } of editsOf(bytes)) {
    count++;
    const judged = judgeFixture(edited, sha256, call);
    const found = essenceOf(edited);
    if (judged.ok) kinds.add(kindOf(at, text));
    else codes.add(judged.code);
    const isRight = judged.ok
      ? found === essence
      : found !== essence && (found !== undefined || judged.code === "tool.fixture_corrupt");
    if (!isRight) wrong.add(`${at}: ${judged.ok ? "unnoticed" : judged.code}`);
  }
  return { count, length: bytes.length, wrong, codes, kinds };
}

const tried = await tryAll();

edits("judgeFixture() notices each that changes what version 1 looks at, and no other", () => {
  assert.is(tried.count, 512 * tried.length + 256);
  assert.equal([...tried.wrong], []);
  assert.equal([...tried.codes].sort(), ["tool.fixture_corrupt", "tool.fixture_mismatch"]);
});

edits(
  "those that go unnoticed are the kinds that the page lists, and each of them occurs",
  async () => {
    const page = await readText("docs/spec/replay.md");
    const listed = [...page.matchAll(/^\| (.+?) \| one byte \|/gm)].map(([, kind]) => kind ?? "");
    assert.ok(listed.length > 0);
    assert.equal([...tried.kinds].sort(), listed.sort());
  },
);

edits.run();
