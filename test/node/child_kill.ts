/**
 * A writer that goes on until it is killed: `child_kill.ts DIRECTORY SYNC_EVERY` appends as fast as it can, in a session or,
 * when told 0, by a handle. Of each entry it says, before the next, that it was acknowledged. Some entries are long, so
 * that it is likely to die in a write.
 *
 * @module
 */
import { writeSync } from "node:fs";
import process from "node:process";
import { openCapsule, openSession } from "../../src/node/mod.ts";
import type { Acknowledgement } from "../../src/store/mod.ts";

const MESSAGES = ["short", "x".repeat(1_000_000), "é", "ASCII", "é".repeat(250_000)];

const [path = "", syncEvery = ""] = process.argv.slice(2);

/** Returns once it is said, so that nothing acknowledged is unsaid when the next entry begins. */
function say(line: unknown): void {
  writeSync(1, `${JSON.stringify(line)}\n`);
}

async function open(): Promise<(message: string) => Promise<Acknowledgement>> {
  if (syncEvery !== "0") {
    const session = await openSession(path, { syncEvery: Number(syncEvery) });
    return (message) => session.append("attempt", "step", { message });
  }
  const capsule = await openCapsule(path);
  return async (message) => {
    return { entry: await capsule.append("attempt", "step", { message }), status: "durable" };
  };
}

const append = await open();
say("open");
for (let index = 0;; index++) {
  const { entry, status } = await append(MESSAGES[index % MESSAGES.length] ?? "");
  say({ seq: entry.seq, entry_hash: entry.entry_hash, status });
}
