// Writes the suites replay-edges and fixture-store-edges. Expectations are written by hand from the rules, and hashes are
// node:crypto's over texts that are spelled out here; the library has no part in it.
//
//   node vectors/generate/replay.mjs

import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";

const BASIS = "Derived by hand from the rules of replay; hashes by node:crypto.";

const sha256 = (text) => createHash("sha256").update(text).digest("hex");

function write(name, op, about, cases) {
  const head = JSON.stringify({ suite: `capsule/${name}`, op, about, basis: BASIS }).slice(0, -1);
  const lines = cases.map((one) => JSON.stringify(one)).join(",\n");
  const file = new URL(`../capsule/${name}.json`, import.meta.url);
  writeFileSync(file, `${head},"cases":[\n${lines}\n]}\n`);
}

/** A fixture from canonical texts of arguments and response. */
function fixture(tool, args, response, changes = {}) {
  const key = sha256(`{"args":${args},"tool":${JSON.stringify(tool)}}`);
  const [args_hash, response_hash] = [sha256(args), sha256(response)];
  const members = { args_hash, key, response, response_hash, tool, ...changes };
  const text = `{"args_hash":"${members.args_hash}","key":"${members.key}",` +
    `"response":${members.response},"response_hash":"${members.response_hash}",` +
    `"tool":${JSON.stringify(members.tool)}}\n`;
  return { key, args_hash, response_hash, path: `${key}.json`, text };
}

const json = (text) => ({ t: "json", text });
const READ = { name: "read", effect_class: "SE0", determinism: "deterministic" };
const one = fixture("read", "{}", "1");
const hashesOf = ({ key, args_hash, response_hash }) => ({
  fixture_key: key,
  args_hash,
  response_hash,
});
const replayed = (found = one, tool = "read") => ({
  ...{ tool, mode: "replay", status: "replayed" },
  ...hashesOf(found),
});
const forbidden = (tool, mode = "replay") => ({
  ...{ tool, mode, status: "refused", code: "tool.effect_forbidden" },
});

/** A case with one call, whose store is not changed. */
function replay(note, { options = {}, tools = [READ], store = [], call = { name: "read" } }, ends) {
  const { result, call_log = [], live_calls = [], tags, after = store } = ends;
  return {
    note,
    ...(tags && { tags }),
    input: { tools, options, store, calls: [call] },
    expect: { create: { ok: true }, results: [result], call_log, live_calls, store: after },
  };
}

const refused = (code) => ({ result: { ok: false, code } });
const corrupt = refused("tool.fixture_corrupt");
const mismatch = refused("tool.fixture_mismatch");
const missing = refused("tool.fixture_missing");
const found = (response = "1", log = replayed()) => ({
  result: { ok: true, response_canonical: response },
  call_log: [log],
});
const at = (content, path = one.path) => ({ store: [{ path, ...content }] });
const text = (utf8) => at({ utf8 });
const bytes = (...parts) =>
  at({ base64: Buffer.concat(parts.map((part) => Buffer.from(part))).toString("base64") });
const split = (
  around,
) => [one.text.slice(0, one.text.indexOf(around)), one.text.slice(one.text.indexOf(around))];
const deep = (levels) => "[".repeat(levels) + "]".repeat(levels);
const live = (value) => ({ ...READ, live_tagged: value });
const record = { mode: "record" };
const counted = { live_calls: [{ tool: "read", count: 1 }] };
const js = { tags: ["js-value"] };

const ofNine = fixture("read", "{}", deep(999));
const ofTen = fixture("read", "{}", deep(1000));
const ofObject = fixture("read", "{}", '{"a":1,"b":2}');
const ofReplacement = fixture("read", "{}", '"\ufffd"');
const ofPlain = fixture("toString", "{}", "1");
const ofDeep = fixture("read", deep(999), "1");

