/**
 * Runs suites against an implementation and counts.
 *
 * @module
 */
import type { Ask } from "./protocol.ts";
import { judge } from "./suite.ts";
import type { CaseResult, Suite } from "./suite.ts";

/** How many cases ended how. */
export interface Totals {
  /** Cases that were answered as expected. */
  readonly passed: number;
  /** Cases that were answered otherwise, or not at all. */
  readonly failed: number;
  /** Of operations that the implementation does not know; neither passed nor failed. */
  readonly unsupported: number;
}

/** What became of a suite. */
export interface SuiteReport extends Totals {
  /** Such as `capsule/verify`. */
  readonly suite: string;
  /** The operation that every case asked for. */
  readonly op: string;
  /** Every case, in the order of the suite. */
  readonly cases: readonly CaseResult[];
}

/** Settings of {@linkcode runSuite}. */
export interface RunOptions {
  /** Most requests that wait for an answer at once. Default 1. */
  readonly window?: number;
  /** Called after each case with the number of cases that are done. */
  readonly onProgress?: (done: number) => void;
}

/** Runs every case of a suite. */
export async function runSuite(
  suite: Suite,
  ask: Ask,
  options: RunOptions = {},
): Promise<SuiteReport> {
  const cases: CaseResult[] = [];
  const queue = suite.cases.entries();
  let done = 0;
  const work = async (): Promise<void> => {
    for (const [index, one] of queue) {
      cases[index] = judge(suite, one, await ask(suite.op, one.input));
      options.onProgress?.(++done);
    }
  };
  await Promise.all(Array.from({ length: options.window ?? 1 }, work));
  return { suite: suite.suite, op: suite.op, ...count(cases), cases };
}

/** The totals of several suites together. */
export function sumTotals(reports: readonly Totals[]): Totals {
  const sum = (name: keyof Totals): number =>
    reports.reduce((total, report) => total + report[name], 0);
  return { passed: sum("passed"), failed: sum("failed"), unsupported: sum("unsupported") };
}

function count(cases: readonly CaseResult[]): Totals {
  const number = (status: CaseResult["status"]): number =>
    cases.filter((one) => one.status === status).length;
  return {
    passed: number("passed"),
    failed: number("failed"),
    unsupported: number("unsupported"),
  };
}
