/**
 * Which entries are shown: by lineage, by effect class, and by a text that is looked for in the file.
 *
 * @module
 */
import { EFFECT_CLASSES, LINEAGES } from "../capsule/mod.ts";
import { MAX_TEXT_BYTES } from "../core/mod.ts";
import { readRange } from "./blob.ts";
import type { EntryIndex } from "./entry_index.ts";

/** What passes: lineages and effect classes by their places in the vocabulary. */
export interface Filter {
  readonly lineages: ReadonlySet<number>;
  readonly classes: ReadonlySet<number>;
}

/** Counts of the entries by lineage and by effect class. */
export interface Counts {
  readonly lineages: readonly number[];
  readonly classes: readonly number[];
}

/** Counts all entries. */
export function countSorts(index: EntryIndex): Counts {
  const lineages: number[] = LINEAGES.map(() => 0);
  const classes: number[] = EFFECT_CLASSES.map(() => 0);
  for (let at = 0; at < index.length; at++) {
    const sort = index.sortOf(at);
    lineages[sort >> 3]!++;
    classes[sort & 7]!++;
  }
  return { lineages, classes };
}

/** The entries that pass, among those that were found or all; `null` stands for all of them. */
export function filterEntries(
  index: EntryIndex,
  { lineages, classes }: Filter,
  found: Uint32Array | null,
): Uint32Array | null {
  const isAll = lineages.size === LINEAGES.length && classes.size === EFFECT_CLASSES.length;
  if (isAll) return found;
  const passes = Uint8Array.from(
    { length: LINEAGES.length * 8 },
    (_, sort) => lineages.has(sort >> 3) && classes.has(sort & 7) ? 1 : 0,
  );
  const count = found?.length ?? index.length;
  const passing = new Uint32Array(count);
  let length = 0;
  for (let at = 0; at < count; at++) {
    const entry = found === null ? at : found[at]!;
    if (passes[index.sortOf(entry)] === 1) passing[length++] = entry;
  }
  return passing.slice(0, length);
}

const READ_BYTES = 1 << 20;

/**
 * The entries that hold a text, in any case: in their kind, payload, time or hashes. What every entry repeats, such as the
 * run's id, is not looked at.
 *
 * @param onProgress is told the share that was searched, 0 to 1. @param signal ends the search.
 */
export async function searchEntries(
  journal: Blob,
  index: EntryIndex,
  text: string,
  onProgress: (share: number) => void,
  signal: AbortSignal,
): Promise<Uint32Array> {
  const wanted = text.toLowerCase();
  const spelled = JSON.stringify(text).slice(1, -1).toLowerCase(); // as it stands inside of a line
  const found: number[] = [];
  for (let first = 0; first < index.length;) {
    const next = endOfRead(index, first);
    const from = index.startOf(first) ?? 0;
    // After the last one that is listed may come anything, and gigabytes of it.
    const bytes = await readRange(journal, from, index.startOf(next) ?? from + MAX_TEXT_BYTES);
    signal.throwIfAborted();
    const lines = new TextDecoder().decode(bytes).split("\n", next - first);
    for (const [at, line] of lines.entries()) {
      if (line.toLowerCase().includes(spelled) && holds(line, wanted)) found.push(first + at);
    }
    first = next;
    onProgress(first / index.length);
  }
  return Uint32Array.from(found);
}

/** The first entry that no longer belongs to a read of about a mebibyte, and at least one entry on. */
function endOfRead(index: EntryIndex, first: number): number {
  const from = index.startOf(first) ?? 0;
  let next = first + 1;
  while (next < index.length && (index.startOf(next + 1) ?? Infinity) - from <= READ_BYTES) next++;
  return next;
}

function holds(line: string, wanted: string): boolean {
  const { kind, lineage, effect_class, ts, entry_hash, parent_hash, payload } = JSON.parse(line);
  const texts = [kind, lineage, effect_class, ts, entry_hash, parent_hash];
  texts.push(...Object.entries(payload).flat());
  return texts.some((value) => String(value).toLowerCase().includes(wanted));
}
