/**
 * What is particular to one benchmark, as data: the mechanism of deliverables, evaluations, scores and identities knows
 * none of it. The Harvey LAB profile is the first instance; its bytes are published and never change.
 *
 * @module
 */

/** Values that a metric definition of the profile must have. `null` leaves a member free. */
export interface MetricProfile {
  /** Opaque id that tells the metric from others. */
  readonly metric_id: string | null;
  /** How many verdicts a result has, from 1. */
  readonly criterion_count: bigint | null;
  /** Lowest raw score; an integer below `raw_max`. */
  readonly raw_min: bigint;
  /** Highest raw score; an integer above `raw_min`. */
  readonly raw_max: bigint;
  /** Which scores are better, such as `higher_is_better`. */
  readonly direction: string;
  /** What a score is counted in, such as `binary`; score artifacts repeat it. */
  readonly unit: string;
  /** How criteria are weighted, such as `unweighted`. */
  readonly weight_rule: string;
  /** What becomes of a result that lacks a verdict, such as `reject`. */
  readonly missingness_rule: string;
  /** How a score is rounded, such as `none`. */
  readonly rounding_rule: string;
  /** How verdicts make a score, such as `all_pass`. */
  readonly aggregation_rule: string;
  /** Schema of the list of verdicts, such as `harvey_lab_verdicts.v1`. Appended to the id prefix. */
  readonly raw_derivative_schema: string;
  /** Code of what turns an evaluator's raw result into the list of verdicts. */
  readonly normalizer_id: string | null;
}

/** Who may issue evaluation receipts, where a profile pins that. */
export interface IssuerProfile {
  /** The members of the issuer policy. */
  readonly policy: Readonly<Record<string, string | bigint>>;
  /** Hash of the policy under profile `value`. */
  readonly policy_sha256: string;
  /** Opaque id of the signing key; a claim to compare, not a way to find the key. */
  readonly key_id: string;
  /** Where the signing key is kept; never what it is. */
  readonly custody: Readonly<
    Record<"backend" | "environment" | "path" | "name" | "encoding", string>
  >;
}

/** Rules for packages that a community publishes. */
export interface CommunityProfile {
  /** Roles each of which someone among a package's or shard's contributors has; more are welcome. */
  readonly contributor_roles: readonly string[];
  /** Role that someone in a package's `benchmark_credit` has; empty when none is asked for. */
  readonly benchmark_role: string;
  /** Statements every one of which a package has to make, as exact texts. */
  readonly attestations: readonly string[];
  /** Beginning of every public address of an artifact, up to the commit. */
  readonly mirror: string;
}

/** Where the definitions of a benchmark were taken from. */
export interface SourcePin {
  /** Address of the repository, with `https://`. */
  readonly repository: string;
  /** Git id of the commit, 40 hexadecimal digits. */
  readonly commit: string;
  /** Git id of that commit's tree, 40 hexadecimal digits. */
  readonly tree: string;
  /** Short name of the licence, such as `MIT`. */
  readonly licence: string;
  /** SHA-256 of the licence text. */
  readonly licence_sha256: string;
  /** What whoever passes on copies owes. */
  readonly notice: string;
}

/** Everything that one benchmark brings. */
export interface RecordProfile {
  /** What the command line's `--profile` calls it, such as `harvey-lab`. */
  readonly name: string;
  /** Begins every schema id. */
  readonly idPrefix: string;
  /** Stands before the signed bytes of an evaluation receipt, followed by NUL. */
  readonly signatureDomain: string;
  /** Families of tasks; `null` leaves them free. */
  readonly families: readonly string[] | null;
  /** Scoring modes; `null` leaves them free. */
  readonly scoringModes: readonly string[] | null;
  /** What `outer_envelope` of a matched identity may be. */
  readonly outerEnvelopes: readonly string[];
  /** Words that only an authority may use. */
  readonly reservedWords: readonly string[];
  /** Failures that are published by name; any other becomes `schema_violation`. */
  readonly failureClasses: readonly string[];
  /** What metric definitions are held against. */
  readonly metric: MetricProfile;
  /** The one issuer; `null` leaves it to the caller's pins. */
  readonly issuer: IssuerProfile | null;
  /** Rules for published packages; `null` asks for no role or attestation and takes no public address. */
  readonly community: CommunityProfile | null;
  /** Where the definitions come from; `null` when no source is pinned. */
  readonly source: SourcePin | null;
  /** Whether sealed paths must also survive on other file systems. */
  readonly portable: boolean;
}

