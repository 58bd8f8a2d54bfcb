import { suite } from "uvu";
import * as assert from "uvu/assert";
import { encodeUtf8, VERSION } from "../../src/core/mod.ts";
import { REVISIONS } from "../../src/mcp/mod.ts";
import {
  type Answer,
  answerFile,
  formatAnswer,
  ReplayServer,
  type ReplayServerOptions,
} from "../../src/recording/mod.ts";
import {
  call,
  content,
  errorText,
  filesOf,
  fromClient,
  fromServer,
  hashesOf,
  lineOf,
  makeScene,
  policyOf,
  request,
  result,
  type Scene,
  SECRET,
  sha256,
} from "./kit.ts";

const EFFECTS = { echo: "SE0", write: "SE2", send: "SE3", pay: "SE4" };

/** Records exchanges: what was asked for, and the members of the answer as text. */
async function recorded(exchanges: readonly [asked: object, answer: string][]): Promise<Scene> {
  const scene = await makeScene({ policy: policyOf({ tools: EFFECTS }) });
  for (const [asked, answer] of exchanges) {
    await fromClient(scene, asked);
    const { id } = asked as { id?: unknown };
    await fromServer(scene, `{"jsonrpc":"2.0","id":${JSON.stringify(id)},${answer}}`);
  }
  return scene;
}

type Ask = (message: unknown) => Promise<string[]>;

function serverOf(
  { store }: Scene,
  options: Partial<ReplayServerOptions> = {},
): { server: ReplayServer; ask: Ask } {
  const server = new ReplayServer({ store, sha256, maxEffect: "SE2", ...options });
  const ask: Ask = async (message) =>
    (await server.handle(lineOf(message))).map((line) => new TextDecoder().decode(line));
  return { server, ask };
}

function refused(id: unknown, code: string, message: string): string[] {
  return [errorText(id, -32000, message, { code })];
}

const serving = suite("ReplayServer serving calls");

serving("gives every answer as it was written, in the order of the calls", async () => {
  const texts = [
    '{ "content" : [] , "n":1.0,"big":12345678901234567890 }',
    '{"content":[],"b":1,"a":"\\u00e9\u2028"}',
    '{"isError":true,"content":[]}',
  ];
  const error = '{"message" : "no","code":-5}';
  const scene = await recorded([
    ...texts.map((text, id): [object, string] => [
      call(id, "echo", { a: 1, b: 2 }),
      `"result": ${text}`,
    ]),
    [call(3, "echo", { a: 1, b: 2 }), `"error":${error}`],
  ]);
  const before = filesOf(scene.fixtures);
  const { server, ask } = serverOf(scene);
  for (const [at, text] of texts.entries()) {
    const asked = call(`x${at}`, "echo", { b: 2, a: 1 });
    assert.equal(await ask(asked), [`{"jsonrpc":"2.0","id":"x${at}","result":${text}}`]);
  }
  const asked = {
    ...call(9, "echo"),
    params: { name: "echo", arguments: { a: 1, b: 2 }, _meta: {} },
  };
  assert.equal(await ask(asked), [`{"jsonrpc":"2.0","id":9,"error":${error}}`]);
  assert.equal(
    await ask(asked),
    refused(
      9,
      "tool.fixture_exhausted",
      "Replaying a call: it is recorded 4 times, and no answer is left",
    ),
  );
  assert.equal(await server.report(), {
    served: 4,
    refused: [{ tool: "echo", code: "tool.fixture_exhausted", count: 1 }],
    unused: [],
  });
  assert.equal(filesOf(scene.fixtures), before, "nothing is written");
});

