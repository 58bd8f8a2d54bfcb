// Writes the suites recording/*: policies of effects, recorded answers, and serving them. Expectations are written by hand
// from the rules, and hashes are node:crypto's over texts that are spelled out here; the library has no part in it. check.py
// holds all of it against a second reading of the rules in Python.
//
//   node vectors/generate/recording.mjs

import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";

const BASIS = "Derived by hand from the rules of recording; held against generate/check.py.";

const sha256 = (text) => createHash("sha256").update(text).digest("hex");
const ZEROS = "0".repeat(64);
const deep = (levels) => "[".repeat(levels) + "]".repeat(levels);
const base64 = (...parts) => ({ base64: Buffer.concat(parts.map((part) => Buffer.from(part))).toString("base64") });
const parted = (text, around) => [text.slice(0, text.indexOf(around)), text.slice(text.indexOf(around))];

/** The canonical text of values without numeric-looking names, which are all that is needed here. */
function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const names = Object.keys(value).sort();
  return `{${names.map((name) => `${JSON.stringify(name)}:${canonical(value[name])}`).join(",")}}`;
}

function write(name, letter, suite, cases) {
  const head = JSON.stringify({ suite: `recording/${name}`, ...suite, basis: BASIS }).slice(0, -1);
  const lines = cases.map((one, index) =>
    JSON.stringify({ id: `${letter}${String(index + 1).padStart(3, "0")}`, ...one })
  );
  const file = new URL(`../recording/${name}.json`, import.meta.url);
  writeFileSync(file, `${head},"cases":[\n${lines.join(",\n")}\n]}\n`);
}

// ---- policies ----

const S = '"schema":"effect-policy/v1"';
const policy = (rest, tools = "{}") => `{${S},"tools":${tools}${rest === "" ? "" : `,${rest}`}}`;
const classed = (name, effect_class, source) => ({ name, effect_class, source });
const unnamed = (name) => classed(name, "SE4", "default");

/** A policy that is accepted, and the tools that it was asked for. */
function accepted(note, text, tools = [], rest = {}) {
  const { max_effect = null, deny = [], trusts, annotations = {} } = rest;
  const asked = tools.map(({ name }) => ({ name, ...(name in annotations && { annotations: annotations[name] }) }));
  return {
    note,
    input: { policy: { utf8: text }, tools: asked, ...(trusts && { trust_annotations: true }) },
    expect: { ok: true, max_effect, deny, tools },
  };
}

/** A policy that is refused, where its place is one that every reader finds. */
function refusedPolicy(note, content, place = {}) {
  return {
    note,
    input: { policy: typeof content === "string" ? { utf8: content } : content, tools: [{ name: "add" }] },
    expect: { ok: false, code: "recording.policy_invalid", ...place },
  };
}
const at = (pointer) => ({ pointer });

/** A tool that the policy does not name, with these annotations, which are trusted. */
const annotated = (note, annotations, effect_class, source = "annotations") =>
  accepted(note, policy(""), [classed("t", effect_class, source)], { trusts: true, annotations: { t: annotations } });
const READS = { readOnlyHint: true, openWorldHint: false };

