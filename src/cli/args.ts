/**
 * Arguments of commands. Everything that can be wrong with them is found here, before any file is touched.
 *
 * The grammar: positional arguments first, by position, then flags. A flag takes its value from the next argument or
 * after `=`. An unknown flag, a repeated one, a missing value, a value that starts with `--` and an argument too many
 * are all refused: each of them, passed over, would verify something else than what was meant.
 *
 * @module
 */
import { HelpRequest, UsageError } from "./errors.ts";

/** A flag stands alone, takes one value, or takes a value each time it is repeated. */
export type FlagKind = "switch" | "value" | "list";

/** What a command takes. `--json` and `--help` are taken by every one. */
export interface Spec {
  readonly help: string;
  readonly flags: Readonly<Record<string, FlagKind>>;
}

/** Arguments that follow the grammar. */
export interface Arguments {
  readonly positionals: readonly string[];
  readonly isJson: boolean;
  /** The value of a flag, if it was given. */
  value(name: string): string | undefined;
  /** Every value of a flag that may be repeated. */
  list(name: string): readonly string[];
  /** Was the flag given? */
  has(name: string): boolean;
  /** The error to throw when an argument is wrong. */
  usage(message: string): UsageError;
}

/** Does this argument ask for help? */
export function isHelp(argument: string | undefined): boolean {
  return argument === "--help" || argument === "-h";
}

/**
 * Reads the arguments after a command's name. Faults of flags come first, then help, then what the caller asks of the
 * positional arguments.
 *
 * @throws {UsageError} when a flag is wrong. @throws {HelpRequest} when help is asked for.
 */
export function parseArguments(args: readonly string[], { help, flags }: Spec): Arguments {
  const usage = (message: string): UsageError => new UsageError(message, help);
  const firstFlag = args.findIndex(isFlag);
  const positionals = firstFlag < 0 ? args : args.slice(0, firstFlag);
  const given = readFlags(args.slice(positionals.length), flags, usage);
  if (given.has("help")) throw new HelpRequest(help);
  return {
    positionals,
    isJson: given.has("json"),
    value: (name) => given.get(name)?.[0],
    list: (name) => given.get(name) ?? [],
    has: (name) => given.has(name),
    usage,
  };
}

/** The arguments of the command itself, and behind the first `--` those of the program that it starts. */
export function splitAtDashes(
  args: readonly string[],
): { own: readonly string[]; program: readonly string[] | undefined } {
  const at = args.indexOf("--");
  return at < 0
    ? { own: args, program: undefined }
    : { own: args.slice(0, at), program: args.slice(at + 1) };
}

/** Takes exactly these positional arguments; their names are used in messages. */
export function takePositionals<N extends readonly string[]>(
  args: Arguments,
  ...names: N
): { readonly [I in keyof N]: string } {
  for (const [index, name] of names.entries()) {
    if (!args.positionals[index]) throw args.usage(`${name} is missing`);
  }
  const extra = args.positionals[names.length];
  if (extra !== undefined) throw args.usage(`There is an argument too many: "${extra}"`);
  return args.positionals as { readonly [I in keyof N]: string };
}

function isFlag(argument: string): boolean {
  return argument.startsWith("-") && argument !== "-";
}

function readFlags(
  args: readonly string[],
  known: Readonly<Record<string, FlagKind>>,
  usage: (message: string) => UsageError,
): Map<string, string[]> {
  const kinds = new Map<string, FlagKind>([
    ...Object.entries(known),
    ["json", "switch"],
    ["help", "switch"],
  ]);
  const given = new Map<string, string[]>();
  for (let at = 0; at < args.length; at++) {
    const argument = args[at]!;
    if (!isFlag(argument)) throw usage("Flags come last, after all other arguments");
    const [spelled = "", inline] = splitFlag(argument === "-h" ? "--help" : argument);
    const name = spelled.slice(2);
    const kind = spelled.startsWith("--") ? kinds.get(name) : undefined;
    if (kind === undefined) throw usage(`There is no flag ${spelled} here`);
    if (given.has(name) && kind !== "list") throw usage(`--${name} is given twice`);
    const values = given.get(name) ?? [];
    given.set(name, values);
    if (kind === "switch") {
      if (inline !== undefined) throw usage(`--${name} takes no value`);
      continue;
    }
    const value = inline ?? args[++at];
    if (!value) throw usage(`--${name} needs a value`);
    if (value.startsWith("--")) throw usage(`--${name} needs a value that does not start with --`);
    values.push(value);
  }
  return given;
}

/** Splits at the first `=`. Messages show only what stands before it: a value may be private. */
function splitFlag(argument: string): [string, string?] {
  const at = argument.indexOf("=");
  return at < 0 ? [argument] : [argument.slice(0, at), argument.slice(at + 1)];
}
