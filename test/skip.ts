/**
 * Skips a test by name and with a reason. uvu's own `test.skip` forgets both, so the harness
 * refuses it; what is skipped here is listed at the end of every run.
 *
 * @module
 */

/** A test that was left out. */
export interface Skip {
  /** The sentence that names the test. */
  name: string;
  /** Why it does not run. */
  reason: string;
}

/** Every skip of this run, in the order of registration. */
export const skips: Skip[] = [];

/** Leaves a test of a uvu suite out: `skip(test, "verifies a 4 GB journal", "takes a minute")`. */
export function skip(test: { skip: () => void }, name: string, reason: string): void {
  skips.push({ name, reason });
  test.skip();
}
