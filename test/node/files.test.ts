import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { IoError, isUnreadable } from "../../src/core/mod.ts";
import {
  buildReceipt,
  checkReceipt,
  createCapsule,
  digestFileAt,
  fileAt,
  readFileAt,
  writeReceipt,
} from "../../src/node/mod.ts";
import { formatReceipt } from "../../src/receipt/mod.ts";
import { makeDisk } from "./disk.ts";

const disk = makeDisk();
const files = suite("files by path");

async function failureOf(call: Promise<unknown>): Promise<[string, string]> {
  const error = await call.then(() => undefined, (thrown: unknown) => thrown);
  assert.instance(error, IoError);
  const { code, message } = error as IoError;
  return [code, message];
}

/** A path whose directory is there. */
function freshPath(): string {
  const path = disk.path();
  return join(dirname(path), "file.json");
}

files("readFileAt() takes a file of just the bound and no larger one", async () => {
  const path = freshPath();
  const bytes = new Uint8Array(600_000).map((_, index) => index * 7); // more than two reading windows
  writeFileSync(path, bytes);
  assert.equal(await readFileAt(path), bytes);
  assert.equal(await readFileAt(path, 600_000), bytes);
  assert.equal(await failureOf(readFileAt(path, 599_999)), [
    "EFBIG",
    'read "file.json": it is larger than 599999 bytes',
  ]);
  writeFileSync(path, "");
  assert.equal(await readFileAt(path, 0), new Uint8Array());
});

files("readFileAt() and digestFileAt() say in a code what is there instead of a file", async () => {
  const path = freshPath();
  for (const read of [readFileAt, digestFileAt]) {
    assert.equal(await failureOf(read(path)), [
      "ENOENT",
      'open "file.json": there is no such file',
    ]);
    assert.equal((await failureOf(read(dirname(path))))[0], "EINVAL");
  }
});

files("digestFileAt() is SHA-256 of the bytes, through links too", async () => {
  const path = freshPath();
  const bytes = new Uint8Array(600_000).fill(5);
  writeFileSync(path, bytes);
  symlinkSync(path, `${path}.link`);
  const expected = createHash("sha256").update(bytes).digest("hex");
  assert.equal([await digestFileAt(path), await digestFileAt(`${path}.link`)], [
    expected,
    expected,
  ]);
});

files("fileAt() tells absent from unreadable", async () => {
  const path = freshPath();
  assert.is(await fileAt(path), null);
  mkdirSync(path);
  assert.ok(isUnreadable(await fileAt(path)));
});

files("writeReceipt() makes parents and takes the place of an older receipt or link", async () => {
  const capsule = disk.path();
  await createCapsule(capsule);
  const receipt = await buildReceipt(capsule);
  const path = join(dirname(capsule), "a", "b", "receipt.json");
  await writeReceipt(path, receipt);
  writeFileSync(path, "older and longer".repeat(1000));
  await writeReceipt(path, receipt);
  symlinkSync("receipt.json", `${path}.link`);
  await writeReceipt(`${path}.link`, receipt);
  for (const place of [path, `${path}.link`]) {
    assert.is(readFileSync(place, "utf8"), formatReceipt(receipt));
  }
  assert.equal(readdirSync(dirname(path)).sort(), ["receipt.json", "receipt.json.link"]);
  assert.is((await checkReceipt(path, capsule)).ok, true);
});

files("writeReceipt() in the place of a directory fails and leaves no temporary file", async () => {
  const capsule = disk.path();
  await createCapsule(capsule);
  const path = freshPath();
  mkdirSync(path);
  const [code] = await failureOf(writeReceipt(path, await buildReceipt(capsule)));
  assert.match(code, /^(EISDIR|EEXIST|EPERM)$/);
  assert.equal(readdirSync(dirname(path)), ["file.json"]);
});

files("checkReceipt() fails check schema over the bound, and throws without a file", async () => {
  const capsule = disk.path();
  await createCapsule(capsule);
  const path = freshPath();
  assert.is((await failureOf(checkReceipt(path, capsule)))[0], "ENOENT");
  writeFileSync(path, formatReceipt(await buildReceipt(capsule)));
  const { check, reason } = await checkReceipt(path, capsule, { maxTextBytes: 100 });
  assert.equal([check, reason?.includes("larger than 100 bytes")], ["schema", true]);
  assert.is((await checkReceipt(path, capsule)).check, null);
});

files.after(disk.clear);

files.run();
