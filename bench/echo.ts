/**
 * An MCP server whose only tool says its `message` again, and that checks nothing: as a function, and as a program over
 * standard input and output, `echo.ts stdio`.
 *
 * @module
 */
import process from "node:process";

/** A request, as far as the echo looks at it. */
interface Request {
  id?: number;
  method: string;
  params: { protocolVersion?: string; arguments: { message: string } };
}

/** Answers to whole lines. */
export function echo(lines: string): string {
  let answers = "";
  for (const line of lines.split("\n")) {
    if (line === "") continue;
    const { id, method, params } = JSON.parse(line) as Request;
    if (id === undefined) continue;
    const result = method === "initialize"
      ? {
        protocolVersion: params.protocolVersion,
        capabilities: { tools: {} },
        serverInfo: { name: "echo", version: "1" },
      }
      : { content: [{ type: "text", text: params.arguments.message }] };
    answers += `${JSON.stringify({ jsonrpc: "2.0", id, result })}\n`;
  }
  return answers;
}

if (process.argv[2] === "stdio") {
  let held = "";
  process.stdin.setEncoding("utf8").on("data", (text: string) => {
    held += text;
    const end = held.lastIndexOf("\n") + 1;
    if (end > 0) process.stdout.write(echo(held.slice(0, end)));
    held = held.slice(end);
  });
}
