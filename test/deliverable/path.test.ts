import { suite } from "uvu";
import * as assert from "uvu/assert";
import { planSeal } from "../../src/deliverable/mod.ts";
import { caseFolder } from "../../src/deliverable/fold.ts";
import { checkPrefixes, comparePaths, parentsOf } from "../../src/deliverable/path.ts";
import { checkMerging } from "../../src/deliverable/portable.ts";
import { reading } from "../../src/record/mod.ts";
import { seeded } from "../lib/random.ts";
import { BINDINGS, declare } from "./sample.ts";

const order = suite("comparePaths(), checkPrefixes(), parentsOf()");

order("put a directory before all that is in it, and nothing else between", () => {
  const paths = ["a.b", "a/b/c", "ab", "a", "a-b", "a/b", "a\0", "a/\0"];
  const sorted = ["a", "a/\0", "a/b", "a/b/c", "a\0", "a-b", "a.b", "ab"];
  assert.equal(paths.sort(comparePaths), sorted);
  assert.equal(parentsOf("a/b/c"), ["a", "a/b"]);
  assert.equal(parentsOf("a"), []);
});

order(
  "find a prefix exactly when some path plainly is one of another, in 2,000 random sets",
  () => {
    const random = seeded(16);
    let found = 0;
    for (let round = 0; round < 2_000; round++) {
      const paths = Array.from(
        { length: 1 + random.below(6) },
        () =>
          Array.from(
            { length: 1 + random.below(3) },
            () => Array.from({ length: 1 + random.below(2) }, () => random.pick("ab-.")).join(""),
          ).join(
            "/",
          ),
      );
      const unique = [...new Set(paths)];
      const isThere = unique.some((path) => unique.some((other) => other.startsWith(`${path}/`)));
      const result = reading(() => checkPrefixes([...unique].sort(comparePaths)));
      assert.is(result.ok, !isThere, unique.join(" "));
      if (isThere) found++;
    }
    assert.is(found > 300 && found < 1_700, true);
  },
);

order.run();

const merging = suite("checkMerging()");

merging(
  "finds two spellings of one place exactly when a plain search does, in 2,000 random sets",
  () => {
    const random = seeded(17);
    const fold = caseFolder();
    const letters = ["a", "A", "\u00e9", "e\u0301", "\u00df", "ss", "/"];
    let found = 0;
    for (let round = 0; round < 2_000; round++) {
      const paths = Array.from(
        { length: 2 + random.below(5) },
        () =>
          `x${Array.from({ length: 1 + random.below(3) }, () => random.pick(letters)).join("")}y`,
      );
      const places = new Set(paths.flatMap((path) => [path, ...parentsOf(path)]));
      const keys = new Set(
        [...places].map((place) => fold(place.normalize("NFC")).normalize("NFC")),
      );
      const result = reading(() => checkMerging(paths, fold));
      assert.is(result.ok, keys.size === places.size, paths.join(" "));
      if (!result.ok) found++;
    }
    assert.is(found > 100 && found < 1_900, true);
  },
);

merging("takes no longer for many deep paths than their length", () => {
  const paths = Array.from({ length: 200 }, (_, index) => `${"d/".repeat(10_000)}${index}`);
  assert.equal(reading(() => checkMerging(paths, caseFolder())), { ok: true, value: undefined });
});

merging.run();

const declarations = suite("planSeal()");

const codeFor = (path: unknown, source = "a"): string => {
  const file = { ...declare("a", source, "x"), path: path as string };
  const plan = planSeal([file], BINDINGS);
  return plan.ok ? "ok" : `${plan.code} ${plan.field}`;
};

declarations("judges paths of any type and spelling", () => {
  const rows: [unknown, string][] = [
    [undefined, "record.path_empty path"],
    [7, "record.path_empty path"],
    ["", "record.path_empty path"],
    ["%", "ok"],
    ["%e2%82", "record.path_percent_encoded path"],
    ["a%00", "record.path_percent_encoded path"],
    ["%ef%bb%bf", "record.path_percent_encoded path"],
    ["%5C", "record.path_unsafe_after_decoding path"],
    ["a".repeat(32_767), "ok"],
    ["a".repeat(32_768), "record.path_too_long path"],
  ];
  for (const [path, wanted] of rows) assert.is(codeFor(path), wanted, String(path).slice(0, 20));
  assert.is(codeFor("a", "/a"), "record.path_absolute source_path");
});

declarations.run();
