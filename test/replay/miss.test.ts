import { suite } from "uvu";
import * as assert from "uvu/assert";
import { loadSha256 } from "../../src/hash/mod.ts";
import {
  compareValues,
  createReplayer,
  hashCall,
  readArguments,
  storeFixture,
} from "../../src/replay/mod.ts";
import { withhold } from "../../src/replay/withhold.ts";
import { counting, hashText, makeStore, recordAll, refusalOf, textOf } from "./kit.ts";

const sha256 = await loadSha256();
const hashOf = (text: string): string => hashText(text, sha256);
const asked = hashOf('{"path":"b"}');
const miss = suite("a miss");

miss("says that nothing is recorded", async () => {
  const { store } = makeStore();
  const { message, miss } = await refusalOf(
    createReplayer(counting().tools, { store, sha256 }).call("read", { path: "b" }),
  );
  const start = 'Replaying a call of "read": no fixture has arguments';
  assert.is(message, `${start} ${asked}; nothing is recorded`);
  const call = hashCall("read", { path: "b" }, sha256);
  assert.equal(miss, { call, recorded: new Map(), nearest: [], compared: 0 });
});

miss("names other tools, and those that have the same arguments", async () => {
  const { store } = makeStore();
  for (const tool of ["note", "write"]) {
    const args = tool === "note" ? { path: "b" } : {};
    await storeFixture(store, hashCall(tool, args, sha256), 1, sha256);
  }
  const { message, miss } = await refusalOf(
    createReplayer(counting().tools, { store, sha256 }).call("read", { path: "b" }),
  );
  assert.is(
    message,
    `Replaying a call of "read": no fixture has arguments ${asked}; recorded are only calls of ` +
      '"note", "write"; the same arguments are recorded for "note"',
  );
  assert.equal(miss?.recorded, new Map([["note", [asked]], ["write", [hashOf("{}")]]]));
});

miss("lists hashes where no arguments were kept, and compares nothing", async () => {
  const { store } = makeStore();
  await recordAll([{ path: "a" }], { store, sha256 });
  const { message, miss } = await refusalOf(
    createReplayer(counting().tools, { store, sha256 }).call("read", { path: "b" }),
  );
  assert.is(
    message,
    `Replaying a call of "read": no fixture has arguments ${asked}; 1 call of it is recorded, with ` +
      `arguments ${hashOf('{"path":"a"}')}`,
  );
  assert.equal([miss?.nearest, miss?.compared], [[], 0]);
});

miss("tells the nearest calls and where they differ, and only places in the message", async () => {
  const { store } = makeStore();
  const recorded = [{ path: "hunter2", n: 1 }, { other: true }, { path: "b", n: 2 }, 5];
  await recordAll(recorded, { store, sha256, recordArguments: true });
  const { message, miss } = await refusalOf(
    createReplayer(counting().tools, { store, sha256 }).call("read", { path: "b" }),
  );
  const nearest = hashOf('{"n":2,"path":"b"}');
  assert.is(
    message,
    `Replaying a call of "read": no fixture has arguments ${asked}; 4 calls of it are recorded; the ` +
      `nearest, ${nearest}, differs at /n`,
  );
  assert.equal(miss?.compared, 4);
  const [first, ...others] = miss?.nearest ?? [];
  assert.equal(first, {
    file: `${hashOf('{"args":{"n":2,"path":"b"},"tool":"read"}')}.json`,
    args_hash: nearest as never,
    count: 1,
    differences: [{ pointer: "/n", kind: "only_a", a: "2", b: null }],
  });
  assert.equal(others.map(({ count }) => count), [1, 2]);
});

miss("is told also when the store cannot be listed", async () => {
  const list = () => Promise.reject(new Error("no such luck"));
  const store = { ...makeStore().store, list };
  const { code, message } = await refusalOf(
    createReplayer(counting().tools, { store, sha256 }).call("read"),
  );
  const wanted = 'Replaying a call of "read": there is no fixture';
  assert.equal([code, message], ["tool.fixture_missing", wanted]);
});

miss("reads the store once, however many calls are missing", async () => {
  const { store } = makeStore();
  let lists = 0;
  const list = () => (lists++, store.list());
  const replayer = createReplayer(counting().tools, { store: { ...store, list }, sha256 });
  for (const args of [1, 2, 3]) await refusalOf(replayer.call("read", args));
  assert.is(lists, 1);
});

miss.run();

const differences = suite("compareValues()");

differences("names every place that differs, in the order of the first value", () => {
  const a = { same: [1, { x: 0 }], changed: 1, gone: "g", "a/b~": [1, 2, 3], kind: [] };
  const b = { same: [1, { x: -0 }], changed: 2, "a/b~": [1, 5], kind: {}, added: null };
  assert.equal(compareValues(a, b), {
    count: 6,
    differences: [
      { pointer: "/changed", kind: "changed", a: "1", b: "2" },
      { pointer: "/gone", kind: "only_a", a: '"g"', b: null },
      { pointer: "/a~1b~0/1", kind: "changed", a: "2", b: "5" },
      { pointer: "/a~1b~0/2", kind: "only_a", a: "3", b: null },
      { pointer: "/kind", kind: "changed", a: "[0 items]", b: "{0 members}" },
      { pointer: "/added", kind: "only_b", a: null, b: "null" },
    ],
  });
  assert.equal(compareValues("x", "x"), { count: 0, differences: [] });
});

