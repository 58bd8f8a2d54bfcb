import { fileURLToPath } from "node:url";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { NODE } from "../mcp/node.ts";
import { inDirectory, type } from "./terminal.ts";
import type { Printed } from "./terminal.ts";

const mcp = suite("affidavit mcp");
const toolServer = fileURLToPath(new URL("tool_server.mjs", import.meta.url));

/** Runs an action on the server of a few tools. */
async function ask(argv: string[], terminal = true): Promise<Printed> {
  let printed: Printed | undefined;
  await inDirectory(async (at) => {
    printed = await type(["mcp", ...argv, "--", NODE, toolServer, at("called")], { terminal });
  });
  return printed!;
}

mcp("list names the tools, each with the first line of what it says of itself", async () => {
  const { exit, stdout } = await ask(["list"]);
  assert.is(exit, 0);
  assert.equal(stdout.split("\n"), [
    "tools 1, revision 2025-11-25, 6 tools",
    "  echo     Does echo.",
    "  count    Does count.",
    "  env      Does env.",
    "  fail     Does fail.",
    "  image    Does image.",
    "  publish  Does publish.",
    "",
  ]);
  const json = JSON.parse((await ask(["list"], false)).stdout);
  assert.equal(Object.keys(json), ["server", "protocolVersion", "tools"]);
  assert.equal(json.tools[0], {
    name: "echo",
    description: "Does echo.\nMore of it.",
    inputSchema: { type: "object" },
  });
});

mcp("call prints what the tool answered", async () => {
  assert.equal(await ask(["call", "echo", "--args", '{"message":"a\\u001bb\\nc"}']), {
    exit: 0,
    stdout: "Echo: a\\u{1b}b\nc\n",
    stderr: "",
  });
  assert.equal(await ask(["call", "image"]), {
    exit: 0,
    stdout: "[image: image/png, 8 characters of base64]\n",
    stderr: "",
  });
  const failed = { content: [{ type: "text", text: "no" }], isError: true };
  const { exit, stdout } = await ask(["call", "fail"], false);
  assert.equal([exit, JSON.parse(stdout)], [1, failed]);
  assert.is((await ask(["call", "fail"])).stdout, "the tool says that it failed\nno\n");
});

mcp("call gives the server what --env names, and little besides", async () => {
  const names = async (flags: string[]): Promise<string[]> => {
    const { stdout } = await ask(["call", "env", ...flags], false);
    return JSON.parse(stdout).content[0].text.split(" ");
  };
  const bare = await names([]);
  assert.ok(bare.includes("PATH"));
  assert.not.ok(bare.includes("HOME"));
  assert.ok((await names(["--env", "HOME"])).includes("HOME"));
});

mcp("ping says how long it took", async () => {
  const { exit, stdout } = await ask(["ping"]);
  assert.is(exit, 0);
  assert.match(stdout, /^answered in [0-9.]+ ms\nserver {4}tools 1\nrevision {2}2025-11-25\n$/);
});

mcp("a refusal has its code, and the server's standard error only on demand", async () => {
  const none = await ask(["call", "none"], false);
  assert.equal([none.exit, none.stdout, none.stderr], [
    1,
    "",
    'affidavit: MCP_RPC_ERROR: Calling "tools/call": the server answered with error -32602\n',
  ]);
  const script = 'console.error("why"); process.exit(4)';
  const silent = await type(["mcp", "ping", "--", NODE, "-e", script]);
  assert.equal([silent.exit, silent.stderr.includes("why")], [1, false]);
  assert.match(silent.stderr, /^affidavit: MCP_SERVER_EXITED: .* it ended with status 4\n$/);
  const shown = await type(["mcp", "ping", "--show-stderr", "--", NODE, "-e", script]);
  assert.match(shown.stderr, /with status 4; its standard error ends: why/);
});

mcp("wrong arguments are usage errors", async () => {
  const wrong: [string[], string][] = [
    [[], "An action is missing"],
    [["show"], 'There is no action "show" on a server'],
    [["list"], "The server is missing: its command and arguments stand behind --"],
    [["call", "--", NODE], "TOOL is missing"],
    [["call", "x", "--args", "[]", "--", NODE], "The value of --args is no JSON object"],
    [["ping", "--timeout", "x", "--", NODE], "--timeout takes a positive whole number"],
  ];
  for (const [argv, why] of wrong) {
    const { exit, stderr } = await type(["mcp", ...argv]);
    assert.equal([exit, stderr.split("\n")[0]], [2, `affidavit: ${why}`]);
  }
});

mcp.run();
