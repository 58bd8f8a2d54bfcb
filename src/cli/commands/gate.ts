/**
 * `affidavit gate …`: finds the action, and refuses to run anything.
 *
 * @module
 */
import { runGate } from "../../gate/mod.ts";
import { isHelp } from "../args.ts";
import { HelpRequest, UsageError } from "../errors.ts";
import { GATE_HELP } from "../help.ts";
import type { Io } from "../io.ts";

/** Runs an action of the gate. Whatever follows `run` is refused, flags included: nothing of it is read. */
export async function gate([action, ...rest]: readonly string[], io: Io): Promise<number> {
  if (isHelp(action)) throw new HelpRequest(GATE_HELP);
  if (action === "inspect") return (await import("./gate_inspect.ts")).inspect(rest, io);
  if (action !== "run") throw new UsageError("The actions of gate are run and inspect", GATE_HELP);
  if (rest.length === 0) throw new UsageError("CANDIDATE is missing", GATE_HELP);
  return runGate();
}
