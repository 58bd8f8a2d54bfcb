/**
 * A directory in memory, for pages and tests. It has what a real one has that matters here: links, directories, FIFOs,
 * and open files that outlive their names.
 *
 * @module
 */
import { ByteBuffer, IoError } from "../core/mod.ts";
import type { Directory, FileInfo, OpenFile } from "../ports/mod.ts";

/** Something in a directory. */
export type MemoryNode =
  | { readonly kind: "file"; readonly bytes: ByteBuffer }
  | { readonly kind: "directory" | "other" }
  | { readonly kind: "link"; readonly target: string };

/** A directory in memory; links lead to other names in it. */
export class MemoryDirectory implements Directory {
  readonly label: string;
  readonly #nodes = new Map<string, MemoryNode>();
  #exists: boolean;

  /** `label` is what error messages call it; `options.exists` makes it at once. */
  constructor(label = "memory:", options: { exists?: boolean } = {}) {
    this.label = label;
    this.#exists = options.exists ?? false;
  }

  /** Has the directory been made? */
  get exists(): boolean {
    return this.#exists;
  }

  /** What is in the directory, by name. */
  get nodes(): ReadonlyMap<string, MemoryNode> {
    return this.#nodes;
  }

  /** Puts something in the directory as another program would. */
  plant(name: string, node: MemoryNode | Uint8Array): void {
    this.#exists = true;
    this.#nodes.set(
      name,
      node instanceof Uint8Array ? { kind: "file", bytes: bufferOf(node) } : node,
    );
  }

  locate(name: string): string {
    return `${this.label}/${name}`;
  }

  make(): Promise<void> {
    this.#exists = true;
    return Promise.resolve();
  }

  async inspect(name: string, follow: boolean): Promise<FileInfo | null> {
    const node = follow ? this.#follow(name) : this.#nodes.get(name);
    return await Promise.resolve(node === undefined ? null : describe(node));
  }

  async openRead(name: string): Promise<OpenFile> {
    return await Promise.resolve(new MemoryFile(this.#file(name, "openRead")));
  }

  async openAppend(name: string): Promise<OpenFile> {
    return await Promise.resolve(new MemoryFile(this.#file(name, "openAppend")));
  }

  async openNew(name: string, _mode: number): Promise<OpenFile> {
    this.#refuse("openNew", name, !this.#exists && "ENOENT", this.#nodes.has(name) && "EEXIST");
    const node = { kind: "file" as const, bytes: new ByteBuffer() };
    this.#nodes.set(name, node);
    return await Promise.resolve(new MemoryFile(node));
  }

  async link(from: string, to: string): Promise<void> {
    const node = this.#nodes.get(from);
    this.#refuse("link", to, node === undefined && "ENOENT", this.#nodes.has(to) && "EEXIST");
    this.#nodes.set(to, node!);
    return await Promise.resolve();
  }

  async rename(from: string, to: string): Promise<void> {
    const node = this.#nodes.get(from);
    const isOntoDirectory = this.#nodes.get(to)?.kind === "directory";
    this.#refuse("rename", from, node === undefined && "ENOENT", isOntoDirectory && "EISDIR");
    this.#nodes.delete(from);
    this.#nodes.set(to, node!);
    return await Promise.resolve();
  }

  async remove(name: string): Promise<void> {
    const node = this.#nodes.get(name);
    this.#refuse(
      "remove",
      name,
      node === undefined && "ENOENT",
      node?.kind === "directory" && "EISDIR",
    );
    this.#nodes.delete(name);
    return await Promise.resolve();
  }

  async sync(): Promise<void> {
    this.#refuse("sync", "the directory", !this.#exists && "ENOENT");
    return await Promise.resolve();
  }

  #follow(name: string): MemoryNode | undefined {
    let node = this.#nodes.get(name);
    for (let steps = 0; node?.kind === "link" && steps < 40; steps++) {
      node = this.#nodes.get(node.target);
    }
    return node?.kind === "link" ? undefined : node; // links in a circle lead nowhere
  }

  #file(name: string, operation: string): Extract<MemoryNode, { kind: "file" }> {
    const node = this.#follow(name);
    this.#refuse(
      operation,
      name,
      node === undefined && "ENOENT",
      node?.kind !== "file" && "EINVAL",
    );
    return node as Extract<MemoryNode, { kind: "file" }>;
  }

  #refuse(operation: string, name: string, ...codes: (string | false)[]): void {
    for (const code of codes) {
      if (code !== false) throw new IoError(code, operation, `${operation} "${name}": ${code}`);
    }
  }
}

class MemoryFile implements OpenFile {
  readonly #node: Extract<MemoryNode, { kind: "file" }>;
  #at = 0;
  #closed = false;

  constructor(node: Extract<MemoryNode, { kind: "file" }>) {
    this.#node = node;
  }

  async inspect(): Promise<FileInfo> {
    this.#requireOpen("inspect");
    return await Promise.resolve(describe(this.#node));
  }

  async read(into: Uint8Array): Promise<number> {
    this.#requireOpen("read");
    const part = this.#node.bytes.view().subarray(this.#at, this.#at + into.length);
    into.set(part);
    this.#at += part.length;
    return await Promise.resolve(part.length);
  }

  async write(bytes: Uint8Array): Promise<number> {
    this.#requireOpen("write");
    this.#node.bytes.append(bytes);
    return await Promise.resolve(bytes.length);
  }

  async sync(): Promise<void> {
    this.#requireOpen("sync");
    return await Promise.resolve();
  }

  async close(): Promise<void> {
    this.#requireOpen("close");
    this.#closed = true;
    return await Promise.resolve();
  }

  #requireOpen(operation: string): void {
    if (this.#closed) throw new IoError("EBADF", operation, `${operation}: the file is closed`);
  }
}

function describe(node: MemoryNode): FileInfo {
  return { kind: node.kind, identity: node, size: node.kind === "file" ? node.bytes.length : 0 };
}

function bufferOf(bytes: Uint8Array): ByteBuffer {
  const buffer = new ByteBuffer();
  buffer.append(bytes);
  return buffer;
}
