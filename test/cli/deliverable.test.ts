import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { inDirectory, type } from "./terminal.ts";

type At = (name: string) => string;

const [task, run, config] = ["1", "2", "3"].map((digit) => digit.repeat(64));
const BINDINGS = ["--task", task!, "--run", `sha256:${run}`, "--config", config!];

function write(at: At, declared: unknown[] = [{}]): void {
  mkdirSync(at("work/out"), { recursive: true });
  writeFileSync(at("work/out/answer.md"), "# Answer\n");
  const usual = {
    artifact_id: "answer",
    source_path: "out/answer.md",
    path: "answer.md",
    media_type: "text/markdown",
    max_size_bytes: 64,
  };
  const declaration = declared.map((members) => ({ ...usual, ...members as object }));
  writeFileSync(at("files.json"), JSON.stringify(declaration));
}

const seal = (at: At, ...more: string[]) =>
  type([
    ...["deliverable", "seal", at("work"), at("sealed"), "--declaration", at("files.json")],
    ...BINDINGS,
    ...more,
  ]);
const verify = (at: At, ...more: string[]) =>
  type(["deliverable", "verify", at("sealed"), at("manifest.json"), ...more]);

const commands = suite("affidavit deliverable");

commands("seals, writes the manifest, and verifies what it sealed", async () => {
  await inDirectory(async (at) => {
    write(at);
    const sealed = await seal(at, "--out", at("manifest.json"));
    assert.equal([sealed.exit, sealed.stderr], [0, ""]);
    const { manifest_json, ...rest } = JSON.parse(sealed.stdout);
    const { manifest_sha256, tree_sha256 } = JSON.parse(manifest_json);
    assert.equal(rest, { ok: true, manifest_sha256, tree_sha256, files: 1, total_size_bytes: 9 });
    assert.is(readFileSync(at("manifest.json"), "utf8"), `${manifest_json}\n`);
    assert.is(statSync(at("sealed/answer.md")).mode & 0o777, 0o444);

    const verified = await verify(at);
    const found = JSON.parse(verified.stdout);
    assert.equal([verified.exit, verified.stderr], [0, ""]);
    assert.equal(found.not_checked.map((open: { what: string }) => open.what), [
      "manifest",
      "bindings",
      "contents",
    ]);
    const pinned = await verify(at, "--expect-manifest", manifest_sha256);
    const { not_checked, ...summary } = JSON.parse(pinned.stdout);
    assert.equal(summary, rest);
    assert.equal(not_checked.map((open: { what: string }) => open.what), ["bindings", "contents"]);
  });
});

commands("tells people what was sealed and what was not checked", async () => {
  await inDirectory(async (at) => {
    write(at);
    await seal(at, "--out", at("manifest.json"));
    const { exit, stdout } = await type(
      ["deliverable", "verify", at("sealed"), at("manifest.json")],
      { terminal: true },
    );
    assert.is(exit, 0);
    const lines = stdout.split("\n").map((line) => line.replace(/sha256:.*/, "HASH"));
    assert.equal(lines, [
      `consistent: ${at("sealed")} is what the manifest says`,
      "manifest  HASH",
      "tree      HASH",
      "files     1",
      "bytes     9",
      "not checked: manifest: whoever can write the files can write a manifest that fits: it does not show who made it",
      "  would check it: --expect-manifest HASH known from elsewhere",
      "not checked: bindings: task, run and configuration are named by hash alone",
      "  would check it: hash them, and compare",
      "not checked: contents: files are opaque bytes here, whatever their media type says",
      "",
    ]);
  });
});

commands("refuses to verify what was changed, with code and path", async () => {
  await inDirectory(async (at) => {
    write(at);
    await seal(at, "--out", at("manifest.json"));
    chmodSync(at("sealed/answer.md"), 0o644);
    const { exit, stdout } = await verify(at);
    assert.is(exit, 1);
    assert.equal(JSON.parse(stdout), {
      ok: false,
      code: "record.not_read_only",
      reason: 'something in a sealed tree can be written to (at "answer.md")',
      field: null,
      path: "answer.md",
    });
    const other = await verify(at, "--expect-manifest", `sha256:${task}`);
    assert.is(other.exit, 1);
    assert.is(JSON.parse(other.stdout).code, "record.pin_mismatch");
  });
});

