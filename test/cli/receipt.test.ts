import { copyFile, readFile, rm, symlink, truncate, writeFile } from "node:fs/promises";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { ALWAYS, inDirectory, readDocumentAt, recordRun, type } from "./terminal.ts";

const receipt = suite("affidavit receipt");

const checks = [
  ...["schema", "receipt_hash", "signature", "journal_present", "journal_integrity", "truncation"],
  ...["capsule_root", "stale_checkpoint", "metadata", "projection", "artifact", "gate_receipt"],
];
const unsigned = { what: "signature", why: "the receipt is not signed", how: null };
const noArtifact = {
  what: "artifact",
  why: "no artifact was given to compare with",
  how: "the artifact, or its digest",
};
const noGate = {
  what: "gate_receipt",
  why: "no gate receipt was given to compare with",
  how: "the gate receipt",
};

/** A capsule, an artifact, a gate receipt, and a receipt over them. */
async function build(at: (name: string) => string, ...flags: string[]): Promise<void> {
  await recordRun(at("run"));
  await writeFile(at("a.txt"), "42\n");
  await writeFile(at("gate.json"), '{"verdict":"promote"}');
  const argv = ["receipt", "build", at("run"), ...flags, "--out", at("deep/er/r.json")];
  assert.is((await type(argv)).exit, 0);
}

const statuses = (open: string[], failing?: string): object[] => {
  const last = failing === undefined ? checks.length : checks.indexOf(failing);
  return checks.map((check, index) => {
    if (index === last) return { check, status: "fails" };
    if (open.includes(check)) return { check, status: "not_checked" };
    return { check, status: index < last ? "holds" : "not_reached" };
  });
};

receipt("build prints the receipt that --out writes", async () => {
  await inDirectory(async (at) => {
    const { lastHash } = await recordRun(at("run"));
    const { exit, stdout, stderr } = await type([
      ...["receipt", "build", at("run"), "--out", at("deep/er/r.json")],
    ]);
    assert.equal([exit, stderr], [0, ""]);
    const built = JSON.parse(stdout);
    assert.equal(built, await readDocumentAt(at("deep/er/r.json")));
    assert.equal([built.capsule_root, built.entry_count, built.artifact_digest], [
      lastHash,
      3,
      null,
    ]);
    assert.equal(Object.keys(built), [
      ...["schema", "envelope_schema", "capsule_id", "run_id", "capsule_root", "entry_count"],
      ...["journal_sha256", "projection_hash", "artifact_digest", "gate_receipt_digest"],
      ...["gate_verdict", "created_at", "signature", "receipt_hash"],
    ]);
  });
});

receipt(
  "build states artifact and gate receipt, and shows no verdict of others to people",
  async () => {
    await inDirectory(async (at) => {
      await recordRun(at("run"));
      await writeFile(at("a.txt"), "42\n");
      await writeFile(at("gate.json"), '{"verdict":"promote"}');
      const argv = [
        "receipt",
        "build",
        at("run"),
        "--artifact",
        at("a.txt"),
        "--gate",
        at("gate.json"),
      ];
      const built = JSON.parse((await type(argv)).stdout);
      const digest = "084c799cd551dd1d8d5c5f9a5d593b2e931f5e36122ee5c793c1d08a19839cc0";
      assert.equal([built.artifact_digest, built.gate_verdict], [digest, "promote"]);
      const { stdout } = await type(argv, { terminal: true });
      assert.match(stdout, /^built a receipt; --out FILE would write it\n/);
      assert.match(stdout, new RegExp(`^artifact +${digest}$`, "m"));
      assert.not.match(stdout, /promote|verdict/);
    });
  },
);

const unbuildable: [what: string, flags: string[], line: RegExp][] = [
  ["an artifact that is absent", ["--artifact", "none"], /^affidavit: ENOENT: open "none": .*\n$/],
  ["a gate receipt that is absent", ["--gate", "none"], /^affidavit: ENOENT: open "none": .*\n$/],
  [
    "a gate receipt that is not JSON",
    ["--gate", "text"],
    /^affidavit: receipt\.schema_invalid: Reading the gate receipt: it is not JSON\n$/,
  ],
  [
    "a gate receipt that holds nothing",
    ["--gate", "null"],
    /^affidavit: receipt\.schema_invalid: Reading the gate receipt: it is JSON that holds nothing\n$/,
  ],
];

