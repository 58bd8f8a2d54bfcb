/**
 * Memory that does not grow with the journal: files past V8's longest string verify in Node, Deno and Bun in little more
 * memory than the bare runtime takes. Figures are printed; only the memory is judged.
 *
 * @module
 */
import { type FileHandle, mkdtemp, open, readdir, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { build } from "esbuild";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { root, run } from "../../scripts/child.ts";
import { buildEntry, formatEntry, formatMetadata } from "../../src/capsule/mod.ts";
import { GENESIS } from "../../src/hash/mod.ts";
import { createCapsule, nativeSha256 } from "../../src/node/mod.ts";
import { skip } from "../skip.ts";

const MB = 1e6;
const SIZE = 600 * MB; // V8's longest string has 536,870,888 characters
const ALLOWED_MB = 150;
const runtimes: Record<string, string[]> = {
  node: [process.execPath],
  deno: ["deno", "run", "-A", "--no-config"],
  bun: ["bun", "run"],
};

/** One peak a runtime, of a program that does nothing else than to report it. */
const REPORT = `
const { readFileSync } = await import("node:fs");
console.log(/VmHWM:\\s*(\\d+)/.exec(readFileSync("/proc/self/status", "utf8"))[1]);
`;

const memory = suite("memory");
const state: { folder: string; bare: Record<string, number> } = { folder: "", bare: {} };

memory.before(async () => {
  const folder = state.folder = await mkdtemp(join(tmpdir(), "affidavit-slow-"));
  const child = await build({
    entryPoints: [`${root}test/slow/memory_child.ts`],
    bundle: true,
    platform: "node",
    format: "esm",
    target: "es2022",
    write: false,
    logLevel: "silent",
  });
  await writeFile(join(folder, "bare.mjs"), REPORT);
  await writeFile(join(folder, "child.mjs"), (child.outputFiles[0]?.text ?? "") + REPORT);
  for (const runtime of Object.keys(runtimes)) {
    const { peak } = await peakOf(runtime, "bare.mjs");
    state.bare[runtime] = peak;
  }
});

memory.after(() => rm(state.folder, { recursive: true, force: true }));

/** The capsules to verify: how each journal is written, and the verdict. */
const CASES: Record<string, {
  write(file: FileHandle, path: string): Promise<number>;
  verdict(lines: number): unknown;
}> = {
  "a journal of 600 MB": {
    write: writeChain,
    verdict: (lines) => ({ code: "ok", failed_at: null, entry_count: lines }),
  },
  "a line of 600 MB that never ends": {
    write: (file) => repeat(file, "a"),
    verdict: () => ({ code: "capsule.truncated_tail", failed_at: 0, entry_count: 0 }),
  },
  "a line of 600 MB of two-byte characters that ends": {
    write: async (file) => {
      await repeat(file, "é");
      await file.write("\n");
      return 1;
    },
    verdict: () => ({ code: "capsule.invalid_entry", failed_at: 0, entry_count: 0 }),
  },
  "600 MB of line feeds": {
    write: (file) => repeat(file, "\n"),
    verdict: () => ({ code: "capsule.corrupt_entry", failed_at: 0, entry_count: 0 }),
  },
};

for (const [name, { write, verdict }] of Object.entries(CASES)) {
  const title = `${name}: verified in Node, Deno and Bun within ${ALLOWED_MB} MB above the runtime`;
  if (process.platform !== "linux") {
    skip(memory, title, "peaks of memory are read from /proc");
    continue;
  }
  memory(title, async () => {
    const path = join(state.folder, "capsule");
    await createCapsule(path, { run_id: "r", capsule_id: "c" });
    const file = await open(join(path, "journal.ndjson"), "w");
    const lines = await write(file, path);
    await file.close();
    assert.ok((await stat(join(path, "journal.ndjson"))).size >= SIZE);
    const above: Record<string, number> = {};
    for (const runtime of Object.keys(runtimes)) {
      const { peak, answer } = await peakOf(runtime, "child.mjs", path);
      assert.equal(answer?.verdict, verdict(lines), runtime);
      above[runtime] = Math.round((peak - (state.bare[runtime] ?? 0)) / 1000);
      console.log(`\n${name}, ${runtime}: ${above[runtime]} MB above, ${answer?.seconds} s`);
    }
    await rm(path, { recursive: true });
    const tooMuch = Object.entries(above).filter(([, megabytes]) => megabytes > ALLOWED_MB);
    assert.equal(tooMuch, []);
  });
}

memory.run();

interface Answer {
  verdict: unknown;
  seconds: number;
}

/** Runs a program of the folder; its peak of resident memory in KB, and what it said before. */
async function peakOf(
  runtime: string,
  program: string,
  ...args: string[]
): Promise<{ peak: number; answer: Answer | undefined }> {
  const [command = "", ...before] = runtimes[runtime] ?? [];
  const ended = await run(command, [...before, join(state.folder, program), ...args], {
    cwd: state.folder,
    timeoutMs: 1_200_000,
  });
  assert.ok(ended.ok, ended.output);
  const lines = ended.stdout.trim().split("\n");
  const peak = Number(lines.pop());
  assert.ok(peak > 1000, ended.stdout);
  return { peak, answer: lines[0] === undefined ? undefined : JSON.parse(lines[0]) };
}

/** Writes one text over and over; its lines. */
async function repeat(file: FileHandle, text: string): Promise<number> {
  const block = new TextEncoder().encode(text.repeat(1 << 20));
  for (let written = 0; written < SIZE; written += block.length) await file.write(block);
  return 0;
}

/** Writes a chain: mostly entries of 600 bytes, and every twentieth has 100 KB. */
async function writeChain(file: FileHandle, path: string): Promise<number> {
  assert.equal((await readdir(path)).sort(), ["capsule.json", "journal.ndjson"]);
  const sha256 = nativeSha256();
  const long = "What the tool answered, in words. ".repeat(3000);
  const metadata = {
    schema: "capsule-envelope/v1",
    run_id: "r",
    capsule_id: "c",
    harness_version: "unknown",
    task_family: "unspecified",
    created_at: "2026-09-02T00:00:00.000Z",
  } as const;
  await writeFile(join(path, "capsule.json"), formatMetadata(metadata));
  const chain = { metadata, entry_count: 0, root_hash: GENESIS };
  let batch = "";
  for (let written = 0; written < SIZE;) {
    const payload = {
      tool: "add",
      message: chain.entry_count % 20 === 0 ? long : "short",
      total: 3,
    };
    const entry = buildEntry(
      chain as unknown as Parameters<typeof buildEntry>[0],
      { lineage: "interaction", kind: "tool.call", payload },
      () => new Date(Date.UTC(2026, 8, 2)),
      sha256,
    );
    chain.root_hash = entry.entry_hash;
    chain.entry_count++;
    batch += `${formatEntry(entry)}\n`;
    if (batch.length < MB) continue;
    written += (await file.write(batch)).bytesWritten;
    batch = "";
  }
  return chain.entry_count;
}