write("policies", "p", {
  op: "recording.read_policy",
  about: "Policies of effects: what is refused and where, and how far the effects of a tool reach.",
  compare: { unordered: ["deny"] },
}, [
  accepted(
    "every member",
    policy('"max_effect":"SE2","deny":["publish"]', '{"search":"SE1","add":"SE0"}'),
    [classed("search", "SE1", "policy"), classed("add", "SE0", "policy"), unnamed("publish")],
    { max_effect: "SE2", deny: ["publish"] },
  ),
  accepted("no ceiling, nothing denied, no tools", policy(""), [unnamed("add")]),
  accepted(
    "every class",
    policy('"max_effect":"SE4"', '{"a":"SE0","b":"SE1","c":"SE2","d":"SE3","e":"SE4"}'),
    ["a", "b", "c", "d", "e"].map((name, index) => classed(name, `SE${index}`, "policy")),
    { max_effect: "SE4" },
  ),
  accepted("the lowest ceiling", policy('"max_effect":"SE0"'), [], { max_effect: "SE0" }),
  accepted("an empty list of denied tools", policy('"deny":[]')),
  accepted(
    "a denied tool may have a class, and several are denied",
    policy('"deny":["add","mul"]', '{"add":"SE3"}'),
    [classed("add", "SE3", "policy"), unnamed("mul")],
    { deny: ["add", "mul"] },
  ),
  accepted(
    "another order of members, white space, and names with escapes",
    ' {\t"deny" : [ ] ,\r\n"t\\u006fols":{"\\u0061dd":"\\u0053E0"},"schem\\u0061":"effect-policy\\/v1"}\n',
    [classed("add", "SE0", "policy")],
  ),
  accepted(
    "names are compared as they are: case, spaces and decomposed letters",
    policy("", '{"add":"SE0","\u00e4":"SE1","":"SE2"}'),
    [unnamed("Add"), unnamed("add "), classed("\u00e4", "SE1", "policy"), unnamed("a\u0308"), classed("", "SE2", "policy")],
  ),
  accepted("a tool named __proto__", policy("", '{"__proto__":"SE2"}'), [
    classed("__proto__", "SE2", "policy"),
    unnamed("toString"),
  ]),
  accepted("names that objects inherit in some languages are not named", policy(""), [
    unnamed("__proto__"),
    unnamed("constructor"),
    unnamed("toString"),
  ]),
  accepted("a tool named by an unpaired surrogate", policy("", '{"\\ud800":"SE1"}'), [
    classed("\ud800", "SE1", "policy"),
    unnamed("\ufffd"),
  ]),

  refusedPolicy("an empty file", ""),
  refusedPolicy("no JSON", policy("").slice(0, -1)),
  refusedPolicy("a second value", `${policy("")}{}`),
  refusedPolicy("a comma too many", policy("", '{"add":"SE0",}')),
  refusedPolicy("a comment", `// tools\n${policy("")}`),
  refusedPolicy("a bare word that JSON does not have", policy('"max_effect":NaN')),
  refusedPolicy("a raw control character in a name", policy("", '{"a\u0001":"SE0"}')),
  refusedPolicy("nested deeper than 1000 levels", deep(1001)),
  refusedPolicy("a byte order mark", `\ufeff${policy("")}`, { byte: 0 }),
  refusedPolicy("a byte that is no UTF-8", base64(`{${S},"tools":{"`, [0xff], '":"SE0"}}'), {
    byte: `{${S},"tools":{"`.length,
  }),
  refusedPolicy("UTF-16", { base64: Buffer.from(policy(""), "utf16le").toString("base64") }),
  refusedPolicy("a tool twice, with the same class", policy("", '{"add":"SE0","add":"SE0"}'), at("/tools/add")),
  refusedPolicy("a tool twice, once with an escape", policy("", '{"add":"SE0","\\u0061dd":"SE1"}'), at("/tools/add")),
  refusedPolicy("__proto__ twice", policy("", '{"__proto__":"SE0","__proto__":"SE0"}'), at("/tools/__proto__")),
  refusedPolicy("tools twice", policy('"tools":{}'), at("/tools")),
  refusedPolicy("deny twice", policy('"deny":["add"],"deny":[]'), at("/deny")),

  refusedPolicy("null", "null", at("")),
  refusedPolicy("a list", `[${policy("")}]`, at("")),
  refusedPolicy("a text", '"effect-policy/v1"', at("")),
  refusedPolicy("an unknown member", policy('"trust":true'), at("/trust")),
  refusedPolicy("a member in another case", policy('"Deny":["add"]'), at("/Deny")),
  refusedPolicy("a member __proto__", policy('"__proto__":{}'), at("/__proto__")),
  refusedPolicy("an unknown member that is null", policy('"note":null'), at("/note")),
  refusedPolicy("the name of an unknown member as a pointer", policy('"a/b~c":1'), at("/a~1b~0c")),
  refusedPolicy("no schema", '{"tools":{}}', at("/schema")),
  refusedPolicy("another schema", '{"schema":"effect-policy/v2","tools":{}}', at("/schema")),
  refusedPolicy("a schema in another case", '{"schema":"Effect-Policy/v1","tools":{}}', at("/schema")),
  refusedPolicy("a schema that is null", '{"schema":null,"tools":{}}', at("/schema")),
  refusedPolicy("no tools", `{${S}}`, at("/tools")),
  refusedPolicy("tools that are null", policy("", "null"), at("/tools")),
  refusedPolicy("tools that are a list", policy("", '["add"]'), at("/tools")),
  refusedPolicy("tools that are a text", policy("", '"SE0"'), at("/tools")),
  refusedPolicy("a class that does not exist", policy("", '{"add":"SE5"}'), at("/tools/add")),
  refusedPolicy("a class in another case", policy("", '{"add":"se0"}'), at("/tools/add")),
  refusedPolicy("a class with a space", policy("", '{"add":"SE0 "}'), at("/tools/add")),
  refusedPolicy("a number as a class", policy("", '{"add":0}'), at("/tools/add")),
  refusedPolicy("null as a class", policy("", '{"add":null}'), at("/tools/add")),
  refusedPolicy("an object as a class", policy("", '{"add":{"effect_class":"SE0"}}'), at("/tools/add")),
  refusedPolicy("a class of __proto__ that is an object", policy("", '{"__proto__":{"add":"SE0"}}'), at("/tools/__proto__")),
  refusedPolicy("a name with a slash and a tilde as a pointer", policy("", '{"a/b~c":"SE9"}'), at("/tools/a~1b~0c")),
  refusedPolicy("an empty name as a pointer", policy("", '{"":"SE9"}'), at("/tools/")),
  refusedPolicy("a ceiling that does not exist", policy('"max_effect":"SE5"'), at("/max_effect")),
  refusedPolicy("a ceiling that is null", policy('"max_effect":null'), at("/max_effect")),
  refusedPolicy("a ceiling that is a number", policy('"max_effect":2'), at("/max_effect")),
  refusedPolicy("denied tools that are null", policy('"deny":null'), at("/deny")),
  refusedPolicy("denied tools that are a text", policy('"deny":"add"'), at("/deny")),
  refusedPolicy("denied tools that are an object", policy('"deny":{"add":true}'), at("/deny")),
  refusedPolicy("a denied tool that is null", policy('"deny":["add",null]'), at("/deny/1")),
  refusedPolicy("a denied tool that is a list", policy('"deny":[["add"]]'), at("/deny/0")),

  refusedPolicy("a repeated member is told before an unknown one", policy('"x":1,"deny":[],"deny":[]'), at("/deny")),
  refusedPolicy("an unknown member before another schema", '{"schema":1,"tools":{},"x":1}', at("/x")),
  refusedPolicy("of two unknown members the first", policy('"y":1,"x":1'), at("/y")),
  refusedPolicy("the schema before the tools, in any order of the text", '{"tools":[],"schema":1}', at("/schema")),
  refusedPolicy("the tools before the ceiling", policy('"max_effect":2', "[]"), at("/tools")),
  refusedPolicy("a class before the ceiling", policy('"max_effect":2', '{"add":1}'), at("/tools/add")),
  refusedPolicy("of two wrong classes the first", policy("", '{"b":1,"a":1}'), at("/tools/b")),
  refusedPolicy("the ceiling before the denied tools", `{${S},"deny":1,"max_effect":1,"tools":{}}`, at("/max_effect")),

  annotated("reading in a closed world", READS, "SE0"),
  annotated("reading in an open world", { ...READS, openWorldHint: true }, "SE1"),
  annotated("reading, and the world counts as open", { readOnlyHint: true }, "SE1"),
  annotated("reading, whatever it says of destroying", { ...READS, destructiveHint: true }, "SE0"),
  annotated("adding to a closed world", { readOnlyHint: false, destructiveHint: false, openWorldHint: false }, "SE2"),
  annotated("adding to a closed world, and it counts as not reading", { destructiveHint: false, openWorldHint: false }, "SE2"),
  annotated("adding to an open world", { destructiveHint: false, openWorldHint: true }, "SE3"),
  annotated("adding, and the world counts as open", { destructiveHint: false }, "SE3"),
  annotated("destroying in a closed world", { destructiveHint: true, openWorldHint: false }, "SE4"),
  annotated("it counts as destroying", { openWorldHint: false }, "SE4"),
  annotated("no hint at all", {}, "SE4"),
  annotated("that it may be repeated, and its title, say nothing", { idempotentHint: true, title: "Read" }, "SE4"),
  annotated(
    "hints of another type count as missing",
    { readOnlyHint: "true", destructiveHint: 0, openWorldHint: null },
    "SE4",
  ),
  annotated("hints in another case count as missing", { readonlyhint: true, openworldhint: false }, "SE4"),
  annotated("annotations that are null", null, "SE4", "default"),
  annotated("annotations that are a list", [READS], "SE4", "default"),
  annotated("annotations that are a text", "readOnlyHint", "SE4", "default"),
  accepted("no annotations, and they are trusted", policy(""), [unnamed("t")], { trusts: true }),
  accepted("annotations that are not trusted", policy(""), [unnamed("t")], { annotations: { t: READS } }),
  accepted("the policy comes before annotations, trusted or not", policy("", '{"t":"SE3"}'), [
    classed("t", "SE3", "policy"),
  ], { trusts: true, annotations: { t: READS } }),
  accepted(
    "each tool by its own annotations",
    policy('"max_effect":"SE0","deny":["a"]', '{"c":"SE1"}'),
    [classed("a", "SE0", "annotations"), unnamed("b"), classed("c", "SE1", "policy"), classed("d", "SE2", "annotations")],
    {
      max_effect: "SE0",
      deny: ["a"],
      trusts: true,
      annotations: { a: READS, c: READS, d: { destructiveHint: false, openWorldHint: false } },
    },
  ),
]);

