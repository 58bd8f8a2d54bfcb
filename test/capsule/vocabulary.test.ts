import { suite } from "uvu";
import * as assert from "uvu/assert";
import {
  BUNDLE_FILES,
  EFFECT_CLASSES,
  FILES,
  isEffectClass,
  isId,
  isKind,
  isLineage,
  LINEAGES,
  rankOf,
} from "../../src/capsule/mod.ts";

const words = suite("vocabulary of capsules");

const noTexts: unknown[] = [undefined, null, 0, 1n, {}, [], ["plan"], Symbol("s"), true];

words("the closed sets and file names are those of version 1", () => {
  assert.equal([...LINEAGES], ["plan", "attempt", "interaction", "environment", "strategy"]);
  assert.equal([...EFFECT_CLASSES], ["SE0", "SE1", "SE2", "SE3", "SE4"]);
  assert.equal({ ...FILES }, {
    metadata: "capsule.json",
    journal: "journal.ndjson",
    projection: "projection.json",
    lock: ".append.lock",
  });
  assert.equal([...BUNDLE_FILES], ["capsule.json", "journal.ndjson", "projection.json"]);
});

words("isLineage(), isEffectClass() and rankOf() know the closed sets only", () => {
  const others = [...noTexts, "", "Plan", "plan ", "se0", "SE5", "SE", "SE00", "constructor"];
  assert.equal(others.filter((value) => isLineage(value) || isEffectClass(value)), []);
  assert.equal(others.map(rankOf), others.map(() => -1));
  assert.equal(LINEAGES.map(isLineage), [true, true, true, true, true]);
  assert.equal(EFFECT_CLASSES.map(isEffectClass), [true, true, true, true, true]);
  assert.equal(EFFECT_CLASSES.map(rankOf), [0, 1, 2, 3, 4]);
});

words("isId() takes 1 to 128 characters, the first a letter or digit", () => {
  const good = ["a", "Z", "0", "a.b_c:d-E9", "0..", "a".repeat(128)];
  assert.equal(good.filter((id) => !isId(id)), []);
  const bad = [
    "",
    ".a",
    "_a",
    "-a",
    ":a",
    " a",
    "a ",
    "a\n",
    "\na",
    "a/b",
    "a+b",
    "é",
    "aé",
    "a\u0000",
  ];
  assert.equal([...bad, ...noTexts, "a".repeat(129), "１"].filter(isId), []);
});

words("isKind() takes 1 to 64 characters, the first a lower-case letter", () => {
  const good = ["a", "z9", "tool.call", "a_b-c.d", "a".repeat(64)];
  assert.equal(good.filter((kind) => !isKind(kind)), []);
  const bad = ["", "A", "aB", "9a", ".a", "_a", "-a", "a:b", "a b", "a\n", "é", "a".repeat(65)];
  assert.equal([...bad, ...noTexts].filter(isKind), []);
});

words.run();
