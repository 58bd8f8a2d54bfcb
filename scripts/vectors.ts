/**
 * Writes vectors/index.json, which lists every vector file with its digest; with --check only
 * compares.
 *
 *     node --import tsx scripts/vectors.ts [--check]
 *
 * @module
 */
import { createHash } from "node:crypto";
import { readdir, readFile, writeFile } from "node:fs/promises";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { parseSuite } from "../src/conformance/mod.ts";

const folder: string = fileURLToPath(new URL("../vectors/", import.meta.url));

/** The text of vectors/index.json for the files that are there. */
export async function formatIndex(): Promise<string> {
  const names = await readdir(folder, { recursive: true });
  const paths = names.map((name) => name.replaceAll("\\", "/")).filter((name) =>
    name.endsWith(".json") && name !== "index.json"
  );
  const files = await Promise.all(paths.sort().map(describe));
  const lines = files.map((file) => `    ${JSON.stringify(file)}`).join(",\n");
  return `{\n  "files": [\n${lines}\n  ]\n}\n`;
}

async function describe(path: string): Promise<unknown> {
  const bytes = await readFile(folder + path);
  const parsed = parseSuite(bytes.toString("utf8"));
  if (!parsed.ok) throw new Error(`${path}: ${parsed.reason}`);
  const { suite, op, cases } = parsed.value;
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  return { path, suite, op, cases: cases.length, sha256 };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const index = await formatIndex();
  if (!process.argv.includes("--check")) await writeFile(`${folder}index.json`, index);
  else if (await readFile(`${folder}index.json`, "utf8") !== index) {
    console.error("vectors/index.json is not that of the files: run scripts/vectors.ts");
    process.exitCode = 1;
  }
}
