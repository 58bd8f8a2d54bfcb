/**
 * `affidavit conformance …`: finds the action, and answers the protocol.
 *
 * @module
 */
import { serve } from "../../conformance/mod.ts";
import type { Host } from "../../conformance/mod.ts";
import { openDiskWorkspace, systemEnvironment } from "../../node/mod.ts";
import { isHelp, parseArguments, takePositionals } from "../args.ts";
import { HelpRequest, UsageError } from "../errors.ts";
import { COMMON } from "../help.ts";
import type { Command, Io } from "../io.ts";
import { showText } from "../output.ts";

const help = `affidavit conformance ACTION: tries implementations against the test vectors

  run [--suite GLOB]...                  run the vectors against this library
  run ... --against COMMAND ARG...       run them against another implementation
  serve                                  answer requests on standard input, one JSON
                                         value a line, as vectors/README.md says
${COMMON}
Example: affidavit conformance run --suite 'capsule/*' --against python3 adapter.py
`;

const ACTIONS: ReadonlyMap<string, () => Promise<Command>> = new Map([
  ["run", async () => (await import("./conformance_run.ts")).run],
  ["serve", () => Promise.resolve(serveHere)],
]);

/** Runs an action of conformance. */
export async function conformance(args: readonly string[], io: Io): Promise<number> {
  const [action, ...rest] = args;
  if (isHelp(action)) throw new HelpRequest(help);
  const load = action === undefined ? undefined : ACTIONS.get(action);
  if (load === undefined) {
    const what = action === undefined ? "An action is missing" : `There is no action "${action}"`;
    throw new UsageError(`${what} after conformance`, help);
  }
  return (await load())(rest, io);
}

/** What operations see of this machine: real files, in temporary directories. */
export function hostHere(): Host {
  return { sha256: systemEnvironment().sha256, openWorkspace: openDiskWorkspace };
}

async function serveHere(args: readonly string[], io: Io): Promise<number> {
  takePositionals(parseArguments(args, { help, flags: {} }));
  for await (const answer of serve(io.stdin, hostHere())) showText(io.stdout, answer);
  return 0;
}
