/**
 * A step of `npm test`: something that is run, counted, timed and shown on one line.
 *
 * @module
 */
import { run, type RunOptions } from "./child.ts";

/** What came of a step. */
export interface Outcome {
  /** Checks or tests by verdict; each skip is listed by name. */
  passed: number;
  failed: number;
  skipped: string[];
  /** Figures worth seeing each time, a line each. */
  notes?: string[];
  /** Shown in full when something failed. */
  output: string;
}

/** One step; steps do not depend on each other, except that lanes are compared when finished. */
export interface Step {
  /** Shown, and matched by `--only`. */
  name: string;
  /** Also matched by `--only`: types, lint, docs, permissions, pure, page, adapters or packages. */
  group: string;
  run: () => Promise<Outcome>;
}

/** A step that holds when a command ends with status 0. */
export function check(
  name: string,
  group: string,
  command: string,
  args: string[],
  options: RunOptions = {},
): Step {
  return {
    name,
    group,
    run: async () => {
      const { ok, output } = await run(command, args, options);
      return { passed: ok ? 1 : 0, failed: ok ? 0 : 1, skipped: [], output };
    },
  };
}

/** A step that holds when this finds no fault. */
export function inspect(
  name: string,
  group: string,
  find: () => Promise<{ faults: string[]; notes?: string[] }>,
): Step {
  return {
    name,
    group,
    run: async () => {
      const { faults, notes = [] } = await find();
      const failed = faults.length;
      const output = faults.map((fault) => `${fault.trimEnd()}\n`).join("");
      return { passed: failed === 0 ? 1 : 0, failed, skipped: [], notes, output };
    },
  };
}
