/**
 * Appending to a capsule, by the way it is done and the length of the journal.
 *
 * @module
 */
import { createHash } from "node:crypto";
import {
  closeSync,
  fsyncSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { appendEntry, openCapsule, openSession } from "../src/node/mod.ts";
import { writeCapsule } from "./journal.ts";
import { compare } from "./measure.ts";
import type { Bench } from "./measure.ts";

const payload = { tool: "shell", status: "ok", exit_code: 0, duration_ms: 12.5 };

/** The bench. */
export const bench: Bench = {
  question:
    "What does one append cost, plain, on a live handle, in a session and in a batch, against a bare write and fsync?",
  async *run() {
    for (const count of [0, 1_000, 10_000, 100_000]) {
      const directory = mkdtempSync(join(tmpdir(), "affidavit-bench-"));
      try {
        yield { what: `${count} entries before`, timings: await measure(directory, count) };
      } finally {
        rmSync(directory, { recursive: true });
      }
    }
  },
};

async function measure(directory: string, count: number) {
  const paths = ["plain", "live", "session", "batch"].map((name) => `${directory}-${name}`);
  const [plain, live, single, batched] = paths as [string, string, string, string];
  for (const path of paths) writeCapsule(path, count);
  const raw = openSync(join(directory, "raw"), "a");
  const line = Buffer.alloc(600, 0x61);
  const handle = await openCapsule(live);
  const session = await openSession(single);
  const batch = await openSession(batched, { syncEvery: 64 });
  try {
    return await compare([
      {
        name: "write and fsync, 16 times",
        run: () => times(16, () => (writeSync(raw, line), fsyncSync(raw))),
      },
      {
        name: "session, fsync each, 16 times",
        run: () => times(16, () => session.append("plan", "note", payload)),
      },
      {
        name: "session, fsync every 64, 16 times",
        run: () => times(16, () => batch.append("plan", "note", payload)),
      },
      { name: "live handle, once", run: () => handle.append("plan", "note", payload) },
      ...(count <= 10_000
        ? [{
          name: "plain, once",
          run: () => appendEntry(plain, { lineage: "plan", kind: "note", payload }),
        }]
        : []),
      {
        name: "SHA-256 of the file",
        run: () => createHash("sha256").update(readFileSync(join(live, "journal.ndjson"))).digest(),
      },
    ]);
  } finally {
    await session.close();
    await batch.close();
    closeSync(raw);
    for (const path of paths) rmSync(path, { recursive: true });
  }
}

async function times(count: number, step: () => unknown): Promise<void> {
  for (let i = 0; i < count; i++) await step();
}
