/**
 * Ways in which a command ends early.
 *
 * @module
 */

/** The arguments are wrong: shown with the help of the command, exit code 2. */
export class UsageError extends Error {
  /** Help of the command that was meant. */
  readonly help: string;

  constructor(message: string, help: string) {
    super(message);
    this.name = "UsageError";
    this.help = help;
  }
}

/** Help was asked for: shown on standard output, exit code 0. */
export class HelpRequest extends Error {
  /** What to show. */
  readonly help: string;

  constructor(help: string) {
    super("Help was asked for");
    this.name = "HelpRequest";
    this.help = help;
  }
}

/** A command was refused; exit code 1. */
export class RefusedError extends Error {
  /** Stable code; left out where what went wrong has none. */
  readonly code: string | undefined;
  /** Where it went wrong, by named parts such as `line` or `entry`. */
  readonly at: Readonly<Record<string, number | string>> | undefined;

  constructor(
    code: string | undefined,
    message: string,
    options: { at?: Readonly<Record<string, number | string>>; cause?: unknown } = {},
  ) {
    super(message, "cause" in options ? { cause: options.cause } : {});
    this.name = "RefusedError";
    this.code = code;
    this.at = options.at;
  }
}
