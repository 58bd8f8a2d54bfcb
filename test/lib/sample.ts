/**
 * Small capsules made without the library, and the shapes in which their bytes may arrive.
 *
 * @module
 */
import type { Metadata } from "../../src/capsule/mod.ts";
import type { ByteSource } from "../../src/core/mod.ts";
import type { Sha256 } from "../../src/hash/mod.ts";
import { canonicalText, type Fields, hashOf } from "./plain.ts";

/** What every entry of a sample repeats. */
export const IDENTITY = {
  schema: "capsule-envelope/v1",
  run_id: "r1",
  capsule_id: "c1",
  harness_version: "h é",
  task_family: "f",
} as const;

/** The metadata of a sample. */
export const METADATA: Metadata = { ...IDENTITY, created_at: "2026-09-02T00:00:00.000Z" };

const PARTS: readonly Fields[] = [
  { lineage: "plan", kind: "start", effect_class: "SE0", payload: {} },
  {
    lineage: "attempt",
    kind: "tool.call",
    effect_class: "SE1",
    payload: { tool: "grep", exit_code: null, note: "é 漢 😀 \u2028" },
  },
  {
    lineage: "attempt",
    kind: "tool.call",
    effect_class: "SE3",
    payload: { tool: 'a "b" \\ /', exit_code: 0, message: "\n\t\u0001\u001f\u007f \ud83d" },
  },
  {
    lineage: "strategy",
    kind: "s",
    effect_class: "SE2",
    payload: { score: -1.5e-7, tokens_in: 1e21, duration_ms: 0.1 },
  },
  { lineage: "environment", kind: "end", effect_class: "SE0", payload: { passed: 12, failed: 0 } },
];

/** The parts of an entry that differ from one to the next, for as many entries as asked. */
export function sampleParts(count: number): Fields[] {
  return Array.from({ length: count }, (_, index) => ({ ...PARTS[index % PARTS.length] }));
}

/** Links parts into a chain; what a part names itself is kept, and hashed as it is. */
export function chainOf(parts: readonly Fields[], sha256: Sha256): Fields[] {
  let parent_hash: unknown = "0".repeat(64);
  return parts.map((part, seq) => {
    const entry = seal({
      ...IDENTITY,
      seq,
      ts: `2026-09-02T00:00:${String(seq % 60).padStart(2, "0")}.000Z`,
      parent_hash,
      ...part,
    }, sha256);
    parent_hash = entry["entry_hash"];
    return entry;
  });
}

/** An entry with the hash of its other fields. */
export function seal(entry: Fields, sha256: Sha256): Fields {
  const { entry_hash: _, ...rest } = entry;
  return { ...rest, entry_hash: hashOf(rest, sha256) };
}

/** The journal of some entries. */
export function journalOf(entries: readonly unknown[]): Uint8Array {
  return bytesOf(entries.map((entry) => `${canonicalText(entry)}\n`).join(""));
}

/** The bytes of a text. */
export function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

/** Bytes in pieces of one size, the last one shorter. */
export function piecesOf(bytes: Uint8Array, size: number): Uint8Array[] {
  return Array.from(
    { length: Math.ceil(bytes.length / size) },
    (_, i) => bytes.subarray(i * size, (i + 1) * size),
  );
}

/** The same bytes in every shape that a source may have, by name. */
export function sourcesOf(bytes: Uint8Array, size: number): Record<string, () => ByteSource> {
  const pieces = piecesOf(bytes, size);
  return {
    "a Uint8Array": () => bytes,
    "a list": () => pieces,
    "a generator": () => pieces.values(),
    "an async generator": () => later(pieces),
    "a ReadableStream": () => streamOf(pieces),
    "a Blob": () => new Blob(pieces as Uint8Array<ArrayBuffer>[]),
    "a source that reuses its buffer": () => reusing(pieces, size),
  };
}

/** A stream of pieces. */
export function streamOf(pieces: readonly Uint8Array[]): ReadableStream<Uint8Array> {
  const rest = [...pieces];
  return new ReadableStream({
    pull(controller) {
      const piece = rest.shift();
      if (piece === undefined) controller.close();
      else controller.enqueue(piece);
    },
  });
}

/** A source that fails after some pieces, with a message that nobody may see. */
export function* failing(...pieces: Uint8Array[]): Generator<Uint8Array> {
  yield* pieces;
  throw new Error("a private path");
}

async function* later(pieces: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  for (const piece of pieces) yield await Promise.resolve(piece);
}

function* reusing(pieces: readonly Uint8Array[], size: number): Generator<Uint8Array> {
  const buffer = new Uint8Array(size);
  for (const piece of pieces) {
    buffer.set(piece);
    yield buffer.subarray(0, piece.length);
    buffer.fill(0xff);
  }
}