serving("takes gaps between the numbers for nothing", async () => {
  const scene = await recorded([]);
  const { fixture_key, args_hash } = hashesOf("echo", {});
  for (const occurrence of [10, 2]) {
    const answer: Answer = {
      method: "tools/call",
      tool: "echo",
      args_hash: args_hash as never,
      key: fixture_key as never,
      effect_class: "SE0",
      effect_source: "policy",
      outcome: "result",
      text: `{"n":${occurrence}}`,
    };
    const file = answerFile(fixture_key as never, occurrence);
    scene.fixtures.plant(file, encodeUtf8(formatAnswer(answer, occurrence, sha256)));
  }
  const { ask } = serverOf(scene);
  for (const n of [2, 10]) {
    assert.equal(await ask(call(1, "echo")), [`{"jsonrpc":"2.0","id":1,"result":{"n":${n}}}`]);
  }
});

serving("names the nearest recorded call when there is none", async () => {
  const scene = await recorded([
    [call(1, "echo", { path: "a", limit: 1 }), '"result":{}'],
    [call(2, "echo", { path: "b", limit: 2 }), '"error":{"code":1,"message":"no"}'],
    [call(3, "write", { path: "a", limit: 1 }), '"result":{}'],
  ]);
  const { server, ask } = serverOf(scene);
  const asked = hashesOf("echo", { path: "b", limit: 3 }).args_hash;
  const nearest = hashesOf("echo", { path: "b", limit: 2 }).args_hash;
  const start = `Replaying a call of "echo": no fixture has arguments ${asked}; `;
  assert.equal(
    await ask(call(1, "echo", { path: "b", limit: 3 })),
    refused(
      1,
      "tool.fixture_missing",
      `${start}2 calls of it are recorded; the nearest, ${nearest}, differs at /limit`,
    ),
  );
  const none = hashesOf("__proto__", {}).args_hash;
  assert.equal(
    await ask(call(2, "__proto__")),
    refused(
      2,
      "tool.fixture_missing",
      `Replaying a call of "__proto__": no fixture has arguments ${none}; ` +
        'recorded are only calls of "echo", "write"',
    ),
  );
  await ask(call(3, SECRET));
  assert.equal((await server.report()).refused, [
    { tool: "echo", code: "tool.fixture_missing", count: 1 },
    { tool: "__proto__", code: "tool.fixture_missing", count: 1 },
    { tool: "(withheld)", code: "tool.fixture_missing", count: 1 },
  ]);
});

for (
  const [maxEffect, served] of [
    ["SE0", ["echo"]],
    ["SE1", ["echo"]],
    ["SE2", ["echo", "write"]],
    ["SE4", ["echo", "write"]],
    ["SE5", []],
  ] as const
) {
  serving(`lets ${served.join(" and ") || "nothing"} through below ${maxEffect}`, async () => {
    const tools = Object.keys(EFFECTS);
    const scene = await recorded(tools.map((tool) => [call(1, tool), '"result":{}']));
    const { server, ask } = serverOf(scene, { maxEffect: maxEffect as "SE4" });
    for (const tool of tools) {
      const answer = await ask(call(1, tool));
      const effect = EFFECTS[tool as "echo"];
      const message = `Replaying a call: effect class ${effect} is not let through`;
      const wanted = served.includes(tool as never)
        ? ['{"jsonrpc":"2.0","id":1,"result":{}}']
        : refused(1, "tool.effect_forbidden", message);
      assert.equal(answer, wanted);
      if (!served.includes(tool as never)) assert.equal(await ask(call(1, tool)), wanted, "again");
    }
    const { unused } = await server.report();
    const forbidden = tools.filter((tool) => !served.includes(tool as never)).sort();
    assert.equal(unused.map(({ tool }) => tool), forbidden);
  });
}

