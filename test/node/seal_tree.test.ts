import { execFileSync } from "node:child_process";
import {
  chmodSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { planSeal, sealTree } from "../../src/deliverable/mod.ts";
import type { Sealed } from "../../src/deliverable/mod.ts";
import { checkDeliverable, sealDeliverable, treeAt } from "../../src/node/mod.ts";
import type { RecordResult } from "../../src/record/mod.ts";
import {
  BINDINGS,
  CONTENTS,
  DECLARATION,
  declare,
  samplePlan,
  sealedSample,
  sha256,
} from "../deliverable/sample.ts";
import { Steps } from "../deliverable/steps.ts";
import { makeDisk } from "./disk.ts";

const disk = makeDisk(true);
const seal = suite("sealDeliverable() and checkDeliverable()");
const expected = await sealedSample();

/** A fresh directory with `source` in it, last written long ago. */
function makePlace(): string {
  const place = join(disk.path(), "..");
  for (const [path, text] of Object.entries(CONTENTS)) {
    const file = join(place, "source", path);
    mkdirSync(join(file, ".."), { recursive: true });
    writeFileSync(file, text);
    utimesSync(file, 1e9, 1e9);
  }
  return place;
}

const answerOf = (result: RecordResult<unknown>): unknown =>
  result.ok ? "ok" : [result.code, result.field ?? result.at?.path];

seal("seal on disk what they seal in memory, and check it", async () => {
  const place = makePlace();
  const sealed = join(place, "sealed");
  const result = await sealDeliverable(join(place, "source"), sealed, DECLARATION, BINDINGS);
  assert.equal(result, { ok: true, value: expected });
  assert.equal(readdirSync(sealed).sort(), ["notes.txt", "work"]);
  assert.is(readFileSync(join(sealed, "work/data/table.csv"), "utf8"), "a,b\n1,2\n");
  const { manifest } = expected;
  assert.equal(await checkDeliverable(sealed, manifest), { ok: true, value: manifest });
});

seal("take files of many pieces, whose reading and writing go on meanwhile", async () => {
  const place = makePlace();
  const bytes = new Uint8Array(5 * (1 << 20) + 12_345).map((_, index) => index * 31 >> 3);
  const sizes = [(1 << 17) - 1, 1 << 17, (1 << 20) - 1, 1 << 20, (1 << 20) + 1, bytes.length];
  rmSync(join(place, "source"), { recursive: true });
  mkdirSync(join(place, "source"));
  for (const size of sizes) writeFileSync(join(place, `source/f${size}`), bytes.subarray(0, size));
  const declaration = sizes.map((size) => ({
    ...declare(`f${size}`, `f${size}`, `f${size}`),
    max_size_bytes: 1e7,
  }));
  const sealed = join(place, "sealed");
  const result = await sealDeliverable(join(place, "source"), sealed, declaration, BINDINGS);
  if (!result.ok) throw new Error(result.reason);
  const { manifest } = result.value;
  for (const { path, sha256: found } of manifest.artifacts) {
    const part = bytes.subarray(0, Number(path.slice(1)));
    assert.is(found, `sha256:${sha256.digest(part)}`, path);
  }
  assert.equal(await checkDeliverable(sealed, manifest), { ok: true, value: manifest });
});

/** What may befall a path on disk. */
const TAMPERS: Readonly<Record<string, (path: string) => void>> = {
  grows: (path) => writeFileSync(path, "more", { flag: "a" }),
  shrinks: (path) => truncateSync(path, 1),
  "is written over": (path) => writeFileSync(path, "# Bnswer\n"),
  "is replaced": (path) => {
    writeFileSync(`${path}.new`, "# Answer\n");
    renameSync(`${path}.new`, path);
  },
  "turns into a link": (path) => {
    renameSync(path, join(path, "../../../elsewhere"));
    symlinkSync("../../elsewhere", path);
  },
  "turns into a pipe": (path) => {
    rmSync(path);
    execFileSync("mkfifo", [path]);
  },
  "gets a second name": (path) => linkSync(path, join(path, "../../../elsewhere")),
  disappears: (path) => rmSync(path),
  "moves with its directory behind a link": (path) => {
    renameSync(join(path, ".."), join(path, "../../../elsewhere"));
    symlinkSync("../elsewhere", join(path, ".."));
  },
};

async function sealWatched(place: string, steps: Steps): Promise<RecordResult<Sealed>> {
  const [source, sealed] = ["source", "sealed"].map((name) =>
    steps.watch(treeAt(join(place, name)))
  );
  return await sealTree(source!, sealed!, samplePlan(), sha256);
}

for (const [name, tamper] of Object.entries(TAMPERS)) {
  seal(`refuse a source file that ${name} between any two looks at it`, async () => {
    const path = "out/answer.md";
    const undisturbed = new Steps();
    await sealWatched(makePlace(), undisturbed);
    const looked = name.includes("directory") ? "out" : path;
    const [first, last] = undisturbed.looksAt("source", looked, ["inspect"]);
    assert.is(last - first > 20, true);
    for (let at = first + 1; at <= last; at++) {
      const place = makePlace();
      const steps = new Steps(at, () => tamper(join(place, "source", path)));
      const result = await sealWatched(place, steps);
      assert.is(result.ok, false, `at call ${at}`);
      assert.is(steps.opened, steps.closed, `at call ${at}`);
    }
  });
}

seal("find out about roots through links, and with dots at their end", async () => {
  const place = makePlace();
  const at = (path: string): string => join(place, path);
  symlinkSync("source", at("link"));
  symlinkSync("nowhere", at("dangling"));
  mkdirSync(at("real"));
  symlinkSync("real", at("parent"));
  const rows: [string, string, unknown][] = [
    [at("none"), at("sealed"), ["record.root_missing", "source_root"]],
    [at("source/notes.txt/x"), at("sealed"), ["record.root_missing", "source_root"]],
    [at("link"), at("sealed"), ["record.root_not_real_directory", "source_root"]],
    [at("source"), at("dangling"), ["record.sealed_root_not_fresh", undefined]],
    [at("source"), `${at("none")}/..`, ["record.sealed_root_not_fresh", undefined]],
    [at("source"), `${at("none")}/.`, ["record.sealed_root_not_fresh", undefined]],
    [at("source"), at("none/sealed"), ["record.sealed_root_parent_missing", undefined]],
    [at("source"), at("source/notes.txt/x"), ["record.sealed_root_parent_missing", undefined]],
    [at("source"), at("link/out/sealed"), ["record.roots_not_disjoint", undefined]],
    [at("source"), at("source/out/sealed"), ["record.roots_not_disjoint", undefined]],
    [at("source"), `${at("parent/sealed")}/`, "ok"],
  ];
  for (const [source, sealed, wanted] of rows) {
    const found = await sealDeliverable(source, sealed, DECLARATION, BINDINGS);
    assert.equal(answerOf(found), wanted, sealed);
  }
  assert.equal(readdirSync(at("real/sealed")).sort(), ["notes.txt", "work"]);
  const { manifest } = expected;
  assert.equal(answerOf(await checkDeliverable(at("parent/sealed"), manifest)), "ok");
  symlinkSync("real/sealed", at("again"));
  const through = await checkDeliverable(at("again"), manifest);
  assert.equal(answerOf(through), ["record.root_not_real_directory", "sealed_root"]);
});

seal("refuse a name that is no UTF-8 as unexpected, whatever was declared", async () => {
  const place = makePlace();
  execFileSync("sh", ["-c", `printf x > "$(printf 'source/a\\377')"`], { cwd: place });
  for (const path of ["a\ufffd", "a\udcff"]) {
    const plan = planSeal([...DECLARATION, declare("x", path, "x")], BINDINGS);
    if (!plan.ok) throw new Error(plan.reason);
    const [source, sealed] = [treeAt(join(place, "source")), treeAt(join(place, "sealed"))];
    const result = await sealTree(source, sealed, plan.value, sha256);
    assert.is(result.ok, false);
  }
});

seal("take no link for a root, with a separator behind its name either", async () => {
  const place = makePlace();
  symlinkSync("source", join(place, "link"));
  const sealed = join(place, "sealed");
  for (const name of ["link", "link/", "link//"]) {
    const source = `${place}/${name}`;
    assert.equal(answerOf(await sealDeliverable(source, sealed, DECLARATION, BINDINGS)), [
      "record.root_not_real_directory",
      "source_root",
    ]);
    assert.equal(answerOf(await checkDeliverable(source, expected.manifest)), [
      "record.root_not_real_directory",
      "sealed_root",
    ]);
  }
  const tidy = await sealDeliverable(`${place}/source/`, `${sealed}/`, DECLARATION, BINDINGS);
  assert.is(answerOf(tidy), "ok");
});

seal("set modes whatever the umask is, and never those of a link's target", async () => {
  const place = makePlace();
  mkdirSync(join(place, "target"), { mode: 0o700 });
  symlinkSync("target", join(place, "source/link"));
  chmodSync(join(place, "target"), 0o700);
  const tree = treeAt(join(place, "source"));
  let code: unknown;
  try {
    await tree.setDirectoryMode("link", 0o555);
  } catch (error) {
    code = (error as { code?: unknown }).code;
  }
  assert.is(code === "ENOTDIR" || code === "ELOOP", true);
  const { mode } = treeAt(join(place, "target")).inspect("") as { mode: number };
  assert.is(mode, 0o700);
});

seal.after(() => {
  execFileSync("chmod", ["-R", "u+w", join(disk.path(), "../..")]);
  disk.clear();
});

seal.run();
