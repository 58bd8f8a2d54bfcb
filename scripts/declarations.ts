/**
 * What declaration files import: read from their text, since the compiler writes them in one form.
 *
 * @module
 */
import { readFile } from "node:fs/promises";
import { posix } from "node:path";

/** A relative import as tsc emits it into a declaration file, with the ending of the source. */
export const emittedImport: RegExp = /((?:\bfrom|\bimport)\s*\(?\s*")(\.{1,2}\/[^"]+?)\.ts(")/g;

/** A declaration file. */
export interface Declarations {
  /** Path below the folder that was searched. */
  name: string;
  text: string;
  /** What it imports, `/// <reference types>` included. */
  imports: string[];
}

/** The declaration files that these lead to, themselves included; relative imports end as told. */
export async function reachable(
  folder: string,
  entries: string[],
  ending: ".ts" | ".js",
): Promise<Declarations[]> {
  const names = new Set(entries);
  const found: Declarations[] = [];
  for (const name of names) {
    const text = await readFile(folder + name, "utf8");
    const imports = importedBy(text);
    found.push({ name, text, imports });
    for (const specifier of imports.filter((specifier) => specifier.startsWith("."))) {
      const target = posix.join(posix.dirname(name), specifier);
      names.add(`${target.slice(0, -ending.length)}.d.ts`);
    }
  }
  return found;
}

function importedBy(declarations: string): string[] {
  const code = declarations.replace(/\/\*[^]*?\*\//g, "");
  const forms = /(?:\bfrom|\bimport|<reference types=)\s*\(?\s*["']([^"']+)["']/g;
  return [...code.matchAll(forms)].map(([, specifier = ""]) => specifier);
}
