/**
 * A directory on disk, for Node, Deno and Bun.
 *
 * @module
 */
import { constants } from "node:fs";
import { link, lstat, mkdir, open, rename, stat, unlink } from "node:fs/promises";
import type { FileHandle } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import process from "node:process";
import { codeOf, IoError } from "../core/mod.ts";
import type { Directory, FileInfo, OpenFile } from "../ports/mod.ts";

const { O_APPEND, O_CREAT, O_EXCL, O_RDONLY, O_WRONLY } = constants;
const O_NONBLOCK = constants.O_NONBLOCK ?? 0; // Windows has no FIFOs in directories, and no such flag

/** The directory at a path, which need not exist yet. */
export function directoryAt(path: string): Directory {
  if (path === "") throw new TypeError("A directory cannot have an empty path");
  return new DiskDirectory(resolve(path));
}

class DiskDirectory implements Directory {
  readonly label: string;

  constructor(path: string) {
    this.label = path;
  }

  locate(name: string): string {
    return join(this.label, name);
  }

  async make(): Promise<void> {
    const first = await attempt(
      "mkdir",
      "the directory",
      () => mkdir(this.label, { recursive: true }),
    );
    if (first === undefined) return;
    let [path, parent] = [this.label, dirname(this.label)];
    while (path.length >= first.length && path !== parent) { // Deno may name the root where it may not look
      await syncAt(parent).catch(passDenied);
      [path, parent] = [parent, dirname(parent)];
    }
  }

  inspect(name: string, follow: boolean): Promise<FileInfo | null> {
    return attempt(follow ? "stat" : "lstat", name, async () => {
      try {
        const path = this.locate(name);
        return describe(
          await (follow ? stat(path, { bigint: true }) : lstat(path, { bigint: true })),
        );
      } catch (error) {
        // A path through a file, and links in a circle, lead to nothing that exists.
        if (["ENOENT", "ENOTDIR", "ELOOP"].includes(codeOf(error) ?? "")) return null;
        throw error;
      }
    });
  }

  openRead(name: string): Promise<OpenFile> {
    return this.#openRegular(name, O_RDONLY | O_NONBLOCK);
  }

  openAppend(name: string): Promise<OpenFile> {
    return this.#openRegular(name, O_WRONLY | O_APPEND | O_NONBLOCK);
  }

  openNew(name: string, mode: number): Promise<OpenFile> {
    const flags = O_WRONLY | O_CREAT | O_EXCL;
    return attempt(
      "open",
      name,
      async () => new DiskFile(name, await open(this.locate(name), flags, mode)),
    );
  }

  async link(from: string, to: string): Promise<void> {
    await attempt("link", to, () => link(this.locate(from), this.locate(to)));
  }

  async rename(from: string, to: string): Promise<void> {
    await attempt("rename", to, () => rename(this.locate(from), this.locate(to)));
  }

  async remove(name: string): Promise<void> {
    if ((await this.inspect(name, false))?.kind === "directory") { // Deno's unlink removes an empty one
      throw new IoError("EISDIR", "unlink", `unlink "${name}": it is a directory`);
    }
    await attempt("unlink", name, () => unlink(this.locate(name)));
  }

  async sync(): Promise<void> {
    await syncAt(this.label);
  }

  async #openRegular(name: string, flags: number): Promise<OpenFile> {
    const refuse = (code: string, why: string) =>
      new IoError(code, "open", `open "${name}": ${why}`);
    const info = await this.inspect(name, true);
    if (info === null) throw refuse("ENOENT", "there is no such file");
    if (info.kind !== "file") throw refuse("EINVAL", "it is no regular file");
    const file = new DiskFile(
      name,
      await attempt("open", name, () => open(this.locate(name), flags)),
    );
    try {
      if ((await file.inspect()).kind === "file") return file;
    } catch (error) {
      await file.close().catch(() => undefined);
      throw error;
    }
    await file.close();
    throw refuse("EINVAL", "it is no regular file");
  }
}

async function syncAt(path: string): Promise<void> {
  if (process.platform === "win32") return; // directories cannot be opened there
  await attempt("fsync", "the directory", async () => {
    const handle = await open(path, O_RDONLY);
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
  });
}

/** Who may make a directory in another need not be allowed to open that one. */
function passDenied(error: unknown): void {
  if (codeOf(error) !== "EACCES") throw error;
}

class DiskFile implements OpenFile {
  readonly #name: string;
  readonly #handle: FileHandle;

  constructor(name: string, handle: FileHandle) {
    this.#name = name;
    this.#handle = handle;
  }

  inspect(): Promise<FileInfo> {
    return attempt(
      "fstat",
      this.#name,
      async () => describe(await this.#handle.stat({ bigint: true })),
    );
  }

  read(into: Uint8Array): Promise<number> {
    return attempt(
      "read",
      this.#name,
      async () => (await this.#handle.read(into, 0, into.length, null)).bytesRead,
    );
  }

  write(bytes: Uint8Array): Promise<number> {
    return attempt("write", this.#name, async () => (await this.#handle.write(bytes)).bytesWritten);
  }

  sync(): Promise<void> {
    return attempt("fsync", this.#name, () => this.#handle.sync());
  }

  close(): Promise<void> {
    return attempt("close", this.#name, () => this.#handle.close());
  }
}

/** What is asked of `fs.BigIntStats`, which declarations cannot name without the types of Node. */
interface Stats {
  isFile(): boolean;
  isDirectory(): boolean;
  isSymbolicLink(): boolean;
  readonly dev: bigint;
  readonly ino: bigint;
  readonly size: bigint;
}

/** What a directory entry is, by its own kind and not that of a link's target where `lstat` gave the answer. */
export function describe(stats: Stats): FileInfo {
  const kind = stats.isFile()
    ? "file"
    : stats.isDirectory()
    ? "directory"
    : stats.isSymbolicLink()
    ? "link"
    : "other";
  return { kind, identity: `${stats.dev}:${stats.ino}`, size: Number(stats.size) };
}

/** Runs a system call; its failure comes out with the system's code and without the path, which may be private. */
export async function attempt<T>(
  operation: string,
  name: string,
  call: () => Promise<T>,
): Promise<T> {
  try {
    return await call();
  } catch (cause) {
    throw ioError(operation, name, cause);
  }
}

/** What {@linkcode attempt} throws for a failure. */
export function ioError(operation: string, name: string, cause: unknown): IoError {
  const code = systemCodeOf(cause);
  const words = WORDS.get(code) ?? code;
  return new IoError(code, operation, `${operation} "${name}": ${words}`, { cause });
}

/** What the codes that people meet mean. */
const WORDS: ReadonlyMap<string, string> = new Map([
  ["EACCES", "permission is denied"],
  ["EEXIST", "it exists already"],
  ["EISDIR", "it is a directory"],
  ["ENAMETOOLONG", "the name is too long"],
  ["ENOENT", "there is no such file or directory"],
  ["ENOSPC", "no space is left"],
  ["ENOTDIR", "a part of the path is no directory"],
  ["EPERM", "the operation is not permitted"],
  ["EROFS", "the file system is read-only"],
]);

function systemCodeOf(error: unknown): string {
  const code = codeOf(error);
  if (code !== undefined && /^E[A-Z0-9]+$/.test(code)) return code;
  if (error instanceof TypeError) return "EINVAL"; // a NUL in a path
  return error instanceof Error && error.name === "NotCapable" ? "EACCES" : "EIO"; // Deno lacks a permission
}
