/**
 * Verifying a capsule of 10² to 10⁶ entries.
 *
 * @module
 */
import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { loadSha256 } from "../src/hash/mod.ts";
import { systemEnvironment, verifyCapsule } from "../src/node/mod.ts";
import { writeCapsule } from "./journal.ts";
import { compare } from "./measure.ts";
import type { Bench, Contender } from "./measure.ts";
import { verifyPlainly } from "./reference.ts";

/** The bench. */
export const bench: Bench = {
  question:
    "What does verifying a capsule on disk cost, against a plain verifier over the whole text, and how does it grow?",
  async *run() {
    const wasm = systemEnvironment({ sha256: await loadSha256() });
    for (const count of [100, 1_000, 10_000, 100_000, 1_000_000]) {
      const directory = mkdtempSync(join(tmpdir(), "affidavit-bench-"));
      try {
        const journal = join(directory, "journal.ndjson");
        writeCapsule(directory, count);
        const verify = (environment = systemEnvironment()) => async () => {
          const verdict = await verifyCapsule(directory, {}, environment);
          if (verdict.entry_count !== count || !verdict.ok) {
            throw new Error(`The journal does not verify: ${verdict.code}`);
          }
        };
        const contenders: Contender[] = [
          { name: "verifyCapsule(), node:crypto", run: verify() },
          { name: "verifyCapsule(), WebAssembly", run: verify(wasm) },
        ];
        if (count <= 100_000) {
          contenders.push(
            { name: "plain reference", run: () => verifyPlainly(readFileSync(journal)) },
            {
              name: "SHA-256 of the file alone",
              run: () => createHash("sha256").update(readFileSync(journal)).digest(),
            },
          );
        }
        const what = `${count} entries, ${statSync(journal).size} bytes`;
        yield {
          what,
          timings: await compare(contenders, count >= 1_000_000 ? 1 : count >= 100_000 ? 3 : 9),
        };
      } finally {
        rmSync(directory, { recursive: true });
      }
    }
  },
};
