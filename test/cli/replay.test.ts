import { copyFile, readdir, writeFile } from "node:fs/promises";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { nativeSha256, openFixtureStore } from "../../src/node/mod.ts";
import { createReplayer, hashCall, type Tools } from "../../src/replay/mod.ts";
import { inDirectory, type } from "./terminal.ts";

const replay = suite("affidavit replay");
const sha256 = nativeSha256();
const tools: Tools = {
  read: {
    effect_class: "SE0",
    determinism: "deterministic",
    impl: (args) => ({ of: args, size: 7 }),
  },
};
const [a, b] = ["a", "b"].map((path) => hashCall("read", { path, n: 1 }, sha256)) as [
  ReturnType<typeof hashCall>,
  ReturnType<typeof hashCall>,
];

async function recordInto(path: string, recordArguments = true): Promise<void> {
  const store = await openFixtureStore(path);
  const recorder = createReplayer(tools, { store, sha256, mode: "record", recordArguments });
  for (const name of ["a", "b"]) await recorder.call("read", { path: name, n: 1 });
}

replay("list prints a line for each fixture", async () => {
  await inDirectory(async (at) => {
    await recordInto(at("f"));
    const bad = `${"0".repeat(64)}.json`;
    await writeFile(at(`f/${bad}`), "{");
    const { exit, stdout } = await type(["replay", "list", at("f")], { terminal: true });
    const hashes = [a.args_hash, b.args_hash].sort();
    assert.equal([exit, stdout.split("\n")], [0, [
      "3 fixtures of 1 tool",
      ...hashes.map((hash) => `  read  ${hash}  arguments kept`),
      `  tool.fixture_corrupt  ${bad}`,
      "",
    ]]);
    const shown = JSON.parse((await type(["replay", "list", at("f")])).stdout);
    assert.equal([shown.tool_count, shown.fixtures.length], [1, 3]);
    assert.equal(shown.fixtures[2], {
      file: bad,
      code: "tool.fixture_corrupt",
      reason: "Reading a fixture: it is not JSON",
      tool: null,
      args_hash: null,
      response_hash: null,
      has_arguments: false,
    });
  });
});

replay("list escapes what a fixture says", async () => {
  await inDirectory(async (at) => {
    const store = await openFixtureStore(at("f"));
    const declared: Tools = { "\x1b[31m\n": { ...tools["read"]!, impl: () => 1 } };
    await createReplayer(declared, { store, sha256, mode: "record" }).call("\x1b[31m\n");
    const { stdout } = await type(["replay", "list", at("f")], { terminal: true });
    assert.match(stdout, "  \\u{1b}[31m\\u{a}  ");
  });
});

const OPEN = [
  "not checked: call: a fixture holds hashes of tool and arguments, which only a call can be held against",
  "  would check it: replaying the call, or arguments kept beside the fixture",
  "not checked: truth: whoever has the files can write a response and its hash anew",
  "  would check it: a digest of the directory from whoever recorded it; of recorded answers, --capsule",
  "",
];

replay("verify holds for what was recorded, and says what it did not check", async () => {
  await inDirectory(async (at) => {
    await recordInto(at("f"));
    const { exit, stdout } = await type(["replay", "verify", at("f")], { terminal: true });
    assert.equal([exit, stdout.split("\n")], [0, ["hashes hold, 2 fixtures", ...OPEN]]);
  });
});

replay("verify says of an empty directory that it holds nothing, and fails for none", async () => {
  await inDirectory(async (at) => {
    await openFixtureStore(at("f"));
    const empty = await type(["replay", "verify", at("f")], { terminal: true });
    const first = "hashes hold, 0 fixtures (it holds nothing)";
    assert.equal([empty.exit, empty.stdout.split("\n")[0]], [0, first]);
    const none = await type(["replay", "verify", at("none")]);
    assert.equal([none.exit, none.stdout], [1, ""]);
    assert.match(none.stderr, /^affidavit: ENOENT: readdir "the directory": .*\n$/);
    assert.equal(await readdir(at("")), ["f"], "nothing was made");
  });
});

replay("verify exits 1 and names every file that does not hold, with its code", async () => {
  await inDirectory(async (at) => {
    await recordInto(at("f"), false);
    const bad = `${"0".repeat(64)}.json`;
    await writeFile(at(`f/${bad}`), "null");
    const args = { args_hash: b.args_hash, tool: "read", response: 1, response_hash: "x" };
    await writeFile(at(`f/${b.key}.json`), JSON.stringify(args));
    const { exit, stdout } = await type(["replay", "verify", at("f")], { terminal: true });
    const lines = [
      [bad, "tool.fixture_corrupt", "it is null"],
      [`${b.key}.json`, "tool.fixture_mismatch", "the response has another hash"],
    ].flatMap(([file, code, why]) => [`  ${code}  ${file}`, `    Reading a fixture: ${why}`]);
    assert.equal([exit, stdout.split("\n")], [1, [
      "refused: 2 files, 3 fixtures in all",
      ...lines,
      "",
    ]]);
    const shown = JSON.parse((await type(["replay", "verify", at("f")])).stdout);
    assert.equal([shown.ok, shown.fixture_count, shown.not_checked], [false, 3, []]);
    assert.equal(shown.files[0], {
      file: bad,
      ok: false,
      code: "tool.fixture_corrupt",
      reason: "Reading a fixture: it is null",
      remark: null,
    });
  });
});

