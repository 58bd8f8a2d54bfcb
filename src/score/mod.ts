/**
 * Scores: how one comes of verdicts (metric), the only form in which verdicts are read (derivative), and what may be
 * published (score artifact).
 *
 * @module
 */
export type { MetricDefinition, MetricFields } from "./metric.ts";
export { buildMetricDefinition, parseMetricDefinition } from "./metric.ts";
export type { ScoreArtifact } from "./artifact.ts";
export { formatScoreArtifact, parseScoreArtifact } from "./artifact.ts";
export type { PinnedIssuerPins, ScoredEvaluation, ScoreEvidence, ScorePins } from "./score.ts";
export { scoreEvaluation, scoreUnderPinnedIssuer } from "./score.ts";
