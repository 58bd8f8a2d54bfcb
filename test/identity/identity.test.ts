import { suite } from "uvu";
import * as assert from "uvu/assert";
import { formatArtifact, formatValue } from "../../src/canonical/mod.ts";
import type { JsonObject, JsonValue } from "../../src/canonical/mod.ts";
import { encodeUtf8 } from "../../src/core/mod.ts";
import { loadSha256 } from "../../src/hash/mod.ts";
import {
  checkExecution,
  checkRowResume,
  checkRunResume,
  deriveIdentity,
  parseExecution,
  parseIdentity,
} from "../../src/identity/mod.ts";
import type { IdentityBasis, IdentityKind } from "../../src/identity/mod.ts";
import { LAB_PROFILE, omit, UNSTABLE_NEUTRAL_PROFILE } from "../../src/record/mod.ts";
import type { RecordResult } from "../../src/record/mod.ts";
import { seeded } from "../lib/random.ts";
import { lossless, mutate, objectOf } from "../lib/records.ts";

const identities = suite("identity");
const sha256 = await loadSha256();
const context = { profile: LAB_PROFILE, sha256 };
const DIGEST = `sha256:${"a".repeat(64)}`;

const TASK = {
  task_id: "suite.case-1",
  family: "contract_only",
  scoring_mode: "contract_only",
  suite_version: "2026.1",
  task_sha256: DIGEST,
};
const SOLVER = {
  provider: "acme",
  requested_model: "acme-large",
  served_model: "acme-large-0501",
  settings_sha256: DIGEST,
};
const RUN = {
  runtime_policy_sha256: DIGEST,
  config_sha256: DIGEST,
  temporal_block: "2026-w18",
  order: 0,
  repeat_index: 0,
};
const MATCHED = {
  evaluator_identity: "acme/evaluator-1",
  temporal_block: "2026-w18",
  outer_envelope: "clean-native",
  order: 0,
  repeat_index: 0,
};
const BUNDLE = {
  adapter_id: "cli",
  adapter_version: "1.0",
  requested_model: "m",
  family: "harvey_lab",
};
type Members = Readonly<Record<string, unknown>>;
const ALL: [IdentityKind, Members][] = [
  ["task", TASK],
  ["solver", SOLVER],
  ["run", RUN],
  ["matched", MATCHED],
  ["bundle", BUNDLE],
];

function made(kind: IdentityKind, members: Members, within = context): JsonObject {
  const basis = kind === "run" || kind === "matched"
    ? { task: made("task", TASK, within), solver: made("solver", SOLVER, within) }
    : undefined;
  const result = deriveIdentity(kind, objectOf(members), within, basis);
  if (!result.ok) throw new Error(result.reason);
  return result.value.record;
}

/** Code and field of a refusal. */
function refusal(result: RecordResult<unknown>): string {
  return result.ok ? "accepted" : `${result.code} ${result.field ?? "-"}`;
}

function changed(record: JsonObject, name: string, value: JsonValue): JsonObject {
  return new Map([...record, [name, value]]);
}

identities("every kind that is derived is read again, with the key of its other members", () => {
  for (const [kind, members] of ALL) {
    const record = made(kind, members);
    const parsed = parseIdentity(kind, record, context);
    assert.ok(parsed.ok, kind);
    const text = formatArtifact(omit(record, ["key"]));
    assert.is(parsed.value.preimage, text);
    assert.is(parsed.value.key, `sha256:${sha256.digest(encodeUtf8(text))}`);
    assert.is(formatValue(parsed.value.record), formatValue(record));
  }
});

identities("a reader names older spellings, missing members, unexpected ones, the version", () => {
  const task = made("task", TASK);
  const read = (value: JsonValue) => refusal(parseIdentity("task", value, context));
  const missing = omit(task, ["family"]);
  assert.is(read(changed(missing, "task_hash", "x")), "record.alias_field -");
  assert.is(read(changed(missing, "extra", "x")), "record.fields_missing -");
  const version = changed(task, "schema_version", "v9");
  assert.is(read(changed(version, "extra", "x")), "record.fields_unexpected -");
  const unsupported = "record.schema_version_unsupported schema_version";
  assert.is(read(changed(version, "task_id", null)), unsupported);
  assert.is(read([]), "record.wrong_type -");
});