const edges = [
  replay("a falsy mode is replay, a falsy ceiling SE2", {
    options: { mode: "", max_effect_class: "" },
    tools: [{ ...READ, effect_class: "SE2" }],
    ...text(one.text),
  }, found()),
  replay("a mode of another type is refused", { options: { mode: ["replay"] } }, {}),
  replay("an unknown ceiling lets not even SE0 through", {
    options: { max_effect_class: "SE5" },
    ...text(one.text),
  }, { ...refused("tool.effect_forbidden"), call_log: [forbidden("read")] }),
  replay("an inherited name is known and has no fixture", { call: { name: "toString" } }, missing),
  replay("the name of the prototype as well", { call: { name: "__proto__" } }, missing),
  replay("an inherited name with a fixture is replayed", {
    call: { name: "toString" },
    ...at({ utf8: ofPlain.text }, ofPlain.path),
  }, found("1", replayed(ofPlain, "toString"))),
  replay("an inherited name is let through by an unknown ceiling, as its rank is unknown too", {
    options: { max_effect_class: "none" },
    call: { name: "constructor" },
  }, missing),
  replay("recording an inherited name has nothing to execute", {
    options: record,
    call: { name: "toString" },
  }, refused("tool.no_implementation")),
  replay(
    "recording a tool without implementation",
    { options: record },
    refused("tool.no_implementation"),
  ),
  replay("recording arguments without text executes nothing", {
    options: record,
    tools: [live(json("1"))],
    call: { name: "read", args_tagged: { t: "bigint", v: "1" } },
  }, { ...refused("tool.not_serializable"), ...js }),
  replay("replaying arguments without text", {
    call: { name: "read", args_tagged: { t: "symbol" } },
  }, { ...refused("tool.not_serializable"), ...js }),
  replay("undefined arguments are left out ones", {
    call: { name: "read", args_tagged: { t: "undefined" } },
    ...text(one.text),
  }, { ...found(), ...js }),
  replay("recording a response without text stores nothing", {
    options: record,
    tools: [live({ t: "bigint", v: "1" })],
  }, { ...refused("tool.not_serializable"), ...counted, ...js }),
  replay("recording a response that would be read back with another hash stores nothing", {
    options: record,
    tools: [live({ t: "tojson", value: json('{"b":1,"a":2}'), entries: [] })],
  }, { ...refused("tool.not_serializable"), ...counted, ...js }),
  replay("recording a response of 1000 levels, whose fixture would have 1001, stores nothing", {
    options: record,
    tools: [live(json(deep(1000)))],
  }, { ...refused("tool.not_serializable"), ...counted }),
  replay("recording a response of 999 levels", {
    options: record,
    tools: [live(json(deep(999)))],
  }, {
    result: { ok: true, response_canonical: deep(999) },
    call_log: [{ ...replayed(ofNine), mode: "record", status: "recorded" }],
    ...counted,
    after: [{ path: ofNine.path, utf8: ofNine.text }],
  }),
  replay("a refused call is not executed in record mode either", {
    options: { mode: "record" },
    tools: [{ ...live(json("1")), effect_class: "SE3" }],
  }, { ...refused("tool.effect_forbidden"), call_log: [forbidden("read", "record")] }),
  replay("a fixture that is null", text("null"), corrupt),
  replay("a fixture without response", text(one.text.replace('"response":1,', "")), corrupt),
  replay("another tool is told before a missing response", {
    ...text(one.text.replace('"response":1,', "").replace('"read"', '"note"')),
  }, mismatch),
  replay("a fixture of text", text('"fixture"'), mismatch),
  replay("a byte order mark", text(`\ufeff${one.text}`), corrupt),
  replay("a second value", text(`${one.text}1`), corrupt),
  replay("1000 levels", text(ofNine.text), found(deep(999), replayed(ofNine))),
  replay("1001 levels", text(ofTen.text), corrupt),
  replay("1001 levels left open", text(`{"a":${"[".repeat(1000)}`), corrupt),
  replay("invalid UTF-8 in the key goes unnoticed", {
    ...bytes(split(one.key)[0], [0xff], split(one.key)[1]),
  }, found("1", { ...replayed(), fixture_key: `\ufffd${one.key}` })),
  replay("invalid UTF-8 in the response that reads as the same text goes unnoticed", {
    ...at({
      base64: Buffer.concat([
        Buffer.from(ofReplacement.text.slice(0, ofReplacement.text.indexOf("\ufffd"))),
        Buffer.from([0xff]),
        Buffer.from(ofReplacement.text.slice(ofReplacement.text.indexOf("\ufffd") + 1)),
      ]).toString("base64"),
    }),
  }, found('"\ufffd"', replayed(ofReplacement))),
  replay("of a repeated member the last one counts", {
    ...text(one.text.replace('"response":1', '"response":2,"response":1')),
  }, found()),
  replay("members in another order, and another layout", {
    ...text(ofObject.text.replace('{"a":1,"b":2}', ' {"b" : 2,"a" :1.0e0}\r\n')),
  }, found('{"a":1,"b":2}', replayed(ofObject))),
  replay("a key of another type", text(one.text.replace(`"${one.key}"`, "7")), {
    ...found("1", { ...replayed(), fixture_key: 7 }),
  }),
  replay(
    "a response hash in capitals",
    text(one.text.replace(one.response_hash, one.response_hash.toUpperCase())),
    mismatch,
  ),
  replay("own members named like those of every object", {
    ...text(`{"__proto__":${one.text.trimEnd()}}`),
  }, mismatch),
  replay("a link to a fixture is followed", {
    store: [{ path: "real", utf8: one.text }, { path: one.path, symlink: "real" }],
  }, {
    ...found(),
    after: [{ path: one.path, symlink: "real" }, { path: "real", utf8: one.text }],
  }),
  replay("a dangling link is absent", at({ symlink: "nothing" }), missing),
  replay("a named pipe is never opened", at({ fifo: true }), corrupt),
  replay("recording replaces a link, not what it leads to", {
    options: record,
    tools: [live(json("1"))],
    store: [{ path: "real", utf8: "{bad" }, { path: one.path, symlink: "real" }],
  }, {
    result: { ok: true, response_canonical: "1" },
    call_log: [{ ...replayed(), mode: "record", status: "recorded" }],
    ...counted,
    after: [{ path: one.path, utf8: one.text }, { path: "real", utf8: "{bad" }],
  }),
  replay("arguments of 999 levels, 1000 with the tool around them", {
    call: { name: "read", args_tagged: json(deep(999)) },
    ...at({ utf8: ofDeep.text }, ofDeep.path),
  }, found("1", replayed(ofDeep))),
  replay("arguments of 1000 levels", {
    call: { name: "read", args_tagged: json(deep(1000)) },
  }, refused("tool.not_serializable")),
].map((found, index) => ({ id: `q${String(index + 1).padStart(3, "0")}`, ...found }));

