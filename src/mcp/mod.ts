/**
 * The Model Context Protocol as a client speaks it over two byte pipes: framing, messages, correlation, the lifecycle with
 * `initialize`. No process is started here: see `affidavit/node`.
 *
 * Rule: `docs/spec/mcp-stdio.md`.
 *
 * @module
 */
export type { McpCode } from "./codes.ts";
export { MCP_CODES } from "./codes.ts";
export type { McpDetails } from "./error.ts";
export { describeExit, McpError, notStarted, outlived } from "./error.ts";
export type { TakeLine } from "./frame.ts";
export { Framer, withLineFeed } from "./frame.ts";
export type {
  Malformed,
  Members,
  RequestId,
  RpcError,
  RpcFault,
  RpcMessage,
  RpcNotification,
  RpcRequest,
  RpcResult,
} from "./jsonrpc.ts";
export {
  classify,
  errorReply,
  formatMessage,
  isRequestId,
  readMessage,
  resultReply,
  RPC_CODES,
} from "./jsonrpc.ts";
export type { ClientState } from "./client.ts";
export { McpClient } from "./client.ts";
export type { Counters } from "./exchange.ts";
export type { LifeState } from "./lifeline.ts";
export type { Stage } from "./ending.ts";
export { endPeer, Settled } from "./ending.ts";
export type { CallOptions, ClientOptions, ListOptions, Notification, Progress } from "./options.ts";
export { invalid as invalidArgument, isBlank, takeCount } from "./options.ts";
export type { Revision } from "./revisions.ts";
export { DEFAULT_REVISIONS, hasBatches, isRevision, REVISIONS } from "./revisions.ts";
export type {
  ContentPiece,
  InitializeResult,
  ListedPrompt,
  ListedResource,
  ListedTemplate,
  ListedTool,
  Page,
  PromptPage,
  PromptResult,
  ResourcePage,
  ResourceResult,
  TemplatePage,
  ToolPage,
  ToolResult,
} from "./shapes.ts";
