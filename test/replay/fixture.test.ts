import { suite } from "uvu";
import * as assert from "uvu/assert";
import { encodeUtf8 } from "../../src/core/mod.ts";
import { loadSha256 } from "../../src/hash/mod.ts";
import { hashCall, readFixture, storeFixture } from "../../src/replay/mod.ts";
import { describe, rejectionOf, thrownBy } from "../lib/thrown.ts";
import { hashText, makeStore, textOf } from "./kit.ts";

const sha256 = await loadSha256();
const fixture = suite("fixtures");
const call = hashCall("read", { b: 1, a: 2 }, sha256);

fixture("hashCall() hashes the arguments, and the tool with them, in canonical form", () => {
  assert.equal(call, {
    tool: "read",
    args_hash: hashText('{"a":2,"b":1}', sha256),
    key: hashText('{"args":{"a":2,"b":1},"tool":"read"}', sha256),
  });
});

fixture("hashCall() refuses arguments without text, and says nothing of them", () => {
  assert.equal(describe(thrownBy(() => hashCall("read", { secret: 1n }, sha256))), {
    name: "ReplayError",
    code: "tool.not_serializable",
    message: 'Hashing a call of "read": the arguments cannot be written as JSON',
  });
});

fixture("storeFixture() writes five members in canonical form and a line feed", async () => {
  const { directory, store } = makeStore();
  const stored = await storeFixture(store, call, ["x"], sha256);
  const response_hash = hashText('["x"]', sha256);
  assert.equal(stored, { ...call, response_hash, response: ["x"] });
  assert.equal([...directory.nodes.keys()], [`${call.key}.json`]);
  const start = `{"args_hash":"${call.args_hash}","key":"${call.key}","response":["x"],`;
  const text = `${start}"response_hash":"${response_hash}","tool":"read"}\n`;
  assert.is(textOf(directory, `${call.key}.json`), text);
});

fixture("storeFixture() refuses a file that no look-up would read for its size", async () => {
  const { directory, store } = makeStore();
  const refusal = storeFixture(store, call, "x".repeat(100), sha256, { maxBytes: 100 });
  assert.equal(describe(await rejectionOf(refusal)), {
    name: "ReplayError",
    code: "tool.fixture_too_large",
    message: "Recording a call: its fixture is larger than 100 bytes",
  });
  assert.is(directory.nodes.size, 0);
});

fixture("readFixture() takes a file up to its bound and not a byte more", async () => {
  const { directory, store } = makeStore();
  const stored = await storeFixture(store, call, "x", sha256);
  const bytes = encodeUtf8(textOf(directory, `${call.key}.json`));
  const within = await readFixture(bytes, sha256, call, { maxBytes: bytes.length });
  assert.equal(within, { ok: true, value: stored });
  const maxBytes = bytes.length - 1;
  assert.equal(await readFixture(bytes, sha256, call, { maxBytes }), {
    ok: false,
    code: "tool.fixture_corrupt",
    reason: `Reading a fixture: larger than ${maxBytes} bytes`,
  });
});

fixture("readFixture() gives null for an absent file and refuses an unreadable one", async () => {
  assert.equal(await readFixture(null, sha256, call), { ok: true, value: null });
  assert.equal(await readFixture({ unreadable: "EACCES" }, sha256, call), {
    ok: false,
    code: "tool.fixture_corrupt",
    reason: "Reading a fixture: unreadable: EACCES",
  });
});

const documents: [what: string, text: string, code: string, reason: string][] = [
  ["no JSON", "{", "corrupt", "it is not JSON"],
  ["1001 levels", "[".repeat(1001), "corrupt", "it is nested too deep"],
  ["null", "null", "corrupt", "it is null"],
  ["a number", "5", "mismatch", "it is of another tool or arguments"],
  ["members of the prototype only", "{}", "mismatch", "it is of another tool or arguments"],
  [
    "no response",
    `{"tool":"read","args_hash":"${call.args_hash}","response_hash":"x"}`,
    "corrupt",
    "it has no response",
  ],
  [
    "no hash of the response",
    `{"tool":"read","args_hash":"${call.args_hash}","response":null}`,
    "mismatch",
    "the response has another hash",
  ],
];

for (const [what, text, code, reason] of documents) {
  fixture(`readFixture() refuses ${what} with tool.fixture_${code}`, async () => {
    assert.equal(await readFixture(encodeUtf8(text), sha256, call), {
      ok: false,
      code: `tool.fixture_${code}`,
      reason: `Reading a fixture: ${reason}`,
    });
  });
}

fixture("readFixture() without a call wants a tool and a hash to be there", async () => {
  const text = `{"tool":7,"args_hash":"${call.args_hash}","response":1,"response_hash":"x"}`;
  const read = await readFixture(encodeUtf8(text), sha256);
  assert.is(read.ok ? "ok" : read.code, "tool.fixture_mismatch");
});

fixture.run();
