/**
 * Waiting by the timers of this process.
 *
 * @module
 */
import type { Timers } from "../ports/mod.ts";

/** The longest wait that `setTimeout` knows: with more it would fire at once. */
const MAX_DELAY_MS = 2_147_483_647;

/** The timers of this process. A wait of more than 24 days ends after them. */
export function systemTimers(): Timers {
  return {
    after: (ms, fire) => {
      const timer = setTimeout(fire, Math.min(ms, MAX_DELAY_MS));
      return () => clearTimeout(timer);
    },
    now: () => performance.now(),
  };
}