replay("verify remarks on what replay passes over", async () => {
  await inDirectory(async (at) => {
    await recordInto(at("f"), false);
    const response_hash = hashCall("read", 1, sha256).args_hash; // the hash of 1
    const fixture = { tool: "read", args_hash: a.args_hash, response: 1, response_hash };
    await writeFile(at(`f/${a.key}.json`), JSON.stringify(fixture));
    const { exit, stdout } = await type(["replay", "verify", at("f")], { terminal: true });
    assert.is(exit, 0);
    assert.match(stdout, `  remark  ${a.key}.json: "key" is not the name of the file\n`);
  });
});

replay("diff tells in what two recorded calls differ", async () => {
  await inDirectory(async (at) => {
    await recordInto(at("f"));
    const argv = ["replay", "diff", at("f"), a.key.slice(0, 20), `${b.key}.json`];
    const { exit, stdout } = await type(argv, { terminal: true });
    assert.equal([exit, stdout.split("\n")], [0, [
      `a  read  ${a.args_hash}`,
      `b  read  ${b.args_hash}`,
      "tool: the same",
      "arguments: 1 difference",
      '  /path: a "a", b "b"',
      "response: 1 difference",
      '  /of/path: a "a", b "b"',
      "",
    ]]);
    const shown = JSON.parse((await type(argv)).stdout);
    const difference = { pointer: "/path", kind: "changed", a: '"a"', b: '"b"' };
    assert.equal(shown.arguments, { count: 1, differences: [difference] });
  });
});

replay("diff says that arguments which were not kept differ in what is not known", async () => {
  await inDirectory(async (at) => {
    await recordInto(at("f"), false);
    const argv = ["replay", "diff", at("f"), a.args_hash, b.args_hash];
    const { stdout } = await type(argv, { terminal: true });
    const line =
      "arguments: they differ; in what is not known, as they were not kept on both sides";
    assert.is(stdout.split("\n")[3], line);
  });
});

replay("diff refuses a name that stands for no fixture, or for several", async () => {
  await inDirectory(async (at) => {
    await recordInto(at("f"));
    const copy = `${a.key.slice(0, 63)}${a.key.endsWith("0") ? "1" : "0"}.json`;
    await copyFile(at(`f/${a.key}.json`), at(`f/${copy}`));
    const start = a.key.slice(0, 60);
    const cases = [["zz", "no sound fixture has"], [start, "2 fixtures have"]] as const;
    for (const [name, what] of cases) {
      assert.equal(await type(["replay", "diff", at("f"), name, b.key]), {
        exit: 1,
        stdout: "",
        stderr: "affidavit: cli.fixture_not_found: Looking for a fixture: " +
          `${what} a hash that starts with "${name}"\n`,
      });
    }
  });
});

replay("diff of a call that is recorded says where", async () => {
  await inDirectory(async (at) => {
    await recordInto(at("f"));
    const argv = ["replay", "diff", at("f"), "read", "--args", '{"n":1,"path":"a"}'];
    const { exit, stdout } = await type(argv, { terminal: true });
    assert.equal([exit, stdout], [0, `recorded, in ${a.key}.json\n`]);
    const shown = JSON.parse((await type(argv)).stdout);
    assert.equal([shown.call, shown.is_recorded, shown.code, shown.nearest], [a, true, null, []]);
  });
});

replay("diff of another call tells the nearest one and what differs", async () => {
  await inDirectory(async (at) => {
    await recordInto(at("f"));
    const argv = ["replay", "diff", at("f"), "read", "--args", '{"path":"b","n":2}'];
    const { exit, stdout } = await type(argv, { terminal: true });
    const lines = stdout.split("\n");
    assert.equal([exit, lines[0], lines.slice(2)], [0, "not recorded", [
      `recorded call  ${b.args_hash}`,
      "  /n: recorded 1, asked 2",
      `recorded call  ${a.args_hash}`,
      "  /n: recorded 1, asked 2",
      '  /path: recorded "a", asked "b"',
      "",
    ]]);
    assert.match(lines[1] ?? "", `; the nearest, ${b.args_hash}, differs at /n`);
  });
});

replay("diff of a call whose fixture is refused exits 1 with the code", async () => {
  await inDirectory(async (at) => {
    await recordInto(at("f"), false);
    await writeFile(at(`f/${a.key}.json`), "{");
    const argv = ["replay", "diff", at("f"), "read", "--args", '{"path":"a","n":1}'];
    const { exit, stdout } = await type(argv, { terminal: true });
    assert.equal([exit, stdout.split("\n")], [1, [
      `refused: tool.fixture_corrupt, ${a.key}.json`,
      "  Reading a fixture: it is not JSON",
      "",
    ]]);
  });
});

const wrong: [args: string[], message: string][] = [
  [[], "An action is missing"],
  [["bogus"], 'There is no action "bogus" on fixtures'],
  [["list"], "DIR is missing"],
  [["verify", "D", "E"], 'There is an argument too many: "E"'],
  [["diff", "D"], "A is missing"],
  [["diff", "D", "A"], "B is missing"],
  [["diff", "D", "--args", "1"], "TOOL is missing"],
  [["diff", "D", "A", "B", "--args", "1"], 'There is an argument too many: "B"'],
  [["diff", "D", "read", "--args", "{"], "The value of --args is not JSON"],
];

for (const [args, message] of wrong) {
  replay(`"${args.join(" ")}" is refused as wrong usage`, async () => {
    const { exit, stdout, stderr } = await type(["replay", ...args]);
    assert.equal([exit, stdout, stderr.split("\n")[0]], [2, "", `affidavit: ${message}`]);
  });
}

for (const action of ["list", "verify", "diff"]) {
  replay(`${action} --help shows an example`, async () => {
    const { exit, stdout } = await type(["replay", action, "--help"]);
    assert.is(exit, 0);
    assert.match(stdout, `\nExample: affidavit replay ${action} fixtures`);
  });
}

replay.run();
