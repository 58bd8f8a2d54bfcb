import { suite } from "uvu";
import * as assert from "uvu/assert";
import { answerFile, formatAnswer, keyOfRequest, Recorder } from "../../src/recording/mod.ts";
import type { RecorderOptions } from "../../src/recording/mod.ts";
import { argumentsFile, fixtureFile, verifyFixtures } from "../../src/replay/mod.ts";
import { canonicalText } from "../lib/plain.ts";
import { describe, thrownBy } from "../lib/thrown.ts";
import {
  call,
  content,
  entriesOf,
  errorText,
  filesOf,
  fromClient,
  fromServer,
  hashesOf,
  hashOf,
  heldJournal,
  lineOf,
  makePlace,
  makeScene,
  policyOf,
  request,
  result,
  type Scene,
  sha256,
  statusesOf,
} from "./kit.ts";

const REFUSED = "The message is refused: ";
const FORBIDDEN = { code: "tool.effect_forbidden" };

/** Has the recorder know that lists of messages were agreed on. */
async function agreeOnBatches(scene: Scene): Promise<void> {
  await fromClient(scene, request("i", "initialize", {}));
  await fromServer(scene, result("i", { protocolVersion: "2025-03-26" }));
}

const passing = suite("Recorder passing lines");

passing("gives back the very bytes of what it only passes", async () => {
  const { recorder } = await makeScene();
  const ofClient = [
    ' { "jsonrpc" : "2.0", "method" : "notifications/initialized" } ',
    '{"jsonrpc":"2.0","id":1.0,"method":"ping"}',
    '{"jsonrpc":"2.0","id":"x","method":"tools/call","params":{"name":"echo","arguments":{"n":1.0}}}',
    '{"jsonrpc":"2.0","id":7,"result":{"roots":[]}}',
    '{"jsonrpc":"2.0","id":8,"error":{"code":1,"message":"no"}}',
  ];
  for (const text of ofClient) {
    const line = lineOf(text);
    const { toServer, ...rest } = await recorder.fromClient(line);
    assert.equal(rest, {}, text);
    assert.is(toServer?.length === 1 && toServer[0] === line, true, text);
  }
  const ofServer = [
    '{"jsonrpc":"2.0","id":1,"method":"sampling/createMessage","params":{}}',
    '{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1}}',
    ' {"jsonrpc":"2.0","id":"x","result":{"content" :[]} }',
    "a log line",
    '{"jsonrpc":"2.0","id":99,"result":{}}',
    '{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"?"}}',
    "[1,[]]",
  ];
  for (const text of ofServer) {
    const line = lineOf(text);
    const { toClient, ...rest } = await recorder.fromServer(line);
    assert.equal(rest, {}, text);
    assert.is(toClient?.length === 1 && toClient[0] === line, true, text);
  }
  assert.is(recorder.summary().unmatched, 5);
});

passing("drops empty lines", async () => {
  const scene = await makeScene();
  assert.equal([await fromClient(scene, ""), await fromServer(scene, "")], [{}, {}]);
});

passing("never takes an answer of the client for a call, nor a request for an answer", async () => {
  const scene = await makeScene();
  await fromClient(scene, call(1, "echo"));
  await fromServer(scene, request(1, "roots/list"));
  await fromClient(scene, result(1, content("no answer")));
  assert.equal(statusesOf(scene), ["tool.call forwarded"]);
  await fromServer(scene, result(1, content("the answer")));
  assert.equal(statusesOf(scene), ["tool.call forwarded", "tool.result ok"]);
});

passing.run();

const refusing = suite("Recorder refusing lines");

