/**
 * Two hundred writers killed in each of Node, Deno and Bun. Figures are printed; the rounds themselves judge.
 *
 * @module
 */
import { fileURLToPath } from "node:url";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { run } from "../../scripts/child.ts";

const runtimes: Record<string, string[]> = {
  node: ["--import", "tsx"],
  deno: ["run", "-A"],
  bun: ["run"],
};
const program = fileURLToPath(new URL("kill_child.ts", import.meta.url));

const kill = suite("writers that are killed, at length");

for (const [runtime, args] of Object.entries(runtimes)) {
  kill(`200 times in ${runtime}: what was acknowledged is there`, async () => {
    const ended = await run(runtime, [...args, program], { timeoutMs: 1_200_000 });
    console.log(`\n${runtime}: ${ended.stdout}`);
    assert.ok(ended.ok, ended.output);
  });
}

kill.run();
