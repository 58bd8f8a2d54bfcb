/**
 * `affidavit score`.
 *
 * @module
 */
import { readFileAt, writeFileAt } from "../../node/mod.ts";
import { formatScoreArtifact, scoreEvaluation, scoreUnderPinnedIssuer } from "../../score/mod.ts";
import type { PinnedIssuerPins, ScorePins } from "../../score/mod.ts";
import {
  ACCEPT_FLAGS,
  ACCEPT_HELP,
  consume,
  readPins,
  readReplay,
  takeContext,
  takeOut,
  takeStore,
} from "../acceptance.ts";
import { parseArguments, takePositionals } from "../args.ts";
import { COMMON } from "../help.ts";
import type { Io } from "../io.ts";
import { linesOfFields, showResult } from "../output.ts";
import { readRecordFile, takeRecord } from "../record_files.ts";
import { METRIC_PIN, PINS } from "./evaluation.ts";

const help = `affidavit score RECEIPT SPEC METRIC RAW: accepts an evaluation and scores it

RAW is the authorised derivative: verdicts in their one spelling. What is printed
and written may be published: the score, two counts and hashes, nothing else.

${ACCEPT_HELP}
  --pinned-issuer   the issuer is the one that the profile pins; then the pins are
                    its public key and the four of the measurement
  --out FILE        write the score there, once its receipt is consumed
Flags come after the paths.
${COMMON}
Example: affidavit score receipt.json spec.json metric.json verdicts.json \\
           --pins pins.json --state accepted --out score.json
`;

const PINNED_ISSUER_PINS = [
  "issuer_public_key_base64",
  "expected_measurement_id",
  "expected_evaluation_attempt_id",
  "expected_attempt_nonce",
  "expected_repeat_index",
] as const;

/** Accepts, scores, consumes, and prints the score. */
export async function score(args: readonly string[], io: Io): Promise<number> {
  const flags = { ...ACCEPT_FLAGS, "pinned-issuer": "switch" } as const;
  const given = parseArguments(args, { help, flags });
  const paths = takePositionals(given, "RECEIPT", "SPEC", "METRIC", "RAW");
  const [context, store] = [takeContext(given), takeStore(given)];
  const isPinned = given.has("pinned-issuer");
  if (isPinned && context.profile.issuer === null) {
    throw given.usage(`Profile ${context.profile.name} pins no issuer`);
  }
  const out = await takeOut(given);
  const evidence = {
    receipt: await readRecordFile(paths[0]),
    spec: await readRecordFile(paths[1]),
    metric: await readRecordFile(paths[2]),
    raw: await readFileAt(paths[3]),
  };
  const scored = takeRecord(
    isPinned
      ? await scoreUnderPinnedIssuer(
        evidence,
        await readPins<PinnedIssuerPins>(given, PINNED_ISSUER_PINS),
        await readReplay(store),
        context,
      )
      : await scoreEvaluation(
        evidence,
        await readPins<ScorePins>(given, [...PINS, METRIC_PIN]),
        await readReplay(store),
        context,
      ),
  );
  await consume(store, scored.consume);
  const score_json = formatScoreArtifact(scored.score);
  if (out !== undefined) await writeFileAt(out, score_json);
  const { score_sha256 } = scored.score;
  const [score_value, n_passed, n_criteria] = [
    Number(scored.score.score_value),
    Number(scored.score.n_passed),
    Number(scored.score.n_criteria),
  ];
  const result = { ok: true, score_value, n_passed, n_criteria, score_sha256, score_json };
  showResult(io, given.isJson, result, () => [
    [{ style: "good", text: "scored" }, ` ${score_value}`],
    ...linesOfFields([["passed", `${n_passed} of ${n_criteria}`], ["score", score_sha256]]),
  ]);
  return 0;
}
