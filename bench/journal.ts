/**
 * Journals as agent runs write them: 60 % tool calls, half of them with durations of 16 or 17 digits, 20 % answers of a
 * model, 10 % verdicts, 10 % notes with escapes and other scripts. Some 600 bytes an entry.
 *
 * @module
 */
import { createHash } from "node:crypto";
import { closeSync, mkdirSync, openSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { formatEntry, formatMetadata, hashEntry } from "../src/capsule/mod.ts";
import type { Entry, Lineage, Metadata, Payload } from "../src/capsule/mod.ts";
import { GENESIS } from "../src/hash/mod.ts";
import { nativeSha256 } from "../src/node/mod.ts";

const sha256 = nativeSha256();

const metadata: Metadata = {
  schema: "capsule-envelope/v1",
  run_id: "run-bench",
  capsule_id: "capsule-bench",
  harness_version: "bench-harness/1.2.3",
  task_family: "repository-repair",
  created_at: "2026-11-30T08:00:00.000Z",
};

/** Writes a capsule of that many entries into a directory, which is made when it is missing. */
export function writeCapsule(directory: string, count: number): void {
  mkdirSync(directory, { recursive: true });
  writeFileSync(join(directory, "capsule.json"), formatMetadata(metadata));
  const file = openSync(join(directory, "journal.ndjson"), "w");
  for (const piece of journalOf(count)) writeSync(file, piece);
  closeSync(file);
}

/** Entries of one chain, one by one. */
export function* entriesOf(count: number): Generator<Entry> {
  const { created_at: _, ...identity } = metadata;
  let parent_hash = GENESIS;
  for (let seq = 0; seq < count; seq++) {
    const [lineage, kind, payload] = content(seq);
    const ts = new Date(Date.UTC(2026, 10, 30, 8) + seq * 137).toISOString();
    const effect_class = lineage === "interaction" ? "SE1" as const : "SE0" as const;
    const unhashed = { ...identity, seq, ts, lineage, kind, effect_class, parent_hash, payload };
    const entry = { ...unhashed, entry_hash: hashEntry(unhashed, sha256) };
    parent_hash = entry.entry_hash;
    yield entry;
  }
}

/** Entries of one chain, as a list. */
export function makeEntries(count: number): Entry[] {
  return [...entriesOf(count)];
}

/** The bytes of a journal, some 1000 entries a piece. */
function* journalOf(count: number): Generator<Uint8Array> {
  let lines = "";
  let held = 0;
  for (const entry of entriesOf(count)) {
    lines += `${formatEntry(entry)}\n`;
    if (++held % 1000 !== 0) continue;
    yield new TextEncoder().encode(lines);
    lines = "";
  }
  if (lines !== "") yield new TextEncoder().encode(lines);
}

function content(seq: number): [Lineage, string, Payload] {
  const digest = createHash("sha256").update(String(seq)).digest("hex");
  const task_id = `task-${seq % 97}`;
  switch (seq % 10) {
    case 6:
    case 7:
      return ["attempt", "model.response", {
        task_id,
        model: "model-large-2026-09",
        tokens_in: 1800 + seq % 700,
        tokens_out: 120 + seq % 90,
        cost_usd: (seq % 1000) / 12_345,
        message: `Reading ${
          digest.slice(0, 12)
        } shows that the parser drops the last line; next I change it and run the tests again.`,
      }];
    case 8:
      return ["strategy", "verdict", {
        task_id,
        verdict: "pass",
        passed: seq % 40,
        failed: 0,
        score: (seq % 40) / 40,
      }];
    case 9:
      return ["plan", "note", {
        task_id,
        note: `Schritt ${seq}: "Prüfung" \\ weiter → 次へ\n\tnoch ein Satz über den Plan`,
      }];
    default:
      return ["interaction", "tool.call", {
        task_id,
        tool: "shell",
        tool_call_id: `call-${seq}`,
        args_hash: digest,
        response_hash: createHash("sha256").update(digest).digest("hex"),
        status: "ok",
        exit_code: 0,
        duration_ms: seq % 2 === 0 ? (seq % 500) + 1 / 3 : seq % 500,
      }];
  }
}
