import { suite } from "uvu";
import * as assert from "uvu/assert";
import { classify, formatMessage, isRequestId, readMessage } from "../../src/mcp/mod.ts";

const read = (text: string): unknown => readMessage(new TextEncoder().encode(text));
const envelope = (reason: string, value: unknown): unknown => ({
  kind: "malformed",
  fault: "envelope",
  reason,
  value,
});

const jsonrpc = suite("readMessage()");

jsonrpc("tells the four kinds apart, a response before a request before a notification", () => {
  const v = '"jsonrpc":"2.0"';
  assert.equal(read(`{${v},"id":1,"result":{"a":1}}`), { kind: "result", id: 1, result: { a: 1 } });
  assert.equal(read(`{${v},"id":"1","error":{"code":-1,"message":"m","data":[0]}}`), {
    kind: "error",
    id: "1",
    error: { code: -1, message: "m", data: [0] },
  });
  assert.equal(read(`{${v},"error":{"code":-1,"message":""}}`), {
    kind: "error",
    id: null,
    error: { code: -1, message: "" },
  });
  assert.equal(read(`{${v},"id":0,"method":"m"}`), { kind: "request", id: 0, method: "m" });
  assert.equal(read(`{${v},"id":"","method":"m","params":{"x":null}}`), {
    kind: "request",
    id: "",
    method: "m",
    params: { x: null },
  });
  assert.equal(read(`{${v},"method":"m"}`), { kind: "notification", method: "m" });
  assert.equal(read(`{${v},"id":1,"method":"m","result":{}}`), {
    kind: "result",
    id: 1,
    result: {},
  });
});

jsonrpc("names what keeps a line from being a message", () => {
  assert.equal(readMessage(new Uint8Array([0x22, 0xff, 0x22])), {
    kind: "malformed",
    fault: "utf8",
    reason: "the line is not valid UTF-8",
  });
  for (const text of ["log line", "   ", "\uFEFF{}", "{}{}"]) {
    assert.equal(read(text), { kind: "malformed", fault: "json", reason: "the line is no JSON" });
  }
  assert.equal(read("[".repeat(1001) + "]".repeat(1001)), {
    kind: "malformed",
    fault: "depth",
    reason: "the line is nested too deep",
  });
  assert.equal(read("[1]"), {
    kind: "malformed",
    fault: "batch",
    reason: "a list of messages was not agreed on",
    value: [1],
  });
});

jsonrpc("names what is wrong with an envelope", () => {
  const id = '"id" must be a text or a whole number';
  const cases: [string, unknown][] = [
    ["a message is an object", null],
    ["a message is an object", "x"],
    ['"jsonrpc" must be "2.0"', {}],
    ['"jsonrpc" must be "2.0"', { jsonrpc: 2, id: 1, result: {} }],
    ["a response has a result or an error, not both", {
      jsonrpc: "2.0",
      id: 1,
      result: {},
      error: { code: 1, message: "" },
    }],
    ['"result" must be an object', { jsonrpc: "2.0", id: 1, result: null }],
    ['"result" must be an object', { jsonrpc: "2.0", id: 1, result: [] }],
    [id, { jsonrpc: "2.0", result: {} }],
    [id, { jsonrpc: "2.0", id: null, result: {} }],
    [id, { jsonrpc: "2.0", id: 1.5, result: {} }],
    [id, { jsonrpc: "2.0", id: null, error: { code: 1, message: "" } }],
    [id, { jsonrpc: "2.0", id: 0.5, method: "m" }],
    [id, { jsonrpc: "2.0", id: null, method: "m" }],
    ['"error" must have a whole "code" and a text "message"', { jsonrpc: "2.0", id: 1, error: 1 }],
    ['"error" must have a whole "code" and a text "message"', {
      jsonrpc: "2.0",
      id: 1,
      error: { code: 0.5, message: "" },
    }],
    ['"error" must have a whole "code" and a text "message"', {
      jsonrpc: "2.0",
      id: 1,
      error: { code: 1 },
    }],
    ['"method" must be a text', { jsonrpc: "2.0", id: 1 }],
    ['"method" must be a text', { jsonrpc: "2.0", method: "" }],
    ['"params" must be an object', { jsonrpc: "2.0", method: "m", params: [] }],
    ['"params" must be an object', { jsonrpc: "2.0", id: 1, method: "m", params: null }],
  ];
  for (const [reason, value] of cases) {
    assert.equal(classify(value), envelope(reason, value), JSON.stringify(value));
  }
});

jsonrpc("ids are texts and whole numbers", () => {
  assert.equal([1, -1, 0, "", "a", 2 ** 60].map(isRequestId), Array(6).fill(true));
  assert.equal([null, undefined, 1.5, NaN, {}, true].map(isRequestId), Array(6).fill(false));
});

jsonrpc("formatMessage() ends a message with one line feed", () => {
  assert.is(new TextDecoder().decode(formatMessage({ a: "\n\u2028" })), '{"a":"\\n\u2028"}\n');
});

jsonrpc.run();
