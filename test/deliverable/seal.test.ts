import { suite } from "uvu";
import * as assert from "uvu/assert";
import { encodeUtf8, IoError } from "../../src/core/mod.ts";
import {
  checkTree,
  formatManifest,
  formatTree,
  MemoryFiles,
  planSeal,
  SEALED_MODES,
  sealTree,
} from "../../src/deliverable/mod.ts";
import type { FileTree } from "../../src/ports/mod.ts";
import {
  BINDINGS,
  DECLARATION,
  declare,
  sampleFiles,
  sealedSample,
  sealSample,
  sha256,
} from "./sample.ts";
import { Steps } from "./steps.ts";

const seal = suite("sealTree()");
const expected = await sealedSample();

seal("copies the declared files, read-only, and states what is there", async () => {
  const files = sampleFiles();
  const result = await sealSample(files);
  assert.equal(result, { ok: true, value: expected });
  const tree = files.at("sealed");
  const modes = ["", "work", "work/data", "work/data/table.csv", "notes.txt"].map((path) =>
    (tree.inspect(path) as { mode: number }).mode
  );
  const { file, directory } = SEALED_MODES;
  assert.equal(modes, [directory, directory, directory, file, file]);
  const { manifest, tree: listed } = expected;
  assert.is(formatTree(listed).length > 0, true);
  assert.equal(manifest.artifacts.map(({ artifact_id }) => artifact_id), [
    "answer",
    "notes",
    "table",
  ]);
  assert.is(sha256.digest(encodeUtf8(formatTree(listed))), manifest.tree_sha256.slice(7));
  assert.is(formatManifest(manifest).includes('"max_files":100,'), true);
});

seal("reads and writes files of many pieces, however few bytes a call takes", async () => {
  const bytes = new Uint8Array(2_500_000).map((_, index) => index * 7 >> 2);
  const files = new MemoryFiles();
  files.put("source/large", bytes);
  const plan = planSeal([{ ...declare("a", "large", "large"), max_size_bytes: 1e7 }], BINDINGS);
  if (!plan.ok) throw new Error(plan.reason);
  const slow = (tree: FileTree): FileTree => ({
    ...new Steps().watch(tree),
    openRead: async (path) => {
      const file = await tree.openRead(path);
      return {
        inspect: () => file.inspect(),
        setMode: (mode) => file.setMode(mode),
        close: () => file.close(),
        write: () => 0,
        read: async (into) => await file.read(into.subarray(0, 33_333)),
      };
    },
    openNew: async (path, mode) => {
      const file = await tree.openNew(path, mode);
      return {
        inspect: () => file.inspect(),
        setMode: (mode) => file.setMode(mode),
        close: () => file.close(),
        read: () => 0,
        write: async (part) => await file.write(part.subarray(0, 10_001)),
      };
    },
  });
  const result = await sealTree(
    slow(files.at("source")),
    slow(files.at("sealed")),
    plan.value,
    sha256,
  );
  const [artifact] = result.ok ? result.value.manifest.artifacts : [];
  assert.is(artifact?.sha256, `sha256:${sha256.digest(bytes)}`);
});

/** What may befall a file or directory; each is done to a path. */
const TAMPERS: Readonly<Record<string, (files: MemoryFiles, path: string) => void>> = {
  grows: (files, path) => files.rewrite(path, encodeUtf8("# Answer\n, and more")),
  shrinks: (files, path) => files.rewrite(path, encodeUtf8("#")),
  "is written over": (files, path) => files.rewrite(path, encodeUtf8("# Bnswer\n")),
  "is replaced": (files, path) => files.put(path, encodeUtf8("# Answer\n")),
  "turns into a link": (files, path) => files.put(path, "link"),
  "turns into a pipe": (files, path) => files.put(path, "other"),
  "turns into a directory": (files, path) => files.put(path, "directory"),
  "gets a second name": (files, path) => files.link(path, "elsewhere"),
  disappears: (files, path) => files.remove(path),
};

for (const [name, tamper] of Object.entries(TAMPERS)) {
  seal(`refuses a source file that ${name} between any two looks at it`, async () => {
    const path = "out/answer.md";
    const undisturbed = new Steps();
    await sealSample(sampleFiles(), (tree) => undisturbed.watch(tree));
    const [first, last] = undisturbed.looksAt("source", path, ["inspect", "openRead"]);
    for (let at = 1;; at++) {
      const files = sampleFiles();
      const steps = new Steps(at, () => tamper(files, `source/${path}`));
      const result = await sealSample(files, (tree) => steps.watch(tree));
      if (!steps.isReached) break;
      if (at > first && at <= last) assert.is(result.ok, false, `at call ${at}`);
      else if (at > last) assert.equal(result, { ok: true, value: expected }, `at call ${at}`);
      else {
        const before = sampleFiles();
        tamper(before, `source/${path}`);
        assert.equal(result, await sealSample(before), `at call ${at}`);
      }
    }
  });
}

