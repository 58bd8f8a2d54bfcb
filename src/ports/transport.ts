/**
 * A peer at the other end of two byte pipes, as the MCP client needs it: a child process in `affidavit/node`, a script in
 * a test. Everything is told by synchronous calls, in the order in which it happened, so that a test can play any race.
 *
 * @module
 */

/** How a process ended. */
export interface PeerExit {
  /** Its exit status; `null` when a signal ended it. */
  readonly code: number | null;
  /** The signal that ended it, such as `SIGKILL`. */
  readonly signal: string | null;
}

/** What a transport tells its user. Nothing is told before `start`, and nothing of a call is kept by either side. */
export interface TransportEvents {
  /** The peer runs. */
  started(): void;
  /** It could not be started; nothing else is told. */
  startFailed(cause: unknown): void;
  /** Bytes of the peer's output; they are valid during the call only. */
  received(chunk: Uint8Array): void;
  /** The peer's output has ended; it may still run. */
  outputEnded(): void;
  /** A pipe, or the peer itself after its start, failed. */
  failed(cause: unknown): void;
  /** The peer's input is broken. */
  inputFailed(cause: unknown): void;
  /** The peer has exited; its output may not have been read to its end yet. */
  exited(exit: PeerExit): void;
  /** The peer has exited and its output was read to its end. It never comes while somebody else holds the pipes. */
  drained(): void;
}

/**
 * A peer that can be started once.
 *
 * Duties of an implementer: output is read all the time, whatever became of what is told; bytes are written in the order
 * of the calls; nothing throws but `start`, whose throw is a failure to start.
 */
export interface Transport {
  /** What is started, for messages: a command without its arguments. */
  readonly label: string;
  /** The number of the process, as far as there is one. */
  readonly pid: number | null;
  /** Starts the peer. */
  start(events: TransportEvents): void;
  /** Takes bytes for the peer's input, which stay as they are; tells once when they were handed over or could not be. */
  write(bytes: Uint8Array, done: (failure?: unknown) => void): void;
  /** Ends the peer's input behind what was written. */
  endInput(): void;
  /**
   * Asks the peer and all its helpers to end, forces them to, or only looks. Says whether anybody was there to be told; a
   * helper that nobody has buried may count.
   */
  signal(how: "look" | "terminate" | "kill"): boolean;
  /** Lets go of the pipes, so that helpers which still hold them keep nothing waiting. The peer has exited by then. */
  release(): void;
  /** The end of what the peer wrote to its standard error, bounded. It may hold secrets. */
  errorTail(): string;
}
