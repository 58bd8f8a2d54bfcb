// A server of a few tools, in Node. Its only argument is a file to which it adds the name of each tool that was called.
import { appendFileSync } from "node:fs";
import process from "node:process";
import { createInterface } from "node:readline";

const text = (value) => ({ content: [{ type: "text", text: value }] });
let count = 0;

const tools = {
  echo: ({ message }) => text(`Echo: ${message}`),
  count: () => text(`${++count}`),
  env: () => text(Object.keys(process.env).sort().join(" ")),
  fail: () => ({ ...text("no"), isError: true }),
  image: () => ({ content: [{ type: "image", data: "aGVsbG8=", mimeType: "image/png" }] }),
  publish: () => text("sent"),
};

for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  if (method === "tools/call") {
    appendFileSync(process.argv[2], `${params.name}\n`);
    if (params.name === "crash") process.exit(3);
    if (params.name === "odd") { // spelled as no serializer would
      process.stdout.write(
        `{ "id":${id}, "result":{"n":1.0 ,"content":[ {"text":"\\u00e9\\/","type":"text"} ]},"jsonrpc":"2.0"}\r\n`,
      );
      continue;
    }
  }
  const tool = tools[params?.name];
  const error = { code: -32602, message: "no such tool" };
  const answer = method === "tools/call"
    ? tool === undefined ? { error } : { result: tool(params.arguments ?? {}) }
    : { result: others(method, params) };
  if (id !== undefined) console.log(JSON.stringify({ jsonrpc: "2.0", id, ...answer }));
}

function others(method, params) {
  switch (method) {
    case "initialize": {
      const serverInfo = { name: "tools", version: "1" };
      return { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo };
    }
    case "tools/list":
      return {
        tools: Object.keys(tools).map((name) => ({
          name,
          description: `Does ${name}.\nMore of it.`,
          inputSchema: { type: "object" },
        })),
      };
    default:
      return {};
  }
}
