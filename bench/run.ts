/**
 * `npm run bench [-- NAME…] [--json]`: answers the questions of this folder, one file each, in the runtime at hand. The
 * same file runs under Deno (`deno run -A bench/run.ts`) and Bun (`bun bench/run.ts`).
 *
 * @module
 */
import { cpus } from "node:os";
import process from "node:process";
import type { Bench, Result } from "./measure.ts";

const benches: Record<string, () => Promise<{ bench: Bench }>> = {
  hash: () => import("./hash.ts"),
  canonical: () => import("./canonical.ts"),
  verify: () => import("./verify.ts"),
  append: () => import("./append.ts"),
  replay: () => import("./replay.ts"),
  seal: () => import("./seal.ts"),
  mcp: () => import("./mcp.ts"),
};

const versions = process.versions as Record<string, string | undefined>;
const runtime = ["bun", "deno", "node"].find((name) => versions[name] !== undefined) ?? "unknown";
const machine = {
  runtime: `${runtime} ${versions[runtime]}`,
  processor: `${cpus().length} x ${cpus()[0]?.model}`,
};

const names = process.argv.slice(2).filter((argument) => argument !== "--json");
const asJson = process.argv.includes("--json");
const unknown = names.find((name) => benches[name] === undefined);
if (unknown !== undefined) {
  console.error(
    `usage: npm run bench [-- NAME…] [--json]\nNAME is one of ${Object.keys(benches).join(", ")}`,
  );
  process.exit(2);
}
const report: { name: string; question: string; results: Result[] }[] = [];
if (!asJson) console.log(`${machine.runtime}, ${machine.processor}`);
for (const name of names.length > 0 ? names : Object.keys(benches)) {
  const { bench } = await benches[name]!();
  if (!asJson) console.log(`\n${name}: ${bench.question}`);
  const results: Result[] = [];
  for await (const result of bench.run()) {
    results.push(result);
    if (!asJson) print(result);
  }
  report.push({ name, question: bench.question, results });
}
if (asJson) console.log(JSON.stringify({ machine, benches: report }, null, 2));

function print({ what, timings }: Result): void {
  console.log(`  ${what}`);
  for (const { name, median_ms, best_ms, ratio } of timings) {
    const figures = [median_ms, best_ms].map((time) => time.toPrecision(4).padStart(10));
    console.log(
      `    ${name.padEnd(34)} ${figures[0]} ms  best ${figures[1]} ms  ${
        ratio.toFixed(2).padStart(7)
      } x`,
    );
  }
}