serving("refuses an edited answer, and goes on with the next", async () => {
  const scene = await recorded([1, 2, 3].map((id) => [call(id, "echo"), `"result":{"n":${id}}`]));
  const key = hashesOf("echo", {}).fixture_key as never;
  const [first, second] = [answerFile(key, 0), answerFile(key, 1)];
  const files = filesOf(scene.fixtures);
  scene.fixtures.plant(first, encodeUtf8(files[first]!.replace('\\"n\\":1', '\\"n\\":9')));
  scene.fixtures.plant(second, encodeUtf8("{"));
  const { server, ask } = serverOf(scene);
  assert.equal(
    await ask(call(1, "echo")),
    refused(
      1,
      "tool.fixture_mismatch",
      `Reading an answer: the response has another hash, in "${first}"`,
    ),
  );
  assert.equal(
    await ask(call(1, "echo")),
    refused(
      1,
      "tool.fixture_corrupt",
      `Reading an answer: it is no JSON in UTF-8, or nested too deep, in "${second}"`,
    ),
  );
  assert.equal(await ask(call(1, "echo")), ['{"jsonrpc":"2.0","id":1,"result":{"n":3}}']);
  assert.is((await server.report()).served, 1);
});

serving("refuses an answer to another call under a sound name", async () => {
  const scene = await recorded([]);
  const { fixture_key, args_hash } = hashesOf("echo", {});
  const answer: Answer = {
    method: "tools/call",
    tool: "write",
    args_hash: args_hash as never,
    key: fixture_key as never,
    effect_class: "SE0",
    effect_source: "policy",
    outcome: "result",
    text: "{}",
  };
  const file = answerFile(fixture_key as never, 0);
  scene.fixtures.plant(file, encodeUtf8(formatAnswer(answer, 0, sha256)));
  assert.equal(
    await serverOf(scene).ask(call(1, "echo")),
    refused(
      1,
      "tool.fixture_mismatch",
      "Reading an answer: it is of another tool or arguments",
    ),
  );
});

serving("refuses an answer that was removed meanwhile", async () => {
  const scene = await recorded([[call(1, "echo"), '"result":{}'], [
    call(2, "echo"),
    '"result":{}',
  ]]);
  const { ask } = serverOf(scene);
  await ask(call(1, "echo"));
  const file = answerFile(hashesOf("echo", {}).fixture_key as never, 1);
  await scene.fixtures.remove(file);
  assert.equal(
    await ask(call(2, "echo")),
    refused(2, "tool.fixture_missing", `Reading an answer: "${file}" was removed`),
  );
});

serving("reports the answers that nobody asked for", async () => {
  const scene = await recorded([
    [request(0, "tools/list"), '"result":{"tools":[]}'],
    [call(1, "write", { a: 1 }), '"result":{}'],
    [call(2, "echo"), '"result":{}'],
    [call(3, "echo"), '"result":{}'],
    [call(4, "echo", { a: 1 }), '"result":{}'],
  ]);
  const { server, ask } = serverOf(scene);
  await ask(call(1, "echo"));
  const broken = answerFile(hashesOf("write", { a: 1 }).fixture_key as never, 0);
  scene.fixtures.plant(broken, encodeUtf8("{}"));
  const [none, one] = [{}, { a: 1 }].map((args) => hashesOf("echo", args).args_hash);
  const ofEcho = [
    { tool: "echo", args_hash: none, occurrence: 1 },
    { tool: "echo", args_hash: one, occurrence: 0 },
  ].sort((a, b) => a.args_hash! < b.args_hash! ? -1 : 1);
  assert.equal(await server.report(), {
    served: 1,
    refused: [],
    unused: [{ tool: null, args_hash: null, occurrence: 0 }, ...ofEcho],
  });
});

serving.run();

const greeting = suite("ReplayServer and initialize");

const session = (version: string, name: string): string =>
  `"result":{"protocolVersion":"${version}","capabilities":{"tools":{},"prompts":{}},` +
  `"serverInfo":{"name":"${name}","version":"2"},"instructions":"be ${name}"}`;

function greets(version: string, info: unknown, instructions?: string): string[] {
  const value = {
    protocolVersion: version,
    capabilities: { tools: {} },
    serverInfo: info,
    ...(instructions && { instructions }),
  };
  return [JSON.stringify(result(1, value))];
}

const OWN = { name: "affidavit-replay", version: VERSION };

