/**
 * `affidavit receipt …`: reads the flags, which come before all else, then finds the action.
 *
 * @module
 */
import { isHelp, parseArguments } from "../args.ts";
import type { Arguments } from "../args.ts";
import { HelpRequest, UsageError } from "../errors.ts";
import { RECEIPT_HELP } from "../help.ts";
import type { Io } from "../io.ts";

interface ActionModule {
  readonly action: (given: Arguments, io: Io) => Promise<number>;
  readonly help: string;
}

const ACTIONS: ReadonlyMap<string, () => Promise<ActionModule>> = new Map([
  ["build", (): Promise<ActionModule> => import("./receipt_build.ts")],
  ["verify", (): Promise<ActionModule> => import("./receipt_verify.ts")],
]);

/** Runs an action on a receipt. Both take the same flags, and their faults come before all others. */
export async function receipt(args: readonly string[], io: Io): Promise<number> {
  const [name = "", first] = args;
  const load = ACTIONS.get(name);
  if (load !== undefined && isHelp(first)) throw new HelpRequest((await load()).help);
  const flags = {
    artifact: "value",
    gate: "value",
    out: "value",
    "sign-key": "value",
    "public-key": "value",
  } as const;
  const given = parseArguments(args, { help: RECEIPT_HELP, flags });
  const [action, ...positionals] = given.positionals;
  if (!action) throw given.usage("An action is missing");
  if (load === undefined) throw given.usage(`There is no action "${action}" on receipts`);
  const module = await load();
  const usage = (message: string): UsageError => new UsageError(message, module.help);
  return module.action({ ...given, positionals, usage }, io);
}
