import {
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { dirname, join } from "node:path";
import process from "node:process";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { EvidenceError } from "../../src/core/mod.ts";
import {
  buildReceipt,
  checkReceipt,
  createCapsule,
  directoryAt,
  exportBundle,
  openCapsule,
  projectCapsule,
  systemEnvironment,
  verifyCapsule,
  writeReceipt,
} from "../../src/node/mod.ts";
import { type Capsule, openCapsule as openIn } from "../../src/store/mod.ts";
import { type Call, intercept } from "../store/faulty.ts";
import { makeDisk, plantAt } from "./disk.ts";

const disk = makeDisk();
const hostile = suite("hostile and unlucky disks");

const [METADATA, JOURNAL, PROJECTION, LOCK] = [
  "capsule.json",
  "journal.ndjson",
  "projection.json",
  ".append.lock",
];
const step = (capsule: Capsule): Promise<unknown> => capsule.append("plan", "step");

/** A new capsule with one entry; its receipt lies beside it. */
async function capsuleAt(): Promise<{ path: string; receipt: string }> {
  const path = disk.path();
  await step(await createCapsule(path));
  const receipt = join(dirname(path), "receipt.json");
  await writeReceipt(receipt, await buildReceipt(path));
  return { path, receipt };
}

/** The code of a failure, which must be one of ours and keep the path to itself. */
async function failureOf(call: Promise<unknown>, path: string): Promise<string> {
  const error = await call.then(() => undefined, (thrown: unknown) => thrown);
  assert.ok(error instanceof EvidenceError, String(error));
  assert.not(error.message.includes(dirname(path)), error.message);
  return error.code;
}

/** Puts something that is no regular file at a path; `clear` takes it away where unlinking does not. */
const SPECIAL: Record<string, (path: string) => Promise<() => void>> = {
  FIFO: (path) => Promise.resolve(plantAt(path, "other")).then(() => () => unlinkSync(path)),
  directory: (path) =>
    Promise.resolve(mkdirSync(path)).then(() => () => rmSync(path, { recursive: true })),
  device: (path) =>
    Promise.resolve(symlinkSync("/dev/zero", path)).then(() => () => unlinkSync(path)),
  socket: (path) =>
    new Promise((resolve) => {
      const server = createServer();
      server.listen(path, () => resolve(() => void server.close()));
    }),
};

for (const [kind, plant] of Object.entries(SPECIAL)) {
  hostile(`a ${kind} in the place of any file is refused with a code, at once`, async () => {
    const { path, receipt } = await capsuleAt();
    const at = (name: string): string => join(path, name);
    const replaced = async (name: string, check: () => Promise<void>): Promise<void> => {
      renameSync(at(name), at("aside"));
      const clear = await plant(at(name));
      await check();
      clear();
      rmSync(at(name), { force: true });
      renameSync(at("aside"), at(name));
    };
    await replaced(JOURNAL, async () => {
      const { code, failed_at, entry_count } = await verifyCapsule(path);
      assert.equal([code, failed_at, entry_count], ["capsule.unreadable_journal", null, 0]);
      assert.is(await failureOf(openCapsule(path), path), "capsule.unreadable_journal");
      assert.is((await checkReceipt(receipt, path)).check, "journal_integrity");
    });
    await replaced(METADATA, async () => {
      const { code, failed_at, entry_count } = await verifyCapsule(path);
      assert.equal([code, failed_at, entry_count], ["capsule.metadata_invalid", null, 1]);
      assert.is(await failureOf(createCapsule(path), path), "capsule.exists");
      assert.is((await checkReceipt(receipt, path)).check, "metadata");
    });
    await replaced(PROJECTION, async () => {
      assert.is((await checkReceipt(receipt, path)).check, "projection");
      if (kind === "directory") {
        assert.match(await failureOf(projectCapsule(path), path), /^(EISDIR|EEXIST|EPERM)$/);
      } else {
        await projectCapsule(path);
        assert.ok(lstatSync(at(PROJECTION)).isFile());
      }
    });
    const capsule = await openCapsule(path);
    const clear = await plant(at(LOCK));
    assert.is(await failureOf(step(capsule), path), "capsule.busy");
    assert.not(lstatSync(at(LOCK)).isFile());
    clear();
    rmSync(at(LOCK), { force: true });
    const clearArtifact = await plant(at("artifact"));
    const artifact = at("artifact");
    assert.is((await checkReceipt(receipt, path, { artifact })).check, "artifact");
    assert.is(await failureOf(buildReceipt(path, { artifact }), path), "EINVAL");
    assert.is(await failureOf(checkReceipt(artifact, path), path), "EINVAL");
    clearArtifact();
    assert.is((await verifyCapsule(path)).code, "ok");
  });

  hostile(`a ${kind} in the place of the journal keeps a capsule from being created`, async () => {
    const path = disk.path();
    mkdirSync(path);
    const clear = await plant(join(path, JOURNAL));
    assert.is(await failureOf(createCapsule(path), path), "capsule.exists");
    assert.equal(readdirSync(path), [JOURNAL]);
    clear();
  });
}

hostile("what takes a file's place between look and open neither blocks nor is used", async () => {
  const path = disk.path();
  mkdirSync(path);
  for (const kind of ["FIFO", "directory", "device", "socket"]) {
    const clear = await SPECIAL[kind]!(join(path, kind));
    const directory = directoryAt(path);
    directory.inspect = () => Promise.resolve({ kind: "file", identity: "", size: 0 });
    for (const open of ["openRead", "openAppend"] as const) {
      assert.match(await failureOf(directory[open](kind), path), /^(EINVAL|ENXIO|EISDIR)$/);
    }
    clear();
  }
});

hostile(
  "dangling links and links in a circle are absent, and create nothing elsewhere",
  async () => {
    for (const target of ["nothing", "../nothing", JOURNAL]) {
      const { path, receipt } = await capsuleAt();
      unlinkSync(join(path, JOURNAL));
      symlinkSync(target, join(path, JOURNAL));
      assert.is((await verifyCapsule(path)).code, "capsule.missing_journal");
      assert.is((await checkReceipt(receipt, path)).check, "journal_present");
      unlinkSync(join(path, METADATA));
      assert.is(await failureOf(createCapsule(path), path), "capsule.exists");
      assert.equal(readdirSync(path).sort(), [JOURNAL, PROJECTION]);
      assert.not(readdirSync(dirname(path)).includes("nothing"));
    }
  },
);

/** A handle whose calls go through a hook. */
function openThrough(path: string, hook: (call: Call) => void): Promise<Capsule> {
  const directory = intercept(directoryAt(path), (call) => {
    hook(call);
    return call.perform();
  });
  return openIn(directory, systemEnvironment());
}

hostile("a journal removed and made anew with the same size is not written to", async () => {
  const { path } = await capsuleAt();
  const journal = join(path, JOURNAL);
  const bytes = readFileSync(journal);
  const capsule = await openThrough(path, ({ operation }) => {
    if (operation !== "openAppend") return;
    unlinkSync(journal); // on many systems the next file gets its inode number
    writeFileSync(journal, bytes);
  });
  assert.is(await failureOf(step(capsule), path), "capsule.changed");
  assert.equal(readFileSync(journal), bytes);
  assert.not(readdirSync(path).includes(LOCK));
});

hostile("a directory that is removed meanwhile fails an append with a code", async () => {
  const { path } = await capsuleAt();
  let isHeld = false;
  const capsule = await openThrough(path, ({ operation }) => {
    isHeld ||= operation === "openAppend";
    if (isHeld) rmSync(path, { recursive: true, force: true });
  });
  const error = await step(capsule).catch((thrown: unknown) => thrown) as EvidenceError;
  assert.equal([error.code, (error.cause as EvidenceError).code], ["capsule.lock_lost", "ENOENT"]);
  assert.is(await failureOf(step(capsule), path), "ENOENT");
  assert.is((await verifyCapsule(path)).code, "capsule.missing_journal");
});

hostile("paths that cannot be are refused with a code", async () => {
  const { path, receipt } = await capsuleAt();
  const paths = {
    "through a file": join(receipt, "capsule"),
    "with a NUL": join(path, "a\0b"),
    "too long": join(path, "x".repeat(300)),
  };
  for (const [what, place] of Object.entries(paths)) {
    const { code } = await verifyCapsule(place);
    const expected = what === "through a file" ? "missing" : "unreadable";
    assert.is(code, `capsule.${expected}_journal`, what);
    const codes = ["ENOTDIR", "EEXIST", "EINVAL", "ENAMETOOLONG"];
    const found = await failureOf(createCapsule(place), place);
    assert.ok(codes.includes(found), `${what}: ${found}`);
  }
});

hostile(
  "files get mode 0644 as far as the process lets them, also in another's place",
  async () => {
    const { path, receipt } = await capsuleAt();
    writeFileSync(join(path, PROJECTION), "", { mode: 0o600 });
    await projectCapsule(path);
    const mode = 0o644 & ~process.umask();
    const places = [METADATA, JOURNAL, PROJECTION].map((name) => join(path, name));
    for (const place of [...places, receipt]) assert.is(statSync(place).mode & 0o777, mode, place);
    let held = 0;
    await step(
      await openThrough(path, ({ operation }) => {
        if (operation === "openAppend") held = statSync(join(path, LOCK)).mode & 0o777;
      }),
    );
    assert.is(held, 0o600);
  },
);

hostile("a bundle replaces links to its source by copies", async () => {
  const { path } = await capsuleAt();
  const target = disk.path();
  mkdirSync(target);
  for (const name of [METADATA, JOURNAL]) symlinkSync(join(path, name), join(target, name));
  await exportBundle(path, target);
  await step(await openCapsule(path));
  assert.equal(readdirSync(target).sort(), [METADATA, JOURNAL, PROJECTION]);
  assert.ok(lstatSync(join(target, JOURNAL)).isFile());
  assert.is((await verifyCapsule(target)).entry_count, 1);
});

hostile("an export onto the files of its own capsule leaves them to their writers", async () => {
  for (const place of [symlinkSync, linkSync]) {
    const { path } = await capsuleAt();
    const view = disk.path();
    mkdirSync(view);
    for (const name of [METADATA, JOURNAL]) place(join(path, name), join(view, name));
    const before = lstatSync(join(path, JOURNAL)).ino;
    await exportBundle(view, path);
    assert.is(lstatSync(join(path, JOURNAL)).ino, before);
    await step(await openCapsule(path));
    assert.is((await verifyCapsule(view)).entry_count, 2);
  }
});

hostile.after(disk.clear);

hostile.run();
