/**
 * A planted secret is in no file, wherever it stands and however it is spelled.
 *
 * @module
 */
import { suite } from "uvu";
import * as assert from "uvu/assert";
import {
  call,
  entriesOf,
  filesOf,
  fromClient,
  fromServer,
  hashesOf,
  makeScene,
  request,
  result,
  type Scene,
  SECRET,
  sha256,
} from "./kit.ts";
import { policyOf } from "./kit.ts";
import { hashCall } from "../../src/replay/mod.ts";

const PASSWORD = "hunter2hunter2";
const ESCAPED = `\\u0041${SECRET.slice(1)}`;
const withheld = suite("Recorder withholding");

/** No file holds the secrets, nor what a hash of them would be. */
function expectNowhere(scene: Scene, ...hashes: string[]): void {
  const texts = Object.values({
    ...filesOf(scene.fixtures),
    ...filesOf(scene.capsuleDirectory),
  });
  texts.push(...scene.fixtures.nodes.keys());
  for (const text of texts) {
    for (const secret of [SECRET, ESCAPED, SECRET.slice(1), PASSWORD, ...hashes]) {
      assert.is(text.includes(secret), false, secret);
    }
  }
}

const START = '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":';
const calls: [where: string, line: string, tool: string, args: unknown][] = [
  [
    "in an argument",
    `${START}{"name":"echo","arguments":{"a":["x ${SECRET}"]}}}`,
    "echo",
    { a: [`x ${SECRET}`] },
  ],
  [
    "as the name of an argument",
    `${START}{"name":"echo","arguments":{"${SECRET}":1}}}`,
    "echo",
    { [SECRET]: 1 },
  ],
  [
    "split over the name and the value of an argument",
    `${START}{"name":"echo","arguments":{"PASSWORD":"${PASSWORD}"}}}`,
    "echo",
    { PASSWORD },
  ],
  [
    "in an argument with an escape",
    `${START}{"name":"echo","arguments":{"a":"${ESCAPED}"}}}`,
    "echo",
    { a: SECRET },
  ],
  [
    "under an argument named __proto__",
    `${START}{"name":"echo","arguments":{"__proto__":{"a":"${ESCAPED}"}}}}`,
    "echo",
    JSON.parse(`{"__proto__":{"a":"${SECRET}"}}`),
  ],
  ["as the tool", `${START}{"name":"${SECRET}"}}`, SECRET, {}],
  ["as the tool with an escape", `${START}{"name":"${ESCAPED}"}}`, SECRET, {}],
  [
    "beside the arguments",
    `${START}{"name":"echo","_meta":{"a":"${SECRET}"}}}`,
    "echo",
    {},
  ],
];

for (const [where, line, tool, args] of calls) {
  withheld(`keeps nothing of a call with a secret ${where}, but passes it`, async () => {
    const scene = await makeScene();
    assert.equal(await fromClient(scene, line), { toServer: [line] });
    scene.timers.advance(2);
    const answer = JSON.stringify(result(1, { content: [] }));
    assert.equal(await fromServer(scene, answer), { toClient: [answer] });
    const shown = tool === SECRET ? "(withheld)" : tool;
    const known = tool === "echo";
    const entry = {
      effect_class: known ? "SE0" : "SE4",
      tool: shown,
      tool_call_id: "0a0b0c0d.1",
      decision: known ? "policy" : "default",
      status: "withheld",
    };
    assert.equal(entriesOf(scene), [
      { kind: "tool.call", ...entry },
      { kind: "tool.result", ...entry, duration_ms: 2 },
    ]);
    assert.equal(filesOf(scene.fixtures), {});
    const { key, args_hash } = hashCall(tool, args, sha256);
    expectNowhere(scene, key, args_hash);
    const { withheld: list, calls, answers_stored } = scene.recorder.summary();
    assert.equal([list, calls.withheld, answers_stored], [[{ tool: shown, count: 1 }], 1, 0]);
  });
}

