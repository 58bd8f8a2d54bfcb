import { suite } from "uvu";
import * as assert from "uvu/assert";
import { compareCodeUnits, encodeUtf8 } from "../../src/core/mod.ts";
import { digestTree, SKIPPED_NAMES, walkTree } from "../../src/gate/mod.ts";
import { loadSha256 } from "../../src/hash/mod.ts";
import type { ListedNode } from "../../src/ports/mod.ts";
import { type Random, seeded } from "../lib/random.ts";
import { describe, thrownBy } from "../lib/thrown.ts";
import { file, node } from "./files.ts";

const trees = suite("walkTree() and digestTree()");
const sha256 = await loadSha256();

function walked(nodes: ListedNode[], locale?: string): string[] {
  const files = walkTree(nodes, locale === undefined ? {} : { locale });
  if (!files.ok) throw new Error(files.reason);
  return files.value.map(({ path }) => path);
}

trees("a directory stands at the place of its name, whatever its whole path would sort to", () => {
  const paths = ["a.js", "a-b.js", "a/z.js", "a/b/c.js", "a/b.js", "B.js", "b.js", "10", "9"];
  assert.equal(walked(paths.map((path) => file(path))), [
    ...["10", "9", "a/b/c.js", "a/b.js", "a/z.js", "a-b.js", "a.js", "b.js", "B.js"],
  ]);
});

trees("names go by the locale that is given, en-US otherwise, and by code unit when equal", () => {
  const files = ["z", "ä", "s\u00ad", "s", "é", "e\u0301"].map((path) => file(path));
  assert.equal(walked(files), ["ä", "e\u0301", "é", "s", "s\u00ad", "z"]);
  assert.equal(walked(files, "sv"), ["e\u0301", "é", "s", "s\u00ad", "z", "ä"]);
  assert.instance(thrownBy(() => walkTree(files, { locale: "no locale" })), RangeError);
});

/** A tree of names that are close to each other, without anything below a file. */
function randomTree(random: Random, depth = 0, prefix = ""): ListedNode[] {
  const names = ["a", "A", "a.b", "a-b", "a_b", "ab", "b", "node_modules", "ä", "1", "~"];
  return names.filter(() => random.below(2) === 0).flatMap((name): ListedNode[] => {
    const path = prefix + name;
    if (depth === 3 || random.below(2) === 0) return [file(path, String(random.below(9)))];
    return [node(path, "directory"), ...randomTree(random, depth + 1, `${path}/`)];
  });
}

/** The walk as the rule says it: directory by directory. */
function plainWalk(nodes: ListedNode[], prefix = ""): string[] {
  const { compare } = new Intl.Collator("en-US");
  const here = nodes.filter(({ path }) =>
    path.startsWith(prefix) && !path.slice(prefix.length).includes("/")
  );
  const nameOf = ({ path }: ListedNode): string => path.slice(prefix.length);
  return here.filter((one) => !SKIPPED_NAMES.includes(nameOf(one))).sort((a, b) =>
    compare(nameOf(a), nameOf(b)) || compareCodeUnits(nameOf(a), nameOf(b))
  ).flatMap((one) => one.kind === "file" ? [one.path] : plainWalk(nodes, `${one.path}/`));
}

trees(
  "the walk is that of the rule for 500 random trees, in whatever order they are listed",
  () => {
    const random = seeded(7);
    let count = 0;
    for (let run = 0; run < 500; run++) {
      const nodes = randomTree(random);
      const shuffled = [...nodes].sort(() => random.below(3) - 1);
      const wanted = plainWalk(nodes);
      if (JSON.stringify(walked(shuffled)) !== JSON.stringify(wanted)) {
        assert.equal(walked(shuffled), wanted);
      }
      count += wanted.length;
    }
    assert.ok(count > 5000, `${count} files`);
  },
);

trees("the digest is over each path and its bytes, with a zero byte behind both", () => {
  const nodes = [file("b", "two"), node("empty", "directory"), file("a/x", "\0")];
  assert.equal(digestTree(nodes, sha256), {
    ok: true,
    value: sha256.digest(encodeUtf8("a/x\0\0\0b\0two\0")),
  });
  assert.equal(digestTree([], sha256), { ok: true, value: sha256.digest(encodeUtf8("")) });
});

trees("two trees can have one digest, as the rule has it", () => {
  const [one, other] = [[file("a", "1\u0000b\u00002")], [file("a", "1"), file("b", "2")]];
  assert.equal(digestTree(one, sha256), digestTree(other, sha256));
});

trees("node_modules and .git are passed over at any depth, whatever they are", () => {
  const skipped = [
    file(".git"),
    node("a/.git", "link"),
    node("node_modules", "other"),
    file("a/node_modules/x"),
    node("a/node_modules/y", "link"),
  ];
  assert.equal(walked([...skipped, file("a/b"), file(".gitignore")]), [".gitignore", "a/b"]);
});

trees("the first thing in the walk that is neither file nor directory is refused", () => {
  const nodes = [node("z", "link"), node("d", "directory"), node("d/pipe", "other"), file("a")];
  const refusal = {
    ok: false,
    code: "gate.variant_invalid",
    reason: 'Reading a variant: "d/pipe" is no regular file or directory',
    at: { path: "d/pipe" },
  };
  assert.equal(walkTree(nodes), refusal);
  assert.equal(digestTree(nodes, sha256), refusal);
  assert.equal(walkTree([node("z", "link")]), {
    ok: false,
    code: "gate.variant_invalid",
    reason: 'Reading a variant: "z" is a symbolic link',
    at: { path: "z" },
  });
});

trees("a listing that breaks its duties is misuse", () => {
  const paths = "A listing must hold relative paths without empty, . and .. parts";
  for (const path of ["", "/a", "a/", "a//b", ".", "a/../b", "..", "a\0b"]) {
    const error = thrownBy(() => walkTree([file(path)]));
    assert.equal(describe(error), { name: "TypeError", message: paths }, path);
  }
  const twice = thrownBy(() => walkTree([file("a"), file("b"), node("a", "directory")]));
  assert.is(describe(twice).message, "A listing must hold each path once");
  const below = thrownBy(() => walkTree([file("a/b"), file("a-"), file("a")]));
  assert.is(
    describe(below).message,
    "A listing must hold nothing below what is no directory",
  );
});

trees("a path of 100,000 parts is walked", () => {
  const path = "a/".repeat(100_000) + "b";
  assert.equal(walked([file(path), file("a/a/c")]), [path, "a/a/c"]);
});

trees.run();
