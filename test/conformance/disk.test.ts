import { existsSync } from "node:fs";
import { stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { formatIndex } from "../../scripts/vectors.ts";
import { openMemoryWorkspace } from "../../src/conformance/mod.ts";
import type { FileSpec, ListedFile, Workspace } from "../../src/conformance/mod.ts";
import { readFiles } from "../../src/conformance/files.ts";
import { openDiskWorkspace } from "../../src/node/mod.ts";
import { readText } from "../read.ts";
import { registerSuites } from "./suites.ts";

const index = suite("vectors/index.json");

index("is what scripts/vectors.ts writes", async () => {
  assert.is(await readText("vectors/index.json"), await formatIndex());
});

index.run();

const workspaces = suite("workspaces on disk and in memory");

const files = (...files: unknown[]): FileSpec[] => readFiles({ files }, "files");

async function inBoth(step: (workspace: Workspace) => Promise<void>): Promise<void> {
  for (const open of [openDiskWorkspace, openMemoryWorkspace]) {
    const workspace = await open();
    try {
      await step(workspace);
    } finally {
      await workspace.dispose();
    }
  }
}

workspaces("list what was built, sorted by path in code units", async () => {
  const built = files(
    { path: "b/deep/x", utf8: "\ufeffx" },
    { path: "b-c", base64: "/w==" },
    { path: "a", dir: true },
    { path: "Z", sparse: 3 },
    { path: "second", hardlink: "b/deep/x" },
    { path: "link", symlink: "Z" },
    { path: "nothing", absent: true },
    { path: "pipe", fifo: true },
    { path: "x", utf8: "first" },
    { path: "x", utf8: "then", mode: "0400" },
    { path: "b/deep", dir: true },
  );
  const listed: ListedFile[] = [
    { path: "Z", utf8: "\0\0\0" },
    { path: "a", dir: true },
    { path: "b", dir: true },
    { path: "b-c", base64: "/w==" },
    { path: "b/deep", dir: true },
    { path: "b/deep/x", utf8: "\ufeffx" },
    { path: "link", symlink: "Z" },
    { path: "pipe", fifo: true },
    { path: "second", utf8: "\ufeffx" },
    { path: "x", utf8: "then" },
  ];
  await inBoth(async (workspace) => {
    await workspace.build("top", built);
    assert.equal(await workspace.list("top"), listed);
    assert.equal(await workspace.list("other"), null);
    await workspace.build("other", []);
    assert.equal(await workspace.list("other"), []);
  });
});

workspaces("give directories that see what was built", async () => {
  await inBoth(async (workspace) => {
    const directory = workspace.at("top");
    const built = files({ path: "f", utf8: "abc" }, { path: "p", fifo: true }, {
      path: "l",
      symlink: "f",
    });
    await workspace.build("top", built);
    const kinds: unknown[] = [];
    for (const name of ["f", "p", "l", "none"]) {
      kinds.push((await directory.inspect(name, false))?.kind);
      kinds.push((await directory.inspect(name, true))?.kind);
    }
    const wanted = ["file", "file", "other", "other", "link", "file", undefined, undefined];
    assert.equal(kinds, wanted);
  });
});

workspaces("refuse to build below what is no directory", async () => {
  await inBoth(async (workspace) => {
    for (const above of [{ path: "x", symlink: "." }, { path: "x", utf8: "" }]) {
      const built = files(above, { path: "x/y", utf8: "" });
      const refusal = await workspace.build("top", built).then(() => "built", () => "refused");
      assert.is(refusal, "refused");
    }
  });
});

workspaces("on disk, set modes once everything is there, and leave nothing behind", async () => {
  const workspace = await openDiskWorkspace();
  const { label } = workspace.at("top");
  await workspace.build(
    "top",
    files({ path: "d", dir: true, mode: "0500" }, { path: "d/f", utf8: "x", mode: "0400" }),
  );
  const modes = await Promise.all(["d", "d/f"].map(async (path) => {
    return ((await stat(join(label, path))).mode & 0o777).toString(8);
  }));
  assert.equal(modes, ["500", "400"]);
  assert.equal(await workspace.list("top"), [{ path: "d", dir: true }, { path: "d/f", utf8: "x" }]);
  await workspace.dispose();
  assert.is(existsSync(dirname(label)), false);
});

workspaces.run();

await registerSuites(openDiskWorkspace);