greeting("says what the server said to whoever asked for the same revision", async () => {
  const scene = await recorded([
    [request(0, "initialize", { protocolVersion: "2025-06-18" }), session("2025-06-18", "a")],
    [request(1, "initialize", { protocolVersion: "x", a: 1 }), session("2099-01-01", "b")],
  ]);
  const { ask } = serverOf(scene);
  const ask2 = (protocolVersion: unknown) =>
    ask(request(1, "initialize", { protocolVersion, clientInfo: { name: "other" } }));
  const [a, b] = ["a", "b"].map((name) => ({ name, version: "2" }));
  assert.equal(await ask2("2025-06-18"), greets("2025-06-18", a, "be a"));
  assert.equal(await ask2("2099-01-01"), greets("2099-01-01", b, "be b"));
  assert.equal(await ask2("2024-11-05"), greets("2024-11-05", a, "be a"));
  assert.equal(await ask2("1900-01-01"), greets("2025-11-25", a, "be a"));
  assert.equal(await ask2(undefined), greets("2025-11-25", a, "be a"));
});

greeting("speaks for itself when nothing is recorded", async () => {
  const { ask } = serverOf(await recorded([]));
  for (const version of REVISIONS) {
    const asked = request(1, "initialize", { protocolVersion: version });
    assert.equal(await ask(asked), greets(version, OWN));
  }
  assert.equal(await ask(request(1, "initialize")), greets("2025-11-25", OWN));
});

greeting("refuses a recorded greeting that was edited", async () => {
  const scene = await recorded([[request(0, "initialize", {}), session("2025-06-18", "a")]]);
  const [file = ""] = scene.fixtures.nodes.keys();
  const text = filesOf(scene.fixtures)[file]!;
  scene.fixtures.plant(file, encodeUtf8(text.replace("be a", "be b")));
  const { ask, server } = serverOf(scene);
  assert.equal(
    await ask(request(1, "initialize", { protocolVersion: "2025-06-18" })),
    refused(
      1,
      "tool.fixture_mismatch",
      `Reading an answer: the response has another hash, in "${file}"`,
    ),
  );
  const once = { tool: "initialize", code: "tool.fixture_mismatch", count: 1 };
  assert.equal((await server.report()).refused, [once]);
});

greeting("takes lists of messages after it agreed on 2025-03-26, and only then", async () => {
  const scene = await recorded([[call(1, "echo"), '"result":{"n":1.0}']]);
  const { ask } = serverOf(scene);
  const list = [request(1, "ping"), call("2", "echo"), 5, {
    jsonrpc: "2.0",
    method: "notifications/x",
  }];
  const unagreed = [errorText(null, -32600, "A list of messages was not agreed on, or is empty")];
  assert.equal(await ask(list), unagreed);
  await ask(request(1, "initialize", { protocolVersion: "2025-03-26" }));
  const malformed = errorText(null, -32600, "The message is refused: a message is an object");
  assert.equal(await ask(list), [
    `[{"jsonrpc":"2.0","id":1,"result":{}},{"jsonrpc":"2.0","id":"2","result":{"n":1.0}},${malformed}]`,
  ]);
  assert.equal(await ask([list[3]]), []);
  assert.equal(await ask([]), unagreed);
});

greeting.run();

const others = suite("ReplayServer and other requests");

others("serves recorded lists in their order, and the last one for good", async () => {
  const scene = await recorded([
    [request(1, "tools/list"), '"result":{"tools":[ ],"nextCursor":"2"}'],
    [request(2, "tools/list", { cursor: "2" }), '"result":{"tools":[]}'],
    [request(3, "tools/list", {}), '"result":{"tools":[{"name":"echo","inputSchema":{}}]}'],
  ]);
  const { ask } = serverOf(scene);
  const first = '{"jsonrpc":"2.0","id":1,"result":{"tools":[ ],"nextCursor":"2"}}';
  const last = '{"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"echo","inputSchema":{}}]}}';
  const list = request(1, "tools/list", { _meta: { progressToken: 1 } });
  assert.equal(await ask(list), [first]);
  for (let round = 0; round < 2; round++) assert.equal(await ask(list), [last]);
  assert.equal(await ask(request(1, "tools/list", { cursor: "2" })), [
    '{"jsonrpc":"2.0","id":1,"result":{"tools":[]}}',
  ]);
  assert.equal(await ask(request(1, "tools/list", { cursor: "3" })), [
    errorText(1, -32602, "No list with this cursor is recorded"),
  ]);
});

