/**
 * Runs a list of tests and ends the process with the verdict. A process that ends before the
 * verdict, by a test's own exit or an event loop that ran dry, ends with failure; so does one in
 * which a promise was rejected and nobody looked.
 *
 * @module
 */
import process from "node:process";
import { formatResult, type RunOptions, runTests, type TestList } from "./runner.ts";

/** Runs, prints the result line, exits with 0 only when nothing failed. */
export async function runAndExit(list: TestList, options: RunOptions = {}): Promise<never> {
  let strays = 0;
  const early = (): void => {
    console.error("The process ended before the tests did");
    process.exitCode = 1;
  };
  process.exitCode = 1;
  process.on("exit", early);
  process.on("unhandledRejection", (reason) => {
    strays++;
    console.error("Outside of any test:", reason);
  });
  const result = await runTests(list, options);
  process.off("exit", early);
  const failed = result.failed + strays;
  console.log(`\n${formatResult({ ...result, failed })}`);
  process.exit(failed > 0 ? 1 : 0);
}