const bad: [what: string, line: string, reply: string][] = [
  [
    "a repeated member, in which another reader sees another call",
    '{"jsonrpc":"2.0","id":1,"method":"ping","method":"tools/call","params":{"name":"x"}}',
    errorText(null, -32700, "Reading JSON: a member name is repeated"),
  ],
  [
    "a byte order mark",
    '\ufeff{"jsonrpc":"2.0","id":1,"method":"ping"}',
    errorText(null, -32700, "Reading JSON: it starts with a byte order mark"),
  ],
  ["what is no JSON", "{", errorText(null, -32700, "Reading JSON: a member name was wanted")],
  [
    "a carriage return, at which some readers end the line",
    '{"jsonrpc":"2.0","method":"x","params":\r{"jsonrpc":"2.0","id":1,"method":"tools/call"}\r}',
    errorText(null, -32700, "The line holds a carriage return"),
  ],
  [
    "a list that was not agreed on",
    "[]",
    errorText(null, -32600, "A list of messages was not agreed on, or is empty"),
  ],
  ["what is no message", "1", errorText(null, -32600, `${REFUSED}a message is an object`)],
  [
    "a member that differs in case only",
    '{"jsonrpc":"2.0","id":1,"method":"ping","Method":"tools/call","params":{"name":"x"}}',
    errorText(null, -32600, `${REFUSED}a member differs in case only`),
  ],
  [
    "a member with a letter that folds to ASCII",
    '{"jsonrpc":"2.0","id":1,"method":"ping","param\u017f":{}}',
    errorText(null, -32600, `${REFUSED}a member differs in case only`),
  ],
  [
    "a parameter of a call that differs in case only",
    '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x","NAME":"y"}}',
    errorText(null, -32600, `${REFUSED}a parameter differs in case only`),
  ],
  [
    "a parameter of a call that makes it a task for some",
    '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x","Task":{}}}',
    errorText(null, -32600, `${REFUSED}a parameter differs in case only`),
  ],
  [
    "an answer that a server which looks at the method first takes for a call",
    '{"jsonrpc":"2.0","id":1,"result":{},"method":"tools/call","params":{"name":"x"}}',
    errorText(null, -32600, `${REFUSED}an answer has a method`),
  ],
  [
    "an error that does the same",
    '{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":""},"method":"tools/call"}',
    errorText(null, -32600, `${REFUSED}an answer has a method`),
  ],
  [
    "an id that is not told from others",
    '{"jsonrpc":"2.0","id":9007199254740993,"method":"tools/call","params":{"name":"x"}}',
    errorText(null, -32600, `${REFUSED}"id" is not a safe integer`),
  ],
  [
    "a call without a name",
    '{"jsonrpc":"2.0","id":1,"method":"tools/call"}',
    errorText(1, -32602, `${REFUSED}"name" must be a text and "arguments" an object`),
  ],
  [
    "a call of a list",
    JSON.stringify(call("1", ["echo"])),
    errorText("1", -32602, `${REFUSED}"name" must be a text and "arguments" an object`),
  ],
  [
    "arguments that are null",
    JSON.stringify(call(1, "echo", null)),
    errorText(1, -32602, `${REFUSED}"name" must be a text and "arguments" an object`),
  ],
  [
    "arguments that are a list",
    JSON.stringify(call(1, "echo", [])),
    errorText(1, -32602, `${REFUSED}"name" must be a text and "arguments" an object`),
  ],
  [
    "a call as a task",
    JSON.stringify(request(1, "tools/call", { name: "echo", task: {} })),
    errorText(1, -32602, `${REFUSED}a call as a task cannot be recorded`),
  ],
];

for (const [what, line, reply] of bad) {
  refusing(`passes ${what} on to nobody`, async () => {
    const scene = await makeScene();
    assert.equal(await fromClient(scene, line), { toClient: [reply] });
    assert.equal(entriesOf(scene), []);
    assert.is(scene.recorder.summary().refused, 1);
  });
}

refusing("passes bytes that are no UTF-8 and lines over the bound on to nobody", async () => {
  const { recorder } = await makeScene({ maxFrameBytes: 10 });
  const invalid = await recorder.fromClient(new Uint8Array([0x22, 0xff, 0x22]));
  const long = await recorder.fromClient(lineOf(" ".repeat(11)));
  const texts = [invalid, long].map(({ toServer, toClient }) => {
    assert.is(toServer, undefined);
    return new TextDecoder().decode(toClient?.[0]);
  });
  assert.equal(texts, [
    errorText(null, -32700, "Reading JSON: it is not valid UTF-8"),
    errorText(null, -32700, "Reading JSON: larger than 10 bytes"),
  ]);
});

refusing("passes a call that wants no answer on to nobody", async () => {
  const scene = await makeScene();
  const { id: _, ...notification } = call(1, "echo");
  assert.equal(await fromClient(scene, notification), {});
  assert.is(scene.recorder.summary().refused, 1);
});

refusing("takes no id that is pending, whatever asked for it", async () => {
  const scene = await makeScene();
  const reply = errorText(null, -32600, `${REFUSED}a request with this id is pending`);
  const pending: [first: unknown, second: unknown][] = [
    [request(1, "ping"), call(1, "echo")],
    [call(2, "echo"), request(2, "ping")],
    [call("2", "echo"), call("2", "echo")],
  ];
  for (const [first, second] of pending) {
    assert.equal(Object.keys(await fromClient(scene, first)), ["toServer"]);
    assert.equal(await fromClient(scene, second), { toClient: [reply] });
  }
  await fromServer(scene, result(1, {}));
  assert.equal(Object.keys(await fromClient(scene, call(1, "echo"))), ["toServer"]);
});