others("lists the tools that were recorded when no list was", async () => {
  const scene = await recorded([
    [call(1, "write"), '"result":{}'],
    [call(2, "echo"), '"error":{"code":1,"message":"no"}'],
    [call(3, "echo", { a: 1 }), '"result":{}'],
  ]);
  const inputSchema = { type: "object" };
  const tools = ["echo", "write"].map((name) => ({ name, inputSchema }));
  const { ask } = serverOf(scene);
  assert.equal(await ask(request(1, "tools/list")), [JSON.stringify(result(1, { tools }))]);
});

others("answers ping, knows no other method, and passes over notifications", async () => {
  const { server, ask } = serverOf(await recorded([]));
  assert.equal(await ask(request("p", "ping")), ['{"jsonrpc":"2.0","id":"p","result":{}}']);
  for (const method of ["resources/list", "tools/Call", "toString"]) {
    assert.equal(await ask(request(1, method)), [
      errorText(1, -32601, "The method is not served"),
    ]);
  }
  const { id: _, ...notification } = call(1, "echo");
  for (const message of [notification, result(1, {}), ""]) assert.equal(await ask(message), []);
  assert.equal(await server.report(), { served: 0, refused: [], unused: [] });
});

others("refuses what it cannot read for certain", async () => {
  const { ask } = serverOf(await recorded([]), { maxFrameBytes: 90 });
  const wanted: [line: unknown, reply: string][] = [
    ["{", errorText(null, -32700, "Reading JSON: a member name was wanted")],
    ['{"a":1,"a":2}', errorText(null, -32700, "Reading JSON: a member name is repeated")],
    [" ".repeat(91), errorText(null, -32700, "Reading JSON: larger than 90 bytes")],
    ["{\r}", errorText(null, -32700, "The line holds a carriage return")],
    [7, errorText(null, -32600, "The message is refused: a message is an object")],
    [
      request(1, "tools/call"),
      errorText(
        1,
        -32602,
        'The message is refused: "name" must be a text and "arguments" an object',
      ),
    ],
    [
      request(1, "tools/call", { name: "a", task: {} }),
      errorText(1, -32602, "The message is refused: a call as a task cannot be recorded"),
    ],
  ];
  for (const [line, reply] of wanted) assert.equal(await ask(line), [reply]);
});

others.run();

const whole = suite("a recording replayed");

whole("gives the client the same bytes without the server", async () => {
  const exchanges: [object, string][] = [
    [request(1, "initialize", { protocolVersion: "2025-06-18" }), session("2025-06-18", "a")],
    [request(2, "tools/list"), '"result":{"tools":[]}'],
    [call(3, "echo", { message: "hi" }), `"result":${JSON.stringify(content("Echo: hi"))}`],
    [call(4, "echo", { message: "hi" }), `"result":${JSON.stringify(content("Echo again"))}`],
    [call(5, "write", { a: [1, 2.5e-8] }), '"result":{"isError":true,"content":[ ]}'],
    [call(6, "echo", JSON.parse('{"__proto__":1}')), '"result":{"__proto__":{"a":1.0}}'],
  ];
  const { server, ask } = serverOf(await recorded(exchanges));
  for (const [asked, answer] of exchanges.slice(1)) {
    const { id } = asked as { id: number };
    assert.equal(await ask(asked), [`{"jsonrpc":"2.0","id":${id},${answer}}`]);
  }
  assert.equal(await server.report(), { served: 4, refused: [], unused: [] });
});

whole.run();
