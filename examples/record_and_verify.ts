/**
 * A program of your own that records a run and verifies it, with the library instead of the command line.
 *
 * In a clone: `node --import tsx examples/record_and_verify.ts`, `deno run -A examples/record_and_verify.ts` or
 * `bun examples/record_and_verify.ts`. Elsewhere import from `affidavit` and `affidavit/node`.
 *
 * @module
 */
import { mkdtemp, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { listUnchecked } from "../mod.ts";
import type { ReceiptVerdict } from "../mod.ts";
import {
  buildReceipt,
  checkReceipt,
  createCapsule,
  digestFileAt,
  exportBundle,
  verifyCapsule,
  writeReceipt,
} from "../src/node/mod.ts";

const folder = await mkdtemp(join(tmpdir(), "affidavit-"));
try {
  await record();
  await verify();
} finally {
  await rm(folder, { recursive: true });
}

/** The harness: records what the agent does, then hands over a bundle, the artifact and a receipt. */
async function record(): Promise<void> {
  const artifact = join(folder, "answer.txt");
  const capsule = await createCapsule(join(folder, "run"), {
    harness_version: "my-agent/1.4",
    task_family: "sums",
  });
  await capsule.append("plan", "task.received", { task_id: "t1", message: "What is 19 + 23?" });
  await capsule.append("interaction", "tool.call", { tool: "add", exit_code: 0, duration_ms: 3 });
  await writeFile(artifact, "42\n");
  const digest = await digestFileAt(artifact);
  await capsule.append("interaction", "file.write", { path: "answer.txt", digest }, {
    effect_class: "SE2",
  });
  await exportBundle(capsule.dir, join(folder, "bundle"));
  await writeReceipt(join(folder, "receipt.json"), await buildReceipt(capsule.dir, { artifact }));
}

/** The stranger: verifies what was handed over, before and after somebody cut it. */
async function verify(): Promise<void> {
  const bundle = join(folder, "bundle");
  const verdict = await verifyCapsule(bundle);
  if (!verdict.ok) throw new Error(`${verdict.code}: ${verdict.reason}`);
  console.log(`consistent, ${verdict.entry_count} entries`);
  for (const { what, why } of listUnchecked(verdict.state)) {
    console.log(`not checked: ${what}: ${why}`);
  }

  report(await check(bundle));
  await truncate(join(bundle, "journal.ndjson"), 0); // still a capsule, of a run in which nothing happened
  report(await check(bundle));
}

function check(bundle: string): Promise<ReceiptVerdict> {
  return checkReceipt(join(folder, "receipt.json"), bundle, {
    artifact: join(folder, "answer.txt"),
  });
}

function report({ ok, check, reason }: ReceiptVerdict): void {
  console.log(ok ? "the receipt holds" : `the receipt refuses: ${check}: ${reason}`);
}
