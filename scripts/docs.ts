/**
 * `npm run docs`: the API pages of every subpath, into docs/api/, which is not committed. Fails on
 * any warning, such as an export without a comment or a link that leads nowhere.
 *
 * @module
 */
import { readFile } from "node:fs/promises";
import { relative } from "node:path";
import process from "node:process";
import { Application, type Context, Converter } from "typedoc";
import { root } from "./child.ts";

const { exports } = JSON.parse(await readFile(`${root}deno.json`, "utf8")) as {
  exports: Record<string, string>;
};
const subpaths = Object.entries(exports);
const app = await Application.bootstrap({
  entryPoints: subpaths.map(([, source]) => root + source.slice(2)),
  tsconfig: `${root}tsconfig.build.json`,
  name: "Affidavit",
  readme: `${root}README.md`,
  out: `${root}docs/api`,
  disableSources: true,
  skipErrorChecking: true, // the `tsc` step does that
  treatWarningsAsErrors: true,
  treatValidationWarningsAsErrors: true,
  validation: { notExported: true, invalidLink: true, notDocumented: true },
  requiredToBeDocumented: [
    "Module",
    "Class",
    "Interface",
    "Function",
    "Variable",
    "TypeAlias",
    "Method",
  ],
});
app.converter.on(Converter.EVENT_RESOLVE_BEGIN, nameModules);

const project = await app.convert();
if (project !== undefined) app.validate(project);
const ok = project !== undefined && !app.logger.hasErrors() && !app.logger.hasWarnings();
if (ok) await app.generateOutputs(project);
process.exitCode = ok && !app.logger.hasWarnings() ? 0 : 1;

/** A module is known by the name that one imports it by, not by its file. */
function nameModules({ project }: Context): void {
  for (const module of project.children ?? []) {
    const file = project.files.getReflectionPath(module);
    const source = file === undefined ? "" : `./${relative(root, file).replaceAll("\\", "/")}`;
    const [subpath] = subpaths.find(([, target]) => target === source) ?? [];
    if (subpath !== undefined) module.name = `affidavit${subpath.slice(1)}`;
  }
}
