import { readFile, writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { readLines } from "../../src/cli/lines.ts";
import { ALWAYS, inDirectory, pieces, readDocumentAt, recordRun, TAIL, type } from "./terminal.ts";

const capsule = suite("affidavit capsule");
const zeros = "0".repeat(64);

capsule("create prints where the capsule is and who it says it is", async () => {
  await inDirectory(async (at) => {
    const argv = ["capsule", "create", at("run"), "--run-id", "r", "--capsule-id=c"];
    const { exit, stdout, stderr } = await type([
      ...argv,
      ...["--harness", "h/1", "--task-family", "sums"],
    ]);
    assert.is(stderr, "");
    assert.is(exit, 0);
    const metadata = await readDocumentAt(at("run/capsule.json"));
    const { created_at, ...rest } = metadata;
    assert.match(String(created_at), /^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
    const schema = "capsule-envelope/v1";
    assert.equal(rest, {
      ...{ schema, run_id: "r", capsule_id: "c", harness_version: "h/1", task_family: "sums" },
    });
    assert.equal(JSON.parse(stdout), { dir: resolve(at("run")), metadata });
    assert.ok(stdout.startsWith('{\n  "dir": '), "an indent of two");
  });
});

capsule("create refuses a second time and leaves the first alone", async () => {
  await inDirectory(async (at) => {
    await recordRun(at("run"));
    const before = await readFile(at("run/capsule.json"), "utf8");
    const message = "Creating a capsule: the directory already has a capsule.json";
    assert.equal(await type(["capsule", "create", at("run")]), {
      exit: 1,
      stdout: "",
      stderr: `affidavit: capsule.exists: ${message}\n`,
    });
    assert.is(await readFile(at("run/capsule.json"), "utf8"), before);
  });
});

capsule("append prints the entry that is in the journal", async () => {
  await inDirectory(async (at) => {
    await recordRun(at("run"));
    const { exit, stdout, stderr } = await type([
      ...["capsule", "append", at("run"), "interaction", "tool.call"],
      ...["--payload", '{"tool":"add","exit_code":0}', "--effect-class", "SE2"],
    ]);
    assert.equal([exit, stderr], [0, ""]);
    const entry = JSON.parse(stdout);
    const lines = (await readFile(at("run/journal.ndjson"), "utf8")).split("\n");
    assert.equal(entry, JSON.parse(lines[3] ?? ""));
    assert.equal([entry.seq, entry.lineage, entry.kind, entry.effect_class, entry.payload], [
      ...[3, "interaction", "tool.call", "SE2"],
      { tool: "add", exit_code: 0 },
    ]);
  });
});

const refused: [what: string, args: string[], stderr: string][] = [
  [
    "an unknown lineage",
    ["bogus", "start"],
    "capsule.bad_lineage: Appending an entry: lineage is none of plan, attempt, interaction, environment, strategy",
  ],
  [
    "a payload that is null",
    ["plan", "start", "--payload", "null"],
    'capsule.payload_invalid: Appending an entry: "payload" is no plain object',
  ],
  [
    "a field outside the table",
    ["plan", "start", "--payload", '{"colour":"red"}'],
    'capsule.payload_denied: Appending an entry: the payload may not carry "colour"',
  ],
  [
    "a field that is not allowed",
    ["plan", "start", "--payload", '{"tool":"a"}', "--allow", "path", "--allow", "status"],
    'capsule.payload_denied: Appending an entry: the payload may not carry "tool"',
  ],
  [
    "a secret",
    ["plan", "start", "--payload", '{"message":"TOKEN=abcdefghij"}'],
    "capsule.secret_canary: Appending an entry: $.message holds text shaped like a secret (env_assignment)",
  ],
];

for (const [what, args, line] of refused) {
  capsule(`append refuses ${what} and leaves the journal as it was`, async () => {
    await inDirectory(async (at) => {
      await recordRun(at("run"));
      const before = await readFile(at("run/journal.ndjson"));
      const printed = await type(["capsule", "append", at("run"), ...args]);
      assert.equal(printed, { exit: 1, stdout: "", stderr: `affidavit: ${line}\n` });
      assert.equal(await readFile(at("run/journal.ndjson")), before);
    });
  });
}

capsule("append drops what may not be kept when told so", async () => {
  await inDirectory(async (at) => {
    await recordRun(at("run"));
    const { stdout } = await type([
      ...["capsule", "append", at("run"), "plan", "start", "--payload"],
      ...['{"tool":"a","path":"p","colour":"red"}', "--allow", "tool", "--drop-unknown"],
    ]);
    assert.equal(JSON.parse(stdout).payload, { tool: "a" });
  });
});

capsule("append takes any number of entries on standard input, cut anywhere", async () => {
  await inDirectory(async (at) => {
    await recordRun(at("run"));
    const stdin = pieces('{"lineage":"plan","ki', 'nd":"a"}\n{"lineage":"attempt","kind":"b"', "}");
    const { exit, stdout, stderr } = await type(["capsule", "append", at("run"), "-"], { stdin });
    assert.equal([exit, stderr], [0, ""]);
    const entries = (await readFile(at("run/journal.ndjson"), "utf8")).trimEnd().split("\n");
    const last = JSON.parse(entries.at(-1) ?? "");
    assert.equal([entries.length, last.kind, last.effect_class], [5, "b", "SE0"]);
    const result = { appended: 2, entry_count: 5, root_hash: last.entry_hash };
    assert.equal(JSON.parse(stdout), result);
  });
});

capsule("append says of an empty standard input that nothing was appended", async () => {
  await inDirectory(async (at) => {
    const { lastHash } = await recordRun(at("run"));
    const { exit, stdout } = await type(["capsule", "append", at("run"), "-"], { terminal: true });
    assert.equal([exit, stdout], [0, `appended 0 entries, 3 in all\nroot  ${lastHash}\n`]);
  });
});

const good = '{"lineage":"plan","kind":"a","payload":{},"effect_class":"SE1"}\n';
const badLines: [what: string, line: string, code: string, why: string][] = [
  ["blank", "", "cli.line_invalid", "Reading an entry: it is blank"],
  ["of spaces", "  \r", "cli.line_invalid", "Reading an entry: it is blank"],
  ["not JSON", "{", "cli.line_invalid", "Reading an entry: it is not JSON"],
  ["a list", "[]", "cli.line_invalid", "Reading an entry: it is no JSON object"],
  [
    "without a kind",
    '{"lineage":"plan"}',
    "cli.line_invalid",
    'Reading an entry: it has no "kind"',
  ],
  [
    "with another member",
    '{"lineage":"plan","kind":"a","ts":"x"}',
    "cli.line_invalid",
    "Reading an entry: it has a member besides lineage, kind, payload and effect_class",
  ],
  [
    "of a bad effect class",
    '{"lineage":"plan","kind":"a","effect_class":"SE9"}',
    "capsule.invalid_entry",
    "",
  ],
  [
    "of a null payload",
    '{"lineage":"plan","kind":"a","payload":null}',
    "capsule.payload_invalid",
    "",
  ],
];

for (const [what, line, code, why] of badLines) {
  capsule(
    `append stops at a line that is ${what}, names it and says what came before`,
    async () => {
      await inDirectory(async (at) => {
        await recordRun(at("run"));
        const stdin = pieces(good, good, `${line}\n`, good);
        const argv = ["capsule", "append", at("run"), "-", "--json"];
        const { exit, stdout, stderr } = await type(argv, { stdin });
        assert.is(exit, 1);
        const { error } = JSON.parse(stderr);
        assert.equal([error.code, error.at], [code, { line: 3 }]);
        assert.ok(error.message.startsWith(`Line 3: ${why}`), error.message);
        assert.ok(error.message.endsWith("; 2 entries before it were appended"), error.message);
        const result = JSON.parse(stdout);
        assert.equal([result.appended, result.entry_count], [2, 5]);
        assert.is((await readFile(at("run/journal.ndjson"), "utf8")).split("\n").length - 1, 5);
      });
    },
  );
}

capsule("append prints a refused line in one line for people", async () => {
  await inDirectory(async (at) => {
    await recordRun(at("run"));
    const { stderr } = await type(["capsule", "append", at("run"), "-"], { stdin: pieces("{\n") });
    const why = "Line 1: Reading an entry: it is not JSON; 0 entries before it were appended";
    assert.is(stderr, `affidavit: cli.line_invalid: ${why}\n`);
  });
});

capsule("readLines() refuses a line over the bound before it ends", async () => {
  const lines: string[] = [];
  const never = (async function* () {
    yield* pieces("12345\n", "123", "456");
    throw new Error("this was read on");
  })();
  try {
    for await (const group of readLines(never, 5)) {
      lines.push(...group.map((line) => new TextDecoder().decode(line)));
    }
    assert.unreachable();
  } catch (error) {
    assert.is((error as Error).message, "Reading an entry: it is longer than 5 bytes");
  }
  assert.equal(lines, ["12345"]);
});

capsule("verify prints six members and what was not checked", async () => {
  await inDirectory(async (at) => {
    const { lastHash: root_hash } = await recordRun(at("run"));
    const { exit, stdout, stderr } = await type(["capsule", "verify", at("run")]);
    assert.equal([exit, stderr], [0, ""]);
    const verdict = {
      ok: true,
      code: "ok",
      reason: null,
      failed_at: null,
      entry_count: 3,
      root_hash,
    };
    assert.is(
      stdout,
      `${JSON.stringify({ ...verdict, not_checked: [TAIL, ...ALWAYS] }, null, 2)}\n`,
    );
  });
});

capsule("verify says in the first line that the tail was not checked", async () => {
  await inDirectory(async (at) => {
    const { lastHash } = await recordRun(at("run"));
    const { stdout } = await type(["capsule", "verify", at("run")], { terminal: true });
    assert.equal(stdout.split("\n"), [
      "consistent, 3 entries, tail not checked",
      `root  ${lastHash}`,
      `not checked: tail: ${TAIL.why}`,
      `  would check it: ${TAIL.how}`,
      `not checked: origin: ${ALWAYS[0]?.why}`,
      `  would check it: ${ALWAYS[0]?.how}`,
      `not checked: truth: ${ALWAYS[1]?.why}`,
      "",
    ]);
  });
});

capsule("verify says of an empty journal that it holds nothing", async () => {
  await inDirectory(async (at) => {
    await type(["capsule", "create", at("run")]);
    const { exit, stdout } = await type(["capsule", "verify", at("run")], { terminal: true });
    assert.is(exit, 0);
    assert.equal(stdout.split("\n").slice(0, 3), [
      "consistent, 0 entries (it holds nothing), tail not checked",
      `root  ${zeros}`,
      "not checked: content: the journal is empty: it holds nothing that could be checked",
    ]);
  });
});

capsule("verify names the code and the entry of a capsule that does not hold", async () => {
  await inDirectory(async (at) => {
    await recordRun(at("run"));
    const journal = await readFile(at("run/journal.ndjson"), "utf8");
    await writeFile(at("run/journal.ndjson"), journal.replace('"exit_code":1', '"exit_code":0'));
    const reason = 'Verifying the capsule: entry 1: "entry_hash" is not the hash of the other ' +
      "fields: something in the entry was changed";
    const { exit, stdout, stderr } = await type(["capsule", "verify", at("run")]);
    assert.equal([exit, stderr], [1, ""]);
    assert.equal(JSON.parse(stdout), {
      ...{ ok: false, code: "capsule.invalid_entry", reason, failed_at: 1, entry_count: 1 },
      ...{ root_hash: null, not_checked: [] },
    });
    const readable = await type(["capsule", "verify", at("run")], { terminal: true });
    assert.is(readable.stdout, `refused: capsule.invalid_entry at entry 1\n  ${reason}\n`);
  });
});

capsule("verify answers about a directory that is not there", async () => {
  await inDirectory(async (at) => {
    const { exit, stdout } = await type(["capsule", "verify", at("nothing")]);
    assert.is(exit, 1);
    assert.equal(JSON.parse(stdout), {
      ...{ ok: false, code: "capsule.missing_journal", failed_at: null, entry_count: 0 },
      reason: "Verifying the capsule: there is no journal",
      ...{ root_hash: null, not_checked: [] },
    });
  });
});

capsule("verify holds a capsule against the root and number that are expected", async () => {
  await inDirectory(async (at) => {
    const { lastHash } = await recordRun(at("run"));
    const verify = async (...flags: string[]) => {
      const { exit, stdout } = await type(["capsule", "verify", at("run"), ...flags]);
      const { code, reason, root_hash, not_checked } = JSON.parse(stdout);
      return [exit, code, reason, root_hash, not_checked];
    };
    const met = [0, "ok", null, lastHash];
    assert.equal(await verify("--expect-root", lastHash), [...met, ALWAYS]);
    const tail = {
      ...TAIL,
      why:
        "the number of entries is as expected, but the last ones may have been replaced by others",
    };
    assert.equal(await verify("--expect-count", "3"), [...met, [tail, ...ALWAYS]]);
    const many = "The capsule has 3 entries, 4 were expected";
    assert.equal(await verify("--expect-count", "4"), [1, "capsule.count_differs", many, null, []]);
    const other = `The capsule ends in root ${lastHash}, ${zeros} was expected`;
    assert.equal(await verify("--expect-root", zeros), [
      1,
      "capsule.root_differs",
      other,
      null,
      [],
    ]);
  });
});

capsule("project writes the projection and prints it", async () => {
  await inDirectory(async (at) => {
    const { lastHash } = await recordRun(at("run"));
    const { exit, stdout, stderr } = await type(["capsule", "project", at("run")]);
    assert.equal([exit, stderr], [0, ""]);
    const projection = JSON.parse(stdout);
    assert.equal(projection, await readDocumentAt(at("run/projection.json")));
    assert.equal([projection.entry_count, projection.root_hash], [3, lastHash]);
    const { stdout: readable } = await type(["capsule", "project", at("run")], { terminal: true });
    assert.match(
      readable,
      /^by lineage {7}plan 2, attempt 1, interaction 0, environment 0, strategy 0$/m,
    );
  });
});

capsule("project refuses with the code and the entry", async () => {
  await inDirectory(async (at) => {
    await recordRun(at("run"));
    const lines = (await readFile(at("run/journal.ndjson"), "utf8")).split("\n");
    await writeFile(at("run/journal.ndjson"), `${lines[0]}\n${lines[2]}\n`);
    const message =
      "Verifying the capsule: entry 1: it says it is entry 2: entries are missing, doubled or swapped";
    assert.equal(await type(["capsule", "project", at("run")]), {
      exit: 1,
      stdout: "",
      stderr: `affidavit: capsule.reordered: ${message}\n`,
    });
    const error = { code: "capsule.reordered", message, at: { entry: 1 } };
    assert.equal(await type(["capsule", "project", at("run"), "--json"]), {
      exit: 1,
      stdout: "",
      stderr: `${JSON.stringify({ error })}\n`,
    });
  });
});

capsule("export prints where the three files are", async () => {
  await inDirectory(async (at) => {
    await recordRun(at("run"));
    const files = ["capsule.json", "journal.ndjson", "projection.json"];
    const printed = await type(["capsule", "export", at("run"), at("out")]);
    const stdout = `${JSON.stringify({ dir: resolve(at("out")), files }, null, 2)}\n`;
    assert.equal(printed, { exit: 0, stdout, stderr: "" });
  });
});

capsule("export of what does not verify prints nothing on standard output", async () => {
  await inDirectory(async (at) => {
    const printed = await type(["capsule", "export", at("nothing"), at("out")]);
    assert.equal(printed, {
      exit: 1,
      stdout: "",
      stderr: "affidavit: capsule.missing_journal: Verifying the capsule: there is no journal\n",
    });
  });
});

capsule("a file-system error shows its system code", async () => {
  await inDirectory(async (at) => {
    await writeFile(at("file"), "");
    const { exit, stdout, stderr } = await type(["capsule", "create", at("file/run")]);
    assert.equal([exit, stdout], [1, ""]);
    assert.match(stderr, /^affidavit: E[A-Z]+: mkdir "the directory": [a-z ]+\n$/);
  });
});

capsule.run();