refusing("takes no id whose call has ended while a late answer may come", async () => {
  const scene = await makeScene();
  await fromClient(scene, call(1, "echo"));
  await fromClient(scene, cancelled(1));
  const reply = errorText(null, -32600, `${REFUSED}a request with this id is pending`);
  assert.equal(await fromClient(scene, call(1, "echo")), { toClient: [reply] });
});

refusing.run();

function cancelled(requestId: unknown, reason?: string): unknown {
  return { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId, reason } };
}

const recording = suite("Recorder recording calls");

recording("writes one entry before a call passes, and one before its answer does", async () => {
  const scene = await makeScene();
  scene.timers.advance(1000);
  const args = { message: "hi" };
  const forwarded = {
    kind: "tool.call",
    effect_class: "SE0",
    tool: "echo",
    tool_call_id: "0a0b0c0d.1",
    ...hashesOf("echo", args),
    decision: "policy",
    status: "forwarded",
  };
  assert.equal(await fromClient(scene, call(1, "echo", args)), {
    toServer: [JSON.stringify(call(1, "echo", args))],
  });
  assert.equal(entriesOf(scene), [forwarded]);
  assert.is(scene.recorder.summary().pending, 1);
  scene.timers.advance(12.5);
  const line = '{"result": { "n":1.0, "content":[] }, "jsonrpc":"2.0", "id":1}';
  assert.equal(await fromServer(scene, line), { toClient: [line] });
  const { fixture_key: key, args_hash } = hashesOf("echo", args);
  const response_hash = hashOf('{"content":[],"n":1}');
  const path = answerFile(key as never, 0);
  assert.equal(entriesOf(scene), [forwarded, {
    ...forwarded,
    kind: "tool.result",
    response_hash,
    path,
    status: "ok",
    duration_ms: 12.5,
  }]);
  const answer = formatAnswer(
    {
      method: "tools/call",
      tool: "echo",
      args_hash: args_hash as never,
      key: key as never,
      effect_class: "SE0",
      effect_source: "policy",
      outcome: "result",
      text: '{ "n":1.0, "content":[] }',
    },
    0,
    sha256,
  );
  const fixture = { key, tool: "echo", args_hash, response_hash, response: { content: [], n: 1 } };
  const kept = {
    schema: "fixture-arguments/v1",
    tool: "echo",
    args_hash,
    args,
    withheld: [],
  };
  assert.equal(filesOf(scene.fixtures), {
    [path]: answer,
    [fixtureFile(key as never)]: `${canonicalText(fixture)}\n`,
    [argumentsFile(key as never)]: `${canonicalText(kept)}\n`,
  });
  assert.is((await verifyFixtures(scene.store, sha256)).ok, true);
  assert.is((await scene.capsule.verify()).ok, true);
});

const outcomes: [status: string, answer: unknown, hashed: string | null][] = [
  ["ok", result(1, content("x")), '{"content":[{"text":"x","type":"text"}]}'],
  ["ok", result(1, { isError: false }), '{"isError":false}'],
  ["tool_error", result(1, { isError: true }), '{"isError":true}'],
  [
    "rpc_error",
    { jsonrpc: "2.0", id: 1, error: { code: -5, message: "no", data: 1 } },
    '{"code":-5,"data":1,"message":"no"}',
  ],
  ["malformed", { jsonrpc: "2.0", id: 1, result: null }, null],
  ["malformed", { jsonrpc: "2.0", id: 1, result: {}, error: {} }, null],
  ["malformed", { jsonrpc: "2.0", id: 1 }, null],
  ["malformed", { jsonrpc: "2.0", id: 1, method: "x", result: null }, null],
  ["malformed", { id: 1, result: {} }, null],
  ["malformed", '\ufeff{"jsonrpc":"2.0","id":1,"result":{}}', null],
];

for (const [status, answer, hashed] of outcomes) {
  recording(`notes ${JSON.stringify(answer)} as ${status}, and passes it as it is`, async () => {
    const scene = await makeScene();
    await fromClient(scene, call(1, "echo"));
    const line = typeof answer === "string" ? answer : JSON.stringify(answer);
    assert.equal(await fromServer(scene, line), { toClient: [line] });
    const { fixture_key, args_hash } = hashesOf("echo", {});
    const path = answerFile(fixture_key as never, 0);
    assert.equal(entriesOf(scene)[1], {
      kind: "tool.result",
      effect_class: "SE0",
      tool: "echo",
      tool_call_id: "0a0b0c0d.1",
      args_hash,
      fixture_key,
      decision: "policy",
      status,
      duration_ms: 0,
      ...(hashed !== null && { response_hash: hashOf(hashed), path }),
    });
    const files = [`${fixture_key}.args.json`, path, `${fixture_key}.json`];
    const stored = status === "rpc_error" ? files.slice(0, 2) : hashed === null ? [] : files;
    assert.equal(Object.keys(filesOf(scene.fixtures)).sort(), stored.sort());
    assert.is(scene.recorder.summary().calls[status as "ok"], 1);
  });
}

