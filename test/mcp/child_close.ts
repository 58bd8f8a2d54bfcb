/**
 * Closes a client whose server left a helper behind that holds the pipes and is out of reach. It prints the helper's pid
 * and the state of the client, and then has nothing more to do.
 *
 * @module
 */
import { fileURLToPath } from "node:url";
import { McpStdioClient } from "../../src/node/mod.ts";
import { NODE } from "./node.ts";

const server = fileURLToPath(new URL("hostile_server.mjs", import.meta.url));
const client = new McpStdioClient({ command: NODE, args: [server, "helper out of reach"] });
const { serverInfo } = await client.initialize();
await client.close();
console.log(
  JSON.stringify({ helpers: (serverInfo as { helpers?: unknown }).helpers, state: client.state }),
);