identities("a reader judges all types before any rule, the solver's served model first", () => {
  const task = changed(changed(made("task", TASK), "task_id", " padded"), "task_sha256", null);
  assert.is(refusal(parseIdentity("task", task, context)), "record.string_empty task_sha256");
  const one = lossless("1");
  const solver = changed(changed(made("solver", SOLVER), "served_model", one), "provider", null);
  assert.is(refusal(parseIdentity("solver", solver, context)), "record.string_empty served_model");
  const matched = changed(made("matched", MATCHED), "served_model", null);
  const refused = refusal(parseIdentity("matched", matched, context));
  assert.is(refused, "record.string_empty served_model");
  const run = changed(made("run", RUN), "order", lossless("1.0"));
  const order = refusal(parseIdentity("run", run, context));
  assert.is(order, "record.not_non_negative_integer order");
});

identities("a reader names the rule that a member breaks", () => {
  const cases: [IdentityKind, Members, string, JsonValue, string][] = [
    ["task", TASK, "task_id", "a\u001c", "record.token_invalid task_id"],
    ["task", TASK, "family", "Contract_only", "record.not_a_member family"],
    ["task", TASK, "scoring_mode", "mean", "record.not_a_member scoring_mode"],
    ["task", TASK, "task_sha256", "a".repeat(64), "record.digest_not_prefixed task_sha256"],
    ["task", TASK, "task_sha256", "sha256:A", "record.digest_invalid task_sha256"],
    ["task", TASK, "key", "a".repeat(64), "record.digest_not_prefixed key"],
    ["task", TASK, "key", DIGEST, "record.key_mismatch -"],
    ["solver", SOLVER, "served_model", "None", "record.served_model_ambiguous -"],
    ["matched", MATCHED, "outer_envelope", "native", "record.not_a_member outer_envelope"],
    ["bundle", BUNDLE, "label", "cli/1.0/harvey_lab/n", "record.label_mismatch -"],
  ];
  for (const [kind, members, name, value, expected] of cases) {
    const record = changed(made(kind, members), name, value);
    assert.is(refusal(parseIdentity(kind, record, context)), expected, name);
  }
});

identities("derivation wants exactly its members, and a served model for a comparison", () => {
  const unresolved = made("solver", { ...SOLVER, served_model: null });
  const basis = { task: made("task", TASK), solver: unresolved };
  const derive = (kind: IdentityKind, members: Members, with_: IdentityBasis = basis) =>
    refusal(deriveIdentity(kind, objectOf(members), context, with_));
  assert.is(derive("task", { ...TASK, extra: 1 }), "record.wrong_type -");
  assert.is(derive("task", { ...TASK, task_id: undefined }), "record.wrong_type -");
  assert.is(derive("task", { ...TASK, task_id: 1 }), "record.wrong_type -");
  assert.is(derive("solver", { ...SOLVER, served_model: undefined }), "accepted");
  assert.is(derive("matched", MATCHED), "record.served_model_unresolved -");
  assert.is(derive("run", RUN), "accepted");
  assert.is(derive("run", RUN, { ...basis, task: null }), "record.wrong_type -");
  assert.is(derive("task", { ...TASK, task_id: "\ud800" }), "record.not_encodable -");
  const isMisuse = (error: unknown): boolean => error instanceof TypeError;
  assert.throws(() => deriveIdentity("run", objectOf(RUN), context), isMisuse);
});

identities("another profile brings its own ids and leaves families free", () => {
  const neutral = { profile: UNSTABLE_NEUTRAL_PROFILE, sha256 };
  const task = made("task", { ...TASK, family: "chess", scoring_mode: "elo" }, neutral);
  assert.is(task.get("schema_version"), "affidavit.unstable.task_identity.v1");
  assert.is(refusal(parseIdentity("task", task, neutral)), "accepted");
  const unsupported = "record.schema_version_unsupported schema_version";
  assert.is(refusal(parseIdentity("task", task, context)), unsupported);
});

identities("a row may resume in another order, repeat and block, and nothing else", () => {
  const prior = made("run", RUN);
  const other = { order: 4, repeat_index: 2, temporal_block: "2026-w19" };
  const later = made("run", { ...RUN, ...other });
  assert.is(refusal(checkRowResume(prior, later, context)), "accepted");
  const config = made("run", { ...RUN, config_sha256: `sha256:${"b".repeat(64)}` });
  const refused = refusal(checkRowResume(prior, config, context));
  assert.is(refused, "record.resume_refused config_sha256");
  const stale = changed(prior, "key", DIGEST);
  assert.is(refusal(checkRowResume(stale, later, context)), "record.key_mismatch -");
});

identities("a run may resume when its four bindings are equal", () => {
  const binding = {
    selection_sha256: "s",
    solver_identity_key: "k",
    config_sha256: "c",
    runtime_policy_sha256: "r",
  };
  const check = (other: Members) =>
    refusal(checkRunResume(objectOf(binding), objectOf({ ...binding, ...other })));
  assert.is(check({ more: 1 }), "accepted");
  const two = check({ selection_sha256: "t", config_sha256: "d" });
  assert.is(two, "record.resume_refused selection");
  assert.is(check({ config_sha256: "d" }), "record.resume_refused config");
  assert.is(check({ runtime_policy_sha256: " " }), "record.string_empty runtime_policy_sha256");
});

