import { execFileSync } from "node:child_process";
import { mkdirSync, realpathSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import process from "node:process";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { encodeUtf8, IoError } from "../../src/core/mod.ts";
import { digestTree } from "../../src/gate/mod.ts";
import {
  createCapsule,
  groupCapsules,
  loadTaskset,
  loadVariant,
  nativeSha256,
  readListing,
} from "../../src/node/mod.ts";
import { rejectionOf } from "../lib/thrown.ts";
import { makeDisk, plantAt } from "./disk.ts";

const disk = makeDisk();
const sha256 = nativeSha256();
const listings = suite("readListing()");

/** A directory with these files; a text is the content, null makes a directory. */
function treeOf(files: Record<string, string | null>): string {
  const dir = disk.path();
  mkdirSync(dir);
  for (const [path, text] of Object.entries(files)) {
    const parts = path.split("/").slice(0, text === null ? undefined : -1);
    mkdirSync(join(dir, ...parts), { recursive: true });
    if (text !== null) writeFileSync(join(dir, path), text);
  }
  return dir;
}

async function codeOf(promise: Promise<unknown>): Promise<string> {
  const error = await rejectionOf(promise);
  assert.instance(error, IoError);
  assert.not((error as Error).message.includes("affidavit-test"), "a path of this machine");
  return (error as IoError).code;
}

listings("lists everything with bytes and follows no link", async () => {
  const dir = treeOf({ "a/b/deep": "x", "empty": null, "f": "\0" });
  plantAt(join(dir, "pipe"), "other");
  plantAt(join(dir, "link"), "link", "f");
  plantAt(join(dir, "loop"), "link", ".");
  const { listing } = await readListing(dir);
  const byPath = [...listing].sort((a, b) => a.path < b.path ? -1 : 1);
  assert.equal(byPath, [
    { path: "a", kind: "directory" },
    { path: "a/b", kind: "directory" },
    { path: "a/b/deep", kind: "file", bytes: encodeUtf8("x") },
    { path: "empty", kind: "directory" },
    { path: "f", kind: "file", bytes: encodeUtf8("\0") },
    { path: "link", kind: "link" },
    { path: "loop", kind: "link" },
    { path: "pipe", kind: "other" },
  ]);
});

listings("passes node_modules and .git over without looking", async () => {
  const dir = treeOf({ "node_modules/x/index.js": "x", "a/.git/config": "x", "a/f": "f" });
  const { listing } = await readListing(dir, { maxNodes: 2, maxBytes: 1 });
  assert.equal(listing.map(({ path }) => path), ["a", "a/f"]);
});

listings("takes a path through a link and says where that leads", async () => {
  const dir = treeOf({ f: "f" });
  symlinkSync(dir, `${dir}-link`);
  const found = await readListing(relative(process.cwd(), `${dir}-link`));
  assert.is(found.dir, realpathSync(dir));
  assert.equal(found.listing, [{ path: "f", kind: "file", bytes: encodeUtf8("f") }]);
});

listings("fails with the system's code, or EFBIG over a bound, and tells no path", async () => {
  const dir = treeOf({ "a/f": "123", "g": "45" });
  assert.is(await codeOf(readListing(join(dir, "nothing"))), "ENOENT");
  assert.is(await codeOf(readListing(join(dir, "g"))), "ENOTDIR");
  assert.is((await readListing(dir, { maxBytes: 5, maxNodes: 3 })).listing.length, 3);
  assert.is(await codeOf(readListing(dir, { maxBytes: 4 })), "EFBIG");
  assert.is(await codeOf(readListing(dir, { maxNodes: 2 })), "EFBIG");
  truncateSync(join(dir, "g"), 2 ** 40); // it takes no space, and is never read
  assert.is(await codeOf(readListing(dir)), "EFBIG");
});

listings("does not read one file for another when a name is no UTF-8", async () => {
  const dir = treeOf({ "\ufffd": "the one" });
  execFileSync("sh", ["-c", `printf other > "$(printf '\\377')"`], { cwd: dir });
  const code = await codeOf(readListing(dir));
  assert.ok(["EILSEQ", "ENOENT"].includes(code), code);
});

listings.run();

const loaders = suite("loadTaskset() and loadVariant()");
const MANIFEST = '{"name":"v","effect_class":"SE1","entry":"./lib/run.js"}';

loaders("loadVariant() gives the variant and its real directory", async () => {
  const dir = treeOf({ "variant.json": MANIFEST, "lib/run.js": "1" });
  const { listing } = await readListing(dir);
  const digest = digestTree(listing, sha256);
  const found = await loadVariant(dir);
  if (!found.ok) throw new Error(found.reason);
  const { files, ...rest } = found.value;
  assert.equal(rest, {
    dir: realpathSync(dir),
    name: "v",
    effect_class: "SE1",
    entry: "lib/run.js",
    digest: digest.ok && digest.value,
  });
  assert.equal(files.map(({ path }) => path), [
    ...["lib/run.js", "variant.json"],
  ]);
});

loaders("loadVariant() refuses by a value, with bounds of its own", async () => {
  const dir = treeOf({ "variant.json": MANIFEST, "lib/run.js": "1" });
  const codeWith = async (options: Parameters<typeof loadVariant>[1]): Promise<string> => {
    const found = await loadVariant(dir, options);
    return found.ok ? "ok" : found.code;
  };
  assert.is(await codeWith({ maxManifestBytes: MANIFEST.length }), "ok");
  assert.is(await codeWith({ maxManifestBytes: MANIFEST.length - 1 }), "gate.variant_invalid");
  assert.is(await codeOf(loadVariant(dir, { maxBytes: MANIFEST.length })), "EFBIG");
  plantAt(join(dir, "link"), "link", "lib");
  assert.is(await codeWith({}), "gate.variant_invalid");
  const empty = await loadVariant(treeOf({}));
  assert.is(empty.ok || empty.code, "gate.variant_missing");
});

loaders("loadTaskset() gives the absolute path, and refuses a file over the bound", async () => {
  const text = '{"version":1,"family":"f","tasks":[{"id":"a","input":1,"expected":1}]}';
  const file = join(treeOf({ "taskset.json": text }), "taskset.json");
  const found = await loadTaskset(relative(process.cwd(), file), { maxBytes: text.length });
  assert.is(found.ok && found.value.path, file);
  assert.is(found.ok && found.value.digest, sha256.digest(encodeUtf8(text)));
  const over = await loadTaskset(file, { maxBytes: text.length - 1 });
  assert.is(over.ok || over.code, "gate.taskset_invalid");
  truncateSync(file, 2 ** 40);
  const large = await loadTaskset(file, { maxBytes: 1000 });
  assert.is(large.ok || large.reason, "Reading a task set: it is larger than 1000 bytes");
});

loaders("loadTaskset() fails with the system's code for what is no file", async () => {
  const dir = treeOf({});
  assert.is(await codeOf(loadTaskset(join(dir, "nothing"))), "ENOENT");
  assert.is(await codeOf(loadTaskset(dir)), "EINVAL");
});

loaders.run();

const retrospectives = suite("groupCapsules() by path");

retrospectives("groups capsules on disk and names a bad one by its index alone", async () => {
  const [one, two] = [disk.path(), disk.path()];
  await createCapsule(one, { run_id: "r1", harness_version: "h/2", task_family: "f" });
  const capsule = await createCapsule(two, { harness_version: "h/1", task_family: "f" });
  await capsule.append("plan", "start");
  const verdict = await groupCapsules([one, two, one]);
  const groups = verdict.ok ? verdict.report.groups : [];
  assert.equal(groups.map((group) => [group.harness_version, group.entry_count]), [
    ...[["h/1", 1], ["h/2", 0]],
  ]);
  assert.equal(await groupCapsules([one, join(two, "nothing")]), {
    ok: false,
    code: "retrospective.invalid_capsule",
    reason: "Grouping capsules: the capsule of input 1 does not verify (capsule.missing_journal)",
    input_index: 1,
  });
});

retrospectives.after(() => disk.clear());
retrospectives.run();
