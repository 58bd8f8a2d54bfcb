/**
 * A place where an operation builds the files of a case, works on them and looks at what became of them.
 *
 * @module
 */
import type { Sha256 } from "../hash/mod.ts";
import { IoError } from "../core/mod.ts";
import { MemoryFiles } from "../deliverable/mod.ts";
import type { Directory, FileTree, ListedNode, Listing } from "../ports/mod.ts";
import { MemoryDirectory } from "../store/mod.ts";
import type { MemoryNode } from "../store/mod.ts";
import { InputError } from "./input.ts";
import { listFile, sortListing } from "./files.ts";
import type { Content, FileSpec, ListedFile } from "./files.ts";

/** Room for the files of one case; nothing in it outlives `dispose`. */
export interface Workspace {
  /** The directory at a relative path, which need not exist. */
  at(path: string): Directory;
  /** Makes the directory at a path and in it each file in turn, in the place of what has its name. */
  build(path: string, files: readonly FileSpec[]): Promise<void>;
  /** Everything below a directory, sorted by path in code units; `null` when the directory does not exist. */
  list(path: string): Promise<ListedFile[] | null>;
  /** What is below a directory, as pure code is handed it. @throws {IoError} `ENOENT` when there is none. */
  read(path: string): Promise<Listing>;
  /** Builds files, and gives the trees in which they are, by the paths of their roots. */
  buildTrees(files: readonly FileSpec[]): Promise<(path: string) => FileTree>;
  /** Removes everything, read-only or not. */
  dispose(): Promise<void>;
}

/** What operations need from the runtime they run in. */
export interface Host {
  /** Takes every digest. */
  readonly sha256: Sha256;
  /** An empty workspace of one's own. */
  openWorkspace(): Promise<Workspace>;
}

/** Runs a step in a workspace of its own. */
export async function withWorkspace<T>(
  host: Host,
  step: (workspace: Workspace) => Promise<T>,
): Promise<T> {
  const workspace = await host.openWorkspace();
  try {
    return await step(workspace);
  } finally {
    await workspace.dispose();
  }
}

/**
 * A workspace in memory, for pages and runtimes without permission to write. A link leads to a name in its own
 * directory or nowhere, and permission bits are ignored but in trees.
 */
export function openMemoryWorkspace(): Promise<Workspace> {
  return Promise.resolve(new MemoryWorkspace());
}

class MemoryWorkspace implements Workspace {
  readonly #directories = new Map<string, MemoryDirectory>();

  at(path: string): MemoryDirectory {
    const directory = this.#directories.get(path) ?? new MemoryDirectory(path);
    this.#directories.set(path, directory);
    return directory;
  }

  async build(path: string, files: readonly FileSpec[]): Promise<void> {
    await this.at(path).make();
    for (const file of files) await this.#buildFile(`${path}/${file.path}`, path, file);
  }

  async list(path: string): Promise<ListedFile[] | null> {
    const directory = this.#directories.get(path);
    return await Promise.resolve(
      directory?.exists === true ? sortListing(this.#listBelow(path, "")) : null,
    );
  }

  async read(path: string): Promise<Listing> {
    if (this.#directories.get(path)?.exists !== true) {
      throw new IoError("ENOENT", "read", "Listing a directory: there is none");
    }
    return await Promise.resolve(this.#readBelow(path, ""));
  }

  async buildTrees(files: readonly FileSpec[]): Promise<(path: string) => FileTree> {
    const trees = new MemoryFiles();
    for (const { path, content, mode } of files) putInTree(trees, path, content, mode);
    return await Promise.resolve((path: string) => trees.at(path));
  }

  async dispose(): Promise<void> {
    this.#directories.clear();
    return await Promise.resolve();
  }

  async #buildFile(path: string, top: string, { content }: FileSpec): Promise<void> {
    const [parent, name] = split(path);
    await this.#makeParents(parent, top);
    const directory = this.at(parent);
    if (content.kind === "directory") {
      await this.at(path).make();
      directory.plant(name, { kind: "directory" });
      return;
    }
    if (directory.nodes.has(name)) await directory.remove(name);
    if (content.kind !== "absent") directory.plant(name, this.#nodeOf(content, top));
  }

  async #makeParents(path: string, top: string): Promise<void> {
    if (path === top) return;
    const [parent, name] = split(path);
    await this.#makeParents(parent, top);
    const there = this.at(parent).nodes.get(name);
    if (there !== undefined && there.kind !== "directory") {
      throw new InputError("path", "below a directory");
    }
    this.at(parent).plant(name, { kind: "directory" });
    await this.at(path).make();
  }

  #nodeOf(content: Content, top: string): MemoryNode | Uint8Array {
    switch (content.kind) {
      case "file":
        return content.bytes;
      case "sparse":
        return new Uint8Array(content.size);
      case "symlink":
        return { kind: "link", target: content.target };
      case "hardlink": {
        const [parent, name] = split(`${top}/${content.path}`);
        const node = this.at(parent).nodes.get(name);
        if (node === undefined) throw new InputError("hardlink", "the path of a file built before");
        return node;
      }
      default:
        return { kind: "other" };
    }
  }

  #readBelow(path: string, prefix: string): ListedNode[] {
    return [...this.at(path).nodes].flatMap(([name, node]): ListedNode[] => {
      const place = prefix + name;
      if (node.kind === "file") return [{ path: place, kind: "file", bytes: node.bytes.view() }];
      const below = node.kind === "directory" ? `${path}/${name}` : undefined;
      return [
        { path: place, kind: node.kind },
        ...(below === undefined ? [] : this.#readBelow(below, `${place}/`)),
      ];
    });
  }

  #listBelow(path: string, prefix: string): ListedFile[] {
    return [...this.at(path).nodes].flatMap(([name, node]): ListedFile[] => {
      const place = prefix + name;
      switch (node.kind) {
        case "file":
          return [listFile(place, node.bytes.view())];
        case "link":
          return [{ path: place, symlink: node.target }];
        case "other":
          return [{ path: place, fifo: true }];
        case "directory":
          return [{ path: place, dir: true }, ...this.#listBelow(`${path}/${name}`, `${place}/`)];
      }
    });
  }
}

function putInTree(trees: MemoryFiles, path: string, content: Content, mode?: number): void {
  switch (content.kind) {
    case "file":
      return trees.put(path, content.bytes, mode);
    case "sparse":
      return trees.put(path, { size: content.size }, mode);
    case "directory":
      trees.put(path, "directory");
      return mode === undefined ? undefined : trees.setMode(path, mode);
    case "hardlink":
      return trees.link(content.path, path);
    case "absent":
      return trees.remove(path);
    default:
      return trees.put(path, content.kind === "symlink" ? "link" : "other");
  }
}

function split(path: string): [parent: string, name: string] {
  const at = path.lastIndexOf("/");
  return [path.slice(0, at), path.slice(at + 1)];
}