recording("finds the call that an answer in bytes that are no UTF-8 is for", async () => {
  const scene = await makeScene();
  await fromClient(scene, call(1, "echo"));
  const line = lineOf(result(1, content("?")));
  line[line.indexOf(0x3f)] = 0xff;
  const { toClient } = await scene.recorder.fromServer(line);
  assert.is(toClient?.[0], line);
  assert.equal(statusesOf(scene), ["tool.call forwarded", "tool.result malformed"]);
});

recording("notes an answer that readers understand differently as malformed", async () => {
  const answers = [
    '{"jsonrpc":"2.0","id":1,"result":{},"Result":{"isError":true}}',
    '{"jsonrpc":"2.0","ID":1,"RESULT":{}}',
    '{"jsonrpc":"2.0","id":1,"ID":2,"result":{}}',
    '{"jsonrpc":"2.0","id":1,"method":"ping","result":{}}',
    `{"jsonrpc":"2.0","id":1,"result":{"a":${"[".repeat(1500)}${"]".repeat(1500)}}}`,
  ];
  for (const line of answers) {
    const scene = await makeScene();
    await fromClient(scene, call(1, "echo"));
    assert.equal(await fromServer(scene, line), { toClient: [line] });
    const what = line.slice(0, 80);
    assert.equal(statusesOf(scene), ["tool.call forwarded", "tool.result malformed"], what);
    assert.equal(filesOf(scene.fixtures), {}, what);
  }
});

recording("notes durations in thousandths of a millisecond", async () => {
  const scene = await makeScene();
  await fromClient(scene, call(1, "echo"));
  scene.timers.advance(0.1 + 0.2 + 19.6234829);
  await fromServer(scene, result(1, {}));
  assert.is(entriesOf(scene)[1]!["duration_ms"], 19.923);
});

recording("stores what it understood when the answer has a repeated member", async () => {
  const scene = await makeScene();
  await fromClient(scene, call(1, "echo"));
  const line = '{"jsonrpc":"2.0","id":1,"result":{ "a":1, "b":[ ], "a":2.0 }}';
  assert.equal(await fromServer(scene, line), { toClient: [line] });
  const path = answerFile(hashesOf("echo", {}).fixture_key as never, 0);
  assert.is(JSON.parse(filesOf(scene.fixtures)[path]!).text, '{"a":2,"b":[]}');
});

recording("records every answer to the same call, in the order of the calls", async () => {
  const scene = await makeScene();
  for (const id of [1, 2, 3]) await fromClient(scene, call(id, "echo"));
  for (const id of [3, 1, 2]) await fromServer(scene, result(id, { id }));
  const { fixture_key } = hashesOf("echo", {});
  const files = filesOf(scene.fixtures);
  const texts = [0, 1, 2].map((number) =>
    JSON.parse(files[answerFile(fixture_key as never, number)]!).text
  );
  assert.equal(texts, ['{"id":1}', '{"id":2}', '{"id":3}']);
  assert.equal(JSON.parse(files[`${fixture_key}.json`]!).response, { id: 3 }, "the first stored");
  assert.is(scene.recorder.summary().answers_stored, 3);
});

recording("appends to what an earlier recorder stored, and overwrites nothing", async () => {
  const place = await makePlace();
  const first = await makeScene({ place });
  await fromClient(first, call(1, "echo"));
  await fromServer(first, result(1, { from: "first" }));
  const before = filesOf(place.fixtures);
  const second = await makeScene({ place, randomId: "00000002" });
  await fromClient(second, call(1, "echo"));
  await fromServer(second, result(1, { from: "second" }));
  const after = filesOf(place.fixtures);
  for (const [name, text] of Object.entries(before)) assert.is(after[name], text);
  const added = Object.keys(after).filter((name) => !(name in before));
  assert.equal(added, [answerFile(hashesOf("echo", {}).fixture_key as never, 1)]);
  const ids = entriesOf(place).map(({ tool_call_id }) => tool_call_id);
  assert.equal(ids, ["0a0b0c0d.1", "0a0b0c0d.1", "00000002.1", "00000002.1"]);
});