const digestOf = (text: string): string => `sha256:${sha256.digest(encodeUtf8(text))}`;
const EXECUTION = {
  schema_version: "legalforecast.multiharness.local_cli_execution_receipt.v1",
  receipt_id: "r:1",
  spec_sha256: DIGEST,
  status: "failed",
  returncode: 1,
  executable_name: "agent",
  stdout: "out",
  stderr: "",
  stdout_sha256: digestOf("out"),
  stderr_sha256: digestOf(""),
  duration_ms: 12,
  usage: { tokens: 3 },
};
const execute = (other: Members) => parseExecution(objectOf({ ...EXECUTION, ...other }), context);

identities("a public execution record has no transcript, no null and the cost as a float", () => {
  const result = execute({ cost_usd: 2, failure_class: "flood", served_model: null });
  assert.ok(result.ok);
  const { stdout: _, stderr: __, ...rest } = EXECUTION;
  const published = { ...rest, failure_class: "schema_violation", cost_usd: "2.0" };
  const text = formatValue(objectOf(published)).replace('"2.0"', "2.0");
  assert.is(formatValue(result.value.record), text);
  assert.is(refusal(checkExecution(result.value.record, context)), "accepted");
});

identities("an execution record names the first rule it breaks", () => {
  const cases: [Members, string][] = [
    [{ schema_version: "v9" }, "record.schema_version_unsupported schema_version"],
    [{ usage: { " ": 1 } }, "record.usage_invalid -"],
    [{ usage: { tokens: 1.5 } }, "record.usage_invalid -"],
    [{ returncode: "1" }, "record.not_non_negative_integer returncode"],
    [{ duration_ms: -1 }, "record.not_non_negative_integer duration_ms"],
    [{ stdout: 1 }, "record.not_a_string stdout"],
    [{ cost_usd: "2" }, "record.cost_invalid cost_usd"],
    [{ cost_usd: -2 }, "record.cost_invalid cost_usd"],
    [{ status: "done" }, "record.status_invalid status"],
    [{ executable_name: "bin/agent" }, "record.executable_not_basename -"],
    [{ status: "succeeded", failure_class: "crash" }, "record.failure_class_on_success -"],
    [{ stdout: "\ud800" }, "record.not_encodable -"],
    [{ stdout: "other" }, "record.transcript_hash_mismatch stdout_sha256"],
    [{ task_identity_key: DIGEST }, "record.identity_keys_partial -"],
  ];
  for (const [other, expected] of cases) {
    assert.is(refusal(execute(other)), expected, JSON.stringify(other));
  }
});

identities("keys of an execution record are bound to the run that its members make", () => {
  const run = made("run", RUN);
  const bound = {
    task_identity_key: run.get("task_identity_key"),
    solver_identity_key: run.get("solver_identity_key"),
    run_identity_key: run.get("key"),
  };
  const check = (other: Members) => refusal(execute({ ...bound, ...RUN, ...other }));
  assert.is(check({}), "accepted");
  assert.is(check({ order: 1 }), "record.run_key_not_bound -");
  const missing = check({ order: null, temporal_block: null });
  assert.is(missing, "record.identity_slots_missing temporal_block,order");
});

identities(
  "20,000 changed records end in a coded refusal or are spelled like the sound one",
  () => {
    const random = seeded(10);
    const records = ALL.map(([kind, members]) => ({ kind, record: made(kind, members) }));
    let refused = 0;
    for (let i = 0; i < 20_000; i++) {
      const { kind, record } = random.pick(records);
      const mutant = mutate(record, random);
      const result = parseIdentity(kind, mutant, context);
      if (result.ok) {
        assert.is(formatValue(mutant), formatValue(record));
      } else {
        assert.match(result.code, /^record\.[a-z_]+$/);
        refused++;
      }
    }
    assert.ok(refused > 15_000, `${refused} were refused`);
  },
);

identities("20,000 changed execution records end in a refusal or in a sound public record", () => {
  const random = seeded(12);
  const record = objectOf({ ...EXECUTION, cost_usd: 0.5 });
  let published = 0;
  for (let i = 0; i < 20_000; i++) {
    const result = parseExecution(mutate(record, random), context);
    if (!result.ok) {
      assert.match(result.code, /^record\.[a-z_]+$/);
      continue;
    }
    published++;
    assert.is(refusal(checkExecution(result.value.record, context)), "accepted");
  }
  assert.ok(published > 100, `${published} could be published`);
});

identities.run();
