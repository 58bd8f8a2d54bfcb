/**
 * Whether a process has ended, by what the kernel says: a signal also reaches one that ended and was never buried by its
 * parent, which in a container without an init can stay so for ever.
 *
 * @module
 */
import { existsSync, readFileSync } from "node:fs";

/** Can this machine be asked? */
export const hasProc: boolean = existsSync("/proc/self/stat");

/** Has it ended? Buried or not is all the same. */
export function hasEnded(pid: number): boolean {
  let line: string;
  try {
    line = readFileSync(`/proc/${pid}/stat`, "utf8");
  } catch {
    return true;
  }
  const state = line.slice(line.lastIndexOf(")") + 2)[0]; // the name before it may hold anything
  return state === "Z" || state === "X";
}

/** Waits for the end of a process that was told to end, for ten seconds at most; false when it lives on. */
export async function waitEnded(pid: number): Promise<boolean> {
  for (let looks = 0; looks < 1_000; looks++) {
    if (hasEnded(pid)) return true;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  return false;
}
