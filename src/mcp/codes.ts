/**
 * The codes of the MCP client; each has a row in `docs/errors.md` and a test that provokes it.
 *
 * @module
 */

/** What a client refuses or fails with. The last four are this library's own. */
export const MCP_CODES = [
  "MCP_INVALID_ARGUMENT",
  "MCP_NOT_STARTED",
  "MCP_NOT_INITIALIZED",
  "MCP_CLOSED",
  "MCP_SPAWN_FAILED",
  "MCP_SERVER_EXITED",
  "MCP_TRANSPORT_ERROR",
  "MCP_WRITE_FAILED",
  "MCP_PROTOCOL_ERROR",
  "MCP_UNSUPPORTED_PROTOCOL_VERSION",
  "MCP_TIMEOUT",
  "MCP_RPC_ERROR",
  "MCP_CLOSE_TIMEOUT",
  "MCP_CANCELLED",
  "MCP_NOT_OFFERED",
  "MCP_QUEUE_FULL",
  "MCP_TOO_MANY",
] as const;

/** A code of {@linkcode MCP_CODES}. */
export type McpCode = typeof MCP_CODES[number];
