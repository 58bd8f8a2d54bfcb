/**
 * The bundles in dist/browser/: one file each that a page, or Deno by its URL, imports without an
 * import map. Deno reads types through the comment on the first line, and only finds declarations
 * that import each other as `./name.d.ts`, so those that a bundle reaches are copied in that form.
 *
 * @module
 */
import { mkdir, writeFile } from "node:fs/promises";
import { posix } from "node:path";
import { build } from "esbuild";
import { emittedImport, reachable } from "./declarations.ts";

/** The bundles: everything, and the areas that a verifier in a page is made of. */
export type BundleName = "mod" | "hash" | "capsule" | "receipt";

/** The entry of each bundle, below dist/. */
export const BUNDLES: Record<BundleName, string> = {
  mod: "mod",
  hash: "src/hash/mod",
  capsule: "src/capsule/mod",
  receipt: "src/receipt/mod",
};

/** Writes every bundle and the declarations beside them; returns the names. */
export async function bundleForBrowsers(dist: string): Promise<string[]> {
  for (const [name, entry] of Object.entries(BUNDLES)) {
    await build({
      entryPoints: [`${dist}${entry}.js`],
      outfile: `${dist}browser/${name}.js`,
      bundle: true,
      minify: true,
      format: "esm",
      platform: "browser",
      target: "es2022",
      legalComments: "linked",
      banner: { js: `// @ts-self-types="./types/${entry}.d.ts"` },
      logLevel: "warning",
    });
  }
  await copyDeclarations(dist);
  return Object.keys(BUNDLES);
}

async function copyDeclarations(dist: string): Promise<void> {
  const entries = Object.values(BUNDLES).map((entry) => `${entry}.d.ts`);
  for (const { name, text } of await reachable(dist, entries, ".ts")) {
    const copy = `${dist}browser/types/${name}`;
    await mkdir(posix.dirname(copy), { recursive: true });
    const mapless = text.replace(/\n\/\/# sourceMappingURL=.*$/, "\n");
    await writeFile(copy, mapless.replace(emittedImport, "$1$2.d.ts$3"));
  }
}
