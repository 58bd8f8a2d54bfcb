/**
 * Evaluations: what is measured and how (spec), what was measured and what it took (receipt), and the terms on which a
 * receipt is accepted.
 *
 * @module
 */
export type {
  CriteriaCommitment,
  EvaluationContext,
  EvaluationSpec,
  EvaluationSpecFields,
} from "./spec.ts";
export { buildEvaluationSpec, commitCriteria, parseEvaluationSpec } from "./spec.ts";
export type {
  Cost,
  KnownCost,
  Timing,
  TokenCount,
  TokenUsage,
  UnknownCost,
  UnknownReason,
} from "./measure.ts";
export { parseCost, parseTiming, parseTokenUsage, UNKNOWN_REASONS } from "./measure.ts";
export type { EvaluationReceipt, EvaluationReceiptFields } from "./receipt.ts";
export { evaluationSignedBytes, parseEvaluationReceipt, signEvaluationReceipt } from "./receipt.ts";
export type {
  AcceptancePins,
  AcceptedEvaluation,
  EvaluationEvidence,
  MeasurementPins,
  Replay,
} from "./acceptance.ts";
export { acceptEvaluation, assertReplay } from "./acceptance.ts";
export type { AuthorityPins, KeyCustody, ReceiptAuthority } from "./authority.ts";
export { acceptByAuthority, parseReceiptAuthority } from "./authority.ts";
export { checkPinnedIssuer, commitIssuerPolicy } from "./policy.ts";