// ---- recorded answers ----

/** Members with the hash over them, whether or not they are those of an answer. */
function sealed(members) {
  const { answer_hash: _, ...rest } = members;
  return { ...rest, answer_hash: sha256(canonical(rest)) };
}

/** The file of these members: its name and text. */
function fileOf(members) {
  const path = `${members.key}.${members.occurrence}.answer.json`;
  return { path, utf8: `${canonical(members)}\n`, members };
}

const TEXT = '{"content":[{"type":"text","text":"5"}]}';

/** An answer to a call. `value` is the canonical text of its result, where the writer of cases has to spell it. */
function answerTo(tool, args = {}, { text = TEXT, value = canonical(JSON.parse(text)), ...rest } = {}) {
  return fileOf(sealed({
    schema: "recorded-answer/v1",
    method: "tools/call",
    tool,
    args_hash: sha256(canonical(args)),
    key: sha256(canonical({ tool, args })),
    occurrence: 0,
    effect_class: "SE0",
    effect_source: "policy",
    outcome: "result",
    text,
    response_hash: sha256(value),
    ...rest,
  }));
}

/** The answer to another request. */
function answerOther(method, params, text, rest = {}) {
  const key = sha256(canonical({ method, params }));
  const none = { tool: null, args_hash: null, effect_class: null, effect_source: null };
  return answerTo("", {}, { text, method, ...none, key, ...rest });
}

const ADD = answerTo("add", { a: 2, b: 3 });
const FAULT = '{"code":-5,"message":"no"}';
const failed = answerTo("add", {}, { text: FAULT, outcome: "error" });
const LIST = answerOther("tools/list", {}, '{"tools":[]}');

const held = (note, { path, utf8, members }) => {
  const { schema: _, answer_hash: __, ...answer } = members;
  return { note, input: { name: path, file: { utf8 } }, expect: { ok: true, answer } };
};
const turnedDown = (code) => (note, file, name = ADD.path) => ({
  note,
  input: { name, file: typeof file === "string" ? { utf8: file } : file },
  expect: { ok: false, code: code && `tool.fixture_${code}` },
});
const corrupt = turnedDown("corrupt");
const mismatch = turnedDown("mismatch");
const noName = turnedDown(null);

/** An answer of which members were changed, with its hash as it was. */
const edited = (changes, { members } = ADD) => {
  const changed = Object.entries({ ...members, ...changes }).filter(([, value]) => value !== undefined);
  return `${canonical(Object.fromEntries(changed))}\n`;
};
/** The same by somebody who computes the hash over all members anew. */
const rehashed = (changes, { members } = ADD) => `${canonical(sealed({ ...members, ...changes }))}\n`;
const withText = (text, of) => edited({ text }, of);
const spelled = (from, to) => {
  if (!ADD.utf8.includes(from)) throw new Error(`${from} is not in the file`);
  return ADD.utf8.replace(from, () => to);
};