recording("goes on after the last answer that is stored, whatever is missing", async () => {
  const place = await makePlace();
  const key = hashesOf("echo", {}).fixture_key as never;
  place.fixtures.plant(answerFile(key, 5), lineOf("of somebody else"));
  const scene = await makeScene({ place });
  await fromClient(scene, call(1, "echo"));
  await fromServer(scene, result(1, {}));
  assert.is(entriesOf(scene)[1]!["path"], answerFile(key, 6));
  assert.is(filesOf(place.fixtures)[answerFile(key, 5)], "of somebody else");
});

recording("writes the arguments of a call once, and over no fixture", async () => {
  const place = await makePlace();
  const { fixture_key, args_hash } = hashesOf("echo", {});
  place.fixtures.plant(`${fixture_key}.json`, lineOf("of somebody else"));
  const written: string[] = [];
  const store = { ...place.store };
  store.write = (name, bytes) => {
    written.push(name);
    return place.store.write(name, bytes);
  };
  const scene = await makeScene({ place, store });
  for (const id of [1, 2]) {
    await fromClient(scene, call(id, "echo"));
    await fromServer(scene, result(id, {}));
  }
  assert.equal(written, [`${fixture_key}.args.json`]);
  const files = filesOf(place.fixtures);
  assert.is(files[`${fixture_key}.json`], "of somebody else");
  assert.is(JSON.parse(files[`${fixture_key}.args.json`]!).args_hash, args_hash);
});

recording("takes any name for a tool, and any name for an argument", async () => {
  const scene = await makeScene();
  const args = JSON.parse('{"__proto__":{"a":1},"constructor":2}');
  const line = '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"__proto__",' +
    '"arguments":{"__proto__":{"a":1},"constructor":2}}}';
  await fromClient(scene, line);
  await fromServer(scene, '{"jsonrpc":"2.0","id":1,"result":{"__proto__":{"isError":true}}}');
  const { fixture_key, args_hash } = hashesOf("__proto__", args);
  assert.is(args_hash, hashOf('{"__proto__":{"a":1},"constructor":2}'));
  assert.equal(
    entriesOf(scene).map(({ tool, status, fixture_key, effect_class, decision }) => {
      return { tool, status, fixture_key, effect_class, decision };
    }),
    ["forwarded", "ok"].map((status) => {
      return {
        tool: "__proto__",
        status,
        fixture_key,
        effect_class: "SE4",
        decision: "default",
      };
    }),
  );
});

recording("tells ids of different types apart", async () => {
  const scene = await makeScene();
  await fromClient(scene, call(1, "echo"));
  await fromServer(scene, result("1", content("not this one")));
  assert.equal(statusesOf(scene), ["tool.call forwarded"]);
  assert.is(scene.recorder.summary().unmatched, 1);
});

recording("passes a second answer on without a second entry", async () => {
  const scene = await makeScene();
  await fromClient(scene, call(1, "echo"));
  for (const text of ["a", "b"]) await fromServer(scene, result(1, content(text)));
  assert.equal(statusesOf(scene), ["tool.call forwarded", "tool.result ok"]);
  assert.is(scene.recorder.summary().unmatched, 1);
});

recording("drops an answer that comes before the call has reached the server", async () => {
  const journal = heldJournal();
  const scene = await makeScene({ journal });
  const passed = fromClient(scene, call(1, "echo"));
  while (journal.held.length === 0) await Promise.resolve();
  assert.equal(await fromServer(scene, result(1, content("guessed"))), {});
  journal.held[0]!();
  assert.equal(Object.keys(await passed), ["toServer"]);
  assert.is(scene.recorder.summary().dropped, 1);
  assert.is(journal.entries.length, 1);
});

recording.run();

const deciding = suite("Recorder deciding on effects");

deciding("denies what the policy denies or its ceiling forbids, with both entries", async () => {
  const policy = policyOf({
    tools: { echo: "SE2", read: "SE3", gone: "SE0" },
    max_effect: "SE2",
    deny: ["gone"],
  });
  const scene = await makeScene({ policy });
  const refusals: [tool: string, effect_class: string, decision: string, message: string][] = [
    ["gone", "SE0", "policy", "The policy denies this tool"],
    ["read", "SE3", "policy", "The policy lets no tool through whose effect class is SE3"],
    ["other", "SE4", "default", "The policy lets no tool through whose effect class is SE4"],
  ];
  const wanted: unknown[] = [];
  for (const [index, [tool, effect_class, decision, message]] of refusals.entries()) {
    assert.equal(await fromClient(scene, call(index, tool)), {
      toClient: [errorText(index, -32000, message, FORBIDDEN)],
    });
    const entry = {
      effect_class,
      tool,
      tool_call_id: `0a0b0c0d.${index + 1}`,
      ...hashesOf(tool, {}),
      decision,
      status: "denied",
    };
    wanted.push({ kind: "tool.call", ...entry });
    wanted.push({ kind: "tool.result", ...entry, duration_ms: 0 });
  }
  assert.equal(entriesOf(scene), wanted);
  assert.equal(filesOf(scene.fixtures), {});
  assert.is(scene.recorder.summary().calls.denied, 3);
  assert.equal(Object.keys(await fromClient(scene, call(9, "echo"))), ["toServer"]);
});

