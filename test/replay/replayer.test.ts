import { suite } from "uvu";
import * as assert from "uvu/assert";
import { IoError } from "../../src/core/mod.ts";
import { loadSha256 } from "../../src/hash/mod.ts";
import {
  type CallItem,
  createReplayer,
  hashCall,
  type ReplayerOptions,
  storeFixture,
  type Tools,
} from "../../src/replay/mod.ts";
import { describe, rejectionOf, thrownBy } from "../lib/thrown.ts";
import { counting, hashText, makeStore, recordAll, refusalOf, textOf } from "./kit.ts";

const sha256 = await loadSha256();
const making = suite("createReplayer()");
const good = { effect_class: "SE0", determinism: "deterministic" } as const;

const refusals: [what: string, tools: unknown, options: unknown, code: string, message: string][] =
  [
    [
      "the mode first",
      { x: null },
      { mode: "live" },
      "replay.bad_mode",
      "the mode is not replay or record",
    ],
    ["then a missing store", { x: null }, {}, "replay.no_store", "there is no store of fixtures"],
    [
      "then the first declaration that is wrong, effect class before determinism",
      { a: good, b: { effect_class: "SE5", determinism: "?" }, c: {} },
      { store: makeStore().store },
      "replay.bad_declaration",
      'effect_class of tool "b" is missing or unknown',
    ],
    [
      "a determinism that does not exist",
      { a: { ...good, determinism: "constructor" } },
      { store: makeStore().store },
      "replay.bad_declaration",
      'determinism of tool "a" is missing or unknown',
    ],
    [
      "a declaration that is null",
      { a: null },
      { store: makeStore().store },
      "replay.bad_declaration",
      'effect_class of tool "a" is missing or unknown',
    ],
  ];

for (const [what, tools, options, code, message] of refusals) {
  making(`refuses ${what}`, () => {
    const make = () => createReplayer(tools as Tools, options as ReplayerOptions);
    assert.equal(describe(thrownBy(make)), {
      name: "ReplayError",
      code,
      message: `Making a replayer: ${message}`,
    });
  });
}

making("reads declarations once: what becomes of them later changes nothing", async () => {
  const { store } = makeStore();
  const declaration = { ...good, effect_class: "SE3" as string, impl: () => 1 };
  const tools = { read: declaration };
  const replayer = createReplayer(tools as Tools, { store, sha256, mode: "record" });
  declaration.effect_class = "SE0";
  const { code } = await refusalOf(replayer.call("read"));
  assert.is(code, "tool.effect_forbidden");
});

making.run();

const replaying = suite("replaying");

replaying("answers what was recorded, logs it, and executes nothing", async () => {
  const { store } = makeStore();
  const { tools, calls } = counting();
  await recordAll([{ sku: "x" }], { store, sha256 });
  const heard: CallItem[] = [];
  const onCall = (item: CallItem): unknown => {
    assert.is(replayer.callLog.at(-1), item, "it is in the log already");
    return heard.push(item);
  };
  const replayer = createReplayer(tools, { store, sha256, onCall });
  assert.equal(await replayer.call("read", { sku: "x" }), { sku: "x" });
  const hash = hashText('{"sku":"x"}', sha256);
  const item: CallItem = {
    tool: "read",
    mode: "replay",
    status: "replayed",
    fixture_key: hashText('{"args":{"sku":"x"},"tool":"read"}', sha256),
    args_hash: hash as never,
    response_hash: hash as never,
  };
  assert.equal(replayer.callLog, [item]);
  assert.equal(heard, [item]);
  assert.equal(calls, []);
});

replaying("refuses SE3 whatever the ceiling, tells onCall, and then throws", async () => {
  const { store } = makeStore();
  const tools: Tools = { pay: { ...good, effect_class: "SE3" } };
  const replayer = createReplayer(tools, { store, sha256, maxEffectClass: "SE4" });
  assert.equal(describe(await refusalOf(replayer.call("pay"))), {
    name: "ReplayError",
    code: "tool.effect_forbidden",
    message: 'Calling "pay" in replay: effect class SE3 is not let through',
  });
  const code = "tool.effect_forbidden";
  assert.equal(replayer.callLog, [{ tool: "pay", mode: "replay", status: "refused", code }]);
});

replaying("waits for onCall, and what that throws comes out of the call", async () => {
  const { store } = makeStore();
  await recordAll([{}], { store, sha256 });
  const onCall = () => Promise.reject(new Error("the journal is full"));
  const replayer = createReplayer(counting().tools, { store, sha256, onCall });
  assert.equal(describe(await rejectionOf(replayer.call("read"))), {
    name: "Error",
    message: "the journal is full",
  });
  assert.is(replayer.callLog.length, 1);
});

replaying("names no tool that is not text, and no tool of a table without prototype", async () => {
  const { store } = makeStore();
  const tools: Tools = Object.assign(Object.create(null), { read: good });
  const replayer = createReplayer(tools, { store, sha256 });
  for (const name of ["toString", "__proto__", 5, 5n, Symbol("x"), undefined]) {
    assert.is((await refusalOf(replayer.call(name as never))).code, "tool.unknown");
  }
});

