/**
 * Our client and the official server of all features.
 *
 * @module
 */
import process from "node:process";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { McpError, Members, Progress, Revision } from "../../src/mcp/mod.ts";
import { defaultEnvironment } from "../../src/node/mod.ts";
import { rejectionOf } from "../lib/thrown.ts";
import { hasProc, waitEnded } from "../mcp/proc.ts";
import { withServer } from "./server.ts";

const everything = suite("server-everything");

const REVISIONS: Revision[] = ["2025-11-25", "2025-06-18", "2025-03-26"];
const TOOLS = [
  "echo",
  "get-annotated-message",
  "get-env",
  "get-resource-links",
  "get-resource-reference",
  "get-structured-content",
  "get-sum",
  "get-tiny-image",
  "gzip-file-as-resource",
  "simulate-research-query",
  "toggle-simulated-logging",
  "toggle-subscriber-updates",
  "trigger-long-running-operation",
];
const SLOW = "trigger-long-running-operation";

for (const revision of REVISIONS) {
  everything(
    `agrees on ${revision} when that is what is asked for`,
    async () => {
      await withServer(({ client }) => {
        const { protocolVersion, serverInfo } = client.initializeResult ?? {};
        const { name, version } = serverInfo ?? {};
        assert.equal([client.state, protocolVersion, name, version], [
          ...["initialized", revision, "mcp-servers/everything", "2.0.0"],
        ]);
        return Promise.resolve();
      }, { supportedProtocolVersions: [revision] });
    },
  );
}

everything("listAllTools() gives the 13 tools of a client without capabilities", async () => {
  await withServer(async ({ client }) => {
    const tools = await client.listAllTools();
    assert.equal(tools.map(({ name }) => name).sort(), TOOLS);
  });
});

everything("resources and prompts can be listed and read", async () => {
  await withServer(async ({ client }) => {
    const [{ uri = "" } = {}] = await client.listAllResources();
    const { contents } = await client.readResource(uri);
    assert.equal(contents.map((part) => part.uri), [uri]);
    assert.ok((await client.listAllResourceTemplates()).length > 0);
    const prompts = await client.listAllPrompts();
    const simple = prompts.find((prompt) => prompt["arguments"] === undefined);
    const { messages } = await client.getPrompt(simple?.name ?? "");
    assert.equal(messages.map(({ role }) => role), ["user"]);
  });
});

everything(
  "ping() and callTool() are answered, and a tool that is unknown is a result",
  async () => {
    await withServer(async ({ client }) => {
      await client.ping();
      assert.equal(await client.callTool("echo", { message: "hällo \u2028" }), {
        content: [{ type: "text", text: "Echo: hällo \u2028" }],
      });
      const { isError, content } = await client.callTool("no-such-tool");
      assert.equal([isError, content.map(({ type }) => type)], [true, ["text"]]);
      assert.is(client.state, "initialized");
    });
  },
);

everything("the server sees the default environment and no secret of this process", async () => {
  process.env["AFFIDAVIT_LIVE_SECRET"] = "planted";
  try {
    await withServer(async ({ client }) => {
      const { content: [piece] } = await client.callTool("get-env");
      assert.equal(JSON.parse(String(piece?.["text"])), defaultEnvironment());
    }, { env: null });
  } finally {
    delete process.env["AFFIDAVIT_LIVE_SECRET"];
  }
});

everything("progress extends a wait that is too short without it", async () => {
  await withServer(async ({ client }) => {
    const call = { duration: 3, steps: 12 };
    const timeoutMs = 1_500;
    const error = await rejectionOf(client.callTool(SLOW, call, { timeoutMs })) as McpError;
    assert.is(error.code, "MCP_TIMEOUT");
    const seen: Progress[] = [];
    const { content } = await client.callTool(SLOW, call, {
      timeoutMs,
      extendOnProgress: true,
      maxTimeoutMs: 60_000,
      onProgress: (progress) => seen.push(progress),
    });
    assert.equal(seen, Array.from({ length: 12 }, (_, at) => ({ progress: at + 1, total: 12 })));
    const text = "Long running operation completed. Duration: 3 seconds, Steps: 12.";
    assert.equal(content, [{ type: "text", text }]);
  });
});

everything("an aborted signal cancels one call, and the others go on", async () => {
  await withServer(async ({ client }) => {
    const controller = new AbortController();
    const onProgress = (): void => controller.abort();
    const call = client.callTool(SLOW, { duration: 1, steps: 10 }, {
      signal: controller.signal,
      onProgress,
    });
    const other = client.callTool(SLOW, { duration: 2, steps: 1 });
    const error = await rejectionOf(call) as McpError;
    assert.equal([error.code, error.isTerminal], ["MCP_CANCELLED", false]);
    await client.ping();
    assert.is((await other).isError, undefined);
    // The cancelled one would have ended by now: the server was told, so nothing came.
    await client.ping();
    assert.equal(client.counters, { lateAnswers: 0, skippedLines: 0 });
  });
});

everything("close() of an idle server ends it by the end of its input alone", async () => {
  await withServer(async ({ client, exit, pid }) => {
    await client.callTool("echo", { message: "last" });
    await client.close();
    assert.equal([client.state, exit()], ["closed", { code: 0, signal: null }]);
    if (hasProc) assert.ok(await waitEnded(pid() ?? 0));
  }, { closeTimeoutMs: 30_000 });
});

everything("close() tells a server that stays when its input ends to end", async () => {
  // Declared roots make the server ask for them; while nobody answers, it outlives the end of its input.
  const alter = (line: string): string | undefined => {
    const message = JSON.parse(line) as { method?: string; params: Members };
    if (message.method === undefined) return undefined;
    if (message.method === "initialize") {
      message.params = { ...message.params, capabilities: { roots: {} } };
    }
    return `${JSON.stringify(message)}\n`;
  };
  await withServer(async ({ client, exit, pid }) => {
    assert.is((await client.listAllTools()).length, TOOLS.length + 1);
    await client.close();
    assert.equal([client.state, exit()], ["closed", { code: null, signal: "SIGTERM" }]);
    if (hasProc) assert.ok(await waitEnded(pid() ?? 0));
  }, { alter });
});

everything.run();
