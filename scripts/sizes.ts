/**
 * How large the bundles are, against scripts/sizes.json. After `npm run build`, and when growth is
 * meant, `node --import tsx scripts/sizes.ts --write` makes the present sizes the ones to compare.
 *
 * @module
 */
import { readFile, writeFile } from "node:fs/promises";
import process from "node:process";
import { gzipSync } from "node:zlib";
import { BUNDLES } from "./bundle.ts";
import { root } from "./child.ts";

/** Sizes by file name. */
export type Sizes = Record<string, { bytes: number; gzip: number }>;

const maxGrowth = 1.05;
const committed = `${root}scripts/sizes.json`;

/** The sizes in dist/. */
export async function measure(): Promise<Sizes> {
  const sizes: Sizes = {};
  for (const name of Object.keys(BUNDLES)) {
    const content = await readFile(`${root}dist/browser/${name}.js`);
    const gzip = gzipSync(content, { level: 9 }).length;
    sizes[`${name}.js`] = { bytes: content.length, gzip };
  }
  return sizes;
}

/** One line for each bundle that has grown by more than 5 %, or is not in the list. */
export async function grown(found: Sizes): Promise<string[]> {
  const known: Sizes = JSON.parse(await readFile(committed, "utf8"));
  return Object.entries(found).flatMap(([file, { bytes, gzip }]) => {
    const most = known[file];
    if (most === undefined) return [`${file}: is not in scripts/sizes.json`];
    if (bytes <= most.bytes * maxGrowth && gzip <= most.gzip * maxGrowth) return [];
    return [`${file}: found ${bytes} / ${gzip}, wanted about ${most.bytes} / ${most.gzip} bytes`];
  });
}

if (process.argv.includes("--write")) {
  await writeFile(committed, `${JSON.stringify(await measure(), null, 2)}\n`);
}
