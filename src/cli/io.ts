/**
 * What a command sees of the world around it, so that tests can run commands without a process.
 *
 * @module
 */

/** A text stream to a person or a pipe. */
export interface Output {
  /** Writes the text as it is, without a line feed of its own. */
  write(text: string): void;
  /** Is a person looking at it? */
  readonly isTerminal: boolean;
}

/** The surroundings of a command. */
export interface Io {
  /** Results. */
  readonly stdout: Output;
  /** Errors and progress. */
  readonly stderr: Output;
  /** Bytes of standard input, in pieces. */
  readonly stdin: AsyncIterable<Uint8Array>;
  /** Writes bytes of a protocol to standard output, for commands that speak one. Resolves once they were taken. */
  writeBytes?(bytes: Uint8Array): Promise<void>;
  /** Are colours welcome on this stream? */
  readonly useColour: boolean;
}

/** Runs a command with the arguments after its name; the exit code is 0 (holds), 1 (refused) or 2 (usage). */
export type Command = (args: readonly string[], io: Io) => Promise<number>;
