/**
 * Runs uvu test files in any runtime and believes nothing: uvu alone exits with success when a
 * hook throws, when `.run()` is forgotten, when an `.only` is left over and when no file matches,
 * and in Bun a hanging test hangs for ever. Here each of these is a failure.
 *
 * @module
 */
import { readText } from "../read.ts";
import { type Skip, skips } from "../skip.ts";
import { faultsOf } from "./lint.ts";

/** Test files by their path below `test/`, each with its literal `import()`. */
export type TestList = Record<string, () => Promise<unknown>>;

/** What a lane has to say at its end, in one JSON line. */
export interface LaneResult {
  passed: number;
  failed: number;
  skipped: Skip[];
}

/** Settings of a run. */
export interface RunOptions {
  /** Milliseconds that one suite may take, 120,000 unless told. */
  timeoutMs?: number;
}

/** uvu's answer for one suite: error text or true, tests that passed, skips, tests in all. */
type SuiteOutcome = [errors: string | true, ran: number, skipped: number, total: number];
type Job = () => Promise<SuiteOutcome>;

declare global {
  /** Tells uvu to leave the running to us; read when uvu is first imported. */
  var UVU_DEFER: number | undefined;
  /** The group that `.run()` files a suite under. */
  var UVU_INDEX: number | undefined;
  /** One group of suites a file. */
  var UVU_QUEUE: Job[][] | undefined;
}

/** Loads every file of the list, runs its suites in order and counts. */
export async function runTests(list: TestList, options: RunOptions = {}): Promise<LaneResult> {
  const timeoutMs = options.timeoutMs ?? 120_000;
  const result: LaneResult = { passed: 0, failed: 0, skipped: skips };
  await prepareUvu();
  let uvuSkips = 0;
  for (const [index, [file, load]] of Object.entries(list).entries()) {
    try {
      for (const job of await loadSuites(file, load, index)) {
        const [errors, ran, skipped, total] = await inTime(job, timeoutMs);
        result.passed += ran;
        result.failed += total - ran;
        uvuSkips += skipped;
        if (errors !== true) console.error(errors);
        else if (ran < total) console.error(`${file}: ${total - ran} tests lost, a hook threw`);
        if (total + skipped === 0) throw new Error("a suite holds no test");
      }
    } catch (error) {
      result.failed++;
      console.error(`${file}:`, error);
    }
  }
  return closing(result, uvuSkips);
}

/** The line that a lane ends with; `scripts/test.ts` looks for its first word. */
export function formatResult(result: LaneResult): string {
  return `result: ${JSON.stringify(result)}`;
}

/** uvu binds its output when it is first imported; in a page that is one console line a dot. */
async function prepareUvu(): Promise<void> {
  globalThis.UVU_DEFER = 1;
  globalThis.UVU_QUEUE = [];
  const log = console.log;
  console.log = () => {};
  try {
    await import("uvu");
  } finally {
    console.log = log;
  }
}

/** Imports one file and returns the suites it registered. */
async function loadSuites(
  file: string,
  load: () => Promise<unknown>,
  index: number,
): Promise<Job[]> {
  const faults = faultsOf(await readText(`test/${file}`));
  if (faults.length > 0) throw new Error(faults.join("; "));
  const jobs: Job[] = [];
  globalThis.UVU_INDEX = index;
  (globalThis.UVU_QUEUE ??= [])[index] = jobs;
  await load();
  if (jobs.length === 0) throw new Error("no suite was registered: .run() is missing");
  return jobs;
}

async function inTime(job: Job, timeoutMs: number): Promise<SuiteOutcome> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    const error = new Error(`a suite ran longer than ${timeoutMs} ms`);
    timer = setTimeout(() => reject(error), timeoutMs);
  });
  return await Promise.race([job(), late]).finally(() => clearTimeout(timer));
}

function closing(result: LaneResult, uvuSkips: number): LaneResult {
  if (uvuSkips !== skips.length) {
    result.failed++;
    console.error(`uvu skipped ${uvuSkips} tests, of which ${skips.length} have a name`);
  }
  if (result.passed + result.failed === 0) {
    result.failed++;
    console.error("no test ran");
  }
  return result;
}
