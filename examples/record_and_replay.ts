/**
 * A program of your own that records what its tools answer, and repeats itself later without calling them.
 *
 * In a clone: `node --import tsx examples/record_and_replay.ts`, `deno run -A examples/record_and_replay.ts` or
 * `bun examples/record_and_replay.ts`. Elsewhere import from `affidavit/replay` and `affidavit/node`.
 *
 * @module
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { nativeSha256, openFixtureStore } from "../src/node/mod.ts";
import { createReplayer, ReplayError } from "../src/replay/mod.ts";
import type { Replayer } from "../src/replay/mod.ts";
import { TOOLS } from "./tools.ts";

const folder = await mkdtemp(join(tmpdir(), "affidavit-"));
try {
  const store = await openFixtureStore(join(folder, "fixtures"));
  const sha256 = nativeSha256();
  report(await work(createReplayer(TOOLS, { store, sha256, mode: "record" }), "2026-08"));

  const replayer = createReplayer(TOOLS, { store, sha256 });
  report(await work(replayer, "2026-08"));
  await work(replayer, "2026-09").catch(explain);
} finally {
  await rm(folder, { recursive: true });
}

/** What the program does, whoever answers its calls. */
async function work(tools: Replayer, month: string): Promise<[string, unknown]> {
  const invoices = await tools.call("read_invoices", { month });
  return [tools.mode, await tools.call("add_up", { invoices })];
}

function report([mode, totals]: [string, unknown]): void {
  console.log(`${mode}: ${JSON.stringify(totals)}`);
}

/** A call that was never recorded is refused: the tool is not called in its place. */
function explain(error: unknown): void {
  if (!(error instanceof ReplayError)) throw error;
  console.log(`replay refuses: ${error.code}`);
}
