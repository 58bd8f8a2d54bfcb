/**
 * The packages that the live lane and the bench measure us against: an installation of its own below this folder, by a
 * lock file of its own, that nothing else sees.
 *
 * @module
 */
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { fileURLToPath, pathToFileURL } from "node:url";
import { run } from "../../scripts/child.ts";

const folder = fileURLToPath(new URL("./", import.meta.url));

/** The official server, as a file for Node. */
export const EVERYTHING: string = fileOf("server-everything", "dist/index.js");
/** The official conformance program, as a file for Node. */
export const CONFORMANCE: string = fileOf("conformance", "dist/index.js");

/** Is anything installed? */
export function isInstalled(): boolean {
  return existsSync(EVERYTHING);
}

/**
 * Installs what the lock file says, without running a script of any package. npm compares each tarball with the digest in
 * the lock file; what it wrote down is then compared with the lock file once more, and with what lies in the folders.
 *
 * @returns name and version of what was asked for.
 */
export async function install(): Promise<string[]> {
  const flags = ["--ignore-scripts", "--prefer-offline", "--no-audit", "--no-fund"];
  const ended = await run("npm", ["ci", ...flags], { cwd: folder });
  if (!ended.ok) throw new Error(`Installing below test/live: npm failed\n${ended.output}`);
  const lock = await readLock("package-lock.json");
  for (const [path, found] of Object.entries(await readLock("node_modules/.package-lock.json"))) {
    const isLocked = found.integrity !== undefined && found.integrity === lock[path]?.integrity;
    if (!isLocked) throw new Error(`Checking test/live: ${path} is not what the lock file says`);
  }
  const { dependencies } = await readJson<{ dependencies: Record<string, string> }>("package.json");
  return await Promise.all(Object.entries(dependencies).map(identify));
}

/** Name and version of an installed package, which must be those that were asked for. */
async function identify([name, version]: [string, string]): Promise<string> {
  const found = await readJson<{ name: string; version: string }>(
    `node_modules/${name}/package.json`,
  );
  const [identity, wanted] = [`${found.name} ${found.version}`, `${name} ${version}`];
  if (identity === wanted) return identity;
  throw new Error(`Checking test/live: found ${identity}, wanted ${wanted}`);
}

/** A module of the official SDK, such as `client/index.js`, as far as its caller describes it. */
export async function importSdk<T>(path: string): Promise<T> {
  return await import(pathToFileURL(fileOf("sdk", `dist/esm/${path}`)).href);
}

function fileOf(name: string, path: string): string {
  return `${folder}node_modules/@modelcontextprotocol/${name}/${path}`;
}

async function readLock(path: string): Promise<Record<string, { integrity?: string }>> {
  const { packages } = await readJson<{ packages: Record<string, { integrity?: string }> }>(path);
  delete packages[""]; // ours
  return packages;
}

async function readJson<T>(path: string): Promise<T> {
  return JSON.parse(await readFile(folder + path, "utf8")) as T;
}