// What has no calls at all.
const badMode = edges.find(({ note }) => note.startsWith("a mode of another type"));
badMode.expect = { create: { ok: false, code: "replay.bad_mode" } };
const order = [
  [
    "the mode is refused before the missing store",
    { mode: "live" },
    [{ name: "x" }],
    null,
    "bad_mode",
  ],
  ["the missing store before the declaration", {}, [{ name: "x" }], null, "no_store"],
  [
    "a declaration before any call",
    {},
    [READ, { name: "x", effect_class: 0 }],
    [],
    "bad_declaration",
  ],
].map(([note, options, tools, store, code], index) => ({
  id: `q${String(edges.length + index + 1).padStart(3, "0")}`,
  note,
  input: { tools, options, store, calls: [{ name: "read" }] },
  expect: { create: { ok: false, code: `replay.${code}` } },
}));

write(
  "replay-edges",
  "replay.run",
  "Replay where the first writer let an error of the runtime escape, and at the edges of reading a fixture.",
  [...edges, ...order],
);

const stored = (note, tool, args, response, { tags, ...found }) => ({
  note,
  ...(tags && { tags }),
  input: { tool, args_tagged: args, response_tagged: response },
  expect: found.text === undefined ? { ok: false, code: "tool.not_serializable", files: [] } : {
    ok: true,
    key: found.key,
    args_hash: found.args_hash,
    response_hash: found.response_hash,
    file_name: found.path,
    file: { utf8: found.text },
  },
});
const none = {};
write(
  "fixture-store-edges",
  "replay.store",
  "Storing one response, where the first writer let an error of the runtime escape.",
  [
    stored("arguments that are a function", "t", { t: "function" }, json("1"), { ...none, ...js }),
    stored("arguments in a cycle", "t", { t: "cycle", key: "a" }, json("1"), { ...none, ...js }),
    stored("a response in a cycle", "t", json("{}"), { t: "cycle", key: "a" }, { ...none, ...js }),
    stored("a response that is a symbol", "t", json("{}"), { t: "symbol" }, { ...none, ...js }),
    stored(
      "a date is an object without members",
      "t",
      { t: "date", v: "2026-09-02T00:00:00.000Z" },
      {
        t: "map",
      },
      { ...fixture("t", "{}", "{}"), ...js },
    ),
    stored("NaN and infinities are null", "t", { t: "nan" }, { t: "-inf" }, {
      ...fixture("t", "null", "null"),
      ...js,
    }),
    stored(
      "arguments with a toJSON function are hashed as it spells them",
      "t",
      {
        t: "tojson",
        value: json('{"b":1,"a":2}'),
        entries: [],
      },
      json("1"),
      { ...fixture("t", '{"b":1,"a":2}', "1"), ...js },
    ),
    stored(
      "a tool name with quotes, controls and an unpaired surrogate",
      'a"\n\ud800',
      json("{}"),
      json("1"),
      {
        ...fixture('a"\n\ud800', "{}", "1"),
      },
    ),
  ].map((one, index) => ({ id: `r${String(index + 1).padStart(3, "0")}`, ...one })),
);