for (const trustAnnotations of [true, false]) {
  const believes = trustAnnotations ? "believes" : "does not believe";
  deciding(`${believes} the annotations of the server's list`, async () => {
    const scene = await makeScene({ trustAnnotations });
    const annotations = { readOnlyHint: true, openWorldHint: false };
    const tools = [
      { name: "look", annotations },
      { name: "echo", annotations: {} },
      { name: "bare" },
      null,
    ];
    await fromClient(scene, request(1, "tools/list"));
    await fromServer(scene, result(1, { tools }));
    for (const [index, tool] of ["look", "echo", "bare", "absent"].entries()) {
      await fromClient(scene, call(index + 2, tool));
    }
    const decided = entriesOf(scene).map(({ tool, effect_class, decision }) => {
      return [tool, effect_class, decision];
    });
    assert.equal(decided, [
      ["look", ...(trustAnnotations ? ["SE0", "annotations"] : ["SE4", "default"])],
      ["echo", "SE0", "policy"],
      ["bare", "SE4", "default"],
      ["absent", "SE4", "default"],
    ]);
  });
}

deciding.run();

const ending = suite("Recorder and calls that end otherwise");

for (
  const [reason, status] of [
    ["McpError: Request timed out", "timed_out"],
    ["timeout", "timed_out"],
    ["Time-out", "timed_out"],
    ["the user said so", "cancelled"],
    [undefined, "cancelled"],
  ] as const
) {
  ending(`notes a call cancelled for ${JSON.stringify(reason)} as ${status}`, async () => {
    const scene = await makeScene();
    await fromClient(scene, call(1, "echo"));
    scene.timers.advance(3);
    const line = JSON.stringify(cancelled(1, reason));
    assert.equal(await fromClient(scene, line), { toServer: [line] });
    assert.equal(entriesOf(scene)[1], {
      kind: "tool.result",
      effect_class: "SE0",
      tool: "echo",
      tool_call_id: "0a0b0c0d.1",
      ...hashesOf("echo", {}),
      decision: "policy",
      status,
      duration_ms: 3,
    });
    for (const text of ["late", "again"]) {
      assert.equal(await fromServer(scene, result(1, content(text))), {}, "it is not recorded");
    }
    assert.is(scene.recorder.summary().dropped, 2);
    assert.is(entriesOf(scene).length, 2);
    assert.equal(filesOf(scene.fixtures), {});
  });
}

ending("passes on a cancellation of what is no pending call", async () => {
  const scene = await makeScene();
  await fromClient(scene, request(1, "ping"));
  await fromClient(scene, call(2, "echo"));
  for (const id of [1, "2", null, [2], 3]) {
    const line = JSON.stringify(cancelled(id));
    assert.equal(await fromClient(scene, line), { toServer: [line] });
  }
  assert.equal(statusesOf(scene), ["tool.call forwarded"]);
});

ending("gives up a call by itself, once, and drops the late answer", async () => {
  const scene = await makeScene({ callTimeoutMs: 100 });
  for (const id of ["a", 2]) await fromClient(scene, call(id, "echo"));
  await fromServer(scene, result(2, content("in time")));
  scene.timers.advance(100);
  while (scene.delivered.length === 0) await Promise.resolve();
  const params = { requestId: "a", reason: "The recorder timed out" };
  assert.equal(scene.delivered, [{
    toServer: [JSON.stringify({ jsonrpc: "2.0", method: "notifications/cancelled", params })],
    toClient: [errorText("a", -32001, "The call took too long")],
  }]);
  assert.equal(entriesOf(scene).slice(2).map(({ status, duration_ms }) => [status, duration_ms]), [
    ["ok", 0],
    ["timed_out", 100],
  ]);
  assert.equal(await fromServer(scene, result("a", content("late"))), {});
  assert.is(scene.timers.waiting, 0);
  const { calls, dropped, pending } = scene.recorder.summary();
  assert.equal([calls.ok, calls.timed_out, dropped, pending], [1, 1, 1, 0]);
});

