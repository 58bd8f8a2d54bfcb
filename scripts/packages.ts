/**
 * What a stranger gets: the packed tarball, installed into an empty folder outside the project and
 * used from there by every runtime, and the verdicts of the tools that look at packages.
 *
 * @module
 */
import { rmSync } from "node:fs";
import { copyFile, cp, mkdtemp, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import type { BundleName } from "./bundle.ts";
import { type Ended, root, run } from "./child.ts";
import { reachable } from "./declarations.ts";
import { buildPage } from "./page.ts";
import { grown, measure } from "./sizes.ts";
import { check, inspect, type Step } from "./step.ts";

interface Manifest {
  version: string;
  exports: Record<string, string | Record<string, string>>;
  dependencies: Record<string, string>;
}

interface Packed {
  /** The empty folder, which has the package installed. */
  folder: string;
  tarball: string;
  manifest: Manifest;
  /** Paths in the tarball. */
  files: string[];
  size: number;
  unpackedSize: number;
}

interface Findings {
  faults: string[];
  notes?: string[];
}

const group = "packages";

/** All that the tarball may hold. */
const allowed = [
  /^(?:LICENSE|README\.md|package\.json|mod\.ts)$/,
  /^src\/[\w/]+\.(?:ts|html|css)$/,
  /^dist\/(?:mod|src\/[\w/]+)\.(?:js|d\.ts)(?:\.map)?$/,
  /^dist\/browser\/(?:\w+\.js(?:\.LEGAL\.txt)?|verify\.html)$/,
  /^dist\/browser\/types\/(?:mod|src\/[\w/]+)\.d\.ts$/,
  /^schemas\/[\w.-]+\.json$/,
  /^vectors\/(?:README\.md|index\.json|(?!generate\/)[\w.-]+\/[\w./-]+)$/,
];

/** A type of each bundle: it is in the declarations only, so it tells whether they were found. */
const typeOf: Record<BundleName, string> = {
  mod: "Sha256",
  hash: "Sha256",
  capsule: "CapsuleVerdict",
  receipt: "ReceiptVerdict",
};

let pending: Promise<Packed> | undefined;

/** The steps of group "packages"; whichever starts first builds, packs and installs for all. */
export function packageSteps(): Step[] {
  const publish = ["publish", "--dry-run", "--allow-dirty"];
  return [
    inspect("tarball", group, inspectTarball),
    check("deno publish --dry-run", group, "deno", publish),
    inspect("imports from the tarball", group, inspectImports),
    inspect("types of the tarball", group, inspectTypes),
    inspect("bin of the tarball", group, inspectBin),
    inspect("declarations name no package", group, inspectDeclarations),
    inspect("bundles", group, inspectBundles),
    inspect("sizes", group, inspectSizes),
    inspect("publint --strict", group, () => lintTarball("publint", ["run"], ["--strict"])),
    inspect("attw, esm-only", group, () => lintTarball("attw", [], ["--profile", "esm-only"])),
  ];
}

/** The reason why there is none is said once, by the step "tarball". */
function packed(): Promise<Packed> {
  return tarball().catch(() => {
    throw new Error("There is no tarball");
  });
}

function tarball(): Promise<Packed> {
  return pending ??= pack();
}

async function pack(): Promise<Packed> {
  await demand("Building", process.execPath, ["--import", "tsx", "scripts/build.ts"]);
  const folder = await mkdtemp(join(tmpdir(), "affidavit-packed-"));
  process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
  const { stdout } = await demand("Packing", "npm", [
    ...["pack", "--json", "--ignore-scripts", "--pack-destination", folder],
  ]);
  const [{ filename, files, size, unpackedSize }] = JSON.parse(stdout);
  const tarball = join(folder, filename);
  const manifest: Manifest = JSON.parse(await readFile(`${root}package.json`, "utf8"));
  await install(folder, [tarball, ...Object.keys(manifest.dependencies).map(installedPath)]);
  const paths = files.map(({ path }: { path: string }) => path);
  return { folder, tarball, manifest, files: paths, size, unpackedSize };
}

/** From files only: the dependencies are those of the project, so no registry is asked. */
async function install(folder: string, packages: string[]): Promise<void> {
  await writeFile(join(folder, "package.json"), `{"private":true,"type":"module"}\n`);
  const flags = ["--offline", "--install-links", "--ignore-scripts", "--no-audit", "--no-fund"];
  await demand("Installing", "npm", ["install", ...flags, ...packages], folder);
  await copyFile(`${root}scripts/consumer.mjs`, join(folder, "consumer.mjs"));
}

const installedPath = (name: string): string => `${root}node_modules/${name}`;

async function demand(what: string, command: string, args: string[], cwd = root): Promise<Ended> {
  const ended = await run(command, args, { cwd });
  if (!ended.ok) throw new Error(`${what}: ${command} failed\n${ended.output}`);
  return ended;
}

const subpathsOf = ({ exports }: Manifest): string[] =>
  Object.keys(exports).filter((subpath) => typeof exports[subpath] === "object");

async function inspectTarball(): Promise<Findings> {
  const { files, size, unpackedSize } = await tarball();
  const strangers = files.filter((file) => !allowed.some((pattern) => pattern.test(file)));
  const faults = strangers.map((file) => `${file}: nothing of this kind may be in the tarball`);
  const [kB, unpackedkB] = [size, unpackedSize].map((bytes) => Math.round(bytes / 1000));
  return { faults, notes: [`${files.length} files, ${kB} kB, ${unpackedkB} kB unpacked`] };
}

/** Every subpath has the same names, however it is loaded, and nothing else can be loaded. */
async function inspectImports(): Promise<Findings> {
  const { folder, manifest } = await packed();
  const subpaths = subpathsOf(manifest);
  const ways: [string, string, string[]][] = [
    ["import in Node", process.execPath, ["consumer.mjs", "import"]],
    ["require() in Node", process.execPath, ["consumer.mjs", "require"]],
    ["import in Deno", "deno", ["run", "-A", "consumer.mjs", "import"]],
    ["import in Bun", "bun", ["consumer.mjs", "import"]],
  ];
  const faults: string[] = [];
  let first: string | undefined;
  for (const [way, command, args] of ways) {
    const { ok, stdout, output } = await run(command, [...args, ...subpaths], { cwd: folder });
    first ??= stdout;
    if (!ok) faults.push(`${way}: ${output}`);
    else if (stdout !== first) faults.push(`${way}: found ${stdout}wanted, as by import, ${first}`);
  }
  if (faults.length === 0) faults.push(...wrongReport(JSON.parse(first ?? "{}"), manifest));
  return { faults, notes: [`${subpaths.length} subpaths in ${ways.length} ways`] };
}

function wrongReport(report: Record<string, unknown>, { version }: Manifest): string[] {
  const { names, ...rest } = report;
  const wanted = {
    version,
    refused: ["dist/mod.js", "src/core/mod.ts", "capsule/chain", "no-such-area"],
    implementation: "wasm",
    digest: "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
  };
  const [found, expected] = [JSON.stringify(rest), JSON.stringify(wanted)];
  return names && found === expected ? [] : [`consumer.mjs: found ${found}, wanted ${expected}`];
}

/** For a consumer who checks libraries too and has the types of no runtime. */
async function inspectTypes(): Promise<Findings> {
  const { folder, manifest } = await packed();
  const lines = subpathsOf(manifest).map((subpath, index) =>
    `export * as area${index} from "affidavit${subpath.slice(1)}";\n`
  );
  await writeFile(join(folder, "consumer.ts"), lines.join(""));
  const args = ["--noEmit", "--strict", "--exactOptionalPropertyTypes", "--skipLibCheck", "false"];
  args.push("--module", "nodenext", "--target", "es2022", "--lib", "es2022,dom");
  const { ok, output } = await run("tsc", [...args, "consumer.ts"], { cwd: folder });
  return { faults: ok ? [] : [output] };
}

/** Records a capsule with the installed program and verifies it, before and after a change. */
async function inspectBin(): Promise<Findings> {
  const { folder, manifest } = await packed();
  const main = join(folder, "node_modules/affidavit/dist/src/cli/main.js");
  const programs: [string, string[]][] = [
    [join(folder, "node_modules/.bin/affidavit"), []],
    ["deno", ["run", "-A", main]],
    ["bun", [main]],
  ];
  const faults: string[] = [];
  for (const [index, [command, first]] of programs.entries()) {
    const directory = `run-${index}`;
    const affidavit = (...args: string[]): Promise<Ended> =>
      run(command, [...first, ...args], { cwd: folder });
    const expectStatus = async (wanted: boolean, ...args: string[]): Promise<void> => {
      const { ok, output } = await affidavit(...args);
      if (ok !== wanted) faults.push(`${command}: affidavit ${args.join(" ")}: ${output}`);
    };
    const { stdout } = await affidavit("--version");
    if (stdout !== `${manifest.version}\n`) faults.push(`${command}: --version gave "${stdout}"`);
    await expectStatus(true, "capsule", "create", directory);
    await expectStatus(true, "capsule", "append", directory, "plan", "start");
    await expectStatus(true, "verify", directory);
    const journal = join(folder, directory, "journal.ndjson");
    await writeFile(journal, (await readFile(journal, "utf8")).replace("start", "stare"));
    await expectStatus(false, "verify", directory);
    const page = `verify-${index}.html`;
    await expectStatus(true, "page", "--out", page);
    const found = await readFile(join(folder, page), "utf8").catch(() => "");
    if (found !== await buildPage()) faults.push(`${command}: ${page} is not the page`);
  }
  return { faults, notes: [`${programs.length} runtimes`] };
}

/** A third-party type in a signature would make that package's versions part of our promise. */
async function inspectDeclarations(): Promise<Findings> {
  const { manifest } = await packed();
  const entries = Object.values(manifest.exports).filter((target) => typeof target === "object");
  const names = entries.map(({ types = "" }) => types.replace("./dist/", ""));
  const found = await reachable(`${root}dist/`, names, ".js");
  const faults = found.flatMap(({ name, imports }) =>
    imports.filter((specifier) => !specifier.startsWith(".")).filter((specifier) =>
      !(specifier.startsWith("node:") && /^src\/(?:node|cli)\//.test(name))
    ).map((specifier) => `dist/${name}: names "${specifier}"`)
  );
  return { faults, notes: [`${found.length} files`] };
}

/**
 * Deno, without configuration and permissions, runs each bundle and finds its types. The bundles
 * are copied out of node_modules, where Deno would treat them as parts of a package.
 */
async function inspectBundles(): Promise<Findings> {
  const { folder } = await packed();
  const installed = join(folder, "node_modules/affidavit/dist/browser");
  await cp(installed, join(folder, "browser"), { recursive: true });
  const lines = Object.entries(typeOf).flatMap(([bundle, type]) => [
    `import * as ${bundle} from "./browser/${bundle}.js";`,
    `type Of_${bundle} = ${bundle}.${type};`,
    `// @ts-expect-error: holds unless all that arrived is "any"`,
    `export const not_${bundle}: Of_${bundle} = 1;`,
  ]);
  lines.push(`console.log((await hash.loadSha256()).implementation, typeof mod, typeof capsule);`);
  lines.push(`console.log(typeof receipt);\n`);
  await writeFile(join(folder, "page.ts"), lines.join("\n"));
  const args = ["run", "--check", "--no-config", "--no-prompt", "page.ts"];
  const { ok, stdout, output } = await run("deno", args, { cwd: folder });
  return { faults: ok && stdout === "wasm object object\nobject\n" ? [] : [output] };
}

async function inspectSizes(): Promise<Findings> {
  await packed();
  const found = await measure();
  const notes = Object.entries(found).map(([file, { bytes, gzip }]) =>
    `${file} ${bytes.toLocaleString("en")} bytes, ${gzip.toLocaleString("en")} with gzip`
  );
  return { faults: await grown(found), notes };
}

async function lintTarball(tool: string, before: string[], after: string[]): Promise<Findings> {
  const { tarball } = await packed();
  const { ok, output } = await run(tool, [...before, tarball, ...after]);
  return { faults: ok ? [] : [output] };
}
