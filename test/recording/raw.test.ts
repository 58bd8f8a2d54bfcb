import { suite } from "uvu";
import * as assert from "uvu/assert";
import { memberText, splitParts } from "../../src/recording/raw.ts";
import { seeded } from "../lib/random.ts";

const splitting = suite("splitParts() and memberText()");

splitting("give the parts as they were written, whatever stands in texts", () => {
  const text = ' [ 1.0 , "a,]\\"[" ,{"b" : [ 1,2 ], "c":"}"} ,\t[ ] ] ';
  assert.equal(splitParts(text), ["1.0", '"a,]\\"["', '{"b" : [ 1,2 ], "c":"}"}', "[ ]"]);
  assert.equal(splitParts(' { "a:1" : "x:\\\\" , "b":{ } } '), ['"a:1" : "x:\\\\"', '"b":{ }']);
  for (const empty of ["[]", "{}", " [ ] ", "\t{\r}\n"]) assert.equal(splitParts(empty), []);
});

splitting("give the value of a member, the last one of its name, however that is spelled", () => {
  const text =
    '{"result" : 1 , "a:\\"b" : "x" , "r\\u0065sult":\t{ "result" : 3 } ,"__proto__":[]}';
  assert.is(memberText(text, "result"), '{ "result" : 3 }');
  assert.is(memberText(text, 'a:"b'), '"x"');
  assert.is(memberText(text, "__proto__"), "[]");
  assert.is(memberText(text, "toString"), undefined);
});

splitting("find in any object what parsing finds", () => {
  const random = seeded(7);
  const make = (depth: number): unknown => {
    const kind = random.below(depth > 3 ? 3 : 5);
    if (kind === 0) return random.pick(['"', "\\", '\\"', "a,b", "{", "]", ":", "\u2028", ""]);
    if (kind < 3) return random.pick([null, true, -1.5e-7, 0, 12]);
    const parts = Array.from({ length: random.below(4) }, () => make(depth + 1));
    return kind === 3
      ? parts
      : Object.fromEntries(parts.map((part, at) => [`${random.pick('":,\\{')}${at}`, part]));
  };
  for (let round = 0; round < 500; round++) {
    const value = { list: [make(0), make(0)], [`x${random.pick('":\\')}`]: make(0) };
    const text = JSON.stringify(value, null, random.below(2));
    for (const [name, member] of Object.entries(value)) {
      assert.equal(JSON.parse(memberText(text, name)!), member);
      assert.is(text.includes(memberText(text, name)!), true);
    }
    const items = splitParts(memberText(text, "list")!).map((item) => JSON.parse(item));
    assert.equal(items, value.list);
  }
});

splitting.run();
