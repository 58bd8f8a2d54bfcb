/**
 * Being told to end, by a terminal or by whoever started this process.
 *
 * @module
 */
import process from "node:process";

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Runs a step, during which being told to end does this instead of ending at once. */
export async function whileInterruptible<T>(end: () => void, step: () => Promise<T>): Promise<T> {
  for (const name of SIGNALS) process.on(name, end);
  try {
    return await step();
  } finally {
    for (const name of SIGNALS) process.off(name, end);
  }
}