ending("refuses a timeout that nobody could be told of", () => {
  const options = { callTimeoutMs: 1 } as RecorderOptions;
  assert.equal(describe(thrownBy(() => new Recorder(options))), {
    name: "TypeError",
    message: "Making a recorder: with callTimeoutMs, deliver is needed",
  });
});

ending("answers what the server left open when it ends, and notes the calls", async () => {
  const scene = await makeScene({ callTimeoutMs: 1000 });
  await fromClient(scene, call(1, "echo"));
  await fromClient(scene, request(2, "ping"));
  await fromClient(scene, call(3, "echo"));
  await fromClient(scene, cancelled(3));
  scene.timers.advance(7);
  const { toClient, ...rest } = await scene.recorder.serverEnded();
  assert.equal(rest, {});
  const message = "The server ended before it answered";
  assert.equal(
    toClient?.map((line) => new TextDecoder().decode(line)),
    [1, 2].map((id) => errorText(id, -32000, message)),
  );
  assert.equal(statusesOf(scene), [
    "tool.call forwarded",
    "tool.call forwarded",
    "tool.result cancelled",
    "tool.result unanswered",
  ]);
  assert.is(entriesOf(scene)[3]!["duration_ms"], 7);
  assert.is(scene.timers.waiting, 0);
  assert.equal(await fromClient(scene, call(4, "echo")), {
    toClient: [errorText(4, -32000, message)],
  });
  assert.is(entriesOf(scene).length, 4);
});

ending("does not pass a call to a server that ended while the call was written", async () => {
  const journal = heldJournal();
  const scene = await makeScene({ journal });
  const passed = fromClient(scene, call(1, "echo"));
  while (journal.held.length === 0) await Promise.resolve();
  const ended = scene.recorder.serverEnded();
  journal.held.shift()!();
  while (journal.held.length === 0) await Promise.resolve();
  journal.held.shift()!();
  assert.equal(await ended, {});
  const message = "The server ended before it answered";
  assert.equal(await passed, { toClient: [errorText(1, -32000, message)] });
  assert.equal(
    journal.entries.map((entry) => (entry as { payload: { status: string } }).payload.status),
    ["forwarded", "unanswered"],
  );
});

ending("keeps of answers and cancellations that cross the one that came first", async () => {
  const scene = await makeScene();
  for (const id of [1, 2]) await fromClient(scene, call(id, "echo"));
  await Promise.all([
    fromServer(scene, result(1, content("x"))),
    fromClient(scene, cancelled(1)),
  ]);
  await Promise.all([
    fromClient(scene, cancelled(2)),
    fromServer(scene, result(2, content("x"))),
  ]);
  const statuses = statusesOf(scene).slice(2);
  assert.equal(statuses, ["tool.result ok", "tool.result cancelled"]);
});

ending.run();

const batches = suite("Recorder and lists of messages");

batches("looks at every message of a list once lists are agreed on", async () => {
  const scene = await makeScene({
    policy: policyOf({ tools: { echo: "SE0" }, max_effect: "SE0" }),
  });
  await agreeOnBatches(scene);
  const all = JSON.stringify([call(1, "echo"), request(2, "ping")]);
  assert.equal(await fromClient(scene, all), { toServer: [all] });
  const mixed = `[ ${JSON.stringify(call(3, "echo"))} , 7, ${JSON.stringify(call(4, "pay"))},{}]`;
  assert.equal(await fromClient(scene, mixed), {
    toServer: [`[${JSON.stringify(call(3, "echo"))}]`],
    toClient: [
      errorText(null, -32600, `${REFUSED}a message is an object`),
      errorText(
        4,
        -32000,
        "The policy lets no tool through whose effect class is SE4",
        FORBIDDEN,
      ),
      errorText(null, -32600, `${REFUSED}"jsonrpc" must be "2.0"`),
    ],
  });
  assert.equal(await fromClient(scene, [call(5, "pay")]), {
    toClient: [errorText(
      5,
      -32000,
      "The policy lets no tool through whose effect class is SE4",
      FORBIDDEN,
    )],
  });
  const answers = `[${JSON.stringify(result(3, { n: 3 }))},{"jsonrpc":"2.0","id":1,"result":{}} ]`;
  assert.equal(await fromServer(scene, answers), { toClient: [answers] });
  assert.equal(
    entriesOf(scene).map(({ tool_call_id, status }) => `${tool_call_id} ${status}`),
    [
      "0a0b0c0d.1 forwarded",
      "0a0b0c0d.2 forwarded",
      "0a0b0c0d.3 denied",
      "0a0b0c0d.3 denied",
      "0a0b0c0d.4 denied",
      "0a0b0c0d.4 denied",
      "0a0b0c0d.2 ok",
      "0a0b0c0d.1 ok",
    ],
  );
});

