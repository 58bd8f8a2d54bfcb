/**
 * What calls of the MCP client are rejected with.
 *
 * Rule: `docs/spec/mcp-stdio.md`, "Errors".
 *
 * @module
 */
import { codeOf, EvidenceError } from "../core/mod.ts";
import type { PeerExit } from "../ports/mod.ts";
import type { McpCode } from "./codes.ts";

/** What is known of a failure besides its code. Texts of the peer stand here and never in the message. */
export type McpDetails = Readonly<Record<string, unknown>>;

/** Codes after which the same call may well succeed. A call that timed out may have had its effect all the same. */
const RETRYABLE: readonly McpCode[] = ["MCP_TIMEOUT", "MCP_QUEUE_FULL"];

/** A call of the client failed, or the client did. */
export class McpError extends EvidenceError {
  /** One of `MCP_CODES`. */
  declare readonly code: McpCode;
  /** Facts about it, by name; `docs/errors.md` says which. They may hold what the peer wrote. */
  readonly details: McpDetails;
  /** Is the client at its end? Then every later call is rejected too, after a failure with this same error. */
  readonly isTerminal: boolean;

  /** `options.details` are the facts, `options.isTerminal` says that the client is at its end. */
  constructor(
    code: McpCode,
    message: string,
    options: { cause?: unknown; details?: McpDetails; isTerminal?: boolean } = {},
  ) {
    const { cause, details = {}, isTerminal = false } = options;
    super(code, message, cause === undefined ? undefined : { cause });
    this.details = details;
    this.isTerminal = isTerminal;
  }

  /** May the same call succeed on the same client when it is made again? */
  get isRetryable(): boolean {
    return !this.isTerminal && RETRYABLE.includes(this.code);
  }
}

/** How a process ended, in words. */
export function describeExit({ code, signal }: PeerExit): string {
  return signal === null ? `it ended with status ${code}` : `it ended by ${signal}`;
}

/** The failure of closing: the process is still there. */
export function outlived(label: string, pid: number | null): McpError {
  const message = `Closing "${label}": the process survives every stage`;
  const details = { pid, command: label };
  return new McpError("MCP_CLOSE_TIMEOUT", message, { details, isTerminal: true });
}

/** The failure of a start; the system's code says whether the command is missing (`ENOENT`) or may not be run (`EACCES`). */
export function notStarted(label: string, cause: unknown): McpError {
  const code = codeOf(cause);
  const why = code === undefined ? "" : ` (${code})`;
  const message = `Starting "${label}": it cannot be started${why}`;
  return new McpError("MCP_SPAWN_FAILED", message, { cause, isTerminal: true });
}
