/**
 * `npm run schemas`: writes `schemas/KIND.v1.schema.json` from the schemas of `src/schema/`. With `--check` it writes
 * nothing and says which files differ. A folder may be named instead of `schemas`.
 *
 * @module
 */
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import process from "node:process";
import { toJsonSchema } from "@valibot/to-json-schema";
import { SCHEMAS } from "../src/schema/mod.ts";
import { root } from "./child.ts";

const isCheck = process.argv.includes("--check");
const folder = resolve(root, process.argv.slice(2).find((word) => word !== "--check") ?? "schemas");

const wanted = new Map(
  Object.entries(SCHEMAS).map(([kind, schema]) => {
    const name = `${kind}.v1.schema.json`;
    return [name, render(name, schema)] as const;
  }),
);
if (isCheck) await check();
else await write();

/** The text of a file. Its `$id` is relative: wherever the file is, that is its address. */
function render(name: string, schema: unknown): string {
  const { $schema, ...rest } = toJsonSchema(schema as Parameters<typeof toJsonSchema>[0], {
    target: "draft-2020-12",
    errorMode: "throw",
    typeMode: "output", // of a pipe with several schemas, the last: see noList() in src/schema/parts.ts
  });
  const { title, description, ...body } = rest;
  return `${JSON.stringify({ $schema, $id: name, title, description, ...body }, null, 2)}\n`;
}

async function write(): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const [name, text] of wanted) await writeFile(resolve(folder, name), text);
  console.log(`Wrote ${wanted.size} schemas`);
}

async function check(): Promise<void> {
  const found = await readdir(folder).catch(() => []);
  const names = new Set([...wanted.keys(), ...found]);
  const wrong: string[] = [];
  for (const name of [...names].sort()) {
    const text = await readFile(resolve(folder, name), "utf8").catch(() => undefined);
    if (text !== wanted.get(name)) wrong.push(name);
  }
  for (const name of wrong) console.error(`${name} is not what the sources give: npm run schemas`);
  if (wrong.length === 0) console.log(`${wanted.size} schemas are up to date`);
  else process.exitCode = 1;
}
