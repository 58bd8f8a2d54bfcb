import { suite } from "uvu";
import * as assert from "uvu/assert";
import { encodeUtf8, IoError } from "../../src/core/mod.ts";
import { checkTree, commitFile, type MemoryFiles } from "../../src/deliverable/mod.ts";
import { sampleFiles, sealedSample, sealSample, sha256 } from "./sample.ts";
import { Steps } from "./steps.ts";

const checks = suite("checkTree()");
const { manifest } = await sealedSample();

async function sealedFiles(): Promise<MemoryFiles> {
  const files = sampleFiles();
  await sealSample(files);
  return files;
}

const TAMPERS: Readonly<Record<string, (files: MemoryFiles, path: string) => void>> = {
  grows: (files, path) => files.rewrite(path, encodeUtf8("# Answer\n, and more")),
  shrinks: (files, path) => files.rewrite(path, encodeUtf8("")),
  "is written over with the same": (files, path) => files.rewrite(path, encodeUtf8("# Answer\n")),
  "is replaced by the same": (files, path) => files.put(path, encodeUtf8("# Answer\n"), 0o444),
  "turns into a link": (files, path) => files.put(path, "link"),
  "gets a second name": (files, path) => files.link(path, "elsewhere"),
  "becomes writable": (files, path) => files.setMode(path, 0o446),
  disappears: (files, path) => files.remove(path),
};

for (const [name, tamper] of Object.entries(TAMPERS)) {
  checks(`refuses a file that ${name} between any two looks at it`, async () => {
    const path = "work/answer.md";
    const undisturbed = new Steps();
    await checkTree(undisturbed.watch((await sealedFiles()).at("sealed")), manifest, sha256);
    const [first, last] = undisturbed.looksAt("sealed", path, ["inspect"]);
    for (let at = first + 1; at <= undisturbed.steps.length; at++) {
      const files = await sealedFiles();
      const steps = new Steps(at, () => tamper(files, `sealed/${path}`));
      const result = await checkTree(steps.watch(files.at("sealed")), manifest, sha256);
      assert.is(steps.isReached, true);
      if (at <= last) assert.is(result.ok, false, `at call ${at}`);
      else assert.equal(result, { ok: true, value: manifest }, `at call ${at}`);
    }
  });
}

checks("fails with the system's code at any call that fails, and leaves no file open", async () => {
  for (let at = 1;; at++) {
    const steps = new Steps(at, ({ operation }) => {
      throw new IoError("EACCES", operation, "a failure");
    });
    const tree = steps.watch((await sealedFiles()).at("sealed"));
    const outcome = await checkTree(tree, manifest, sha256).then(
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

checks("names the path at fault", async () => {
  const files = await sealedFiles();
  files.setMode("sealed/work/data", 0o755);
  assert.equal(await checkTree(files.at("sealed"), manifest, sha256), {
    ok: false,
    code: "record.not_read_only",
    reason: 'something in a sealed tree can be written to (at "work/data")',
    at: { path: "work/data" },
  });
});

checks.run();

const single = suite("commitFile()");

single("commits to the tree that holds one file", () => {
  const tree = { ok: true, value: manifest.tree_sha256 };
  const found = commitFile("notes.txt", encodeUtf8(""), sha256);
  assert.is(found.ok, true);
  assert.not.equal(found, tree);
  for (const name of ["", ".", "a/b", "/"]) {
    assert.equal(commitFile(name, encodeUtf8(""), sha256), {
      ok: false,
      code: "record.path_not_bare_name",
      reason: "the name of a one-file tree is empty, . or has a /",
    });
  }
});

single.run();