seal("refuses a source directory that is replaced or gets an entry between two looks", async () => {
  const undisturbed = new Steps();
  await sealSample(sampleFiles(), (tree) => undisturbed.watch(tree));
  const tampers: [string, (files: MemoryFiles) => void][] = [
    ["inspect", (files) => files.put("source/out", "link")],
    ["list", (files) => files.put("source/out/more", encodeUtf8("x"))],
    ["inspect", (files) => {
      files.remove("source/out");
      files.put("source/out/answer.md", encodeUtf8("# Answer\n"));
      files.put("source/out/deep/table.csv", encodeUtf8("a,b\n1,2\n"));
    }],
  ];
  for (const [look, tamper] of tampers) {
    const [first, last] = undisturbed.looksAt("source", "out", [look]);
    for (let at = first + 1; at <= last; at++) {
      const files = sampleFiles();
      const steps = new Steps(at, () => tamper(files));
      const result = await sealSample(files, (tree) => steps.watch(tree));
      assert.is(result.ok, false, `at call ${at}`);
    }
  }
});

seal("accepts nothing but what it copied, whatever befalls the sealed tree", async () => {
  const undisturbed = new Steps();
  await sealSample(sampleFiles(), (tree) => undisturbed.watch(tree));
  const path = "sealed/work/answer.md";
  const tampers: Record<string, (files: MemoryFiles) => void> = {
    ...Object.fromEntries(
      Object.entries(TAMPERS).map(([name, tamper]) => [name, (files) => tamper(files, path)]),
    ),
    "becomes writable": (files) => files.setMode(path, 0o644),
    "stands in a writable directory": (files) => files.setMode("sealed/work", 0o575),
    "gets a neighbour": (files) => files.put("sealed/work/more", encodeUtf8("x"), 0o444),
  };
  for (const [name, tamper] of Object.entries(tampers)) {
    let refused = 0;
    for (let at = 1; at <= undisturbed.steps.length; at++) {
      const files = sampleFiles();
      let isTampered = false;
      const steps = new Steps(at, () => {
        if (files.at(path).inspect("") === null) return;
        isTampered = true;
        tamper(files);
      });
      const result = await sealSample(files, (tree) => steps.watch(tree));
      if (!result.ok) refused++;
      else assert.equal(result.value, expected, `${name}, at call ${at}`);
      const last = undisturbed.lastOn("sealed");
      if (!result.ok || !isTampered || at > last - 8) continue; // the last walk over the sealed tree has 8 calls
      const after = await checkTree(files.at("sealed"), expected.manifest, sha256);
      assert.is(after.ok, true, `${name}, at call ${at}`);
    }
    assert.is(refused > 20, true, name);
  }
});

seal("fails with the system's code at any call that fails, and leaves no file open", async () => {
  for (let at = 1;; at++) {
    const steps = new Steps(at, ({ operation }) => {
      throw new IoError("EIO", operation, "a failure");
    });
    const outcome = await sealSample(sampleFiles(), (tree) => steps.watch(tree)).then(
      (result) => result.ok,
      (error: unknown) => error,
    );
    if (!steps.isReached) {
      assert.is(outcome, true);
      break;
    }
    assert.instance(outcome, IoError, `at call ${at}`);
    assert.is(steps.opened, steps.closed, `at call ${at}`);
  }
});

seal("refuses what is in the way in the sealed tree", async () => {
  const wanted = [
    ["", "record.sealed_root_not_fresh", undefined],
    ["work", "record.unexpected_path", { path: "work" }],
    ["work/answer.md", "record.unexpected_path", { path: "work/answer.md" }],
  ] as const;
  for (const [path, code, at] of wanted) {
    const files = sampleFiles();
    const watched = (tree: FileTree): FileTree => ({
      ...new Steps().watch(tree),
      makeDirectory: async (made, mode) => {
        const [root, place] = ["sealed", `sealed/${path}`];
        if (made === "" && path === "") files.put(root, "link");
        await tree.makeDirectory(made, mode);
        if (made === "" && path === "work") files.put(place, encodeUtf8(""));
        if (made === "work" && path === "work/answer.md") files.put(place, "link");
      },
    });
    const result = await sealSample(files, watched);
    if (result.ok) throw new Error(path);
    assert.equal([result.code, result.at], [code, at]);
  }
});

seal("names the path at fault", async () => {
  const files = sampleFiles();
  files.put("source/out/.extra", encodeUtf8("x"));
  assert.equal(await sealSample(files), {
    ok: false,
    code: "record.unexpected_path",
    reason: 'something is in the tree that was not declared, or of another kind (at "out/.extra")',
    at: { path: "out/.extra" },
  });
});

seal("asks a directory for one name more than it may hold, and for no more", async () => {
  const files = sampleFiles();
  for (let index = 0; index < 100; index++) files.put(`source/x${index}`, encodeUtf8(""));
  const asked: unknown[] = [];
  const result = await sealSample(files, (tree) => ({
    ...new Steps().watch(tree),
    list: (path, most) => {
      asked.push([path, most]);
      return tree.list(path, most);
    },
  }));
  assert.is(result.ok, false);
  assert.equal(asked, [["", 3]]);
});

seal("takes files that are declared in any order", async () => {
  const plan = planSeal([...DECLARATION].reverse(), BINDINGS);
  if (!plan.ok) throw new Error(plan.reason);
  const files = sampleFiles();
  const result = await sealTree(files.at("source"), files.at("sealed"), plan.value, sha256);
  assert.equal(result, { ok: true, value: expected });
});

seal.run();
