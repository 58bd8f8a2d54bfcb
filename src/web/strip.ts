/**
 * Draws where the entries of each lineage are, over the length of the journal, each in the colour of its effect class. Where
 * several fall on one place, the highest class is seen.
 *
 * @module
 */
import { EFFECT_CLASSES } from "../capsule/mod.ts";
import type { EntryIndex } from "./entry_index.ts";

const NONE = -1;

/** Draws a strip for each lineage, of the entries that are shown; `null` stands for all of them. */
export function drawStrips(
  strips: readonly HTMLCanvasElement[],
  index: EntryIndex,
  view: Uint32Array | null,
): void {
  const width = Math.round((strips[0]?.clientWidth ?? 0) * devicePixelRatio);
  if (width === 0) return;
  const columns = columnsOf(index, strips.length, view, width);
  for (const [lineage, strip] of strips.entries()) {
    drawStrip(strip, columns.subarray(lineage * width, (lineage + 1) * width));
  }
}

function drawStrip(canvas: HTMLCanvasElement, columns: Int8Array): void {
  const context = canvas.getContext("2d");
  if (context === null) return;
  canvas.width = columns.length; // clears it too
  canvas.height = Math.round(canvas.clientHeight * devicePixelRatio);
  const style = getComputedStyle(canvas);
  const colours = EFFECT_CLASSES.map((_, place) => style.getPropertyValue(`--se${place}`));
  for (let x = 0; x < columns.length;) {
    let end = x + 1;
    while (end < columns.length && columns[end] === columns[x]) end++;
    const colour = colours[columns[x]!];
    if (colour !== undefined) {
      context.fillStyle = colour;
      context.fillRect(x, 0, end - x, canvas.height);
    }
    x = end;
  }
}

/** The highest effect class at each place, lineage by lineage. Single entries get a gap while there is room for one. */
function columnsOf(
  index: EntryIndex,
  lineages: number,
  view: Uint32Array | null,
  width: number,
): Int8Array {
  const columns = new Int8Array(lineages * width).fill(NONE);
  const step = width / index.length;
  const gap = step >= 4 ? Math.max(1, Math.round(devicePixelRatio)) : 0;
  const count = view?.length ?? index.length;
  for (let at = 0; at < count; at++) {
    const entry = view === null ? at : view[at]!;
    const sort = index.sortOf(entry);
    const left = (sort >> 3) * width;
    const from = Math.floor(entry * step);
    const end = Math.max(from + 1, Math.floor((entry + 1) * step) - gap);
    for (let x = left + from; x < left + end; x++) columns[x] = Math.max(columns[x]!, sort & 7);
  }
  return columns;
}
