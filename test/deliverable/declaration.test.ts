import { suite } from "uvu";
import * as assert from "uvu/assert";
import { parseStrictText } from "../../src/canonical/mod.ts";
import type { JsonValue } from "../../src/canonical/mod.ts";
import { parseDeclaration, planSeal } from "../../src/deliverable/mod.ts";
import type { FileDeclaration } from "../../src/deliverable/mod.ts";
import { UNSTABLE_NEUTRAL_PROFILE } from "../../src/record/mod.ts";
import { BINDINGS, DECLARATION, declare } from "./sample.ts";

const plans = suite("planSeal() and parseDeclaration()");

const value = (text: string): JsonValue => {
  const parsed = parseStrictText(text);
  if (!parsed.ok) throw new Error(parsed.reason);
  return parsed.value;
};

const answer = (result: ReturnType<typeof planSeal>): string =>
  result.ok ? "ok" : `${result.code.slice(7)} ${result.field ?? "-"}`;

plans("judge entries, then limits, then bindings, then the set", () => {
  const good = { limits: { max_files: 1, max_file_bytes: 1, max_total_bytes: 1 } };
  const file = declare("a", "a", "a");
  const rows: [FileDeclaration[], object, object, string][] = [
    [[{ ...file, artifact_id: "\x1f" }], { max_files: 0 }, {}, "string_empty artifact_id"],
    [[{ ...file, media_type: "x" }], { max_files: 0 }, {}, "media_type_invalid media_type"],
    [[{ ...file, max_size_bytes: 1.5 }], {}, {}, "not_positive_integer max_size_bytes"],
    [[{ ...file, max_size_bytes: 2 ** 53 }], {}, {}, "not_positive_integer max_size_bytes"],
    [[file], { max_file_bytes: true }, { task_sha256: "" }, "not_positive_integer max_file_bytes"],
    [[file], { max_total_bytes: -1n }, {}, "not_positive_integer max_total_bytes"],
    [[], {}, { task_sha256: "A".repeat(64) }, "digest_invalid task_sha256"],
    [[], {}, { run_sha256: "sha256:1" }, "digest_invalid run_sha256"],
    [[], {}, { config_sha256: undefined }, "digest_invalid config_sha256"],
    [[], {}, {}, "no_artifacts -"],
    [[file, file], {}, {}, "too_many_artifacts -"],
    [[file, file], { max_files: 2 }, {}, "duplicate_artifact_id -"],
  ];
  for (const [declaration, limits, bindings, wanted] of rows) {
    const options = { limits: { ...good.limits, ...limits } };
    const found = planSeal(declaration, { ...BINDINGS, ...bindings }, options);
    assert.is(answer(found), wanted);
  }
});

plans("take integers as number, BigInt and as they were written", () => {
  const written = `[{"artifact_id":"a","source_path":"s","path":"p","media_type":"Text/Plain",
    "max_size_bytes":90071992547409930}]`;
  const parsed = parseDeclaration(value(written));
  if (!parsed.ok) throw new Error(parsed.reason);
  const limits = { max_files: 5n, max_file_bytes: 2n ** 60n, max_total_bytes: 7 };
  const plan = planSeal(parsed.value, BINDINGS, { limits });
  if (!plan.ok) throw new Error(plan.reason);
  const { files, max_files, max_total_size_bytes, bindings, portable } = plan.value;
  assert.equal({ files, max_files, max_total_size_bytes, bindings, portable }, {
    files: [{
      artifact_id: "a",
      source_path: "s",
      path: "p",
      media_type: "text/plain",
      max_size_bytes: 90071992547409930n,
    }],
    max_files: 5n,
    max_total_size_bytes: 7n,
    bindings: {
      task_sha256: `sha256:${"1".repeat(64)}`,
      run_sha256: `sha256:${"2".repeat(64)}`,
      config_sha256: `sha256:${"3".repeat(64)}`,
    },
    portable: false,
  });
});

plans("refuse floats, other members and other types of a written declaration", () => {
  const entry = (members: string): string => `[{"artifact_id":"a","source_path":"s",${members}}]`;
  const rows: [string, string][] = [
    ["{}", "wrong_type -"],
    ["[1]", "not_an_object declaration[0]"],
    [entry('"path":"p","media_type":"a/b"'), "fields_mismatch -"],
    [entry('"path":"p","media_type":"a/b","max_size_bytes":1,"x":1'), "fields_mismatch -"],
  ];
  for (const [text, wanted] of rows) {
    const found = parseDeclaration(value(text));
    assert.is(found.ok ? "ok" : `${found.code.slice(7)} ${found.field ?? "-"}`, wanted);
  }
  for (const number of ["1.0", "1e0", "-1", "0", "true", '"1"']) {
    const text = entry(`"path":"p","media_type":"a/b","max_size_bytes":${number}`);
    const found = parseDeclaration(value(text));
    if (!found.ok) throw new Error(found.reason);
    assert.is(answer(planSeal(found.value, BINDINGS)), "not_positive_integer max_size_bytes");
  }
});

plans("ask for portable paths as the profile says, unless told", () => {
  const declaration = [declare("a", "a", "aux")];
  const profile = UNSTABLE_NEUTRAL_PROFILE;
  assert.is(answer(planSeal(declaration, BINDINGS)), "ok");
  assert.is(answer(planSeal(declaration, BINDINGS, { portable: true })), "path_device_name path");
  assert.is(answer(planSeal(declaration, BINDINGS, { profile })), "path_device_name path");
  assert.is(answer(planSeal(declaration, BINDINGS, { profile, portable: false })), "ok");
  assert.is(answer(planSeal([...DECLARATION], BINDINGS, { profile })), "ok");
});

plans.run();