for (const action of ["build", "verify"]) {
  for (const [what, [flag = "", file = ""], line] of unbuildable) {
    if (action === "verify" && flag === "--artifact") continue;
    receipt(`${action} exits 1 on ${what} and prints nothing else`, async () => {
      await inDirectory(async (at) => {
        await build(at);
        await writeFile(at("text"), "verdict");
        await writeFile(at("null"), "null");
        const paths = action === "build" ? [at("run")] : [at("deep/er/r.json"), at("run")];
        const { exit, stdout, stderr } = await type(["receipt", action, ...paths, flag, at(file)]);
        assert.equal([exit, stdout], [1, ""]);
        assert.match(stderr, line);
      });
    });
  }
}

receipt("build refuses a capsule that does not verify with its code", async () => {
  await inDirectory(async (at) => {
    const message = "Verifying the capsule: there is no journal";
    const stderr = `affidavit: capsule.missing_journal: ${message}\n`;
    assert.equal(await type(["receipt", "build", at("none")]), { exit: 1, stdout: "", stderr });
  });
});

receipt("verify prints ok, check and reason, every check and what was not checked", async () => {
  await inDirectory(async (at) => {
    await build(at);
    const { exit, stdout, stderr } = await type([
      "receipt",
      "verify",
      at("deep/er/r.json"),
      at("run"),
    ]);
    assert.equal([exit, stderr], [0, ""]);
    const verdict = { ok: true, check: null, reason: null };
    assert.is(
      stdout,
      `${
        JSON.stringify(
          {
            ...verdict,
            checks: statuses(["signature", "artifact", "gate_receipt"]),
            not_checked: [unsigned, noArtifact, noGate, ...ALWAYS],
            signed_by: null,
          },
          null,
          2,
        )
      }\n`,
    );
  });
});

receipt("verify checks artifact and gate receipt when they are given", async () => {
  await inDirectory(async (at) => {
    const flags = ["--artifact", at("a.txt"), "--gate", at("gate.json")];
    await build(at, ...flags);
    const argv = ["receipt", "verify", at("deep/er/r.json"), at("run")];
    const verdict = JSON.parse((await type([...argv, ...flags])).stdout);
    assert.equal(verdict, {
      ...{ ok: true, check: null, reason: null, checks: statuses(["signature"]) },
      not_checked: [unsigned, ...ALWAYS],
      signed_by: null,
    });
    await writeFile(at("other.txt"), "43\n");
    const other = await type([...argv, "--artifact", at("other.txt"), "--gate", at("gate.json")]);
    assert.equal([other.exit, JSON.parse(other.stdout)], [1, {
      ...{ ok: false, check: "artifact" },
      reason: "Checking the receipt: the artifact is not the one that the receipt states",
      checks: statuses(["signature"], "artifact"),
      not_checked: [unsigned, ...ALWAYS],
      signed_by: null,
    }]);
  });
});

receipt("verify takes --out as build does and writes nothing", async () => {
  await inDirectory(async (at) => {
    await build(at);
    const argv = ["receipt", "verify", at("deep/er/r.json"), at("run"), "--out", at("written")];
    assert.is((await type(argv)).exit, 0);
    assert.is(await readFile(at("written")).catch(() => "absent"), "absent");
  });
});

receipt("verify shows people one line a check, then what is not shown", async () => {
  await inDirectory(async (at) => {
    await build(at);
    const argv = ["receipt", "verify", at("deep/er/r.json"), at("run")];
    const { stdout } = await type(argv, { terminal: true });
    assert.equal(stdout.split("\n"), [
      "holds, 9 of 12 checks made",
      ...["schema", "receipt_hash"].map((name) => `  holds        ${name}`),
      "  not checked  signature",
      ...checks.slice(3, 10).map((name) => `  holds        ${name}`),
      ...["artifact", "gate_receipt"].map((name) => `  not checked  ${name}`),
      "not checked: signature: the receipt is not signed",
      `not checked: artifact: ${noArtifact.why}`,
      `  would check it: ${noArtifact.how}`,
      `not checked: gate_receipt: ${noGate.why}`,
      `  would check it: ${noGate.how}`,
      `not checked: origin: ${ALWAYS[0]?.why}`,
      `  would check it: ${ALWAYS[0]?.how}`,
      `not checked: truth: ${ALWAYS[1]?.why}`,
      "",
    ]);
  });
});

