import { suite } from "uvu";
import * as assert from "uvu/assert";
import { parseJson } from "../../src/canonical/mod.ts";
import { seeded } from "../lib/random.ts";

const json = suite("parseJson()");

const SYNTAX = { ok: false, code: "json.syntax", reason: "Parsing JSON: the text is not JSON" };
const TOO_DEEP = {
  ok: false,
  code: "json.too_deep",
  reason: "Parsing JSON: nested deeper than 1000 levels",
};

const open = (levels: number): string => "[".repeat(levels);
const close = (levels: number): string => "]".repeat(levels);
const objects = (levels: number): string => '{"a":'.repeat(levels);

json("parseJson() gives the value, the last of a repeated name and __proto__ as data", () => {
  assert.equal(parseJson(' {"a":1,"b":[null],"a":2}\n'), { ok: true, value: { a: 2, b: [null] } });
  const parsed = parseJson('{"__proto__":1}');
  assert.equal(parsed.ok && Object.keys(parsed.value as object), ["__proto__"]);
  assert.equal(parseJson("1e400"), { ok: true, value: Infinity });
});

json("parseJson() refuses what is no JSON and never quotes it", () => {
  const secret = "sk-abcdefghijklmnopqrstuvwxyz";
  const texts = ["", " ", "{", "[1,]", "{a:1}", "'a'", "\ufeff1", "01", "1 2", "nul", '"\n"'];
  texts.push(secret, `{"a":"${secret}"`, `["${secret}",]`, "[]]", "[}", "NaN", "\u00a01", "/**/1");
  for (const text of texts) assert.equal(parseJson(text), SYNTAX, text);
});

json("parseJson() takes 1000 levels, of lists, objects and both in turn", () => {
  const lists = parseJson(open(1000) + close(1000));
  assert.is(lists.ok && JSON.stringify(lists.value), open(1000) + close(1000));
  assert.is(parseJson(`${objects(1000)}0${"}".repeat(1000)}`).ok, true);
  assert.is(parseJson(`${'[{"a":'.repeat(500)}0${"}]".repeat(500)}`).ok, true);
  assert.is(parseJson(`[${open(999)}${close(999)},${open(999)}${close(999)}]`).ok, true);
});

json("parseJson() refuses level 1001 as soon as it opens, whatever follows", () => {
  for (const start of [open(1001), open(1000) + "{", objects(1000) + "[", objects(1001)]) {
    for (const rest of ["", "]", "]".repeat(1001), "1 2 3", "\ufeff", '"', "}", "nonsense"]) {
      assert.equal(parseJson(start + rest), TOO_DEEP, rest);
    }
  }
  assert.equal(parseJson(`${open(1000)}1,${open(5)}`), TOO_DEEP);
  assert.equal(parseJson(`${open(1000)}"a" , {`), TOO_DEEP);
  assert.equal(parseJson(`${objects(999)}{"b":1,"a" : [`), TOO_DEEP);
  assert.equal(parseJson(` \t\r\n${open(500)} ${open(501)}`), TOO_DEEP);
  assert.equal(parseJson(open(1e6)), TOO_DEEP);
});

json("parseJson() finds a syntax error that comes before level 1001 opens", () => {
  const texts = [
    `nul ${open(1001)}`,
    `${open(1000)}1${open(1)}`, // the bracket itself is the error
    `${open(1000)}1 2,${open(1)}`,
    `${open(1000)},${open(1)}`,
    `${open(999)}{[`, // a member wants a name
    `${open(999)}{"a"[`,
    `${open(999)}{"a":1,[`,
    `${open(500)}1}${open(600)}`, // closed by the wrong bracket
    `${open(500)}]]}${open(600)}`,
    `]${open(1001)}`,
    `[]${open(1001)}`,
    `1${open(1001)}`,
    `\\${open(1001)}`,
    `"${open(1001)}`, // never ends
    `"\n${open(3)}"${open(1001)}`,
    `["\\x",${open(1001)}`,
    `[01,${open(1001)}`,
    `\ufeff${open(1001)}`,
    open(1000),
    `${open(1000)}${close(999)}`,
    `${open(1000)}${close(1001)}`,
  ];
  for (const text of texts) assert.equal(parseJson(text), SYNTAX, text.slice(0, 20));
});

