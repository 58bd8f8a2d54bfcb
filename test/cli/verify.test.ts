import { appendFile, cp, mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { ALWAYS, inDirectory, readDocumentAt, recordRun, TAIL, type } from "./terminal.ts";

const verify = suite("affidavit verify");

type At = (name: string) => string;

/** A bundle, a receipt beside it, and the artifact. */
async function handOver(at: At): Promise<string> {
  const { lastHash } = await recordRun(at("run"));
  await writeFile(at("a.txt"), "42\n");
  await type(["capsule", "export", at("run"), at("bundle")]);
  const argv = ["receipt", "build", at("run"), "--artifact", at("a.txt")];
  assert.is((await type([...argv, "--out", at("r.json")])).exit, 0);
  return lastHash;
}

/** The exit code and the results without their paths. */
async function judge(...argv: string[]): Promise<[number, boolean, Record<string, unknown>[]]> {
  const { exit, stdout, stderr } = await type(["verify", ...argv]);
  assert.is(stderr, "");
  const { ok, results } = JSON.parse(stdout);
  return [exit, ok, results];
}

verify("a capsule by itself is consistent, and its tail is not checked", async () => {
  await inDirectory(async (at) => {
    const root_hash = await handOver(at);
    const result = {
      ...{ path: at("bundle"), kind: "capsule", ok: true, code: "ok", reason: null },
      ...{ failed_at: null, entry_count: 3, root_hash, not_checked: [TAIL, ...ALWAYS] },
    };
    assert.equal(await judge(at("bundle")), [0, true, [result]]);
  });
});

verify("a receipt is paired with its capsule, whose tail is then checked", async () => {
  await inDirectory(async (at) => {
    await handOver(at);
    await recordRun(at("other"), { capsule_id: "capsule-2" });
    const [exit, ok, results] = await judge(at("r.json"), at("other"), at("bundle"));
    assert.equal([exit, ok], [0, true]);
    assert.equal(results.map(({ path, kind, capsule, check }) => [path, kind, capsule, check]), [
      [at("r.json"), "receipt", at("bundle"), null],
      [at("other"), "capsule", undefined, undefined],
      [at("bundle"), "capsule", undefined, undefined],
    ]);
    assert.equal(results[1]?.["not_checked"], [TAIL, ...ALWAYS]);
    assert.equal(results[2]?.["not_checked"], ALWAYS);
  });
});

verify("shows people what checked the tail", async () => {
  await inDirectory(async (at) => {
    const root = await handOver(at);
    const { stdout } = await type(["verify", at("bundle"), at("r.json")], { terminal: true });
    assert.equal(stdout.split("\n").slice(0, 3), [
      `${at("bundle")}: capsule`,
      `  consistent, 3 entries, tail checked by ${at("r.json")}`,
      `  root  ${root}`,
    ]);
    assert.ok(
      stdout.includes(`\n${at("r.json")}: receipt, against ${at("bundle")}\n  holds, 9 of 12`),
    );
  });
});

verify("a receipt that fails leaves the tail unchecked", async () => {
  await inDirectory(async (at) => {
    await handOver(at);
    const lines = (await readFile(at("bundle/journal.ndjson"), "utf8")).split("\n");
    await writeFile(at("bundle/journal.ndjson"), `${lines[0]}\n${lines[1]}\n`);
    const [exit, ok, results] = await judge(at("bundle"), at("r.json"));
    assert.equal([exit, ok, results.map((result) => result["ok"])], [1, false, [true, false]]);
    assert.equal(results[0]?.["not_checked"], [TAIL, ...ALWAYS]);
    assert.is(results[1]?.["check"], "truncation");
  });
});

verify("a receipt is checked against every copy of its capsule", async () => {
  await inDirectory(async (at) => {
    await handOver(at);
    await cp(at("bundle"), at("copy"), { recursive: true });
    await writeFile(at("copy/journal.ndjson"), "");
    const [exit, , results] = await judge(at("bundle"), at("copy"), at("r.json"));
    assert.is(exit, 1);
    assert.equal(results.map(({ capsule, check }) => [capsule, check]), [
      [undefined, undefined],
      [undefined, undefined],
      [at("bundle"), null],
      [at("copy"), "truncation"],
    ]);
  });
});

verify("a receipt without a capsule beside it uses the one in its own directory", async () => {
  await inDirectory(async (at) => {
    await handOver(at);
    await rename(at("r.json"), at("bundle/r.json"));
    const [exit, , results] = await judge(at("bundle/r.json"));
    assert.equal([exit, results[0]?.["capsule"], results[0]?.["check"]], [0, at("bundle"), null]);
  });
});

verify("a receipt without any capsule is refused, though other capsules are given", async () => {
  await inDirectory(async (at) => {
    await handOver(at);
    await recordRun(at("other"), { capsule_id: "capsule-2" });
    const reason = "a receipt shows nothing without its capsule, and none with its run and " +
      "capsule id is among the paths, nor is there one in its own directory";
    const result = {
      ...{ path: at("r.json"), kind: "receipt", ok: false, code: "cli.receipt_alone", reason },
      not_checked: [],
    };
    assert.equal(await judge(at("r.json")), [1, false, [result]]);
    const [exit, ok, results] = await judge(at("r.json"), at("other"));
    assert.equal([exit, ok, results[0]], [1, false, result]);
  });
});

verify("the artifact is checked for the receipt", async () => {
  await inDirectory(async (at) => {
    await handOver(at);
    const paths = [at("bundle"), at("r.json"), "--artifact"];
    assert.is((await judge(...paths, at("a.txt")))[0], 0);
    const [exit, , results] = await judge(...paths, at("bundle/capsule.json"));
    assert.equal([exit, results[1]?.["check"]], [1, "artifact"]);
  });
});

verify("a journal by itself leaves open whose it is", async () => {
  await inDirectory(async (at) => {
    const root_hash = await handOver(at);
    await rename(at("bundle/journal.ndjson"), at("renamed"));
    const metadata = {
      what: "metadata",
      why: "whose run this is: the journal was verified without its capsule.json",
      how: "the directory of the capsule",
    };
    const result = {
      ...{ path: at("renamed"), kind: "journal", ok: true, code: "ok", reason: null },
      ...{ failed_at: null, entry_count: 3, root_hash, not_checked: [TAIL, ...ALWAYS, metadata] },
    };
    assert.equal(await judge(at("renamed")), [0, true, [result]]);
    const [exit, , [differs]] = await judge(at("renamed"), "--expect-count", "2");
    assert.equal([exit, differs?.["code"]], [1, "capsule.count_differs"]);
  });
});

verify("a journal by name is verified as one, however broken", async () => {
  await inDirectory(async (at) => {
    await writeFile(at("journal.ndjson"), "garbage\n");
    const [exit, , [result]] = await judge(at("journal.ndjson"));
    assert.equal([exit, result?.["kind"], result?.["code"], result?.["failed_at"]], [
      ...[1, "journal", "capsule.corrupt_entry", 0],
    ]);
  });
});

verify("capsule.json by itself is well formed, and bound to nothing", async () => {
  await inDirectory(async (at) => {
    await handOver(at);
    const journal = {
      what: "journal",
      why: "these are names only, bound to nothing: no entry was looked at",
      how: "the directory of the capsule",
    };
    const path = at("bundle/capsule.json");
    const result = { path, kind: "metadata", ok: true, code: "ok", reason: null };
    const not_checked = [journal, ...ALWAYS];
    assert.equal(await judge(path), [0, true, [{ ...result, not_checked }]]);
    await writeFile(path, "{}");
    const reason = 'capsule.json: "schema" is not "capsule-envelope/v1"';
    const code = "capsule.metadata_invalid";
    assert.equal(await judge(path), [1, false, [
      { ...result, ok: false, code, reason, not_checked: [] },
    ]]);
  });
});

verify("projection.json is held against its capsule, or has its own hash and no more", async () => {
  await inDirectory(async (at) => {
    await handOver(at);
    const path = at("bundle/projection.json");
    const result = { path, kind: "projection", ok: true, code: "ok", reason: null };
    assert.equal(await judge(path), [0, true, [{ ...result, not_checked: [TAIL, ...ALWAYS] }]]);

    await mkdir(at("alone"));
    const alone = at("alone/p.json");
    await writeFile(alone, JSON.stringify(await readDocumentAt(path), null, 2));
    const open = {
      what: "capsule",
      why: "no capsule was found to derive it from: it has the hash that it states, no more",
      how: "its capsule, given beside it",
    };
    assert.equal(await judge(alone), [0, true, [
      { ...result, path: alone, not_checked: [open, ...ALWAYS] },
    ]]);
    const [, , beside] = await judge(alone, at("bundle"));
    assert.equal(beside[0], {
      ...result,
      path: alone,
      not_checked: [TAIL, ...ALWAYS],
    });
  });
});

const badProjections: [what: string, reason: string, spoil: (at: At) => Promise<void>][] = [
  [
    "that was edited",
    "it does not have the hash that it states",
    async (at) => {
      const projection = await readDocumentAt(at("bundle/projection.json"));
      await writeFile(
        at("bundle/projection.json"),
        JSON.stringify({ ...projection, entry_count: 4 }),
      );
    },
  ],
  [
    "that is not JSON",
    "it is no JSON object",
    (at) => writeFile(at("bundle/projection.json"), "{"),
  ],
  [
    "that is older than its capsule",
    "it is not the one that the capsule gives",
    async (at) => {
      await type(["capsule", "append", at("bundle"), "plan", "more"]);
    },
  ],
  [
    "whose capsule does not verify",
    "its capsule does not verify: capsule.truncated_tail",
    (at) => appendFile(at("bundle/journal.ndjson"), "x"),
  ],
];

for (const [what, reason, spoil] of badProjections) {
  verify(`a projection ${what} is refused`, async () => {
    await inDirectory(async (at) => {
      await handOver(at);
      await spoil(at);
      const path = at("bundle/projection.json");
      const code = "cli.projection_invalid";
      assert.equal(await judge(path), [1, false, [
        { path, kind: "projection", ok: false, code, reason, not_checked: [] },
      ]]);
    });
  });
}

const wanted = "a receipt, a journal, capsule.json or projection.json was wanted";
const strangers: [name: string, content: string | null, code: string, reason: string][] = [
  ["none", null, "ENOENT", "there is no such file or directory"],
  ["text", "hello\n", "cli.not_evidence", `it is not JSON; ${wanted}`],
  ["empty", "", "cli.not_evidence", `it is not JSON; ${wanted}`],
  [
    "other.json",
    '{\n"schema":"x/v1"}',
    "cli.not_evidence",
    `it is JSON of another kind; ${wanted}`,
  ],
  ["list.json", "[]", "cli.not_evidence", `it is JSON of another kind; ${wanted}`],
  ["binary", "\ufffd\0", "cli.not_evidence", `it is not JSON; ${wanted}`],
];

for (const [name, content, code, reason] of strangers) {
  verify(`"${name}" is none of what can be verified, and is refused`, async () => {
    await inDirectory(async (at) => {
      if (content !== null) await writeFile(at(name), content);
      const result = { path: at(name), kind: null, ok: false, code, reason, not_checked: [] };
      assert.equal(await judge(at(name)), [1, false, [result]]);
    });
  });
}

verify("a directory with no capsule in it is refused", async () => {
  await inDirectory(async (at) => {
    const reason = "it is a directory with neither capsule.json nor journal.ndjson";
    const [exit, , [result]] = await judge(at("."));
    assert.equal([exit, result?.["code"], result?.["reason"]], [1, "cli.not_evidence", reason]);
    const { stdout } = await type(["verify", at(".")], { terminal: true });
    assert.is(
      stdout,
      `${at(".")}: nothing that can be verified\n  refused: cli.not_evidence\n    ${reason}\n`,
    );
  });
});

verify("one path that is refused is enough to exit 1", async () => {
  await inDirectory(async (at) => {
    await handOver(at);
    const [exit, ok, results] = await judge(at("bundle"), at("none"));
    assert.equal([exit, ok, results.map((result) => result["ok"])], [1, false, [true, false]]);
  });
});

const idle: [flag: string, paths: string[], wanted: string][] = [
  ["--expect-count", ["r.json"], "capsule or journal"],
  ["--artifact", ["bundle"], "receipt"],
  ["--gate", ["bundle"], "receipt"],
];

for (const [flag, paths, what] of idle) {
  verify(`${flag} is refused when it would check nothing`, async () => {
    await inDirectory(async (at) => {
      await handOver(at);
      const printed = await type(["verify", ...paths.map(at), flag, "1"]);
      const message = `Using ${flag}: no ${what} is among the paths`;
      const stderr = `affidavit: cli.nothing_to_check: ${message}\n`;
      assert.equal(printed, { exit: 1, stdout: "", stderr });
    });
  });
}

verify.run();
