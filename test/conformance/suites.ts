/**
 * Registers one test for each case of every bundled vector file, for a lane and a kind of workspace.
 *
 * @module
 */
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { askHere, judge, parseSuite } from "../../src/conformance/mod.ts";
import type { Host, Suite } from "../../src/conformance/mod.ts";
import { loadSha256 } from "../../src/hash/mod.ts";
import { readBytes, readText } from "../read.ts";

/** A row of vectors/index.json. */
export interface IndexRow {
  path: string;
  suite: string;
  op: string;
  cases: number;
  sha256: string;
}

/** The rows of vectors/index.json. */
export async function readIndex(): Promise<IndexRow[]> {
  const index: { files: IndexRow[] } = JSON.parse(await readText("vectors/index.json"));
  return index.files;
}

/** A bundled suite. */
export async function readSuite({ path }: IndexRow): Promise<Suite> {
  const parsed = parseSuite(await readText(`vectors/${path}`));
  if (!parsed.ok) throw new Error(`${path}: ${parsed.reason}`);
  return parsed.value;
}

/** Registers every case of every suite. */
export async function registerSuites(openWorkspace: Host["openWorkspace"]): Promise<void> {
  const sha256 = await loadSha256();
  const ask = askHere({ sha256, openWorkspace });
  for (const row of await readIndex()) {
    const bundled = await readSuite(row);
    const cases = suite(row.suite);
    cases("its file is the one that the index lists", async () => {
      const digest = sha256.digest(await readBytes(`vectors/${row.path}`));
      const { suite, op, cases } = bundled;
      assert.equal({ path: row.path, suite, op, cases: cases.length, sha256: digest }, row);
    });
    for (const one of bundled.cases) {
      const { id, note } = one;
      cases(`${bundled.op} answers ${id} as expected: ${note}`, async () => {
        const result = judge(bundled, one, await ask(bundled.op, one.input));
        assert.equal(result, { id, note, status: "passed", differences: [] });
      });
    }
    cases.run();
  }
}