write("answers", "a", {
  op: "recording.read_answer",
  about: "Files of recorded answers: the name, every member and hash, and the one spelling that is accepted.",
}, [
  held("an answer to a call", ADD),
  held("an error", failed),
  held("an error with data, and members beside", answerTo("add", {}, { text: '{"data":null,"x":1,"message":"","code":0}', outcome: "error" })),
  held("an error as the text of a result", answerTo("add", {}, { text: FAULT })),
  held("a result without members", answerTo("add", {}, { text: "{}" })),
  held("the tool answered with an error", answerTo("add", {}, { text: '{"isError":true,"content":[]}' })),
  held("an answer to tools/list", LIST),
  held("an answer to tools/list with a cursor", answerOther("tools/list", { cursor: "2" }, '{"tools":[]}', { occurrence: 1 })),
  held("an answer to initialize", answerOther("initialize", {}, '{"protocolVersion":"2025-06-18","capabilities":{}}')),
  held("the answer number 12", answerTo("add", {}, { occurrence: 12 })),
  held("a class by annotations", answerTo("add", {}, { effect_class: "SE2", effect_source: "annotations" })),
  held("a class that nobody said", answerTo("add", {}, { effect_class: "SE4", effect_source: "default" })),
  held("a tool named __proto__", answerTo("__proto__")),
  held("a tool without a name", answerTo("")),
  held("a tool and a text of other scripts, U+2028 and U+007F", answerTo("\u00e4\u{1f600}", {}, { text: '{"\u00fc":"\u2028\u007f\u{1f600}"}' })),
  held("white space and the order of members are kept in the text", answerTo("add", {}, { text: '{ "b" :\t[ 1 , 2 ], "a":{ } }' })),
  held("numbers are kept as they are spelled, and hashed as they are understood", answerTo("add", {}, {
    text: '{"n":[1.0,1e2,-0,1E400,12345678901234567890,0.10,1e-7,1e21,5e-324]}',
    value: '{"n":[1,100,0,null,12345678901234567000,0.1,1e-7,1e+21,5e-324]}',
  })),
  held("escapes are kept as they are spelled, and hashed as they are understood", answerTo("add", {}, {
    text: '{"\\u0061\\/":"\\u00e9\\u000a\\u0007"}',
    value: '{"a/":"\u00e9\\n\\u0007"}',
  })),
  held("an unpaired surrogate in an escape", answerTo("add", {}, { text: '{"a":"\\uD800"}', value: '{"a":"\\ud800"}' })),
  held("names that look like numbers come first in the hash", answerTo("add", {}, {
    text: '{"b":0,"10":1,"9":2,"01":3}',
    value: '{"9":2,"10":1,"01":3,"b":0}',
  })),
  held("by code unit U+10000 comes before U+E000", answerTo("add", {}, {
    text: '{"\ue000":1,"\u{10000}":2}',
    value: '{"\u{10000}":2,"\ue000":1}',
  })),
  held("a text of 1000 levels", answerTo("add", {}, { text: `{"a":${deep(999)}}` })),
  held("whoever computes the hash anew is not noticed", answerTo("add", { a: 2, b: 3 }, { effect_class: "SE1", text: "{}" })),

  corrupt("another schema", edited({ schema: "recorded-answer/v2" })),
  corrupt("another schema, and the hash is right", rehashed({ schema: "recorded-answer/v2" })),
  corrupt("no schema", edited({ schema: undefined })),
  corrupt("another method", edited({ method: "tools/list" })),
  corrupt("a method in another case", edited({ method: "tools/Call" })),
  corrupt("a method that is null", edited({ method: null })),
  mismatch("another tool", edited({ tool: "sub" })),
  corrupt("a tool that is null", edited({ tool: null })),
  corrupt("a tool that is a number", edited({ tool: 1 })),
  mismatch("other arguments", edited({ args_hash: ZEROS })),
  corrupt("a hash of the arguments in capitals", edited({ args_hash: ADD.members.args_hash.toUpperCase() })),
  corrupt("a hash of the arguments that is too short", edited({ args_hash: ADD.members.args_hash.slice(1) })),
  corrupt("a hash of the arguments that is null", edited({ args_hash: null })),
  mismatch("another key", edited({ key: ZEROS })),
  mismatch("no key", edited({ key: undefined })),
  mismatch("another number", edited({ occurrence: 1 })),
  mismatch("a number that is a text", edited({ occurrence: "0" })),
  mismatch("no number", edited({ occurrence: undefined })),
  mismatch("another class", edited({ effect_class: "SE1" })),
  corrupt("a class that does not exist", edited({ effect_class: "SE5" })),
  corrupt("a class that does not exist, and the hash is right", rehashed({ effect_class: "SE5" })),
  corrupt("a class that is null", edited({ effect_class: null })),
  mismatch("another source of the class", edited({ effect_source: "default" })),
  corrupt("a source that does not exist", edited({ effect_source: "server" })),
  corrupt("no source", edited({ effect_source: undefined })),
  corrupt("the outcome of a result that is no error either", edited({ outcome: "error" })),
  mismatch("the outcome of an error that is a result too", edited({ outcome: "result" }, failed), failed.path),
  corrupt("an outcome that does not exist", edited({ outcome: "ok" })),
  mismatch("another text", withText(TEXT.replace("5", "6"))),
  mismatch("the same value in another text", withText(TEXT.replace(":", ": "))),
  corrupt("a text that is an object", withText({ content: [] })),
  corrupt("no text", withText(undefined)),
  corrupt("a text that is empty", withText("")),
  corrupt("a text that is no JSON", withText(TEXT.slice(0, -1))),
  corrupt("a text of two values", withText(`${TEXT}{}`)),
  corrupt("a text with a line feed", withText(TEXT.replace(",", ",\n"))),
  corrupt("a text with a line feed, and the hash is right", rehashed({ text: TEXT.replace(",", ",\n") })),
  corrupt("a text with a byte order mark", withText(`\ufeff${TEXT}`)),
  corrupt("a text of 1001 levels", withText(`{"a":${deep(1000)}}`)),
  corrupt("a result that is null", withText("null")),
  corrupt("a result that is a list, and the hashes are right", rehashed({ text: "[]", response_hash: sha256("[]") })),
  corrupt("an error without a message", withText('{"code":-5}', failed), failed.path),
  corrupt("an error whose code is a text", withText('{"code":"-5","message":"no"}', failed), failed.path),
  corrupt("an error whose code is no whole number", withText('{"code":0.5,"message":"no"}', failed), failed.path),
  corrupt("an error whose message is null", withText('{"code":-5,"message":null}', failed), failed.path),
  mismatch("another hash of the response", edited({ response_hash: ZEROS })),
  mismatch("another hash of the response, and the hash over all is right", rehashed({ response_hash: ZEROS })),
  mismatch("the hash of the text in the place of that of its value", rehashed({ response_hash: sha256(TEXT) })),
  mismatch("a hash of the response in capitals", edited({ response_hash: ADD.members.response_hash.toUpperCase() })),
  mismatch("no hash of the response", edited({ response_hash: undefined })),
  mismatch("another hash over all", edited({ answer_hash: ZEROS })),
  mismatch("no hash over all", edited({ answer_hash: undefined })),
  mismatch("a further member", edited({ duration_ms: 1 })),
  mismatch("a further member, and the hash is right", rehashed({ duration_ms: 1 })),
  mismatch("a further member __proto__", spelled('"answer_hash"', '"__proto__":{},"answer_hash"')),
  corrupt("a tool in an answer to tools/list, and the hash is right", rehashed({ tool: "add" }, LIST), LIST.path),
  corrupt("a class in an answer to tools/list, and the hash is right", rehashed({ effect_class: "SE0" }, LIST), LIST.path),
  corrupt("no tool in an answer to tools/list", edited({ tool: undefined }, LIST), LIST.path),
  mismatch("another text in an answer to tools/list", edited({ text: "{}" }, LIST), LIST.path),
  corrupt(
    "a call without tool, arguments and class, and the hash is right",
    rehashed({ tool: null, args_hash: null, effect_class: null, effect_source: null }),
  ),

  mismatch("no line feed at the end", ADD.utf8.trimEnd()),
  mismatch("an empty line at the end", `${ADD.utf8}\n`),
  mismatch("a carriage return at the end", ADD.utf8.replace("\n", "\r\n")),
  mismatch("a space in front", ` ${ADD.utf8}`),
  mismatch("a space between the parts", spelled(":0,", ": 0,")),
  mismatch("members in another order", spelled('{"answer_hash"', `{"tool":"add","answer_hash"`).replace(/,"tool":"add"}/, "}")),
  mismatch("a letter as an escape", spelled('"tool":"add"', '"tool":"\\u0061dd"')),
  mismatch("a slash as an escape", spelled("tools/call", "tools\\/call")),
  mismatch("the number as 0.0", spelled(":0,", ":0.0,")),
  mismatch("the number as -0", spelled(":0,", ":-0,")),
  mismatch("a member twice", spelled('"tool":"add"', '"tool":"add","tool":"add"')),
  mismatch("a member twice, and the last one is right", spelled('"occurrence":0', '"occurrence":7,"occurrence":0')),

  corrupt("an empty file", ""),
  corrupt("no JSON", ADD.utf8.slice(0, -2)),
  corrupt("two answers in one file", ADD.utf8 + ADD.utf8),
  corrupt("null", "null\n"),
  corrupt("a list", `[${ADD.utf8.trimEnd()}]\n`),
  corrupt("a text", `${JSON.stringify(ADD.utf8)}\n`),
  corrupt("an object without members", "{}\n"),
  corrupt("a byte order mark", `\ufeff${ADD.utf8}`),
  corrupt("a byte that is no UTF-8", base64(parted(ADD.utf8, "add")[0], [0xff], parted(ADD.utf8, "add")[1])),
  corrupt("1001 levels in a further member", spelled('"answer_hash"', `"a":${deep(1000)},"answer_hash"`)),
  mismatch("1000 levels in a further member", spelled('"answer_hash"', `"a":${deep(999)},"answer_hash"`)),
  corrupt("a fixture of version 1", `{"args_hash":"${ADD.members.args_hash}","key":"${ADD.members.key}","response":{},"response_hash":"${sha256("{}")}","tool":"add"}\n`),
  corrupt("a directory", { dir: true }),
  corrupt("a named pipe", { fifo: true }),

  mismatch("under the key of another call", ADD.utf8, failed.path),
  mismatch("under another number", ADD.utf8, ADD.path.replace(".0.", ".10.")),
  corrupt("the shape is told before the name", edited({ schema: "x" }), failed.path),
  mismatch("the answer to a list under the key of a call", LIST.utf8),
  noName("a number with a leading zero is no name of an answer", ADD.utf8, ADD.path.replace(".0.", ".00.")),
  noName("nor is one with a sign", ADD.utf8, ADD.path.replace(".0.", ".-0.")),
  noName("nor a name without a number", ADD.utf8, ADD.path.replace(".0.", ".")),
  noName("nor a key in capitals", ADD.utf8, ADD.path.replace(ADD.members.key, (key) => key.toUpperCase())),
  noName("nor a key that is too short", ADD.utf8, ADD.path.slice(1)),
  noName("nor a temporary one", ADD.utf8, `.${ADD.path}.00ff.tmp`),
  noName("nor that of a fixture", ADD.utf8, `${ADD.members.key}.json`),
  noName("nor that of arguments", ADD.utf8, `${ADD.members.key}.args.json`),
]);

