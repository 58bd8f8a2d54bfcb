import { existsSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { nativeSha256 } from "../../src/node/mod.ts";
import { formatRecord, LAB_PROFILE, UNSTABLE_NEUTRAL_PROFILE } from "../../src/record/mod.ts";
import { formatScoreArtifact, scoreEvaluation } from "../../src/score/mod.ts";
import { holds, makeSample, SEED } from "../lib/evaluation.ts";
import type { Sample } from "../lib/evaluation.ts";
import { inDirectory, type } from "./terminal.ts";

const sha256 = nativeSha256();
const lab = { profile: LAB_PROFILE, sha256 };
const neutral = { profile: UNSTABLE_NEUTRAL_PROFILE, sha256 };
const sample = await makeSample(Array<boolean>(23).fill(true), lab);
type At = (name: string) => string;

/** Everything that the commands read, in files. */
function writeSample(at: At, made: Sample): void {
  const { expected_metric_definition_sha256: _, ...pins } = made.pins;
  const { schema_version: __, receipt_sha256: ___, signature: ____, ...fields } = made.receipt;
  const texts = { fields, spec: made.spec, metric: made.metric, pins, all_pins: made.pins };
  for (const [name, record] of Object.entries(texts)) {
    writeFileSync(at(`${name}.json`), formatRecord(record));
  }
  writeFileSync(at("raw.json"), made.raw);
  writeFileSync(at("key"), SEED);
  writeFileSync(at("receipt.json"), formatRecord(made.receipt));
}

const accept = (at: At, ...more: string[]) =>
  type([
    ...["evaluation", "accept", at("receipt.json"), at("spec.json"), at("raw.json")],
    ...more,
  ]);
const score = (at: At, pins: string, ...more: string[]) =>
  type([
    ...["score", at("receipt.json"), at("spec.json"), at("metric.json"), at("raw.json")],
    ...["--pins", at(pins), ...more],
  ]);
const errorOf = (stderr: string): unknown => JSON.parse(stderr).error;

const commands = suite("affidavit evaluation and score");

commands("sign makes the receipt that the library makes, and keeps no key", async () => {
  await inDirectory(async (at) => {
    writeSample(at, sample);
    const argv = ["evaluation", "sign", at("fields.json"), "--sign-key", at("key")];
    const printed = await type([...argv, "--out", at("signed.json")]);
    const receipt_json = formatRecord(sample.receipt);
    assert.equal([printed.exit, printed.stderr], [0, ""]);
    assert.equal(JSON.parse(printed.stdout), {
      ok: true,
      receipt_sha256: sample.receipt.receipt_sha256,
      receipt_json,
    });
    assert.is(readFileSync(at("signed.json"), "utf8"), `${receipt_json}\n`);
    const shown = await type(argv, { terminal: true });
    assert.match(shown.stdout, "signed a receipt; --out FILE would write it\n");
  });
});

commands("accept consumes a receipt, and refuses it the second time", async () => {
  await inDirectory(async (at) => {
    writeSample(at, sample);
    const given = ["--pins", at("pins.json"), "--state", at("accepted")];
    const first = await accept(at, ...given);
    const result = {
      ok: true,
      receipt_sha256: sample.receipt.receipt_sha256,
      evaluation_spec_sha256: sample.spec.spec_sha256,
      status: "succeeded",
      is_consumed: true,
    };
    assert.equal([first.exit, JSON.parse(first.stdout)], [0, result]);
    assert.equal(readdirSync(at("accepted")), ["00000001.json"]);
    const second = await accept(at, ...given, "--json");
    assert.equal([second.exit, second.stdout], [1, ""]);
    assert.equal(errorOf(second.stderr), {
      code: "record.already_consumed",
      message: 'a measurement id or nonce was accepted before (at "measurement_id")',
      at: { field: "measurement_id" },
    });
    const archival = await accept(at, "--pins", at("pins.json"), "--archival");
    assert.equal(JSON.parse(archival.stdout), { ...result, is_consumed: false });
  });
});

commands("accept takes an authority in the place of issuer and key", async () => {
  await inDirectory(async (at) => {
    writeSample(at, sample);
    const authority = {
      schema_version: `${LAB_PROFILE.idPrefix}receipt_authority.v1`,
      issuer_id: "example.issuer",
      key_id: sample.receipt.issuer_key_id,
      algorithm: "Ed25519",
      issuer_policy_sha256: sample.receipt.issuer_policy_sha256,
      public_key_base64: sample.pins.issuer_public_key_base64,
      private_key_source: LAB_PROFILE.issuer!.custody,
      status: "configured",
    };
    writeFileSync(at("authority.json"), JSON.stringify(authority));
    const pins = JSON.parse(readFileSync(at("pins.json"), "utf8"));
    for (const name of Object.keys(pins)) {
      if (/issuer|spec|manifest|runtime/.test(name)) delete pins[name];
    }
    writeFileSync(at("few.json"), JSON.stringify(pins));
    const given = ["--pins", at("few.json"), "--authority", at("authority.json"), "--archival"];
    const { exit, stderr } = await accept(at, ...given);
    assert.equal([exit, stderr], [0, ""]);
  });
});

commands("score writes a score once its receipt is consumed, under each profile", async () => {
  for (const context of [lab, neutral]) {
    await inDirectory(async (at) => {
      const made = context === lab ? sample : await makeSample([true, false], neutral);
      writeSample(at, made);
      const given = [
        "--profile",
        context.profile.name,
        "--state",
        at("s"),
        "--out",
        at("out.json"),
      ];
      const { exit, stdout, stderr } = await score(at, "all_pins.json", ...given);
      const scored = holds(await scoreEvaluation(made.evidence, made.pins, "archival", context));
      const score_json = formatScoreArtifact(scored.score);
      assert.equal([exit, stderr], [0, ""]);
      assert.equal(JSON.parse(stdout), {
        ok: true,
        score_value: context === lab ? 1 : 0,
        n_passed: context === lab ? 23 : 1,
        n_criteria: context === lab ? 23 : 2,
        score_sha256: scored.score.score_sha256,
        score_json,
      });
      assert.is(readFileSync(at("out.json"), "utf8"), score_json);
      const again = await score(at, "all_pins.json", ...given.slice(0, 4), "--out", at("no.json"));
      assert.equal([again.exit, existsSync(at("no.json"))], [1, false]);
      assert.match(again.stderr, "record.already_consumed");
    });
  }
});

commands("score writes over nothing that it reads, nor over what was accepted before", async () => {
  await inDirectory(async (at) => {
    writeSample(at, sample);
    symlinkSync(at("."), at("link"));
    for (const out of ["link/pins.json", "state", "state/00000001.json", "link/state/x.json"]) {
      const given = ["--state", at("state"), "--out", at(out), "--json"];
      const { exit, stderr } = await score(at, "pins.json", ...given);
      const error = { code: "cli.usage", message: "--out names a file that is read" };
      assert.equal([exit, errorOf(stderr), existsSync(at("state"))], [2, error, false], out);
    }
  });
});

commands("score --pinned-issuer needs the key and the measurement alone", async () => {
  await inDirectory(async (at) => {
    writeSample(at, sample);
    const pins = JSON.parse(readFileSync(at("pins.json"), "utf8"));
    for (const name of Object.keys(pins)) {
      if (/issuer_(?!public)|spec|manifest|runtime|media/.test(name)) delete pins[name];
    }
    writeFileSync(at("few.json"), JSON.stringify(pins));
    const { exit, stdout } = await score(at, "few.json", "--pinned-issuer", "--archival");
    assert.equal([exit, JSON.parse(stdout).score_value], [0, 1]);
  });
});

commands("pins that are missing, unknown or of another type are refused", async () => {
  await inDirectory(async (at) => {
    writeSample(at, sample);
    const pins = JSON.parse(readFileSync(at("pins.json"), "utf8"));
    const { expected_media_type: _, ...fewer } = pins;
    const cases: [unknown, string][] = [
      [[], "no object"],
      [fewer, 'no member "expected_media_type"'],
      [{ ...pins, expected_mediatype: "" }, "a member that is none of the pins here"],
      [{ ...pins, expected_repeat_index: "1" }, 'no integer as "expected_repeat_index"'],
      [{ ...pins, expected_media_type: null }, 'no text as "expected_media_type"'],
    ];
    for (const [content, found] of cases) {
      writeFileSync(at("bad.json"), JSON.stringify(content));
      const { exit, stderr } = await accept(at, "--pins", at("bad.json"), "--archival", "--json");
      const error = { code: "cli.pins_invalid", message: `Reading the pins: there is ${found}` };
      assert.equal([exit, errorOf(stderr)], [1, error]);
    }
  });
});

commands("wrong arguments are told before any file is read", async () => {
  const at: At = (name) => name;
  const cases: [string[], string][] = [
    [["evaluation"], "The actions of evaluation are sign and accept"],
    [["evaluation", "judge"], "The actions of evaluation are sign and accept"],
    [["evaluation", "sign"], "FIELDS is missing"],
    [["evaluation", "sign", "f"], "--sign-key FILE is missing"],
    [["evaluation", "sign", "f", "--archival"], "--archival goes with accept"],
    [
      ["evaluation", "sign", "f", "--sign-key", "k", "--out", "./f"],
      "--out names a file that is read",
    ],
    [["evaluation", "accept", "r", "s"], "RAW is missing"],
    [["evaluation", "accept", "r", "s", "w", "--out", "o"], "--out goes with sign"],
    [["evaluation", "accept", "r", "s", "w"], "Give either --state DIR or --archival"],
    [["score", "r", "s", "m", "w"], "Give either --state DIR or --archival"],
    [
      ["score", "r", "s", "m", "w", "--archival", "--state", "d"],
      "Give either --state DIR or --archival",
    ],
    [["score", "r", "s", "m", "w", "--archival", "--profile", "x"], 'There is no profile "x"'],
    [
      [
        ...["score", "r", "s", "m", "w", "--archival", "--pinned-issuer"],
        ...["--profile", "neutral-unstable"],
      ],
      "Profile neutral-unstable pins no issuer",
    ],
  ];
  for (const [argv, message] of cases) {
    const { exit, stderr } = await type([...argv, "--json"]);
    assert.equal([exit, errorOf(stderr)], [2, { code: "cli.usage", message }], argv.join(" "));
  }
  const { exit, stdout } = await type(["evaluation", "accept", at("--help")]);
  assert.equal([exit, stdout.startsWith("affidavit evaluation ACTION")], [0, true]);
});

commands.run();
