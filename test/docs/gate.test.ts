/**
 * The pages of the gate and of retrospectives tell the truth: their examples are what the library gives, and the table of
 * tripwires is the library's own.
 *
 * @module
 */
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { formatCapsuleV1 } from "../../src/canonical/mod.ts";
import { verifyCapsule } from "../../src/capsule/mod.ts";
import { encodeUtf8 } from "../../src/core/mod.ts";
import {
  CHILD_FAILURES,
  inspectVariant,
  parseTaskset,
  scanTripwires,
  TRIPWIRES,
} from "../../src/gate/mod.ts";
import { loadSha256 } from "../../src/hash/mod.ts";
import { groupCapsules } from "../../src/retrospective/mod.ts";
import { readText } from "../read.ts";
import { fence, rowsOf, section } from "./page.ts";

const gatePage = await readText("docs/spec/gate.md");
const sha256 = await loadSha256();
const pages = suite("pages of the gate and of retrospectives");

pages("inspectVariant() and scanTripwires() find in the example what the page says", () => {
  const listing = ["variant.json", "run.js"].map((path) => {
    return { path, kind: "file", bytes: encodeUtf8(fence(gatePage, path)) } as const;
  });
  const variant = inspectVariant(listing, sha256);
  if (!variant.ok) throw new Error(variant.reason);
  assert.ok(section(gatePage, "Example").includes(`\`${variant.value.digest}\``));
  assert.equal(scanTripwires(variant.value), [
    { variant: "totals-2", rule: "hidden_network", file: "run.js", line: 2 },
  ]);
});

pages("parseTaskset() takes the task set on the page", () => {
  const taskset = parseTaskset(encodeUtf8(fence(gatePage, "taskset.json")), "", sha256);
  assert.is(taskset.ok, true);
});

pages("the table of tripwires is TRIPWIRES, and that of failures CHILD_FAILURES", () => {
  const rules = rowsOf(section(gatePage, "Tripwires")).map(([rule, pattern = ""]) =>
    [rule, pattern.replace(/^(`+)(.*)\1$/, "$2")].join(" ")
  );
  assert.equal(
    rules,
    TRIPWIRES.map(({ rule, pattern }) => `\`${rule}\` ${(pattern as RegExp).source}`),
  );
  const failures = rowsOf(section(gatePage, "Results of a child")).map(([name]) => name);
  assert.equal(failures, CHILD_FAILURES.map((name) => `\`${name}\``));
});

pages("groupCapsules() gives the report on the page", async () => {
  const capsulePage = await readText("docs/spec/capsule.md");
  const files = {
    journal: encodeUtf8(fence(capsulePage, "journal.ndjson")),
    metadata: encodeUtf8(fence(capsulePage, "capsule.json")),
  };
  const verdict = await groupCapsules(["a", "a"], () => verifyCapsule(files, sha256), sha256);
  const report = fence(await readText("docs/spec/retrospective.md"), "report.json");
  assert.is(verdict.ok && `${formatCapsuleV1(verdict.report)}\n`, report);
});

pages.run();
