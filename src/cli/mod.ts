/**
 * The command line as a function: the program without its process.
 *
 * @module
 */
import { HelpRequest, UsageError } from "./errors.ts";
import { isHelp, parseArguments } from "./args.ts";
import { PROGRAM_HELP } from "./help.ts";
import type { Command, Io } from "./io.ts";
import { showError, showResult, showText, showUsage } from "./output.ts";
import { VERSION } from "../core/mod.ts";

export type { Command, Io, Output } from "./io.ts";

/** Commands by name, each loaded when it is used. */
const COMMANDS: ReadonlyMap<string, () => Promise<Command>> = new Map([
  ["capsule", async () => (await import("./commands/capsule.ts")).capsule],
  ["receipt", async () => (await import("./commands/receipt.ts")).receipt],
  ["gate", async () => (await import("./commands/gate.ts")).gate],
  ["replay", async () => (await import("./commands/replay.ts")).replay],
  ["record", async () => (await import("./commands/record.ts")).record],
  ["replay-server", async () => (await import("./commands/replay_server.ts")).replayServer],
  ["mcp", async () => (await import("./commands/mcp.ts")).mcp],
  ["identity", async () => (await import("./commands/identity.ts")).identity],
  ["deliverable", async () => (await import("./commands/deliverable.ts")).deliverable],
  ["evaluation", async () => (await import("./commands/evaluation.ts")).evaluation],
  ["score", async () => (await import("./commands/score.ts")).score],
  ["verify", async () => (await import("./commands/verify.ts")).verify],
  ["page", async () => (await import("./commands/page.ts")).page],
  ["conformance", async () => (await import("./commands/conformance.ts")).conformance],
  ["example", async () => (await import("./commands/example.ts")).example],
]);

/**
 * Runs a command line.
 *
 * @param argv the arguments after the program's name.
 * @returns the exit code: 0 it holds or is done, 1 it is refused, 2 the arguments are wrong. Never throws for those.
 *
 * @example
 * ```ts
 * import { run } from "affidavit/cli";
 *
 * const output = { write: (text: string) => console.log(text), isTerminal: false };
 * const io = { stdout: output, stderr: output, stdin: (async function* () {})(), useColour: false };
 * console.log(await run(["--version"], io)); // 0
 * ```
 */
export async function run(argv: readonly string[], io: Io): Promise<number> {
  const isJson = argv.slice(0, endOfOwn(argv)).includes("--json");
  try {
    return await dispatch(argv, io);
  } catch (error) {
    if (error instanceof HelpRequest) {
      showText(io.stdout, error.help);
      return 0;
    }
    if (error instanceof UsageError) {
      showUsage(io, isJson, error);
      return 2;
    }
    showError(io, isJson, error);
    return 1;
  }
}

/** What stands behind `--against` and `--` are the arguments of another command. */
function endOfOwn(argv: readonly string[]): number {
  const at = argv.findIndex((argument) => argument === "--against" || argument === "--");
  return at < 0 ? argv.length : at;
}

async function dispatch(argv: readonly string[], io: Io): Promise<number> {
  const [name, ...rest] = argv;
  if (isHelp(name)) throw new HelpRequest(PROGRAM_HELP);
  if (name === "--version") return showVersion(rest, io);
  const load = name === undefined ? undefined : COMMANDS.get(name);
  if (load === undefined) {
    const what = name === undefined
      ? "A command is missing"
      : name.startsWith("-")
      ? "Flags come last, after the command and its paths"
      : `There is no command "${name}"`;
    throw new UsageError(what, PROGRAM_HELP);
  }
  return (await load())(rest, io);
}

function showVersion(args: readonly string[], io: Io): number {
  const { isJson, positionals, usage } = parseArguments(args, { help: PROGRAM_HELP, flags: {} });
  if (positionals.length > 0) throw usage("--version takes no arguments");
  if (isJson) showResult(io, true, { version: VERSION }, () => []);
  else showText(io.stdout, `${VERSION}\n`);
  return 0;
}
