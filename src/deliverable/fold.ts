/**
 * Full case folding at Unicode 16.0.0, from a table: an engine's own mapping is another one with every version, and two
 * readers would disagree on which paths are the same.
 *
 * Rule: `docs/spec/deliverable.md`, "Set rules".
 *
 * @module
 */
import { COMMON, FULL } from "./fold_table.ts";

/** Folds texts; reads the table once, when the first text is met that needs it. */
export function caseFolder(): (text: string) => string {
  let table: ReadonlyMap<string, string> | undefined;
  return (text) => {
    const lowered = text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
    if (/^[\0-\x7f]*$/.test(lowered)) return lowered;
    const rows = table ??= readTable();
    return Array.from(lowered, (character) => rows.get(character) ?? character).join("");
  };
}

/** What each character folds to; all others fold to themselves. */
export function readTable(): Map<string, string> {
  const table = new Map<string, string>();
  for (const [start = 0, count = 0, step = 0, distance = 0] of readItems(COMMON)) {
    for (let index = 0; index < count; index++) {
      const from = start + index * step;
      table.set(String.fromCodePoint(from), String.fromCodePoint(from + distance));
    }
  }
  for (const [from = 0, ...to] of readItems(FULL)) {
    table.set(String.fromCodePoint(from), String.fromCodePoint(...to));
  }
  return table;
}

function readItems(lines: readonly string[]): number[][] {
  return lines.join(";").split(";").map((item) =>
    item.split(" ").map((number) => parseInt(number, 36))
  );
}
