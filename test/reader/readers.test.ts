import { suite } from "uvu";
import * as assert from "uvu/assert";
import { formatValue } from "../../src/canonical/mod.ts";
import type { JsonValue } from "../../src/canonical/mod.ts";
import { readVersioned, versionsOf } from "../../src/reader/mod.ts";
import type { ReaderName } from "../../src/reader/mod.ts";
import { LAB_PROFILE, omit } from "../../src/record/mod.ts";
import { seeded } from "../lib/random.ts";
import { mutate, objectOf } from "../lib/records.ts";

const readers = suite("readVersioned()");
const P = "legalforecast.multiharness.";
const DIGEST = `sha256:${"a".repeat(64)}`;
type Members = Readonly<Record<string, unknown>>;

const credit = (role: string): Members => ({ role, name: "Demo", identifiers: {} });
const ROLES = ["run_operator", "adapter_author", "task_source", "benchmark_infrastructure"]
  .map(credit);
const ARTIFACT = {
  artifact_id: "a",
  path: "x/a.md",
  sha256: DIGEST,
  media_type: "text/markdown",
  public: true,
};
const TASK = {
  schema_version: `${P}task.v1`,
  task_id: "t",
  family: "contract_only",
  scoring_mode: "contract_only",
  suite_version: "1",
  source_id: "s",
  task_sha256: DIGEST,
  metadata: { note: 1.5 },
  artifacts: [ARTIFACT],
};
const SUMMARY = {
  schema_version: `${P}community_run_summary.v2`,
  row_count: 1,
  run_id: "r",
  run_manifest_sha256: DIGEST,
  selection_sha256: DIGEST,
  selection_label: "l",
  run_config_sha256: DIGEST,
  result_status_counts: { succeeded: 1 },
  families: ["f"],
  scoring_modes: [],
  adapter_ids: ["a"],
  model_keys: ["m"],
  coverage_kind: "full",
  claim_kind: "partial",
  artifact_bindings: { execution_receipt_sha256: DIGEST },
  identity_bindings: {
    task_identity_key: DIGEST,
    solver_identity_key: DIGEST,
    run_identity_key: DIGEST,
  },
};
const SHARD = {
  schema_version: `${P}community_shard.v1`,
  shard_id: "s",
  compatible_shard_group_id: "suite:lab_native:1:2",
  selection_sha256: DIGEST,
  selection_label: "l",
  source_suite: "suite",
  suite_version: "1:2",
  task_selectors: {},
  task_ids: ["t"],
  adapter_id: "a",
  adapter_version: "1",
  model_key: "m",
  sandbox_policy_hash: DIGEST,
  run_config_hash: DIGEST,
  contributor_credits: ROLES,
  run_compatibility_hash: "b".repeat(64),
};
const MIRROR =
  "https://huggingface.co/datasets/johnhughes3/legalforecastbench-community-artifacts/resolve";
const PINNED = `${MIRROR}/${"c".repeat(40)}`;
const MANIFEST = {
  schema_version: `${P}community_submission_manifest.v1`,
  submission_id: "sub-1",
  submitter: credit("any"),
  contributors: ROLES,
  benchmark_credit: [credit("benchmark_infrastructure")],
  run_summary: SUMMARY,
  artifacts: [{ ...ARTIFACT, source_url: `${PINNED}/x/a.md` }],
  shards: [SHARD],
  attestations: [
    "not_official_legalforecastbench_result",
    "no_private_or_sealed_material_in_public_artifacts",
    "right_to_submit_artifacts",
    "provider_terms_acknowledged",
  ],
};
const LEGACY = {
  schema_version: `${P}community_submission.v1`,
  submission_id: "old",
  submitter: credit("x"),
  contributors: [credit("x")],
  run_manifest_sha256: DIGEST,
  artifacts: [ARTIFACT],
  attestations: ["any"],
  public_summary: {},
};
const AGGREGATE = {
  schema_version: `${P}community_aggregate.v1`,
  aggregate_id: "g",
  submissions: ["a", "b"],
  aggregate_sha256: DIGEST,
  public_summary: {},
};
const ALL: [ReaderName, Members][] = [
  ["canonical_task", TASK],
  ["run_summary", SUMMARY],
  ["submission_shard", SHARD],
  ["submission_manifest", MANIFEST],
  ["legacy_submission", LEGACY],
  ["legacy_aggregate", AGGREGATE],
];

