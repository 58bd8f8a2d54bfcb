/**
 * What a server that is started has: command, arguments, directory and environment.
 *
 * Rule: `docs/spec/mcp-stdio.md`, "Options".
 *
 * @module
 */
import process from "node:process";
import { isPlainObject } from "../core/mod.ts";
import { invalidArgument, isBlank } from "../mcp/mod.ts";

/** What to start. */
export interface StdioSpec {
  /** A path, or a name that is looked up in `PATH`. It is no shell command. */
  readonly command: string;
  /** Its arguments, none by default. */
  readonly args?: readonly string[];
  /** Its working directory; this process's own by default. */
  readonly cwd?: string;
  /** Its whole environment; {@linkcode defaultEnvironment} by default. */
  readonly env?: Readonly<Record<string, string>>;
}

/** What a server may know of this process's environment: where programs and temporary files are, language and terminal. */
export function defaultEnvironment(): Record<string, string> {
  const known = ALLOWED.map((name) => [name, process.env[name]] as const);
  return Object.fromEntries(
    known.filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}

const ALLOWED = [
  ...["PATH", "Path", "PATHEXT", "SYSTEMROOT", "WINDIR", "COMSPEC", "TMPDIR", "TMP", "TEMP"],
  ...["LANG", "LC_ALL", "LC_CTYPE", "TZ", "TERM", "NO_COLOR"],
];

/** A copy of the spec, so that nobody changes it under way. @throws {McpError} `MCP_INVALID_ARGUMENT`. */
export function checkSpec(spec: StdioSpec): StdioSpec {
  if (!isPlainObject(spec)) throw invalidArgument("what to start must be an object");
  const { command, args, cwd, env } = spec;
  if (isBlank(command)) throw invalidArgument("command must be a text that is not blank");
  if (args !== undefined && !isTexts(args)) throw invalidArgument("args must be a list of texts");
  if (cwd !== undefined && (typeof cwd !== "string" || cwd === "")) {
    throw invalidArgument("cwd must be a text that is not empty");
  }
  if (env !== undefined && !(isPlainObject(env) && isTexts(Object.values(env)))) {
    throw invalidArgument("env must be an object of texts");
  }
  return {
    command,
    ...(args && { args: [...args] }),
    ...(cwd !== undefined && { cwd }),
    ...(env && { env: { ...env } }),
  };
}

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((item) => typeof item === "string");
}
