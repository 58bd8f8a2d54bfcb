/**
 * Reads single entries out of the file, when somebody looks at them.
 *
 * @module
 */
import type { Entry } from "../capsule/mod.ts";
import { readRange } from "./blob.ts";
import type { EntryIndex } from "./entry_index.ts";

/** An entry as it is shown in a list: its time and the start of its payload, or its size when it is too long. */
export interface Summary {
  readonly ts: string;
  readonly payload: string;
  /** Bytes of a line that was too long to be read for a list. */
  readonly longBytes?: number;
}

/** Longer lines are opened only when somebody asks for them. */
const LISTED_BYTES = 1 << 16;

/** The most of a line that the page opens. */
const OPENED_BYTES = 8 << 20;

/** The bytes of an entry's line, or as many as asked. */
async function readEntryLine(
  journal: Blob,
  index: EntryIndex,
  entry: number,
  most: number,
): Promise<{ bytes: Uint8Array; isWhole: boolean; size: number }> {
  const from = index.startOf(entry) ?? journal.size;
  const next = index.startOf(entry + 1);
  const window = await readRange(journal, from, Math.min(from + most + 1, next ?? journal.size));
  const end = window.indexOf(0x0a);
  if (end >= 0) return { bytes: window.subarray(0, end), isWhole: true, size: end };
  return {
    bytes: window.subarray(0, most),
    isWhole: false,
    size: (next ?? journal.size) - from - 1,
  };
}

/** Reads what a list shows of an entry. */
export async function readSummary(
  journal: Blob,
  index: EntryIndex,
  entry: number,
): Promise<Summary> {
  const { bytes, isWhole, size } = await readEntryLine(journal, index, entry, LISTED_BYTES);
  if (!isWhole) return { ts: "", payload: "", longBytes: size };
  const { ts, payload } = JSON.parse(new TextDecoder().decode(bytes)) as Entry;
  const parts = Object.entries(payload).map(([name, value]) =>
    `${name}: ${String(value).slice(0, 200)}`
  );
  return { ts, payload: parts.join(" · ") };
}

/** An entry that somebody opened: all of it, or the start of its line when it is too long even for that. */
export interface Opened {
  readonly entry: Entry | null;
  readonly raw: string;
  readonly size: number;
}

/** Opens an entry. */
export async function openEntry(journal: Blob, index: EntryIndex, entry: number): Promise<Opened> {
  const { bytes, isWhole, size } = await readEntryLine(journal, index, entry, OPENED_BYTES);
  const text = new TextDecoder().decode(isWhole ? bytes : bytes.subarray(0, LISTED_BYTES));
  return { entry: isWhole ? JSON.parse(text) as Entry : null, raw: text, size };
}