function outcome(name: ReaderName, value: JsonValue): string {
  const result = readVersioned(name, value, LAB_PROFILE);
  return result.ok ? `ok ${result.value.isExact}` : `${result.code} ${result.field ?? "-"}`;
}

readers("every reader takes its record and rewrites it exactly", () => {
  for (const [name, record] of ALL) {
    const result = readVersioned(name, objectOf(record), LAB_PROFILE);
    assert.ok(result.ok, `${name}: ${JSON.stringify(result)}`);
    assert.is(result.value.isExact, true, name);
    assert.is(formatValue(result.value.record), formatValue(objectOf(record)), name);
  }
});

readers("only the exact versions are taken, before anything else is judged", () => {
  assert.equal(versionsOf("run_summary", LAB_PROFILE), [
    `${P}community_run_summary.v1`,
    `${P}community_run_summary.v2`,
  ]);
  const unsupported = "record.schema_version_unsupported schema_version";
  for (const [name, record] of ALL) {
    const version = String(record["schema_version"]);
    for (const other of [undefined, null, "", 1, `${version} `, version.toUpperCase()]) {
      const changed = objectOf({ ...record, schema_version: other, extra: {} });
      assert.is(outcome(name, changed), unsupported);
    }
    assert.is(outcome(name, new Map()), unsupported);
    assert.is(outcome(name, []), "record.wrong_type -");
  }
});

readers("unknown members are dropped and defaults written, which is no exact rewriting", () => {
  const given = objectOf({ ...TASK, artifacts: undefined, metadata: null, more: 1 });
  const result = readVersioned("canonical_task", given, LAB_PROFILE);
  assert.ok(result.ok);
  assert.is(result.value.isExact, false);
  const expected = formatValue(objectOf({ ...TASK, artifacts: [], metadata: {} }));
  assert.is(formatValue(result.value.record), expected);
});

readers("each type and rule of a task has its refusal, with the member", () => {
  const artifact = (other: Members): Members => ({ artifacts: [{ ...ARTIFACT, ...other }] });
  const cases: [Members, string][] = [
    [{ task_id: "\u0085" }, "record.string_empty task_id"],
    [{ metadata: [] }, "record.wrong_container metadata"],
    [{ family: "x" }, "record.not_a_member family"],
    [{ task_sha256: "x" }, "record.digest_invalid task_sha256"],
    [{ artifacts: [1] }, "record.wrong_container artifacts"],
    [artifact({ public: 1 }), "record.not_boolean public"],
    [artifact({ size_bytes: -1 }), "record.not_non_negative_integer size_bytes"],
    [artifact({ path: "a/../b" }), "record.path_unsafe -"],
    [artifact({ media_type: "official" }), "record.public_scan_classification -"],
    [{ metadata: { apiKey: "x" } }, "record.public_scan_field_name -"],
  ];
  for (const [other, expected] of cases) {
    assert.is(outcome("canonical_task", objectOf({ ...TASK, ...other })), expected);
  }
});

readers("each rule of a run summary has its refusal", () => {
  const cases: [Members, string][] = [
    [{ row_count: null }, "record.not_positive row_count"],
    [{ row_count: 0 }, "record.not_positive row_count"],
    [{ extra: 1 }, "record.fields_unexpected -"],
    [{ coverage_kind: undefined, extra: 1 }, "record.fields_missing -"],
    [{ families: [] }, "record.empty families"],
    [{ result_status_counts: { " ": 1 } }, "record.string_empty result_status_counts"],
    [
      { result_status_counts: { a: 1.5 } },
      "record.not_non_negative_integer result_status_counts.a",
    ],
    [{ artifact_bindings: { execution_receipt_sha256: null } }, "record.bindings_missing -"],
    [{ artifact_bindings: { other: DIGEST } }, "record.fields_unexpected -"],
    [
      { artifact_bindings: { score_artifact_sha256: DIGEST } },
      "record.identity_without_receipt -",
    ],
    [{ identity_bindings: {} }, "record.fields_missing -"],
    [{ coverage_kind: "partial" }, "record.coverage_kind_invalid -"],
    [{ claim_kind: "all" }, "record.claim_kind_invalid -"],
  ];
  for (const [other, expected] of cases) {
    assert.is(outcome("run_summary", objectOf({ ...SUMMARY, ...other })), expected);
  }
});