differences("tells twenty places, shortens what is long, and counts all", () => {
  const long = "x".repeat(100);
  const { count, differences } = compareValues({ [long]: long }, Array(30).fill(0));
  assert.equal([count, differences], [1, [
    { pointer: "", kind: "changed", a: "{1 members}", b: "[30 items]" },
  ]]);
  const many = compareValues(Array(30).fill(0), Array(30).fill(long));
  assert.equal([many.count, many.differences.length], [30, 20]);
  assert.equal(many.differences[0], {
    pointer: "/0",
    kind: "changed",
    a: "0",
    b: `"${"x".repeat(78)}…`,
  });
  const named = compareValues({ [long]: 1 }, {}).differences[0];
  assert.is(named?.pointer, `/${"x".repeat(79)}…`);
});

differences("shows nothing that a canary refuses: value, name, or value under its name", () => {
  const key = `AKIA${"A".repeat(16)}`;
  const secrets = { text: key, [key]: 1, PASSWORD: "hunter2hunter2", list: [`x ${key} y`] };
  const { differences } = compareValues(secrets, { text: 0, list: [0] });
  assert.equal(differences, [
    { pointer: "/text", kind: "changed", a: "(withheld)", b: "0" },
    { pointer: "/(withheld)", kind: "only_a", a: "(withheld)", b: null },
    { pointer: "/PASSWORD", kind: "only_a", a: "(withheld)", b: null },
    { pointer: "/list/0", kind: "changed", a: "(withheld)", b: "0" },
  ]);
  const split = compareValues({ "API_KEY=": { hunter2hunter: 1 } }, {
    "API_KEY=": { hunter2hunter: 2 },
  });
  assert.equal(split.differences.map(({ pointer }) => pointer), ["(withheld)"]);
});

differences.run();

const kept = suite("arguments beside a fixture");
const secret = `AKIA${"A".repeat(16)}`;

kept("withhold() takes out values and members that a canary refuses, and says where", () => {
  const value = JSON.parse(
    `{"a":["${secret}",1],"b":{"${secret}":2,"c":null},"TOKEN":12345678,"__proto__":{"x":1}}`,
  );
  const stripped = withhold(value);
  assert.equal(stripped.withheld, ["/TOKEN", "/a/0", "/b"]);
  assert.is(
    JSON.stringify(stripped.value),
    '{"a":[null,1],"b":{"c":null},"TOKEN":null,"__proto__":{"x":1}}',
  );
  assert.equal(withhold(secret), { value: null, withheld: [""] });
});

kept("no secret is in any file, and what was withheld may differ", async () => {
  const { directory, store } = makeStore();
  const recorded = { user: secret, nested: { [secret]: 1, n: 1 }, gone: secret };
  const { tools } = counting(() => 1);
  const options = { store, sha256, recordArguments: true } as const;
  await createReplayer(tools, { ...options, mode: "record" }).call("read", recorded);
  for (const name of directory.nodes.keys()) {
    assert.not.match(textOf(directory, name), secret);
  }
  const { miss, message } = await refusalOf(
    createReplayer(tools, options).call("read", { user: "u", nested: { n: 1, [secret]: 2 } }),
  );
  assert.not.match(message, secret);
  assert.equal(miss?.nearest[0]?.differences, [
    { pointer: "/gone", kind: "only_a", a: "(withheld)", b: null },
    { pointer: "/nested", kind: "withheld", a: null, b: null },
    { pointer: "/user", kind: "withheld", a: null, b: null },
  ]);
});

kept("the default keeps none", async () => {
  const { directory, store } = makeStore();
  await recordAll([{ path: "a" }], { store, sha256 });
  assert.equal([...directory.nodes.keys()].filter((name) => name.includes("args")), []);
});

kept("readArguments() refuses what is not of the call", async () => {
  const { directory, store } = makeStore();
  await recordAll([{ path: "a" }], { store, sha256, recordArguments: true });
  const { key, args_hash } = hashCall("read", { path: "a" }, sha256);
  const text = textOf(directory, `${key}.args.json`);
  const schema = "fixture-arguments/v1";
  const file = { schema, tool: "read", args_hash, args: { path: "a" }, withheld: [] };
  assert.equal(JSON.parse(text), file);
  const read = async (text: string, of: string = key) => {
    const result = await readArguments(new TextEncoder().encode(text), of, sha256);
    return result.ok ? result.value : result.reason.replace(/^.*: /, "");
  };
  const { schema: _, ...rest } = file;
  assert.equal(await read(text), rest);
  const shape = "it is not of the shape fixture-arguments/v1";
  assert.is(await read("null"), shape);
  assert.is(await read(text.replace("v1", "v2")), shape);
  assert.is(await read(text.replace("[]", "[1]")), shape);
  assert.is(await read("{"), "it is no JSON in UTF-8, or nested too deep");
  assert.is(await read(text.replace('"a"', '"b"')), "the arguments have another hash");
  assert.is(await read(text, "0".repeat(64)), "the arguments have another hash");
  assert.is((await readArguments({ unreadable: "EIO" }, key, sha256)).ok, false);
});

kept.run();
