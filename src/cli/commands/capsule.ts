/**
 * `affidavit capsule …`: finds the action.
 *
 * @module
 */
import { isHelp } from "../args.ts";
import { HelpRequest, UsageError } from "../errors.ts";
import { CAPSULE_HELP } from "../help.ts";
import type { Command, Io } from "../io.ts";

const ACTIONS: ReadonlyMap<string, () => Promise<Command>> = new Map([
  ["create", async () => (await import("./capsule_create.ts")).create],
  ["append", async () => (await import("./capsule_append.ts")).append],
  ["verify", async () => (await import("./capsule_verify.ts")).verify],
  ["project", async () => (await import("./capsule_project.ts")).project],
  ["export", async () => (await import("./capsule_export.ts")).exportTo],
  ["group", async () => (await import("./capsule_group.ts")).group],
]);

/** Runs an action on a capsule. That a directory is named is asked for before the action is. */
export async function capsule(args: readonly string[], io: Io): Promise<number> {
  const [action = "", directory, ...rest] = args;
  if (isHelp(action)) throw new HelpRequest(CAPSULE_HELP);
  const load = ACTIONS.get(action);
  const asksForHelp = load !== undefined && isHelp(directory);
  if (!asksForHelp && (!directory || directory.startsWith("-"))) {
    throw new UsageError("A directory is missing after the action", CAPSULE_HELP);
  }
  if (load === undefined) {
    throw new UsageError(`There is no action "${action}" on capsules`, CAPSULE_HELP);
  }
  return (await load())([directory, ...rest].filter((argument) => argument !== undefined), io);
}
