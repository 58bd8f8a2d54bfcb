/**
 * `affidavit mcp …`: looks at an MCP server from a terminal.
 *
 * @module
 */
import { isPlainObject } from "../../core/mod.ts";
import type { ContentPiece, ListedTool, Members, ToolResult } from "../../mcp/mod.ts";
import { McpStdioClient } from "../../node/mod.ts";
import { isHelp, parseArguments, splitAtDashes, takePositionals } from "../args.ts";
import type { Arguments, FlagKind } from "../args.ts";
import { HelpRequest, UsageError } from "../errors.ts";
import { COMMON, MCP_HELP } from "../help.ts";
import type { Command, Io } from "../io.ts";
import { linesOfFields, showResult } from "../output.ts";
import type { Line } from "../output.ts";
import { SERVER_FLAGS, SERVER_HELP, takeServer } from "../server.ts";
import { whileInterruptible } from "../signals.ts";
import { takeJson, takeNumber } from "../values.ts";
import { numberOf } from "./replay_list.ts";

const FLAGS = { timeout: "value", "show-stderr": "switch", ...SERVER_FLAGS } as const;

const FLAGS_HELP = `  --timeout MS      longest wait for an answer (10000)
  --show-stderr     put the end of the server's standard error into errors;
                    it may hold secrets
${SERVER_HELP}`;

const LIST_HELP = `affidavit mcp list -- SERVER ARGS...: which tools does an MCP server have?

${FLAGS_HELP}
${COMMON}
Example: affidavit mcp list -- npx -y @modelcontextprotocol/server-everything stdio
`;

const CALL_HELP = `affidavit mcp call TOOL -- SERVER ARGS...: calls a tool of an MCP server

Prints what the tool answered. The exit code is 1 when the tool says that it
failed. The call has the effects that the tool has, and nothing is recorded.

  --args JSON       arguments of the call, a JSON object
${FLAGS_HELP}
${COMMON}
Example: affidavit mcp call echo --args '{"message":"hello"}' -- node server.js
`;

const PING_HELP = `affidavit mcp ping -- SERVER ARGS...: does an MCP server answer?

${FLAGS_HELP}
${COMMON}
Example: affidavit mcp ping -- node server.js
`;

/** Longest name that others are lined up with, in characters. */
const MAX_NAME = 40;

const ACTIONS: ReadonlyMap<string, Command> = new Map([
  ["list", list],
  ["call", call],
  ["ping", ping],
]);

/** Runs an action on a server. */
export async function mcp([action, ...rest]: readonly string[], io: Io): Promise<number> {
  if (isHelp(action)) throw new HelpRequest(MCP_HELP);
  if (!action) throw new UsageError("An action is missing", MCP_HELP);
  const run = ACTIONS.get(action);
  if (run === undefined) {
    throw new UsageError(`There is no action "${action}" on a server`, MCP_HELP);
  }
  return await run(rest, io);
}

async function list(args: readonly string[], io: Io): Promise<number> {
  const { given, connect } = prepare(args, LIST_HELP);
  takePositionals(given);
  return await connect(async (client) => {
    const { serverInfo, protocolVersion } = await client.initialize();
    const tools = await client.listAllTools();
    showResult(io, given.isJson, { server: serverInfo, protocolVersion, tools }, () => [
      [
        { style: "strong", text: `${serverInfo.name} ${serverInfo.version}` },
        `, revision ${protocolVersion}, ${numberOf(tools.length, "tool")}`,
      ],
      ...linesOfTools(tools),
    ]);
    return 0;
  });
}

async function call(args: readonly string[], io: Io): Promise<number> {
  const { given, connect } = prepare(args, CALL_HELP, { args: "value" });
  const [tool] = takePositionals(given, "TOOL");
  const values = takeJson(given, "args");
  if (values !== undefined && !isPlainObject(values)) {
    throw given.usage("The value of --args is no JSON object");
  }
  return await connect(async (client) => {
    await client.initialize();
    const result = await client.callTool(tool, values as Members | undefined);
    showResult(io, given.isJson, result, () => linesOfAnswer(result));
    return result.isError === true ? 1 : 0;
  });
}

async function ping(args: readonly string[], io: Io): Promise<number> {
  const { given, connect } = prepare(args, PING_HELP);
  takePositionals(given);
  return await connect(async (client) => {
    const { serverInfo, protocolVersion } = await client.initialize();
    const start = performance.now();
    await client.ping();
    const duration_ms = Math.round((performance.now() - start) * 1000) / 1000;
    showResult(io, given.isJson, { server: serverInfo, protocolVersion, duration_ms }, () => [
      [{ style: "good", text: "answered" }, ` in ${duration_ms} ms`],
      ...linesOfFields([
        ["server", `${serverInfo.name} ${serverInfo.version}`],
        ["revision", protocolVersion],
      ]),
    ]);
    return 0;
  });
}

/** Arguments that are all right, and the way to the server. */
function prepare(
  args: readonly string[],
  help: string,
  flags: Readonly<Record<string, FlagKind>> = {},
): {
  given: Arguments;
  connect: (step: (client: McpStdioClient) => Promise<number>) => Promise<number>;
} {
  const { own, program } = splitAtDashes(args);
  const given = parseArguments(own, { help, flags: { ...FLAGS, ...flags } });
  const timeout = takeNumber(given, "timeout");
  const connect = async (step: (client: McpStdioClient) => Promise<number>): Promise<number> => {
    const client = new McpStdioClient(takeServer(given, program), {
      stderrInMessage: given.has("show-stderr"),
      ...(timeout !== undefined && { requestTimeoutMs: timeout }),
    });
    try {
      return await whileInterruptible(
        () => void client.close().catch(() => undefined),
        () => step(client),
      );
    } finally {
      await client.close();
    }
  };
  return { given, connect };
}

/** Names in one column, and the first line of what each tool says of itself. */
function linesOfTools(tools: readonly ListedTool[]): Line[] {
  const width = Math.min(MAX_NAME, Math.max(0, ...tools.map(({ name }) => name.length)));
  return tools.map(({ name, description = "" }): Line => {
    const [first = ""] = description.split("\n");
    const padding = first === "" ? "" : " ".repeat(Math.max(0, width - name.length));
    return ["  ", { style: "strong", text: name }, first === "" ? "" : `${padding}  ${first}`];
  });
}

function linesOfAnswer({ content, structuredContent, isError }: ToolResult): Line[] {
  const isEmpty = content.length === 0;
  return [
    ...(isError === true
      ? [[{ style: "bad" as const, text: "the tool says that it failed" }]]
      : []),
    ...content.flatMap(linesOfPiece),
    ...(isEmpty && structuredContent !== undefined ? [JSON.stringify(structuredContent)] : []),
    ...(isEmpty && structuredContent === undefined ? ["an empty answer"] : []),
  ];
}

/** A text as it is; of anything else what it is. */
function linesOfPiece(piece: ContentPiece): Line[] {
  const { type, text, mimeType, data } = piece;
  if (type === "text" && typeof text === "string") return text.split("\n");
  const kind = typeof mimeType === "string" ? `: ${mimeType}` : "";
  const size = typeof data === "string" ? `, ${data.length} characters of base64` : "";
  return [[{ style: "dim", text: `[${type}${kind}${size}]` }]];
}