// ---- serving them ----

const request = (id, method, params) => ({ jsonrpc: "2.0", id, method, ...(params !== undefined && { params }) });
const call = (id, name, args, rest = {}) =>
  request(id, "tools/call", { name, ...(args !== undefined && { arguments: args }), ...rest });
const notification = (method, params) => ({ jsonrpc: "2.0", method, ...(params !== undefined && { params }) });
const initialize = (id, protocolVersion) =>
  request(id, "initialize", { protocolVersion, capabilities: {}, clientInfo: { name: "c", version: "1" } });

const textOf = (id, text, outcome = "result") => `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"${outcome}":${text}}`;
const answered = (id, text, outcome) => [{ text: textOf(id, text, outcome) }];
const resultOf = (id, result) => ({ jsonrpc: "2.0", id, result });
const errorOf = (id, code, data) => ({ jsonrpc: "2.0", id, error: { code, ...(data && { data }) } });
const means = (message) => [{ message }];
const refusal = (id, code) => means(errorOf(id, -32000, { code: `tool.${code}` }));
const fault = (id, code) => means(errorOf(id, code));
const nothing = [];

const left = ({ members: { tool, args_hash, occurrence } }) => ({ tool, args_hash, occurrence });
const UNKNOWN = { tool: null, args_hash: null, occurrence: 0 };
const counted = (tool, code, count = 1) => ({ tool, code: `tool.${code}`, count });

/** A case: files, lines with their answers, and what the report says besides that nothing was served, refused or left. */
function replay(note, { store = [], max_effect, lines }, report = {}) {
  const content = (line) =>
    typeof line === "string" ? { utf8: line } : "base64" in line ? line : { utf8: JSON.stringify(line) };
  return {
    note,
    input: {
      ...(max_effect && { max_effect }),
      store: store.map(({ members: _, ...file }) => file),
      lines: lines.map(([line]) => content(line)),
    },
    expect: {
      answers: lines.map(([, answers]) => answers),
      report: { served: 0, refused: [], unused: [], ...report },
    },
  };
}

/** A line that is refused as such. */
const turned = (note, line, code, id = null) => replay(note, { lines: [[line, fault(id, code)]] });

const echo = (text, rest) => answerTo("echo", { a: 1 }, { text, ...rest });
const ask = (id) => call(id, "echo", { a: 1 });
const three = [0, 1, 2].map((occurrence) => echo(`{"n":${occurrence}}`, { occurrence }));
const editedFile = (file, from, to) => ({ ...file, utf8: file.utf8.replace(from, () => to) });

const session = (version, name, occurrence = 0) =>
  answerOther(
    "initialize",
    {},
    `{"protocolVersion":"${version}","capabilities":{"tools":{"listChanged":true},"prompts":{}},` +
      `"serverInfo":{"name":"${name}","version":"2"},"instructions":"be ${name}"}`,
    { occurrence },
  );
const greets = (id, protocolVersion, name) =>
  means(resultOf(id, {
    protocolVersion,
    capabilities: { tools: {} },
    ...(name && { serverInfo: { name, version: "2" }, instructions: `be ${name}` }),
  }));
const sessions = [session("2025-06-18", "a"), session("2099-01-01", "b", 1), session("2025-06-18", "c", 2)];

const list = (text, { params = {}, occurrence = 0 } = {}) => answerOther("tools/list", params, text, { occurrence });
const asksList = (id, params) => request(id, "tools/list", params);
const anyList = (id, ...names) =>
  means(resultOf(id, { tools: names.map((name) => ({ name, inputSchema: { type: "object" } })) }));
const agreed = [initialize(0, "2025-03-26"), greets(0, "2025-03-26")];

const byClass = ["SE0", "SE1", "SE2", "SE3", "SE4"].map((effect_class) => answerTo(effect_class, {}, { text: "{}", effect_class }));
const ceiling = (max_effect, count) =>
  replay(`with the ceiling ${max_effect}`, {
    max_effect,
    store: byClass,
    lines: byClass.map(({ members: { tool } }, index) => [
      call(index, tool),
      index < count ? answered(index, "{}") : refusal(index, "effect_forbidden"),
    ]),
  }, {
    served: count,
    refused: byClass.slice(count).map(({ members: { tool } }) => counted(tool, "effect_forbidden")),
    unused: byClass.slice(count).map(left),
  });