json("parseJson() counts no brackets inside strings", () => {
  const inside = [open(2000), `\\"${open(2000)}`, `\\\\\\"${open(2000)}`, `${open(2000)}\\u005b`];
  for (const text of inside) {
    assert.equal(parseJson(`["${text}"]`), { ok: true, value: [JSON.parse(`"${text}"`)] });
    assert.equal(parseJson(`{"${text}":0}`).ok, true);
    assert.equal(parseJson(`["${text}",${open(1000)}`), TOO_DEEP);
    assert.equal(parseJson(`["${text}",${open(999)}`), SYNTAX);
  }
  assert.equal(parseJson(`["\\\\",${open(1000)}`), TOO_DEEP); // the quote after \\ ends the string
  assert.equal(parseJson(`["\\\\\\",${open(1000)}`), SYNTAX); // the one after \\\ does not
});

const TOKEN =
  /[ \t\n\r]*(?:([[\]{},:])|("(?:[^"\\\n]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null))/y;

/** The same verdict by a plain reader that goes token by token. */
function plainCode(text: string): string {
  const open: string[] = [];
  let wanted = "value";
  for (let at = 0;;) {
    TOKEN.lastIndex = at;
    const [, mark, scalar = ""] = TOKEN.exec(text) ?? ["", "none"];
    if (mark === "none") {
      const isEnd = wanted === "after" && open.length === 0 && /^[ \t\n\r]*$/.test(text.slice(at));
      return isEnd ? "ok" : "json.syntax";
    }
    at = TOKEN.lastIndex;
    if (mark === "[" || mark === "{") {
      if (!wanted.startsWith("value")) return "json.syntax";
      if (open.length === 1000) return "json.too_deep";
      open.push(mark);
      wanted = mark === "[" ? "value or end" : "name or end";
    } else if (mark === "]" || mark === "}") {
      const isRight = open.pop() === (mark === "]" ? "[" : "{");
      if (!isRight || !(wanted === "after" || wanted.endsWith("or end"))) return "json.syntax";
      wanted = "after";
    } else if (mark === ":" && wanted === ":") wanted = "value";
    else if (mark === "," && wanted === "after" && open.length > 0) {
      wanted = open.at(-1) === "[" ? "value" : "name";
    } else if (mark === undefined && wanted.startsWith("value")) wanted = "after";
    else if (scalar.startsWith('"') && wanted.startsWith("name")) wanted = ":";
    else return "json.syntax";
  }
}

json("parseJson() agrees with a plain reader that goes token by token", () => {
  const random = seeded(5);
  const parts = ["[", "]", "{", "}", '"', "\\", ",", ":", "1", " ", '"a":', "[[", '"]"', "\\\\"];
  const seen: Record<string, number> = {};
  for (let run = 0; run < 3000; run++) {
    const start = random.pick([open(997), `${objects(500)}${open(497)}`, open(999)]);
    const middle = Array.from({ length: random.below(7) }, () => random.pick(parts)).join("");
    const end = random.pick(["", `${close(497)}${"}".repeat(500)}`, close(997), close(999)]);
    const expected = plainCode(start + middle + end);
    const parsed = parseJson(start + middle + end);
    const found = parsed.ok ? "ok" : parsed.code;
    seen[found] = (seen[found] ?? 0) + 1;
    if (found !== expected) assert.is(found, expected, middle + end.slice(0, 3));
  }
  assert.equal(Object.keys(seen).sort(), ["json.syntax", "json.too_deep", "ok"]);
});

json.run();
