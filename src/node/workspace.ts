/**
 * Workspaces of conformance on a real file system, in temporary directories.
 *
 * @module
 */
import { execFile } from "node:child_process";
import {
  chmod,
  link,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  rm,
  symlink,
  truncate,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { codeOf } from "../core/mod.ts";
import { listFile, sortListing } from "../conformance/mod.ts";
import type { Content, FileSpec, ListedFile, Workspace } from "../conformance/mod.ts";
import type { Directory, FileTree, Listing } from "../ports/mod.ts";
import { directoryAt } from "./directory.ts";
import { treeAt } from "./seal_tree.ts";
import { readListing } from "./listing.ts";

/** Makes a temporary directory that is a workspace; `dispose` removes it. */
export async function openDiskWorkspace(): Promise<Workspace> {
  return new DiskWorkspace(await mkdtemp(join(tmpdir(), "affidavit-")));
}

class DiskWorkspace implements Workspace {
  readonly #base: string;

  constructor(base: string) {
    this.#base = base;
  }

  at(path: string): Directory {
    return directoryAt(join(this.#base, path));
  }

  async build(path: string, files: readonly FileSpec[]): Promise<void> {
    const top = join(this.#base, path);
    await mkdir(top, { recursive: true });
    for (const file of files) await buildFile(top, file);
    // Only now, or a read-only directory could not be filled; and the deepest first, while those above can be entered.
    const moded = files.filter(({ mode, content }) => mode !== undefined && has(content));
    const depth = (file: FileSpec): number => file.path.split("/").length;
    for (const file of moded.sort((a, b) => depth(b) - depth(a))) {
      const target = join(top, file.path);
      if (!(await lstat(target)).isSymbolicLink()) await chmod(target, file.mode!);
    }
  }

  async read(path: string): Promise<Listing> {
    return (await readListing(join(this.#base, path))).listing;
  }

  async list(path: string): Promise<ListedFile[] | null> {
    const top = join(this.#base, path);
    try {
      return sortListing(await listBelow(top, ""));
    } catch (error) {
      if (codeOf(error) === "ENOENT") return null;
      throw error;
    }
  }

  async buildTrees(files: readonly FileSpec[]): Promise<(path: string) => FileTree> {
    await this.build(".", files);
    return (path) => treeAt(`${this.#base}/${path}`);
  }

  async dispose(): Promise<void> {
    await openUp(this.#base);
    await rm(this.#base, { recursive: true, force: true });
  }
}

/** Links have no bits of their own, and what is not there has none either. */
function has(content: Content): boolean {
  return content.kind !== "absent" && content.kind !== "symlink";
}

async function buildFile(top: string, { path, content }: FileSpec): Promise<void> {
  await makeParents(top, path);
  const target = join(top, path);
  if (content.kind === "directory") return await mkdir(target).catch(ignore("EEXIST"));
  await rm(target, { force: true });
  switch (content.kind) {
    case "absent":
      return;
    case "file":
      return await writeFile(target, content.bytes, { flag: "wx" });
    case "sparse":
      await writeFile(target, "", { flag: "wx" });
      return await truncate(target, content.size);
    case "symlink":
      return await symlink(content.target, target);
    case "hardlink":
      await makeParents(top, content.path);
      return await link(join(top, content.path), target);
    case "fifo":
      await promisify(execFile)("mkfifo", [target]); // no runtime has a call for it
  }
}

/** Makes the directories above a path. A link among them would lead the rest of the path out of the workspace. */
async function makeParents(top: string, path: string): Promise<void> {
  let place = top;
  for (const name of path.split("/").slice(0, -1)) {
    place = join(place, name);
    await mkdir(place).catch(ignore("EEXIST"));
    if (!(await lstat(place)).isDirectory()) throw new Error(`"${path}" is not below a directory`);
  }
}

async function listBelow(top: string, prefix: string): Promise<ListedFile[]> {
  const found: ListedFile[] = [];
  for (const entry of await readdir(join(top, prefix), { withFileTypes: true })) {
    const path = prefix + entry.name;
    const place = join(top, path);
    if (entry.isFile()) found.push(listFile(path, new Uint8Array(await readFile(place))));
    else if (entry.isSymbolicLink()) found.push({ path, symlink: await readlink(place) });
    else if (!entry.isDirectory()) found.push({ path, fifo: true });
    else found.push({ path, dir: true }, ...await listBelow(top, `${path}/`));
  }
  return found;
}

/** Gives the owner back what a directory's bits may deny, so that what is in it can be removed. */
async function openUp(directory: string): Promise<void> {
  await chmod(directory, 0o700);
  for (const entry of await readdir(directory, { withFileTypes: true })) {
    if (entry.isDirectory()) await openUp(join(directory, entry.name));
  }
}

function ignore(code: string): (error: unknown) => undefined {
  return (error) => {
    if (codeOf(error) !== code) throw error;
    return undefined;
  };
}
