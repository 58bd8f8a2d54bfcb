/**
 * The pages on evaluations and scores tell the truth: their example is signed, accepted and scored as they say.
 *
 * @module
 */
import { suite } from "uvu";
import * as assert from "uvu/assert";
import {
  commitIssuerPolicy,
  parseEvaluationReceipt,
  signEvaluationReceipt,
} from "../../src/evaluation/mod.ts";
import { loadSha256 } from "../../src/hash/mod.ts";
import { formatRecord, LAB_PROFILE, RECORD_CODES } from "../../src/record/mod.ts";
import { formatScoreArtifact, scoreEvaluation } from "../../src/score/mod.ts";
import type { ScorePins } from "../../src/score/mod.ts";
import { holds, json, SEED } from "../lib/evaluation.ts";
import { readText } from "../read.ts";
import { fence } from "./page.ts";

const evaluationPage = await readText("docs/spec/evaluation.md");
const scorePage = await readText("docs/spec/score.md");
const context = { profile: LAB_PROFILE, sha256: await loadSha256() };

const examples = suite("examples of the pages on evaluations and scores");

examples(
  "scoreEvaluation() makes the score of the receipt, under the pins, as the pages say",
  async () => {
    const evidence = {
      receipt: json(fence(evaluationPage, "receipt.json")),
      spec: json(fence(evaluationPage, "spec.json")),
      metric: json(fence(scorePage, "metric.json")),
      raw: new TextEncoder().encode(fence(scorePage, "verdicts.json").trimEnd()),
    };
    const pins = JSON.parse(fence(evaluationPage, "pins.json"));
    pins.expected_repeat_index = BigInt(pins.expected_repeat_index);
    const scored = holds(
      await scoreEvaluation(evidence, pins as ScorePins, "archival", context),
    );
    assert.is(formatScoreArtifact(scored.score), fence(scorePage, "score.json"));
  },
);

examples(
  "signEvaluationReceipt() makes the receipt of the page with the key of RFC 8032",
  async () => {
    const text = fence(evaluationPage, "receipt.json");
    const receipt = holds(parseEvaluationReceipt(json(text), context));
    const { schema_version: _, receipt_sha256: __, signature: ___, ...fields } = receipt;
    const signed = holds(await signEvaluationReceipt(fields, SEED, context));
    assert.is(`${formatRecord(signed)}\n`, text);
  },
);

examples("commitIssuerPolicy() gives the hash of the policy on the page", () => {
  const policy = json(fence(evaluationPage, "policy.json"));
  assert.is(
    holds(commitIssuerPolicy(policy, context)),
    fence(evaluationPage, "policy.sha256").trimEnd(),
  );
});

examples("every code that a page names in its own words is a code of records", () => {
  const kinds: readonly string[] = Object.keys(RECORD_CODES).map((code) =>
    code.slice("record.".length)
  );
  const endings = /_(?:invalid|mismatch|unsupported|malformed|required|exceeds|pinned|occupied)$/;
  for (const page of [evaluationPage, scorePage]) {
    const named = [...page.matchAll(/`([a-z_]+)`/g)].map(([, name = ""]) => name);
    const codes = named.filter((name) => endings.test(name) || /^(?:not|derivative)_/.test(name));
    assert.equal(
      codes.filter((name) =>
        !kinds.includes(name) && name !== "not_reported" && name !== "not_applicable"
      ),
      [],
    );
    assert.ok(codes.length > 10);
  }
});

examples.run();
