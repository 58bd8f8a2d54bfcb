/**
 * Operations `score.*`.
 *
 * @module
 */
import type { JsonValue } from "../canonical/mod.ts";
import { encodeUtf8 } from "../core/mod.ts";
import { toCommitment } from "../hash/mod.ts";
import { formatRecord } from "../record/mod.ts";
import {
  formatScoreArtifact,
  parseMetricDefinition,
  parseScoreArtifact,
  scoreEvaluation,
  scoreUnderPinnedIssuer,
} from "../score/mod.ts";
import type { PinnedIssuerPins, ScoreEvidence, ScorePins } from "../score/mod.ts";
import { encodeBase64 } from "../signature/mod.ts";
import { contextOf, readEvidence, readPins, readRaw, readReplay, rewrite } from "./evaluation.ts";
import { readText } from "./input.ts";
import type { Input, Output } from "./input.ts";
import { answerRecord, NOT_JSON } from "./record.ts";
import type { Host } from "./workspace.ts";

/** `score.parse_metric` */
export function parseMetric(input: Input, host: Host): Output {
  return rewrite(input, (record) => parseMetricDefinition(record, contextOf(host)));
}

/** `score.parse_artifact` */
export function parseArtifact(input: Input, host: Host): Output {
  return rewrite(input, (record) => parseScoreArtifact(record, contextOf(host)));
}

/** `score.normalize` */
export async function normalize(input: Input, host: Host): Promise<Output> {
  const evidence = readScoreEvidence(input);
  if (evidence === undefined) return NOT_JSON;
  const pins = {
    ...readPins(input),
    expected_metric_definition_sha256: readText(input, "expected_metric_definition_sha256"),
  } as unknown as ScorePins;
  const result = await scoreEvaluation(evidence, pins, readReplay(input), contextOf(host));
  return answerRecord(result, ({ score }) => ({
    score_json: formatRecord(score),
    score_sha256: score.score_sha256,
    file_sha256: toCommitment(host.sha256.digest(encodeUtf8(formatScoreArtifact(score)))),
  }));
}

/** `score.accept_lab` */
export async function acceptLab(input: Input, host: Host): Promise<Output> {
  const evidence = readScoreEvidence(input);
  if (evidence === undefined) return NOT_JSON;
  const pins = readPins(input) as unknown as PinnedIssuerPins;
  const result = await scoreUnderPinnedIssuer(
    evidence,
    pins,
    readReplay(input),
    contextOf(host),
  );
  return answerRecord(result, ({ score }) => ({
    score_file_base64: encodeBase64(encodeUtf8(formatScoreArtifact(score))),
    score_sha256: score.score_sha256,
  }));
}

function readScoreEvidence(input: Input): ScoreEvidence | undefined {
  const evidence = readEvidence(input, "receipt_json", "spec_json", "metric_json");
  if (evidence === undefined) return undefined;
  const [receipt, spec, metric] = evidence as [JsonValue, JsonValue, JsonValue];
  return { receipt, spec, metric, raw: readRaw(input) };
}
