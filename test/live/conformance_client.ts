/**
 * What the conformance program starts for a scenario, with the address of its server as the last argument: our client,
 * over the bridge, doing what the scenario wants to see.
 *
 * @module
 */
import process from "node:process";
import { fileURLToPath } from "node:url";
import { isRevision } from "../../src/mcp/mod.ts";
import type { McpClient } from "../../src/mcp/mod.ts";
import { McpStdioClient } from "../../src/node/mod.ts";

const scenario = process.env["MCP_CONFORMANCE_SCENARIO"] ?? "";
const revision = process.env["MCP_CONFORMANCE_PROTOCOL_VERSION"];
if (!isRevision(revision)) throw new Error("Running a scenario: its revision has no initialize");

const acts: Record<string, (client: McpClient) => Promise<unknown>> = {
  initialize: () => Promise.resolve(),
  tools_call: async (client) => {
    const [{ name = "" } = {}] = await client.listAllTools();
    return await client.callTool(name, { a: 2, b: 3 });
  },
  "json-schema-ref-no-deref": (client) => client.listAllTools(),
  "json-schema-2020-12-preservation": async (client) => {
    const [rich, echo] = await client.listAllTools();
    return await client.callTool(echo?.name ?? "", { schema: rich?.inputSchema });
  },
};
const act = acts[scenario];
if (act === undefined) throw new Error(`Running a scenario: "${scenario}" is not known here`);

const bridge = fileURLToPath(new URL("http_bridge.ts", import.meta.url));
const args = ["--import", import.meta.resolve("tsx"), bridge, process.argv.at(-1) ?? ""];
const options = { supportedProtocolVersions: [revision] };
const client = new McpStdioClient({ command: process.execPath, args }, options);
await client.initialize();
await act(client);
await client.close();
