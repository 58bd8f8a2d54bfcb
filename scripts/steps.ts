/**
 * What `npm test` consists of: static checks, and lanes that run the test lists in a runtime.
 *
 * @module
 */
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import process from "node:process";
import type { LaneResult } from "../test/harness/runner.ts";
import { type Ended, root, run } from "./child.ts";
import { findChromium, runInChromium } from "./chromium.ts";
import { packageSteps } from "./packages.ts";
import { check, type Outcome, type Step } from "./step.ts";

const timeoutMs = 900_000;
const folders = ["mod.ts", "src", "test", "bench", "examples", "scripts"];
const runtimes: Record<string, string[]> = {
  node: [process.execPath, "--import", "tsx"],
  deno: ["deno", "run", "-A", "--frozen"],
  bun: ["bun", "run"],
};

/** Every step, the quick refusals first. Group "packages" is run on demand, and in CI. */
export async function allSteps(): Promise<Step[]> {
  const entries = await publicEntries();
  const sources = folders.filter((name) => existsSync(root + name));
  const promises = ["no-floating-promises", "no-misused-promises", "await-thenable"];
  return [
    check("deno fmt --check", "lint", "deno", ["fmt", "--check"]),
    check("deno lint", "lint", "deno", ["lint"]),
    check("oxlint, promises", "lint", "oxlint", [
      "--type-aware",
      "-A",
      "all",
      ...promises.flatMap((rule) => ["-D", `typescript/${rule}`]),
      ...sources,
    ]),
    check("tsc", "types", "tsc", ["-p", "tsconfig.json"]),
    check("tsc, pure code for browsers", "types", "tsc", ["-p", "tsconfig.pure.json"]),
    check("deno check", "types", "deno", ["check", "--frozen", ...entries, "scripts/deno_bare.ts"]),
    check("deno doc --lint", "docs", "deno", ["doc", "--lint", ...entries]),
    check("typedoc", "docs", process.execPath, ["--import", "tsx", "scripts/docs.ts"]),
    check("deno without permissions", "permissions", "deno", [
      "run",
      "--no-prompt",
      "--frozen",
      "scripts/deno_bare.ts",
    ]),
    ...["node", "deno", "bun"].map((runtime) => lane(runtime, "adapters")),
    ...["node", "deno", "bun"].map((runtime) => lane(runtime, "pure")),
    { name: "chromium pure", group: "pure", run: chromiumLane },
    { name: "chromium page", group: "page", run: pageLane },
    ...packageSteps(),
  ];
}

/** True when lanes of one list agree on every count, and on the names of what they skipped. */
export function areEqual(outcomes: Outcome[]): boolean {
  const counts = outcomes.map(({ passed, failed, skipped }) =>
    JSON.stringify([passed, failed, skipped])
  );
  return new Set(counts).size <= 1;
}

function lane(runtime: string, list: string): Step {
  const [command = "", ...args] = runtimes[runtime] ?? [];
  return {
    name: `${runtime} ${list}`,
    group: list,
    run: async () => counted(await run(command, [...args, "test/index.ts", list], { timeoutMs })),
  };
}

async function chromiumLane(): Promise<Outcome> {
  const browser = findChromium();
  return browser === undefined ? missing() : counted(await runInChromium(browser, timeoutMs));
}

/** verify.html from end to end: Node drives the browser. */
async function pageLane(): Promise<Outcome> {
  if (findChromium() === undefined) return missing();
  const [node = "", ...args] = runtimes["node"] ?? [];
  return counted(await run(node, [...args, "test/web/index.ts"], { timeoutMs }));
}

function missing(): Outcome {
  const output = "Chromium is missing: install it, or set CHROMIUM_PATH\n";
  if (process.env["CI"]) return { passed: 0, failed: 1, skipped: [], output };
  return { passed: 0, failed: 0, skipped: ["the whole lane: Chromium is missing"], output };
}

/** Reads the result line; a lane that ended without one has failed, whatever its status. */
function counted({ ok, stdout, output }: Ended): Outcome {
  const line = stdout.split("\n").filter((text) => text.startsWith("result: ")).at(-1);
  if (line === undefined) return { passed: 0, failed: 1, skipped: [], output };
  const { passed, failed, skipped } = JSON.parse(line.slice("result: ".length)) as LaneResult;
  return {
    passed,
    failed: ok ? failed : Math.max(failed, 1),
    skipped: skipped.map(({ name, reason }) => `${name} (${reason})`),
    output,
  };
}

/** The source of every subpath. */
async function publicEntries(): Promise<string[]> {
  const { exports } = JSON.parse(await readFile(`${root}deno.json`, "utf8")) as {
    exports: Record<string, string>;
  };
  return Object.values(exports);
}