commands("refuses to seal, with code, member and path", async () => {
  const rows: [members: object, flags: string[], code: string, at: object | undefined][] = [
    [{ path: "../x" }, [], "record.path_bad_segment", { field: "path" }],
    [{ source_path: "out" }, [], "record.unexpected_path", { path: "out" }],
    [{ max_size_bytes: 8 }, [], "record.per_file_limit", { path: "out/answer.md" }],
    [{}, ["--max-file-bytes", "8"], "record.per_file_limit", { path: "out/answer.md" }],
    [{}, ["--max-total-bytes", "8"], "record.total_limit", { path: "out/answer.md" }],
    [{ path: "aux.md" }, ["--portable"], "record.path_device_name", { field: "path" }],
    [
      { path: "aux.md" },
      ["--profile", "neutral-unstable"],
      "record.path_device_name",
      { field: "path" },
    ],
    [{ other: 1 }, [], "record.fields_mismatch", undefined],
  ];
  for (const [members, flags, code, place] of rows) {
    await inDirectory(async (at) => {
      write(at, [members]);
      const { exit, stdout, stderr } = await seal(at, "--json", ...flags);
      assert.equal([exit, stdout], [1, ""], code);
      const { error } = JSON.parse(stderr);
      assert.equal([error.code, error.at], [code, place]);
      assert.equal(readdirSync(at(".")).sort(), ["files.json", "work"], code);
    });
  }
});

commands(
  "writes no manifest into either tree or over the list, by way of links either",
  async () => {
    await inDirectory(async (at) => {
      write(at);
      symlinkSync(at("."), at("link"));
      for (const out of ["link/files.json", "link/work/out/m", "link/sealed", "link/sealed/m"]) {
        const { exit, stderr } = await seal(at, "--out", at(out), "--json");
        const message = "--out names a file that is read or sealed";
        assert.equal(
          [exit, JSON.parse(stderr)],
          [2, { error: { code: "cli.usage", message } }],
          out,
        );
        assert.is(existsSync(at("sealed")), false);
      }
    });
  },
);

commands("finds every wrong argument before it touches a file", async () => {
  const rows: [string[], string][] = [
    [["deliverable"], "The actions of deliverable are seal and verify"],
    [["deliverable", "open"], "The actions of deliverable are seal and verify"],
    [["deliverable", "seal", "a"], "SEALED is missing"],
    [["deliverable", "seal", "a", "b"], "--task HASH is missing"],
    [["deliverable", "seal", "a", "b", ...BINDINGS], "--declaration FILE is missing"],
    [
      ["deliverable", "seal", "a", "b", ...BINDINGS, "--declaration", "d", "--max-files", "0"],
      "--max-files takes a whole number above 0",
    ],
    [
      ["deliverable", "seal", "a", "b", ...BINDINGS, "--declaration", "d", "--out", "b/m"],
      "--out names a file that is read or sealed",
    ],
    [
      ["deliverable", "seal", "a", "b", ...BINDINGS, "--declaration", "d", "--profile", "x"],
      'There is no profile "x"',
    ],
    [["deliverable", "verify", "a"], "MANIFEST is missing"],
    [
      ["deliverable", "verify", "a", "b", "--expect-manifest", task!],
      '--expect-manifest takes "sha256:" and 64 lower-case hexadecimal digits',
    ],
  ];
  for (const [argv, message] of rows) {
    const { exit, stdout, stderr } = await type([...argv, "--json"]);
    assert.equal([exit, stdout], [2, ""], message);
    assert.equal(JSON.parse(stderr), { error: { code: "cli.usage", message } });
  }
});

commands.run();
