import { suite } from "uvu";
import * as assert from "uvu/assert";
import { isPlainObject, ownData } from "../../src/core/mod.ts";

const plain = suite("isPlainObject() and ownData()");

plain("isPlainObject() takes objects of {} and without prototype, nothing else", () => {
  assert.equal([{}, { a: 1 }, Object.create(null), JSON.parse("{}")].map(isPlainObject), [
    ...[true, true, true, true],
  ]);
  class Point {}
  const others = [null, undefined, 1, "a", [], () => 0, new Date(0), new Map(), new Point()];
  assert.equal([...others, Object.create({})].filter(isPlainObject), []);
});

plain("ownData() lists own members in their order, __proto__ among them", () => {
  const value = Object.create({ inherited: 1 });
  Object.assign(value, { b: 1, a: [2], 1: 3 });
  assert.equal(ownData(value), [["1", 3], ["b", 1], ["a", [2]]]);
  assert.equal(ownData(JSON.parse('{"__proto__":1}')), [["__proto__", 1]]);
  assert.equal(ownData({}), []);
});

plain("ownData() runs no getter and refuses accessors, symbols and hidden members", () => {
  let ran = false;
  const getter = {
    get a(): number {
      ran = true;
      return 1;
    },
  };
  const setter = Object.defineProperty({}, "a", { set: () => 0, enumerable: true });
  const hidden = Object.defineProperty({ a: 1 }, "b", { value: 1 });
  const vanishing = new Proxy({ a: 1 }, { getOwnPropertyDescriptor: () => undefined });
  const refused = [getter, setter, hidden, { [Symbol("s")]: 1 }, vanishing];
  assert.equal(refused.map((value) => ownData(value)), refused.map(() => undefined));
  assert.is(ran, false);
});

plain("ownData() passes over the names that it is told to", () => {
  assert.equal(ownData([5], ["length"]), [["0", 5]]);
  assert.is(ownData([5]), undefined);
});

plain.run();
