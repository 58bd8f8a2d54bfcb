/**
 * A profile for benchmarks of any subject: free families, any number of binary criteria, no pinned issuer. Unstable: its
 * ids, and with them all bytes and hashes under it, may still change.
 *
 * @module
 */
import type { RecordProfile } from "./profile.ts";

/** The neutral profile. Unstable: bytes under it may still change. */
export const UNSTABLE_NEUTRAL_PROFILE: RecordProfile = {
  name: "neutral-unstable",
  idPrefix: "affidavit.unstable.",
  signatureDomain: "Affidavit EvaluationReceipt unstable",
  families: null,
  scoringModes: null,
  outerEnvelopes: ["native", "mediated"],
  reservedWords: ["official"],
  failureClasses: [
    "timeout",
    "refusal",
    "schema_violation",
    "crash",
    "sandbox_denial",
    "cancelled",
    "identity_drift",
  ],
  metric: {
    metric_id: null,
    criterion_count: null,
    raw_min: 0n,
    raw_max: 1n,
    direction: "higher_is_better",
    unit: "binary",
    weight_rule: "unweighted",
    missingness_rule: "reject",
    rounding_rule: "none",
    aggregation_rule: "all_pass",
    raw_derivative_schema: "binary_verdicts.v1",
    normalizer_id: null,
  },
  issuer: null,
  community: null,
  source: null,
  portable: true,
};
