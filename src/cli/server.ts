/**
 * The server that a command starts: what stands behind `--`, and the flags that shape its surroundings.
 *
 * @module
 */
import process from "node:process";
import { defaultEnvironment } from "../node/mod.ts";
import type { StdioSpec } from "../node/mod.ts";
import type { Arguments } from "./args.ts";

/** Lines of help on the flags below. */
export const SERVER_HELP =
  `  --env NAME        give the server this variable of the environment too; may be
                    repeated. Without it: PATH, TMPDIR, LANG, TERM and their like,
                    so no HOME and no tokens`;

/** Longest line of a client, or of a server that is recorded, in bytes. */
export const MAX_FRAME_BYTES: number = 16 * 1024 * 1024;

/** Flags of commands that start a server. */
export const SERVER_FLAGS = { env: "list" } as const;

/** The server behind `--`. */
export function takeServer(args: Arguments, program: readonly string[] | undefined): StdioSpec {
  const [command, ...rest] = program ?? [];
  if (!command) {
    throw args.usage("The server is missing: its command and arguments stand behind --");
  }
  const env = defaultEnvironment();
  for (const name of args.list("env")) {
    const value = process.env[name];
    if (value === undefined) throw args.usage(`--env ${name}: there is no such variable`);
    env[name] = value;
  }
  return { command, args: rest, env };
}
