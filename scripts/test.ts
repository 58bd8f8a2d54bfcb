/**
 * `npm test`: runs the checks and every lane, two at a time, and ends with one line of counts.
 * `npm test -- --only TEXT` runs the steps whose name or group holds TEXT (types, lint, docs, pure,
 * adapters, node, chromium …); `--lane` is another word for it. `--jobs N` runs N at a time. The
 * steps of group "packages" are run only when asked for: `npm run test:packages`.
 *
 * @module
 */
import process from "node:process";
import { parseArgs } from "node:util";
import type { Outcome, Step } from "./step.ts";
import { allSteps, areEqual } from "./steps.ts";

const { values } = parseArgs({
  options: {
    only: { type: "string" },
    lane: { type: "string" },
    jobs: { type: "string", default: "2" },
  },
});
const part = values.only ?? values.lane ?? "";
const steps = (await allSteps()).filter(({ name, group }) =>
  part === "" ? group !== "packages" : `${group} ${name}`.includes(part)
);
const outcomes = new Map<Step, Outcome>();
const queue = [...steps];

await Promise.all(Array.from({ length: Number(values.jobs) || 1 }, work));
for (const list of ["pure", "adapters"]) demandEqualCounts(list);

const all = [...outcomes.values()];
const skipped = all.reduce((sum, outcome) => sum + outcome.skipped.length, 0);
const passed = all.reduce((sum, outcome) => sum + outcome.passed, 0);
const failed = all.reduce((sum, outcome) => sum + outcome.failed, all.length === 0 ? 1 : 0);
if (all.length === 0) console.log(`No step matches "${part}"`);
console.log(`\n${passed} passed, ${failed} failed, ${skipped} skipped`);
process.exitCode = failed > 0 ? 1 : 0;

async function work(): Promise<void> {
  for (let step = queue.shift(); step !== undefined; step = queue.shift()) {
    const started = performance.now();
    const outcome = await step.run().catch(broken);
    outcomes.set(step, outcome);
    show(step.name, outcome, (performance.now() - started) / 1000);
  }
}

function broken(error: unknown): Outcome {
  return { passed: 0, failed: 1, skipped: [], output: `${String(error)}\n` };
}

/** The lanes of one list must have run the same tests; a lane that could not run is left out. */
function demandEqualCounts(list: string): void {
  const lanes = steps.filter(({ group }) => group === list);
  const ran = lanes.map((step) => outcomes.get(step)).filter((outcome) => outcome !== undefined)
    .filter(({ passed, failed }) => passed + failed > 0);
  if (ran.length < 2) return;
  const ok = areEqual(ran);
  const output = lanes.map((step) => `${step.name}: ${counts(outcomes.get(step))}\n`).join("");
  const outcome = { passed: ok ? 1 : 0, failed: ok ? 0 : 1, skipped: [], output };
  const name = `equal counts, ${list}`;
  outcomes.set({ name, group: list, run: () => Promise.resolve(outcome) }, outcome);
  show(name, outcome, 0);
}

function show(name: string, outcome: Outcome, seconds: number): void {
  const verdict = outcome.failed > 0 ? "FAILED" : outcome.passed > 0 ? "ok" : "skipped";
  console.log(
    `${verdict.padEnd(8)}${name.padEnd(28)}${seconds.toFixed(1).padStart(6)} s  ${counts(outcome)}`,
  );
  for (const note of outcome.notes ?? []) console.log(`        ${note}`);
  for (const skip of outcome.skipped) console.log(`        skipped: ${skip}`);
  if (outcome.failed > 0) console.log(outcome.output.trimEnd().replace(/^/gm, "      | "));
}

/** Not in the form of the closing line, which must be the only one of its kind. */
function counts(outcome: Outcome | undefined): string {
  if (outcome === undefined) return "not run";
  const { passed, failed, skipped } = outcome;
  return `passed ${passed}` + (failed > 0 ? ` / failed ${failed}` : "") +
    (skipped.length > 0 ? ` / skipped ${skipped.length}` : "");
}
