/**
 * `affidavit replay …`: finds the action.
 *
 * @module
 */
import { isHelp } from "../args.ts";
import { HelpRequest, UsageError } from "../errors.ts";
import { REPLAY_HELP } from "../help.ts";
import type { Command, Io } from "../io.ts";

const ACTIONS: ReadonlyMap<string, () => Promise<Command>> = new Map([
  ["list", async () => (await import("./replay_list.ts")).list],
  ["verify", async () => (await import("./replay_verify.ts")).verify],
  ["diff", async () => (await import("./replay_diff.ts")).diff],
]);

/** Runs an action on a store of fixtures. */
export async function replay([action, ...rest]: readonly string[], io: Io): Promise<number> {
  if (isHelp(action)) throw new HelpRequest(REPLAY_HELP);
  if (!action) throw new UsageError("An action is missing", REPLAY_HELP);
  const load = ACTIONS.get(action);
  if (load === undefined) {
    throw new UsageError(`There is no action "${action}" on fixtures`, REPLAY_HELP);
  }
  return (await load())(rest, io);
}