replaying("holds an inherited declaration against the ceiling and never executes it", async () => {
  const { store } = makeStore();
  const { tools, calls } = counting();
  const inherited = Object.create({ ...tools, pay: { ...good, effect_class: "SE4" } }) as Tools;
  const replayer = createReplayer(inherited, { store, sha256, mode: "record" });
  assert.is((await refusalOf(replayer.call("pay"))).code, "tool.effect_forbidden");
  assert.is((await refusalOf(replayer.call("read"))).code, "tool.no_implementation");
  assert.equal(calls, []);
});

replaying("says of a fixture that does not hold which file it is, and logs nothing", async () => {
  const { directory, store } = makeStore();
  await recordAll([{}], { store, sha256 });
  const [file = ""] = directory.nodes.keys();
  directory.plant(file, new TextEncoder().encode("{"));
  const replayer = createReplayer(counting().tools, { store, sha256 });
  assert.equal(describe(await refusalOf(replayer.call("read"))), {
    name: "ReplayError",
    code: "tool.fixture_corrupt",
    message: `Reading a fixture: it is not JSON, in "${file}"`,
  });
  assert.equal(replayer.callLog, []);
});

replaying("reads a fixture over the bound as corrupt", async () => {
  const { store } = makeStore();
  await recordAll([{}], { store, sha256 });
  const replayer = createReplayer(counting().tools, { store, sha256, maxFixtureBytes: 100 });
  assert.is((await refusalOf(replayer.call("read"))).code, "tool.fixture_corrupt");
});

replaying.run();

const recording = suite("recording");

recording("waits for an implementation that answers later", async () => {
  const { store } = makeStore();
  const { tools } = counting(() => Promise.resolve("later"));
  const recorder = createReplayer(tools, { store, sha256, mode: "record" });
  assert.is(await recorder.call("read"), "later");
  assert.is(await createReplayer(tools, { store, sha256 }).call("read"), "later");
});

recording(
  "gives back the live value itself, and hashes arguments as they were before",
  async () => {
    const { directory, store } = makeStore();
    const live = { when: new Date(0) };
    const { tools } = counting((args) => {
      (args as { path: string }).path = "changed";
      return live;
    });
    const options = { store, sha256, recordArguments: true } as const;
    const recorder = createReplayer(tools, { ...options, mode: "record" });
    assert.is(await recorder.call("read", { path: "a" }), live);
    const { key } = hashCall("read", { path: "a" }, sha256);
    assert.equal([...directory.nodes.keys()], [`${key}.json`, `${key}.args.json`]);
    assert.equal(JSON.parse(textOf(directory, `${key}.args.json`)).args, { path: "a" });
    assert.equal(await createReplayer(tools, options).call("read", { path: "a" }), { when: {} });
  },
);

recording("stores and logs nothing when the implementation throws", async () => {
  const { directory, store } = makeStore();
  const { tools } = counting(() => {
    throw new RangeError("out of stock");
  });
  const recorder = createReplayer(tools, { store, sha256, mode: "record" });
  assert.equal(describe(await rejectionOf(recorder.call("read"))), {
    name: "RangeError",
    message: "out of stock",
  });
  assert.equal([directory.nodes.size, recorder.callLog.length], [0, 0]);
});

recording("executes nothing when the call itself could not be recorded", async () => {
  const { store } = makeStore();
  const { tools, calls } = counting();
  const recorder = createReplayer(tools, { store, sha256, mode: "record" });
  const { code } = await refusalOf(recorder.call("read", () => 1));
  assert.equal([code, calls], ["tool.not_serializable", []]);
});

recording("overwrites, so that the last answer is the one that is replayed", async () => {
  const { directory, store } = makeStore();
  let answer = 0;
  const { tools } = counting(() => ++answer);
  const recorder = createReplayer(tools, { store, sha256, mode: "record" });
  await recorder.call("read");
  await recorder.call("read");
  assert.is(directory.nodes.size, 1);
  assert.is(await createReplayer(tools, { store, sha256 }).call("read"), 2);
});

recording("lets the failure of the store out, with the system's code", async () => {
  const write = () => Promise.reject(new IoError("ENOSPC", "write", "write: ENOSPC"));
  const store = { ...makeStore().store, write };
  const recorder = createReplayer(counting().tools, { store, sha256, mode: "record" });
  assert.equal(describe(await rejectionOf(recorder.call("read"))), {
    name: "IoError",
    code: "ENOSPC",
    message: "write: ENOSPC",
  });
  assert.equal(recorder.callLog, []);
});

recording.run();

const unused = suite("listUnused()");

unused("lists the fixtures that no call has used, and forgets none that was refused", async () => {
  const { store } = makeStore();
  await recordAll([1, 2, 3], { store, sha256 });
  await storeFixture(store, hashCall("note", {}, sha256), 0, sha256);
  const replayer = createReplayer(counting().tools, { store, sha256 });
  await replayer.call("read", 2);
  await refusalOf(replayer.call("read", 4));
  const left = (await replayer.listUnused()).map(({ tool, args_hash }) => [tool, args_hash]);
  const hashes = ["1", "3"].map((text) => hashText(text, sha256)).sort();
  const wanted = hashes.map((hash) => ["read", hash]);
  assert.equal(left, [["note", hashText("{}", sha256)], ...wanted]);
});

unused("counts what was recorded as used", async () => {
  const { store } = makeStore();
  const recorder = createReplayer(counting().tools, { store, sha256, mode: "record" });
  await recorder.call("read");
  assert.equal(await recorder.listUnused(), []);
});

unused.run();