const answers: [where: string, response: string][] = [
  ["in a text", `"result":{"content":[{"type":"text","text":"key ${SECRET}"}]}`],
  ["as a name", `"result":{"${SECRET}":[]}`],
  ["split over name and value", `"result":{"structuredContent":{"PASSWORD":"${PASSWORD}"}}`],
  ["that only the text shows", `"result":{"a":"${SECRET}","a":"x"}`],
  ["in a result that is there twice", `"result":{"a":"${SECRET}"},"result":{"a":"x"}`],
  ["with an escape", `"result":{"a":"${ESCAPED}"}`],
  ["in a refusal", `"error":{"code":1,"message":"${SECRET}"}`],
  ["in what comes with a refusal", `"error":{"code":1,"message":"x","data":["${ESCAPED}"]}`],
  ["beside the result", `"result":{},"more":"${SECRET}"`],
  ["in a malformed answer", `"result":"${SECRET}"`],
];

for (const [where, response] of answers) {
  withheld(`keeps of an answer with a secret ${where} only that it came`, async () => {
    const scene = await makeScene();
    await fromClient(scene, call(1, "echo", { a: 1 }));
    const line = `{"jsonrpc":"2.0","id":1,${response}}`;
    assert.equal(await fromServer(scene, line), { toClient: [line] });
    assert.equal(entriesOf(scene)[1], {
      kind: "tool.result",
      effect_class: "SE0",
      tool: "echo",
      tool_call_id: "0a0b0c0d.1",
      ...hashesOf("echo", { a: 1 }),
      decision: "policy",
      status: "withheld",
      duration_ms: 0,
    });
    assert.equal(filesOf(scene.fixtures), {});
    expectNowhere(scene);
    assert.equal(scene.recorder.summary().withheld, [{ tool: "echo", count: 1 }]);
  });
}

withheld("stores a repeated member with an escaped secret as it was understood", async () => {
  const scene = await makeScene();
  await fromClient(scene, call(1, "echo"));
  await fromServer(scene, `{"jsonrpc":"2.0","id":1,"result":{"a":"${ESCAPED}","a":"x"}}`);
  assert.is(entriesOf(scene)[1]!["status"], "ok");
  expectNowhere(scene);
});

withheld("stores no list and no greeting with a secret, and passes them", async () => {
  const scene = await makeScene();
  const exchanges: [method: string, params: unknown, value: unknown][] = [
    ["initialize", {}, { serverInfo: { name: SECRET } }],
    ["tools/list", {}, { tools: [{ name: "x", description: `TOKEN=${PASSWORD}` }] }],
    ["tools/list", { cursor: SECRET }, { tools: [] }],
  ];
  for (const [id, [method, params, value]] of exchanges.entries()) {
    await fromClient(scene, request(id, method, params));
    const line = JSON.stringify(result(id, value));
    assert.equal(await fromServer(scene, line), { toClient: [line] });
  }
  assert.equal(filesOf(scene.fixtures), {});
  assert.is(scene.recorder.summary().withheld_others, 3);
});

for (const status of ["denied", "cancelled", "timed_out", "unanswered"] as const) {
  withheld(`keeps nothing of a call with a secret that was ${status}`, async () => {
    const deny = status === "denied" ? ["echo"] : [];
    const scene = await makeScene({
      policy: policyOf({ tools: { echo: "SE0" }, deny }),
      callTimeoutMs: 10,
    });
    await fromClient(scene, call(1, "echo", { PASSWORD }));
    if (status === "cancelled") {
      const params = { requestId: 1 };
      await fromClient(scene, { jsonrpc: "2.0", method: "notifications/cancelled", params });
    } else if (status === "timed_out") {
      scene.timers.advance(10);
      while (scene.delivered.length === 0) await Promise.resolve();
    } else if (status === "unanswered") await scene.recorder.serverEnded();
    const end = entriesOf(scene)[1]!;
    assert.equal(end, {
      kind: "tool.result",
      effect_class: "SE0",
      tool: "echo",
      tool_call_id: "0a0b0c0d.1",
      decision: "policy",
      status,
      duration_ms: status === "timed_out" ? 10 : 0,
    });
    const { key, args_hash } = hashCall("echo", { PASSWORD }, sha256);
    expectNowhere(scene, key, args_hash);
    const { withheld: list, calls } = scene.recorder.summary();
    assert.equal([list, calls[status]], [[{ tool: "echo", count: 1 }], 1]);
  });
}

withheld.run();