write("replay", "r", {
  op: "recording.replay",
  about: "Serving recorded answers: what each line of the client is answered with, and the report at the end.",
  compare: { unordered: ["refused", "unused"], exact: ["capabilities", "serverInfo"] },
  shared: { max_effect: "SE2" },
}, [
  // initialize
  replay("the session that was recorded for the revision asked for", {
    store: sessions,
    lines: [[initialize(1, "2025-06-18"), greets(1, "2025-06-18", "a")]],
  }),
  replay("a revision that was recorded, though nobody knows it", {
    store: sessions,
    lines: [[initialize(1, "2099-01-01"), greets(1, "2099-01-01", "b")]],
  }),
  replay("a known revision that was not recorded", {
    store: sessions,
    lines: [[initialize(1, "2024-11-05"), greets(1, "2024-11-05", "a")]],
  }),
  replay("a revision that is neither recorded nor known", {
    store: sessions,
    lines: [[initialize(1, "1900-01-01"), greets(1, "2025-11-25", "a")]],
  }),
  replay("no revision, and one that is no text", {
    store: sessions,
    lines: [
      [request(1, "initialize"), greets(1, "2025-11-25", "a")],
      [initialize(2, 20250618), greets(2, "2025-11-25", "a")],
    ],
  }),
  replay("every known revision, and nothing is recorded", {
    lines: ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05", "2024-10-07", "2026-07-28"].map((version, id) => [
      initialize(id, version),
      greets(id, version === "2026-07-28" ? "2025-11-25" : version),
    ]),
  }),
  replay("as often as it is asked for, and with its notice", {
    store: [sessions[0]],
    lines: [
      [initialize(1, "2025-06-18"), greets(1, "2025-06-18", "a")],
      [notification("notifications/initialized"), nothing],
      [initialize("1", "2025-06-18"), greets("1", "2025-06-18", "a")],
    ],
  }),
  replay("a recorded session that was edited is refused", {
    store: [editedFile(sessions[0], "be a", "be b")],
    lines: [1, 2].map((id) => [initialize(id, "2025-06-18"), refusal(id, "fixture_mismatch")]),
  }, { refused: [counted("initialize", "fixture_mismatch", 2)], unused: undefined }),

  // tools/list
  replay("recorded lists in their order, and the last one again", {
    store: [list('{"tools":[ ],"nextCursor":"2"}'), list('{"tools":[{"name":"x","inputSchema":{}}]}', { occurrence: 1 })],
    lines: [
      [asksList(1), answered(1, '{"tools":[ ],"nextCursor":"2"}')],
      [asksList(2, {}), answered(2, '{"tools":[{"name":"x","inputSchema":{}}]}')],
      [asksList(3, { _meta: { progressToken: 1 } }), answered(3, '{"tools":[{"name":"x","inputSchema":{}}]}')],
    ],
  }),
  replay("lists by their params, without what is said about the request", {
    store: [list('{"tools":[],"nextCursor":"2"}'), list('{ "tools": [] }', { params: { cursor: "2" } })],
    lines: [
      [asksList(1, { cursor: "2", _meta: {} }), answered(1, '{ "tools": [] }')],
      [asksList(2), answered(2, '{"tools":[],"nextCursor":"2"}')],
      [asksList(3, { cursor: "3" }), fault(3, -32602)],
    ],
  }),
  replay("without a recorded list the recorded tools by name", {
    store: [
      answerTo("b"),
      answerTo("B"),
      answerTo("\u00e9"),
      answerTo("a", {}, { text: FAULT, outcome: "error" }),
      answerTo("a", { x: 1 }),
      answerTo("pay", {}, { effect_class: "SE4" }),
      session("2025-06-18", "a"),
    ],
    lines: [[asksList(1), anyList(1, "B", "a", "b", "pay", "\u00e9")], [asksList(2, { cursor: "2" }), fault(2, -32602)]],
  }, {
    unused: [
      answerTo("b"),
      answerTo("B"),
      answerTo("\u00e9"),
      answerTo("a"),
      answerTo("a", { x: 1 }),
      answerTo("pay"),
    ].map(left),
  }),
  replay("nothing is recorded", { lines: [[asksList(1), anyList(1)]] }),
  replay("tools of damaged files are not listed", {
    store: [answerTo("b"), { ...answerTo("a"), utf8: "{}\n" }],
    lines: [[asksList(1), anyList(1, "b")]],
  }, { unused: [left(answerTo("b")), UNKNOWN] }),
  replay("a recorded list that was edited is refused, and the next one is served", {
    store: [{ ...list("{}"), utf8: "{" }, list('{"tools":[]}', { occurrence: 1 })],
    lines: [[asksList(1), refusal(1, "fixture_corrupt")], [asksList(2), answered(2, '{"tools":[]}')]],
  }, { refused: [counted("tools/list", "fixture_corrupt")] }),

  // tools/call
  replay("an answer byte for byte", {
    store: [
      echo('{ "content" : [] ,\t"n":[1.0,1E2,12345678901234567890],"\\u0061":"\\u00e9\u00e9\u2028" }'),
      echo('{"message" : "no","code":-5, "data":null}', { outcome: "error", occurrence: 1 }),
      echo('{"isError":true,"content":[]}', { occurrence: 2 }),
    ],
    lines: [
      [ask(1), answered(1, '{ "content" : [] ,\t"n":[1.0,1E2,12345678901234567890],"\\u0061":"\\u00e9\u00e9\u2028" }')],
      [ask("x"), answered("x", '{"message" : "no","code":-5, "data":null}', "error")],
      [ask(-3), answered(-3, '{"isError":true,"content":[]}')],
    ],
  }, { served: 3 }),
  replay("identical calls in the order of their numbers, which have gaps", {
    store: [10, 9, 2].map((occurrence) => echo(`{"n":${occurrence}}`, { occurrence })),
    lines: [[ask(1), answered(1, '{"n":2}')], [ask(2), answered(2, '{"n":9}')], [ask(3), answered(3, '{"n":10}')]],
  }, { served: 3 }),
  replay("calls that canonical text does not tell apart are identical", {
    store: three,
    lines: [
      ['{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":{"a":1.0}}}', answered(1, '{"n":0}')],
      ['{"params":{"arguments":{"\\u0061":1e0},"name":"ech\\u006f"},"method":"tools/call","id":2,"jsonrpc":"2.0"}', answered(2, '{"n":1}')],
      [call(3, "echo", { a: 1 }, { _meta: { progressToken: 3 } }), answered(3, '{"n":2}')],
    ],
  }, { served: 3 }),
  replay("no arguments are an empty object", {
    store: [answerTo("now", {}, { text: '{"n":1}' }), answerTo("now", {}, { text: '{"n":2}', occurrence: 1 })],
    lines: [[call(1, "now"), answered(1, '{"n":1}')], [call(2, "now", {}), answered(2, '{"n":2}')]],
  }, { served: 2 }),
  replay("each call has its own answers", {
    store: [echo('{"n":0}'), echo('{"n":1}', { occurrence: 1 }), answerTo("echo", { a: 2 }, { text: '{"n":2}' })],
    lines: [
      [ask(1), answered(1, '{"n":0}')],
      [call(2, "echo", { a: 2 }), answered(2, '{"n":2}')],
      [ask(3), answered(3, '{"n":1}')],
    ],
  }, { served: 3 }),
  replay("no answer is left", {
    store: [three[0]],
    lines: [[ask(1), answered(1, '{"n":0}')], [ask(2), refusal(2, "fixture_exhausted")], [ask(3), refusal(3, "fixture_exhausted")]],
  }, { served: 1, refused: [counted("echo", "fixture_exhausted", 2)] }),
  replay("no answer was recorded: other arguments, another tool, a name that objects inherit", {
    store: [three[0]],
    lines: [
      [call(1, "echo", { a: 2 }), refusal(1, "fixture_missing")],
      [call(2, "Echo", { a: 1 }), refusal(2, "fixture_missing")],
      [call(3, "toString", {}), refusal(3, "fixture_missing")],
      [call(4, "echo", { a: 1, b: null }), refusal(4, "fixture_missing")],
    ],
  }, {
    refused: [counted("echo", "fixture_missing", 2), counted("Echo", "fixture_missing"), counted("toString", "fixture_missing")],
    unused: [left(three[0])],
  }),
  replay("a tool named __proto__, and an argument of that name", {
    store: [answerTo("__proto__", JSON.parse('{"__proto__":{"a":1}}'), { text: "{}" })],
    lines: [[call(1, "__proto__", JSON.parse('{"__proto__":{"a":1}}')), answered(1, "{}")], [call(2, "__proto__"), refusal(2, "fixture_missing")]],
  }, { served: 1, refused: [counted("__proto__", "fixture_missing")] }),
  replay("fixtures of version 1 and kept arguments are no answers", {
    store: [
      { path: `${three[0].members.key}.json`, utf8: "{}\n" },
      { path: `${three[0].members.key}.args.json`, utf8: "{}\n" },
      { path: `.${three[0].path}.00.tmp`, utf8: three[0].utf8 },
      { path: three[0].path.replace(".0.", ".00."), utf8: three[0].utf8 },
    ],
    lines: [[ask(1), refusal(1, "fixture_missing")]],
  }, { refused: [counted("echo", "fixture_missing")] }),
  replay("damaged answers count as given, and the next one is served", {
    store: [editedFile(three[0], '\\"n\\":0', '\\"n\\":9'), { ...three[1], utf8: "{" }, three[2]],
    lines: [
      [ask(1), refusal(1, "fixture_mismatch")],
      [ask(2), refusal(2, "fixture_corrupt")],
      [ask(3), answered(3, '{"n":2}')],
      [ask(4), refusal(4, "fixture_exhausted")],
    ],
  }, {
    served: 1,
    refused: [counted("echo", "fixture_mismatch"), counted("echo", "fixture_corrupt"), counted("echo", "fixture_exhausted")],
  }),
  replay("another class written into an answer does not let it through", {
    store: [editedFile(echo("{}", { effect_class: "SE4" }), "SE4", "SE0")],
    lines: [[ask(1), refusal(1, "fixture_mismatch")]],
  }, { refused: [counted("echo", "fixture_mismatch")] }),
  replay("the answer to another call under the name of this one", {
    store: [{ ...three[0], utf8: answerTo("echo", { a: 2 }).utf8 }, three[1]],
    lines: [[ask(1), refusal(1, "fixture_mismatch")], [ask(2), answered(2, '{"n":1}')]],
  }, { served: 1, refused: [counted("echo", "fixture_mismatch")] }),
  replay("a key and hashes that fit each other, of another tool", {
    store: [echo("{}", { tool: "other" })],
    lines: [[ask(1), refusal(1, "fixture_mismatch")]],
  }, { refused: [counted("echo", "fixture_mismatch")] }),
  replay("a key and hashes that fit each other, of other arguments", {
    store: [echo("{}", { args_hash: ZEROS })],
    lines: [[ask(1), refusal(1, "fixture_mismatch")]],
  }, { refused: [counted("echo", "fixture_mismatch")] }),
  replay("a directory in the place of an answer", {
    store: [{ path: three[0].path, dir: true }],
    lines: [[ask(1), refusal(1, "fixture_corrupt")]],
  }, { refused: [counted("echo", "fixture_corrupt")] }),
  replay("answers that nobody asked for are told of, and damaged ones without their call", {
    store: [...three, { ...answerTo("write"), utf8: "{" }, list('{"tools":[]}'), session("2025-06-18", "a")],
    lines: [[ask(1), answered(1, '{"n":0}')]],
  }, { served: 1, unused: [left(three[1]), left(three[2]), UNKNOWN] }),
  replay("no line at all", { store: [three[1]], lines: [] }, { unused: [left(three[1])] }),

  // effects
  ceiling("SE0", 1),
  ceiling("SE1", 2),
  ceiling("SE2", 3),
  ceiling("SE3", 3),
  ceiling("SE4", 3),
  replay("what is forbidden is not used up by that", {
    max_effect: "SE0",
    store: [echo("{}", { effect_class: "SE1" }), echo("{}", { occurrence: 1 })],
    lines: [1, 2, 3].map((id) => [ask(id), refusal(id, "effect_forbidden")]),
  }, {
    refused: [counted("echo", "effect_forbidden", 3)],
    unused: [left(three[0]), left(three[1])],
  }),
  replay("the class is that of the answer, and not of the first one", {
    store: [three[0], echo("{}", { effect_class: "SE3", occurrence: 1 })],
    lines: [[ask(1), answered(1, '{"n":0}')], [ask(2), refusal(2, "effect_forbidden")]],
  }, { served: 1, refused: [counted("echo", "effect_forbidden")], unused: [left(three[1])] }),
  replay("damage is told before the class", {
    max_effect: "SE4",
    store: [editedFile(echo('{"n":0}', { effect_class: "SE3" }), '\\"n\\":0', '\\"n\\":9'), echo("{}", { effect_class: "SE3", occurrence: 1 })],
    lines: [[ask(1), refusal(1, "fixture_mismatch")], [ask(2), refusal(2, "effect_forbidden")]],
  }, { refused: [counted("echo", "fixture_mismatch"), counted("echo", "effect_forbidden")], unused: [left(three[1])] }),

  // other requests
  replay("ping", { lines: [[request("p", "ping"), means(resultOf("p", {}))], [request(2, "ping", { _meta: {} }), means(resultOf(2, {}))]] }),
  replay("other methods", {
    lines: ["resources/list", "tools/Call", "toString", "notifications/initialized", "server/discover"].map((method, id) => [
      request(id, method),
      fault(id, -32601),
    ]),
  }),
  replay("notifications are passed over, a call without an id too", {
    store: [three[0]],
    lines: [
      [notification("notifications/cancelled", { requestId: 1 }), nothing],
      [notification("tools/call", { name: "echo", arguments: { a: 1 } }), nothing],
      [ask(1), answered(1, '{"n":0}')],
    ],
  }, { served: 1 }),
  replay("answers of the client are passed over", {
    lines: [[{ jsonrpc: "2.0", id: 1, result: {} }, nothing], [{ jsonrpc: "2.0", id: 1, error: { code: 1, message: "" } }, nothing]],
  }),
  replay("an empty line", { lines: [["", nothing], [request(1, "ping"), means(resultOf(1, {}))]] }),
  turned("a call without params", request(1, "tools/call"), -32602, 1),
  turned("a call without a name", request(1, "tools/call", { arguments: {} }), -32602, 1),
  turned("a call whose name is no text", call("c", 7, {}), -32602, "c"),
  turned("a call whose arguments are null", call(1, "echo", null), -32602, 1),
  turned("a call whose arguments are a list", call(1, "echo", [1]), -32602, 1),
  turned("a call whose arguments are a text", call(1, "echo", "{}"), -32602, 1),
  turned("a call as a task", request(1, "tools/call", { name: "echo", arguments: {}, task: {} }), -32602, 1),

  // lines that are refused
  turned("no JSON", "{", -32700),
  turned("a line of spaces", "  ", -32700),
  turned("two values", '{"jsonrpc":"2.0","id":1,"method":"ping"}{}', -32700),
  turned("a bare word that JSON does not have", '{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":NaN}}', -32700),
  turned("a byte that is no UTF-8", base64('{"jsonrpc":"2.0","id":"', [0xff], '","method":"ping"}'), -32700),
  turned("a byte order mark", '\ufeff{"jsonrpc":"2.0","id":1,"method":"ping"}', -32700),
  turned("a carriage return inside", '{"jsonrpc":"2.0",\r"id":1,"method":"ping"}', -32700),
  turned("1001 levels", `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":${deep(999)}}}`, -32700),
  replay("1000 levels", {
    lines: [[`{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":${deep(998)}}}`, means(resultOf(1, {}))]],
  }),
  turned("a member twice", '{"jsonrpc":"2.0","id":1,"method":"ping","method":"ping"}', -32700),
  turned("a member twice, once with an escape", '{"jsonrpc":"2.0","id":1,"method":"ping","\\u006dethod":"ping"}', -32700),
  turned("an argument twice", '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":{"a":1,"a":1}}}', -32700),
  turned("a number", "7", -32600),
  turned("null", "null", -32600),
  turned("an object without members", "{}", -32600),
  turned("another version of JSON-RPC", { jsonrpc: "1.0", id: 1, method: "ping" }, -32600),
  turned("a version that is a number", { jsonrpc: 2, id: 1, method: "ping" }, -32600),
  turned("a method that is no text", { jsonrpc: "2.0", id: 1, method: 1 }, -32600),
  turned("params that are a list", request(1, "ping", []), -32600),
  turned("params that are null", request(1, "ping", null), -32600),
  turned("an id that is null", request(null, "ping"), -32600),
  turned("an id that is true", request(true, "ping"), -32600),
  turned("an id that is no whole number", request(0.5, "ping"), -32600),
  turned("an id past 2^53", '{"jsonrpc":"2.0","id":9007199254740993,"method":"ping"}', -32600),
  replay("the largest ids, and an empty one", {
    lines: [
      ['{"jsonrpc":"2.0","id":9007199254740991,"method":"ping"}', means(resultOf(9007199254740991, {}))],
      ['{"jsonrpc":"2.0","id":-9007199254740991,"method":"ping"}', means(resultOf(-9007199254740991, {}))],
      [request("", "ping"), means(resultOf("", {}))],
    ],
  }),
  turned("a member that differs from one of JSON-RPC in case only", { ...request(1, "ping"), Method: "tools/call" }, -32600),
  turned("an id in another case, of what would be a notification", { jsonrpc: "2.0", ID: 1, method: "tools/call" }, -32600),
  turned("a parameter of a call in another case", call(1, "echo", { a: 1 }, { Arguments: { a: 2 } }), -32600),
  replay("another case in arguments, and in params of other methods", {
    store: [answerTo("echo", { Name: 1, name: 2 }, { text: "{}" })],
    lines: [
      [call(1, "echo", { Name: 1, name: 2 }), answered(1, "{}")],
      [request(2, "ping", { Name: 1 }), means(resultOf(2, {}))],
    ],
  }, { served: 1 }),
  replay("members beside those of JSON-RPC", { lines: [[{ ...request(1, "ping"), trace: "x" }, means(resultOf(1, {}))]] }),
  turned("an answer that has a method too", { jsonrpc: "2.0", id: 1, method: "tools/call", result: {} }, -32600),
  turned("an answer with result and error", { jsonrpc: "2.0", id: 1, result: {}, error: { code: 1, message: "" } }, -32600),
  turned("a list that was not agreed on", [request(1, "ping")], -32600),
  turned("an empty list that was not agreed on", "[]", -32600),

  // lists
  replay("a list is answered by one list, in order and byte for byte", {
    store: [echo('{ "n":1.0 }'), answerTo("now", {}, { text: FAULT, outcome: "error" })],
    lines: [
      agreed,
      [[ask(1), notification("notifications/x"), call("2", "now")], [{ text: `[${textOf(1, '{ "n":1.0 }')},${textOf("2", FAULT, "error")}]` }]],
    ],
  }, { served: 2 }),
  replay("a list of one request", { lines: [agreed, [[request(1, "ping")], means([resultOf(1, {})])]] }),
  replay("identical calls in a list, and one more", {
    store: three.slice(0, 2),
    lines: [agreed, [[ask(1), ask(2), ask(3)], means([
      resultOf(1, { n: 0 }),
      resultOf(2, { n: 1 }),
      errorOf(3, -32000, { code: "tool.fixture_exhausted" }),
    ])]],
  }, { served: 2, refused: [counted("echo", "fixture_exhausted")] }),
  replay("what is no message in a list is refused in its place", {
    lines: [agreed, [[request(1, "ping"), 5, request(2, "x"), []], means([
      resultOf(1, {}),
      errorOf(null, -32600),
      errorOf(2, -32601),
      errorOf(null, -32600),
    ])]],
  }),
  replay("a list that asks for nothing", { lines: [agreed, [[notification("notifications/x"), { jsonrpc: "2.0", id: 1, result: {} }], nothing]] }),
  replay("an empty list", { lines: [agreed, ["[]", fault(null, -32600)]] }),
  replay("a member twice anywhere in a list refuses all of it", {
    store: [three[0]],
    lines: [agreed, [`[${JSON.stringify(ask(1))},{"jsonrpc":"2.0","id":2,"id":2,"method":"ping"}]`, fault(null, -32700)]],
  }, { unused: [left(three[0])] }),
  replay("lists are over when another revision is agreed on", {
    lines: [agreed, [initialize(1, "2025-06-18"), greets(1, "2025-06-18")], [[request(2, "ping")], fault(null, -32600)]],
  }),

  // all of it
  replay("a whole session", {
    store: [sessions[0], list('{"tools":[{"name":"echo","inputSchema":{"type":"object"}}]}'), ...three.slice(0, 2)],
    lines: [
      [initialize(0, "2025-06-18"), greets(0, "2025-06-18", "a")],
      [notification("notifications/initialized"), nothing],
      [asksList(1), answered(1, '{"tools":[{"name":"echo","inputSchema":{"type":"object"}}]}')],
      [ask(2), answered(2, '{"n":0}')],
      [call(3, "other"), refusal(3, "fixture_missing")],
      [ask(4), answered(4, '{"n":1}')],
    ],
  }, { served: 2, refused: [counted("other", "fixture_missing")] }),
]);
