/**
 * Replaying a call, by the number of fixtures in the store.
 *
 * @module
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { digestValue } from "../src/canonical/mod.ts";
import { fixtureStoreAt, nativeSha256 } from "../src/node/mod.ts";
import { createReplayer, fixtureFile, formatFixture, hashCall } from "../src/replay/mod.ts";
import type { Replayer, Tools } from "../src/replay/mod.ts";
import { compare } from "./measure.ts";
import type { Bench } from "./measure.ts";

const COUNTS = [10, 100, 1_000, 10_000];
const LOOK_UPS = 25; // short turns, as a look-up is mostly waiting for the system
const sha256 = nativeSha256();
const tools: Tools = { read: { effect_class: "SE0", determinism: "deterministic" } };

/** The bench. */
export const bench: Bench = {
  question: "What does a look-up cost, and does it grow with the number of fixtures?",
  async *run() {
    const root = mkdtempSync(join(tmpdir(), "affidavit-bench-"));
    try {
      const contenders = COUNTS.map((count) => {
        const replayer = fill(mkdtempSync(join(root, "s-")), count);
        return { name: `${count} fixtures`, run: () => lookUp(replayer, count) };
      });
      yield {
        what: `${LOOK_UPS} look-ups, spread over the store`,
        timings: await compare(contenders, 61),
      };
    } finally {
      rmSync(root, { recursive: true });
    }
  },
};

/** Writes fixtures as a recorder does, without waiting for the disk. */
function fill(path: string, count: number): Replayer {
  for (let n = 0; n < count; n++) {
    const call = hashCall("read", { n }, sha256);
    const response = { n, text: "What the tool answered, in words. ".repeat(8) };
    const response_hash = digestValue("capsule-v1", response, sha256);
    writeFileSync(
      join(path, fixtureFile(call.key)),
      formatFixture({ ...call, response_hash, response }),
    );
  }
  return createReplayer(tools, { store: fixtureStoreAt(path), sha256 });
}

/** Which call is next, so that one round goes on where the last one ended. */
let turn = 0;

async function lookUp(replayer: Replayer, count: number): Promise<void> {
  for (let left = LOOK_UPS; left > 0; left--) {
    await replayer.call("read", { n: (turn++ * 7919) % count });
  }
}