receipt("verify catches a tail that was cut", async () => {
  await inDirectory(async (at) => {
    await build(at);
    const lines = (await readFile(at("run/journal.ndjson"), "utf8")).split("\n");
    await writeFile(at("run/journal.ndjson"), `${lines[0]}\n`);
    assert.is((await type(["capsule", "verify", at("run")])).exit, 0);
    const argv = ["receipt", "verify", at("deep/er/r.json"), at("run")];
    const { exit, stdout } = await type(argv, { terminal: true });
    assert.is(exit, 1);
    const open = ["artifact", "gate_receipt"];
    assert.equal(stdout.split("\n"), [
      "refused: check truncation",
      "  Checking the receipt: the journal has 1 entries where the receipt saw 3: its tail was cut",
      ...["schema", "receipt_hash"].map((name) => `  holds        ${name}`),
      "  not checked  signature",
      "  holds        journal_present",
      "  not reached  journal_integrity", // its bytes are compared after the number of entries
      "  fails        truncation",
      ...checks.slice(6, 10).map((name) => `  not reached  ${name}`),
      ...open.map((name) => `  not checked  ${name}`),
      "",
    ]);
  });
});

receipt("verify exits 1 on a receipt that cannot be read or is not JSON", async () => {
  await inDirectory(async (at) => {
    await build(at);
    const absent = await type(["receipt", "verify", at("none.json"), at("run")]);
    assert.equal([absent.exit, absent.stdout], [1, ""]);
    assert.match(absent.stderr, /^affidavit: ENOENT: open "none\.json": .*\n$/);
    await copyFile(at("a.txt"), at("r.json"));
    const other = await type(["receipt", "verify", at("r.json"), at("run")]);
    const { ok, check, reason } = JSON.parse(other.stdout);
    assert.equal([other.exit, ok, check], [1, false, "schema"]);
    assert.is(reason, "Checking the receipt: Reading the receipt: it is no JSON object");
  });
});

receipt("verify does not read a receipt past the bound of 64 MiB", async () => {
  await inDirectory(async (at) => {
    await build(at);
    await truncate(at("deep/er/r.json"), 64 * 1024 * 1024 + 1);
    const { exit, stdout } = await type(["receipt", "verify", at("deep/er/r.json"), at("run")]);
    const { check, reason } = JSON.parse(stdout);
    const why = "Checking the receipt: Reading the receipt: it is larger than 67108864 bytes";
    assert.equal([exit, check, reason], [1, "schema", why]);
  });
});

receipt("verify answers about a capsule that is not there", async () => {
  await inDirectory(async (at) => {
    await build(at);
    await rm(at("run"), { recursive: true });
    const { exit, stdout } = await type(["receipt", "verify", at("deep/er/r.json"), at("run")]);
    const { check, reason } = JSON.parse(stdout);
    assert.equal([exit, check, reason], [
      ...[1, "journal_present", "Checking the receipt: there is no journal"],
    ]);
  });
});

receipt(
  "build does not write over what the receipt is made from, by way of links either",
  async () => {
    await inDirectory(async (at) => {
      await recordRun(at("run"));
      await symlink(at("run"), at("link"));
      const before = await readFile(at("run/capsule.json"), "utf8");
      for (const out of ["link/capsule.json", "link/journal.ndjson", "link/projection.json"]) {
        const { exit, stderr } = await type(["receipt", "build", at("run"), "--out", at(out)]);
        const [message] = stderr.split("\n");
        assert.equal([exit, message], [
          2,
          "affidavit: --out names a file that the receipt is made from",
        ]);
      }
      assert.is(await readFile(at("run/capsule.json"), "utf8"), before);
    });
  },
);

receipt.run();
