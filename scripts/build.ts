/**
 * `npm run build`: compiles mod.ts and src/ into dist/, makes the declaration files importable, and
 * bundles what a page or a URL import takes into dist/browser/, verify.html among it.
 *
 * @module
 */
import { chmod, readdir, readFile, rm, writeFile } from "node:fs/promises";
import process from "node:process";
import { bundleForBrowsers } from "./bundle.ts";
import { root, run } from "./child.ts";
import { emittedImport } from "./declarations.ts";
import { buildPage } from "./page.ts";

const dist = `${root}dist/`;

await rm(dist, { recursive: true, force: true });
const { ok, output } = await run("tsc", ["-p", "tsconfig.build.json"]);
if (ok) await finish();
else console.error(output);
process.exitCode = ok ? 0 : 1;

async function finish(): Promise<void> {
  const bundles = await bundleForBrowsers(dist);
  await writeFile(`${dist}browser/verify.html`, await buildPage());
  const count = await fixDeclarations();
  await chmod(`${dist}src/cli/main.js`, 0o755);
  console.error(`Built dist/ with ${count} declaration files and ${bundles.length} bundles`);
}

/**
 * tsc rewrites `.ts` to `.js` in the code that it emits but leaves it in the declarations, where
 * `./hash.ts` would be looked for beside them and is not there.
 */
async function fixDeclarations(): Promise<number> {
  const names = (await readdir(dist, { recursive: true })).filter((name) =>
    name.endsWith(".d.ts") && !name.startsWith("browser")
  );
  for (const name of names) {
    const text = await readFile(dist + name, "utf8");
    await writeFile(dist + name, text.replace(emittedImport, "$1$2.js$3"));
  }
  return names.length;
}
