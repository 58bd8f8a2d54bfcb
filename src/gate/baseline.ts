/**
 * Whether the run of a baseline is complete: candidates may only be measured against one that is.
 *
 * Rule: `docs/spec/gate.md`, "Baselines".
 *
 * @module
 */

/** What is wrong with a baseline. */
export interface BaselineFailure {
  /** `run_or_tasks` when it is the run as a whole or the tasks, `row` when it is the row of one task. */
  readonly kind: "run_or_tasks" | "row";
  /** In words. */
  readonly reason: string;
}

/** The run of a baseline, as far as it is read. */
interface BaselineRun {
  readonly fatal?: unknown;
  readonly exit_code?: unknown;
  readonly marker_intact?: unknown;
  readonly fence_events?: unknown;
  readonly outputs?: unknown;
}

/** Looks for what makes a baseline incomplete; `null` when nothing does. Content never makes it throw. */
export function baselineFailure(run: unknown, tasks: unknown): BaselineFailure | null {
  const ids = idsOf(tasks);
  if (ids === undefined) return failed("run_or_tasks", "the tasks are no list of different ids");
  if (!run) return failed("run_or_tasks", "there is no run");
  const { fatal, exit_code, marker_intact, fence_events, outputs } = run as BaselineRun;
  if (fatal) return failed("run_or_tasks", "the run failed");
  if (exit_code !== 0) return failed("run_or_tasks", "the exit code is not 0");
  if (marker_intact !== true) return failed("run_or_tasks", "the marker is not intact");
  if (!Array.isArray(fence_events) || fence_events.length > 0) {
    return failed("run_or_tasks", "there are fence events, or no list of them");
  }
  if (!(outputs instanceof Map) || outputs.size !== ids.length) {
    return failed("run_or_tasks", "the outputs are no map of one row for each task");
  }
  const index = ids.findIndex((id) => !isRowOf(id, outputs.get(id)));
  if (index < 0) return null;
  return failed("row", `task ${index} has no row of its own with an output and without an error`);
}

function idsOf(tasks: unknown): string[] | undefined {
  if (!Array.isArray(tasks) || tasks.length === 0) return undefined;
  const ids = [...tasks].map((task: { id?: unknown } | null | undefined) => task?.id);
  const areTexts = ids.every((id): id is string => typeof id === "string" && id !== "");
  return areTexts && new Set(ids).size === ids.length ? ids as string[] : undefined;
}

function isRowOf(id: string, row: unknown): boolean {
  return typeof row === "object" && row !== null && (row as { id?: unknown }).id === id &&
    Object.hasOwn(row, "output") && !Object.hasOwn(row, "error");
}

function failed(kind: BaselineFailure["kind"], why: string): BaselineFailure {
  return { kind, reason: `Checking a baseline: ${why}` };
}