batches("takes a dropped answer out of a list and leaves the others as they are", async () => {
  const scene = await makeScene({ callTimeoutMs: 1 });
  await fromClient(scene, call(1, "echo"));
  scene.timers.advance(1);
  while (scene.delivered.length === 0) await Promise.resolve();
  assert.equal(await fromServer(scene, `[${JSON.stringify(result(1, {}))}, 1.0 ,{ }]`), {
    toClient: ["[1.0,{ }]"],
  });
});

batches("looks at lists of a server that agreed on none", async () => {
  const scene = await makeScene();
  await fromClient(scene, call(1, "echo"));
  await fromServer(scene, [result(1, {})]);
  assert.equal(statusesOf(scene), ["tool.call forwarded", "tool.result ok"]);
});

batches("does not take lists after another revision was agreed on", async () => {
  const scene = await makeScene();
  await agreeOnBatches(scene);
  await fromClient(scene, request("j", "initialize", {}));
  await fromServer(scene, result("j", { protocolVersion: "2025-06-18" }));
  assert.equal(await fromClient(scene, [request(1, "ping")]), {
    toClient: [errorText(null, -32600, "A list of messages was not agreed on, or is empty")],
  });
});

batches.run();

const others = suite("Recorder storing other answers");

others("stores what initialize and tools/list gave, by what was asked for", async () => {
  const scene = await makeScene();
  const exchanges: [method: string, params: unknown, text: string][] = [
    ["initialize", { protocolVersion: "2025-11-25" }, '{"protocolVersion":"2025-11-25" }'],
    ["tools/list", undefined, '{"tools":[],"nextCursor":"2"}'],
    ["tools/list", { cursor: "2", _meta: { progressToken: 1 } }, '{"tools":[ ]}'],
    ["tools/list", {}, '{"tools":[],"nextCursor":"2"}'],
  ];
  for (const [id, [method, params, text]] of exchanges.entries()) {
    await fromClient(scene, request(id, method, params));
    const line = `{"jsonrpc":"2.0","id":${id},"result":${text}}`;
    assert.equal(await fromServer(scene, line), { toClient: [line] });
  }
  const nothing = { tool: null, args_hash: null, effect_class: null, effect_source: null };
  const wanted: Record<string, string> = {};
  const add = (method: string, params: object, number: number, text: string): void => {
    const key = keyOfRequest(method, { ...params }, sha256);
    const answer = { method, ...nothing, key, outcome: "result", text } as const;
    wanted[answerFile(key, number)] = formatAnswer(answer, number, sha256);
  };
  add("initialize", {}, 0, exchanges[0]![2]);
  add("tools/list", {}, 0, exchanges[1]![2]);
  add("tools/list", { cursor: "2" }, 0, exchanges[2]![2]);
  add("tools/list", {}, 1, exchanges[3]![2]);
  assert.equal(filesOf(scene.fixtures), wanted);
  assert.equal(entriesOf(scene), []);
  assert.is(scene.recorder.summary().answers_stored, 0); // of tools
});

others("stores no error, nothing malformed and no other method", async () => {
  const scene = await makeScene();
  await fromClient(scene, request(1, "initialize", {}));
  await fromServer(scene, { jsonrpc: "2.0", id: 1, error: { code: 1, message: "no" } });
  await fromClient(scene, request(2, "tools/list", {}));
  await fromServer(scene, { jsonrpc: "2.0", id: 2, result: [] });
  await fromClient(scene, request(3, "resources/read", {}));
  await fromServer(scene, result(3, { contents: [] }));
  assert.equal(filesOf(scene.fixtures), {});
});

others("sums up what it has seen", async () => {
  const scene = await makeScene();
  await fromClient(scene, call(1, "echo"));
  await fromClient(scene, call(2, "echo"));
  await fromServer(scene, result(1, {}));
  assert.equal(scene.recorder.summary(), {
    calls: {
      ok: 1,
      tool_error: 0,
      rpc_error: 0,
      denied: 0,
      timed_out: 0,
      cancelled: 0,
      unanswered: 0,
      withheld: 0,
      malformed: 0,
    },
    pending: 1,
    withheld: [],
    withheld_others: 0,
    answers_stored: 1,
    refused: 0,
    unmatched: 0,
    dropped: 0,
  });
});

others.run();
