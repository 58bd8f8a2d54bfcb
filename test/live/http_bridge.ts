/**
 * A server over stdio in front of one over HTTP, `http_bridge.ts URL`: lines of standard input are posted one by one, what
 * comes back as JSON or as a stream of events is written as lines once it is complete: no scenario asks anything while it
 * answers. It is no part of what is tested.
 *
 * @module
 */
import process from "node:process";
import { createInterface } from "node:readline";

const url = process.argv[2] ?? "";
const headers: Record<string, string> = {
  "content-type": "application/json",
  accept: "application/json, text/event-stream",
};
const bodies: Promise<void>[] = [];

for await (const line of createInterface({ input: process.stdin })) {
  // The next line waits for the headers of the answer, which name the session; after the first one for no more than that.
  const response = await fetch(url, { method: "POST", headers, body: line });
  const session = response.headers.get("mcp-session-id");
  if (session !== null) headers["mcp-session-id"] = session;
  if (line.includes('"method":"initialize"')) await pass(response);
  else bodies.push(pass(response));
}
await Promise.all(bodies);

async function pass(response: Response): Promise<void> {
  const text = await response.text();
  const type = response.headers.get("content-type") ?? "";
  const messages = type.startsWith("text/event-stream") ? dataOf(text) : [text];
  for (const message of messages) if (message !== "") write(message);
}

/** The data of each event; an event has one line of it here. */
function dataOf(events: string): string[] {
  return [...events.matchAll(/^data: ?(.+)$/gm)].map(([, data = ""]) => data);
}

function write(message: string): void {
  const { result } = JSON.parse(message) as { result?: { protocolVersion?: string } };
  const version = result?.protocolVersion;
  if (version !== undefined) headers["mcp-protocol-version"] = version;
  process.stdout.write(`${message}\n`);
}