readers("each rule of shards, packages and older records has its refusal", () => {
  const artifact = (other: Members): Members => ({ artifacts: [{ ...ARTIFACT, ...other }] });
  const group = "record.shard_group_invalid compatible_shard_group_id";
  const identifiers = { role: "r", name: "n", identifiers: { github: 1 } };
  const cases: [ReaderName, Members, Members, string][] = [
    ["submission_shard", SHARD, { compatible_shard_group_id: "suite:lab_native:1" }, group],
    ["submission_shard", SHARD, { compatible_shard_group_id: "suite:mean:1:2" }, group],
    ["submission_shard", SHARD, { task_ids: ["t", "t"] }, "record.duplicate_id -"],
    [
      "submission_shard",
      SHARD,
      { contributor_credits: ROLES.slice(1) },
      "record.contributor_roles_missing contributor_credits",
    ],
    [
      "submission_manifest",
      MANIFEST,
      { unknown: { tier: 1 } },
      "record.public_scan_classification -",
    ],
    ["submission_manifest", MANIFEST, { submission_id: "S" }, "record.submission_id_invalid -"],
    ["submission_manifest", MANIFEST, { attestations: [] }, "record.attestations_missing -"],
    ["submission_manifest", MANIFEST, artifact({ path: "Private/a" }), "record.path_private -"],
    [
      "submission_manifest",
      MANIFEST,
      artifact({ source_url: `${MIRROR}/main/a` }),
      "record.source_url_invalid -",
    ],
    [
      "submission_manifest",
      MANIFEST,
      artifact({ source_url: `${PINNED}/%252541/%25252541` }),
      "record.source_url_invalid -",
    ],
    [
      "submission_manifest",
      MANIFEST,
      artifact({ source_url: `${PINNED}/%2e%2e/a` }),
      "record.path_unsafe -",
    ],
    [
      "submission_manifest",
      MANIFEST,
      { submitter: identifiers },
      "record.string_empty identifiers.github",
    ],
    [
      "legacy_submission",
      LEGACY,
      { attestations: ["a", ""] },
      "record.string_empty attestations[1]",
    ],
    [
      "legacy_submission",
      LEGACY,
      { contributors: [] },
      "record.contributor_roles_missing contributors",
    ],
    ["legacy_aggregate", AGGREGATE, { submissions: ["a", "a"] }, "record.duplicate_id -"],
    ["legacy_aggregate", AGGREGATE, { submissions: [] }, "record.empty submissions"],
  ];
  for (const [name, record, other, expected] of cases) {
    assert.is(outcome(name, objectOf({ ...record, ...other })), expected, JSON.stringify(other));
  }
});

readers("a member that is missing is named or has a default, and is never passed over", () => {
  for (const [name, record] of ALL) {
    const given = objectOf(record);
    for (const member of given.keys()) {
      const isFree = ["identity_bindings", "run_compatibility_hash"].includes(member);
      assert.is(outcome(name, omit(given, [member])) === "ok true", isFree, member);
    }
  }
});

readers("20,000 changed records end in a refusal or in a record that is read as itself", () => {
  const random = seeded(11);
  const records = ALL.map(([name, record]) => ({ name, record: objectOf(record) }));
  let read = 0;
  for (let i = 0; i < 20_000; i++) {
    const { name, record } = random.pick(records);
    const result = readVersioned(name, mutate(record, random), LAB_PROFILE);
    if (!result.ok) {
      assert.match(result.code, /^record\.[a-z_]+$/);
      continue;
    }
    read++;
    assert.is(outcome(name, result.value.record), "ok true");
  }
  assert.ok(read > 500, `${read} were read`);
});

readers.run();
