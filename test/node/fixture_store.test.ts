import { readdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { codeOf, IoError } from "../../src/core/mod.ts";
import { fixtureStoreAt, nativeSha256, openFixtureStore } from "../../src/node/mod.ts";
import { createReplayer, hashCall, judgeFixture } from "../../src/replay/mod.ts";
import { runFile } from "../house/project.ts";
import { rejectionOf } from "../lib/thrown.ts";
import { counting, recordAll, refusalOf } from "../replay/kit.ts";
import { makeDisk, plantAt } from "./disk.ts";
import { killRecorders } from "./kill_recorder.ts";

const disk = makeDisk(true);
const sha256 = nativeSha256();
const onDisk = suite("a store of fixtures on disk");
const recorder = fileURLToPath(new URL("child_record.ts", import.meta.url));
const fileOf = (args: unknown): string => `${hashCall("read", args, sha256).key}.json`;

onDisk("openFixtureStore() makes the directory, and fixtureStoreAt() does not", async () => {
  const path = join(disk.path(), "deeper");
  const error = await rejectionOf(fixtureStoreAt(path).list());
  assert.instance(error, IoError);
  assert.is(codeOf(error), "ENOENT");
  await openFixtureStore(path);
  assert.equal(await fixtureStoreAt(path).list(), []);
});

onDisk("what was recorded is replayed by another store at the same path", async () => {
  const path = disk.path();
  await recordAll([{ a: 1 }], { store: await openFixtureStore(path), sha256 });
  assert.equal(await readdir(path), [fileOf({ a: 1 })]);
  const { tools, calls } = counting();
  const replayer = createReplayer(tools, { store: fixtureStoreAt(path), sha256 });
  assert.equal(await replayer.call("read", { a: 1 }), { a: 1 });
  assert.equal(calls, []);
});

onDisk(
  "a directory or a named pipe in the place of a fixture is corrupt, a dangling link absent",
  async () => {
    const path = disk.path();
    const store = await openFixtureStore(path);
    plantAt(join(path, fileOf(1)), "directory");
    plantAt(join(path, fileOf(2)), "other");
    plantAt(join(path, fileOf(3)), "link", "nothing");
    const replayer = createReplayer(counting().tools, { store, sha256 });
    const codes: string[] = [];
    for (const args of [1, 2, 3]) codes.push((await refusalOf(replayer.call("read", args))).code);
    const corrupt = "tool.fixture_corrupt";
    assert.equal(codes, [corrupt, corrupt, "tool.fixture_missing"]);
  },
);

onDisk(
  "recording over a directory fails with the system's code and leaves nothing behind",
  async () => {
    const path = disk.path();
    const store = await openFixtureStore(path);
    plantAt(join(path, fileOf({})), "directory");
    const options = { store, sha256, mode: "record" } as const;
    const error = await rejectionOf(createReplayer(counting().tools, options).call("read"));
    assert.instance(error, IoError);
    assert.equal(await readdir(path), [fileOf({})]);
  },
);

onDisk("recording replaces a link, and what it leads to stays", async () => {
  const path = disk.path();
  const store = await openFixtureStore(path);
  await writeFile(join(path, "real"), "mine");
  await symlink("real", join(path, fileOf({})));
  await recordAll([{}], { store, sha256 });
  assert.is(await readFile(join(path, "real"), "utf8"), "mine");
  assert.is(judgeFixture(await readFile(join(path, fileOf({}))), sha256).ok, true);
});

onDisk("two processes that record the same call leave one whole fixture", async () => {
  const path = disk.path();
  const ended = await Promise.all(["a", "b"].map((name) => {
    return runFile(recorder, [path, name, "30", "1"]);
  }));
  assert.equal(ended.map(({ status, stderr }) => [status, stderr]), [[0, ""], [0, ""]]);
  assert.equal(await readdir(path), [fileOf({ n: 0 })]);
  const judged = judgeFixture(await readFile(join(path, fileOf({ n: 0 }))), sha256);
  const { name, calls } = (judged.ok ? judged.value.response : {}) as Record<string, unknown>;
  assert.ok(name === "a" || name === "b", String(name));
  assert.is(calls, 29);
});

onDisk("recorders that are killed leave whole fixtures (100 rounds in test:slow)", async () => {
  const { recorded, fixtures } = await killRecorders(3, disk.path);
  assert.ok(recorded >= 3 && fixtures >= 3, `${recorded} recorded, ${fixtures} found`);
});

onDisk.after(disk.clear);

onDisk.run();
