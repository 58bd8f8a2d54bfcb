/**
 * A file system in memory, for pages and tests: whoever fills it says what stands where, and with it vouches for that.
 *
 * @module
 */
import { IoError } from "../core/mod.ts";
import type { FileTree, TreeFile, TreeNode } from "../ports/mod.ts";

/** What can be put in. */
export type MemoryContent =
  | Uint8Array
  /** A file of so many zeros, which take no room until they are read. */
  | { readonly size: number }
  | "directory"
  | "link"
  | "other";

interface Node {
  readonly kind: TreeNode["kind"];
  bytes: Uint8Array;
  /** At least as many as there are bytes; what is beyond them is zero. */
  size: number;
  mode: number;
  links: number;
  version: number;
}

/** Files, directories, links that lead nowhere; by paths with `/` between their names. */
export class MemoryFiles {
  readonly #nodes = new Map<string, Node>([["", makeNode("directory", 0o755)]]);

  /** Puts something at a path, in the place of what is there, and makes the directories above it. */
  put(path: string, content: MemoryContent, mode?: number): void {
    this.#makeParents(path);
    if (content === "directory" && this.#nodes.get(path)?.kind === "directory") return;
    this.remove(path);
    const kind = typeof content === "string" ? content : "file";
    const node = makeNode(kind, mode ?? (kind === "directory" ? 0o755 : 0o644));
    if (content instanceof Uint8Array) {
      Object.assign(node, { bytes: content, size: content.length });
    } else if (typeof content === "object") node.size = content.size;
    this.#nodes.set(path, node);
  }

  /** Gives a file a second name. */
  link(from: string, to: string): void {
    const node = this.#node(from, "link");
    this.#makeParents(to);
    this.remove(to);
    node.links++;
    this.#nodes.set(to, node);
  }

  /** Sets permission bits. */
  setMode(path: string, mode: number): void {
    this.#node(path, "chmod").mode = mode;
  }

  /** Writes over a file in its place. */
  rewrite(path: string, bytes: Uint8Array): void {
    const node = this.#node(path, "write");
    Object.assign(node, { bytes, size: bytes.length, version: node.version + 1 });
  }

  /** Removes a path with all that is below it, if there is something. */
  remove(path: string): void {
    for (const [name, node] of this.#nodes) {
      if (name !== path && !name.startsWith(`${path}/`)) continue;
      node.links--;
      this.#nodes.delete(name);
    }
  }

  /** The tree whose root is at a path. */
  at(path: string): FileTree {
    return new MemoryTree(this.#nodes, path);
  }

  #node(path: string, operation: string): Node {
    const node = this.#nodes.get(path);
    if (node === undefined) throw failure("ENOENT", operation, path);
    return node;
  }

  #makeParents(path: string): void {
    for (let at = path.indexOf("/"); at >= 0; at = path.indexOf("/", at + 1)) {
      const parent = path.slice(0, at);
      const there = this.#nodes.get(parent);
      if (there === undefined) this.#nodes.set(parent, makeNode("directory", 0o755));
      else if (there.kind !== "directory") throw failure("ENOTDIR", "mkdir", parent);
    }
  }
}

class MemoryTree implements FileTree {
  readonly label: string;
  readonly name: string;
  readonly #nodes: Map<string, Node>;

  constructor(nodes: Map<string, Node>, path: string) {
    this.#nodes = nodes;
    this.label = path;
    this.name = path.slice(path.lastIndexOf("/") + 1);
  }

  above(): readonly unknown[] | null {
    const names = this.label.split("/").slice(0, -1);
    const paths = ["", ...names.map((_, index) => names.slice(0, index + 1).join("/"))];
    const nodes = paths.map((path) => this.#nodes.get(path));
    return nodes.every((node) => node?.kind === "directory") ? nodes : null;
  }

  inspect(path: string): TreeNode | null {
    const node = this.#nodes.get(this.#locate(path));
    return node === undefined ? null : describe(node);
  }

  list(path: string, most: number): string[] {
    const place = this.#locate(path);
    if (this.#nodes.get(place)?.kind !== "directory") throw failure("ENOTDIR", "readdir", path);
    const prefix = place === "" ? "" : `${place}/`;
    const names: string[] = [];
    for (const name of this.#nodes.keys()) {
      if (names.length === most) break;
      const rest = name.startsWith(prefix) ? name.slice(prefix.length) : "";
      if (rest !== "" && !rest.includes("/")) names.push(rest);
    }
    return names;
  }

  openRead(path: string): TreeFile {
    const node = this.#nodes.get(this.#locate(path));
    if (node === undefined) throw failure("ENOENT", "open", path);
    if (node.kind === "link") throw failure("ELOOP", "open", path);
    return new MemoryFile(node);
  }

  openNew(path: string, mode: number): TreeFile {
    return new MemoryFile(this.#create(path, "file", mode));
  }

  makeDirectory(path: string, mode: number): void {
    this.#create(path, "directory", mode);
  }

  setDirectoryMode(path: string, mode: number): void {
    const node = this.#nodes.get(this.#locate(path));
    if (node === undefined) throw failure("ENOENT", "chmod", path);
    if (node.kind !== "directory") throw failure("ENOTDIR", "chmod", path);
    node.mode = mode;
  }

  #locate(path: string): string {
    return path === "" ? this.label : this.label === "" ? path : `${this.label}/${path}`;
  }

  #create(path: string, kind: "file" | "directory", mode: number): Node {
    const place = this.#locate(path);
    if (this.#nodes.has(place)) throw failure("EEXIST", "open", path);
    const parent = this.#nodes.get(place.slice(0, Math.max(0, place.lastIndexOf("/"))));
    if (parent?.kind !== "directory") throw failure("ENOENT", "open", path);
    const node = makeNode(kind, mode);
    this.#nodes.set(place, node);
    return node;
  }
}

class MemoryFile implements TreeFile {
  readonly #node: Node;
  #at = 0;

  constructor(node: Node) {
    this.#node = node;
  }

  inspect(): TreeNode {
    return describe(this.#node);
  }

  read(into: Uint8Array): number {
    const { bytes, size } = this.#node;
    const count = Math.max(0, Math.min(into.length, size - this.#at));
    const part = bytes.subarray(this.#at, this.#at + count);
    into.set(part);
    into.fill(0, part.length, count);
    this.#at += count;
    return count;
  }

  write(bytes: Uint8Array): number {
    const node = this.#node;
    if (node.bytes.length < this.#at + bytes.length) {
      const grown = new Uint8Array(Math.max(this.#at + bytes.length, 2 * node.bytes.length));
      grown.set(node.bytes);
      node.bytes = grown;
    }
    node.bytes.set(bytes, this.#at);
    this.#at += bytes.length;
    node.size = Math.max(node.size, this.#at);
    node.version++;
    return bytes.length;
  }

  setMode(mode: number): void {
    this.#node.mode = mode;
  }

  close(): void {}
}

function makeNode(kind: TreeNode["kind"], mode: number): Node {
  return { kind, mode, bytes: new Uint8Array(0), size: 0, links: 1, version: 0 };
}

function describe(node: Node): TreeNode {
  const { kind, links, mode, size, version } = node;
  return { kind, identity: node, links, mode, size, modified: version };
}

function failure(code: string, operation: string, path: string): IoError {
  return new IoError(code, operation, `${operation} "${path}": ${code}`);
}
