/**
 * The entry of the pure lane in a page: scripts/chromium.ts bundles it and reads the console.
 *
 * @module
 */
import { formatResult, type LaneResult, runTests } from "./harness/runner.ts";
import { PURE } from "./pure.ts";

const stray: unknown[] = [];
globalThis.addEventListener("unhandledrejection", (event) => stray.push(event.reason));
globalThis.addEventListener("error", (event) => stray.push(event.error ?? event.message));

const result = await runTests(PURE).catch((error): LaneResult => {
  stray.push(error);
  return { passed: 0, failed: 0, skipped: [] };
});
for (const reason of stray) console.error("Outside of any test:", String(reason));
console.log(formatResult({ ...result, failed: result.failed + stray.length }));
