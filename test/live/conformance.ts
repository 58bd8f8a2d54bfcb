/**
 * Our client and the official conformance scenarios for clients that begin with `initialize` and are not about HTTP. They
 * speak HTTP alone, so a bridge stands between; every message of ours is also compared with the official schema.
 *
 * @module
 */
import * as fs from "node:fs";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { run } from "../../scripts/child.ts";
import { CONFORMANCE } from "./packages.ts";

const conformance = suite("official conformance scenarios");

/** What is played at which revision, and the checks that it makes. The last one is not meant for a revision so old. */
const SCENARIOS: [scenario: string, revision: string, checks: string[]][] = [
  ["initialize", "2025-06-18", ["mcp-client-initialization"]],
  ["initialize", "2025-11-25", ["mcp-client-initialization"]],
  ["tools_call", "2025-06-18", ["tool-add-numbers", "wire-schema-valid"]],
  ["tools_call", "2025-11-25", ["tool-add-numbers", "wire-schema-valid"]],
  ["json-schema-2020-12-preservation", "2025-11-25", [
    "json-schema-2020-12-client-tool-found",
    "json-schema-2020-12-client-echo-completed",
    "json-schema-2020-12-client-$schema-preserved",
    "json-schema-2020-12-client-$defs-preserved",
    "json-schema-2020-12-client-additionalProperties-preserved",
    "sep-2106-client-composition-keywords-preserved",
    "sep-2106-client-conditional-keywords-preserved",
    "sep-2106-client-anchor-keyword-preserved",
    "wire-schema-valid",
  ]],
  ["json-schema-ref-no-deref", "2025-11-25", ["sep-2106-no-network-ref-deref"]],
];

for (const [scenario, revision, checks] of SCENARIOS) {
  conformance(`${scenario} passes at ${revision}, check by check`, async () => {
    const wanted = checks.map((id) => [id, "SUCCESS"]);
    assert.equal(await play(scenario, revision), wanted);
  });
}

conformance.run();

/** Checks of a scenario by id, each with its verdict; those that only tell of something are left out. */
async function play(scenario: string, revision: string): Promise<[string, string][]> {
  const folder = await mkdtemp(join(tmpdir(), "affidavit-conformance-"));
  try {
    const client = ["--import", import.meta.resolve("tsx"), path("conformance_client.ts")];
    const command = [process.execPath, ...client].map((part) => JSON.stringify(part)).join(" ");
    const what = ["--scenario", scenario, "--spec-version", revision, "--force"];
    const program = "globSync" in fs ? [] : ["--import", path("old_node.mjs")];
    program.push(CONFORMANCE, "client", "--command", command, ...what, "--output-dir", folder);
    const ended = await run(process.execPath, program);
    assert.ok(ended.ok, ended.output);
    const [results = ""] = await readdir(folder);
    const checks = JSON.parse(await readFile(join(folder, results, "checks.json"), "utf8")) as {
      id: string;
      status: string;
    }[];
    const judged = checks.filter(({ status }) => status !== "INFO");
    return judged.map(({ id, status }) => [id, status]);
  } finally {
    await rm(folder, { recursive: true });
  }
}

function path(name: string): string {
  return fileURLToPath(new URL(name, import.meta.url));
}