/** The profile of Harvey LAB evaluations. */
export const LAB_PROFILE: RecordProfile = {
  name: "harvey-lab",
  idPrefix: "legalforecast.multiharness.",
  signatureDomain: "LegalForecastBench EvaluationReceipt v1",
  families: ["legalforecast_mtd", "harvey_lab", "contract_only"],
  scoringModes: ["lfb_brier", "lab_native", "contract_only"],
  outerEnvelopes: ["clean-native", "mcp-mediated"],
  reservedWords: [
    "official",
    "verified-community",
    "community-unverified",
    "alpha-non-canonical",
    "private-debug",
  ],
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
    metric_id: "harvey-lab-binary-all-pass-v1",
    criterion_count: 23n,
    raw_min: 0n,
    raw_max: 1n,
    direction: "higher_is_better",
    unit: "binary",
    weight_rule: "unweighted",
    missingness_rule: "reject",
    rounding_rule: "none",
    aggregation_rule: "all_pass",
    raw_derivative_schema: "harvey_lab_verdicts.v1",
    normalizer_id: "legalforecast.harvey-lab-all-pass-normalizer.v1",
  },
  issuer: {
    policy: {
      schema_version: "legalforecast.harvey_lab_evaluator_issuer_policy.v1",
      issuer_id: "legalforecast.harvey-lab-evaluator-issuer.v1",
      algorithm: "Ed25519",
      key_id: "harvey-lab-evaluator-v1",
      normalizer_id: "legalforecast.harvey-lab-all-pass-normalizer.v1",
      metric_id: "harvey-lab-binary-all-pass-v1",
      criterion_count: 23n,
    },
    policy_sha256: "sha256:8b0b29efb2f044ef6a65d2cea79c832e6c44f6ac00280e00cd5a00265efefb90",
    key_id: "harvey-lab-evaluator-v1",
    custody: {
      backend: "infisical-agent-sandbox",
      environment: "dev",
      path: "/agents/sandbox/legalforecastbench/harness-runtime/evaluator-issuer",
      name: "HARVEY_LAB_EVALUATOR_ED25519_PRIVATE_KEY",
      encoding: "base64-raw-32-byte-ed25519",
    },
  },
  community: {
    contributor_roles: [
      "run_operator",
      "adapter_author",
      "task_source",
      "benchmark_infrastructure",
    ],
    benchmark_role: "benchmark_infrastructure",
    attestations: [
      "not_official_legalforecastbench_result",
      "no_private_or_sealed_material_in_public_artifacts",
      "right_to_submit_artifacts",
      "provider_terms_acknowledged",
    ],
    mirror:
      "https://huggingface.co/datasets/johnhughes3/legalforecastbench-community-artifacts/resolve/",
  },
  source: {
    repository: "https://github.com/harveyai/harvey-labs",
    commit: "73feb91d63d53b1a44151d99329779c4defcdb72",
    tree: "944913ee8cdeaef4930a106e5e16d74aa93a29d7",
    licence: "MIT",
    licence_sha256: "sha256:f92627d2ebe80fc0add3b171b2d7eee5e28a98dd0d0a4a5ee5829314243bb3b9",
    notice:
      "Copies and substantial parts carry the copyright and permission notice of the licence.",
  },
  portable: false,
};
