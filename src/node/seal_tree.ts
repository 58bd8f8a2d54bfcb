/**
 * Sealing and checking deliverables on disk, for Node, Deno and Bun.
 *
 * Calls that take microseconds are made at once: ten thousand small files would otherwise spend most of their time waiting
 * for each other (measured). Large reads and writes are not, so that they go on while pieces are hashed.
 *
 * @module
 */
import {
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  lstatSync,
  mkdirSync,
  opendirSync,
  openSync,
  read,
  readSync,
  realpathSync,
  statSync,
  write,
  writeSync,
} from "node:fs";
import type { BigIntStats } from "node:fs";
import { basename, dirname, isAbsolute } from "node:path";
import process from "node:process";
import { promisify } from "node:util";
import { codeOf, IoError } from "../core/mod.ts";
import { checkTree, planSeal, sealTree } from "../deliverable/mod.ts";
import type {
  Bindings,
  DeliverableOptions,
  FileDeclaration,
  Manifest,
  Sealed,
  SealOptions,
} from "../deliverable/mod.ts";
import type { Sha256 } from "../hash/mod.ts";
import type { FileTree, TreeFile, TreeNode } from "../ports/mod.ts";
import type { RecordResult } from "../record/mod.ts";
import { describe, ioError } from "./directory.ts";
import { nativeSha256 } from "./sha256.ts";

const { O_CREAT, O_EXCL, O_RDONLY, O_WRONLY } = constants;
const O_NOFOLLOW = constants.O_NOFOLLOW ?? 0; // Windows lacks these; there a look before and one after has to do
const O_NONBLOCK = constants.O_NONBLOCK ?? 0;
const O_DIRECTORY = constants.O_DIRECTORY ?? 0;

/** From here on a read or write is not waited for. */
const LONG_BYTES = 1 << 17;

/** Milliseconds after which others get their turn. */
const TURN_MS = 25;

/** Separators behind a name, not the root itself. */
const TRAILING = process.platform === "win32" ? /(?<=[^/\\:])[/\\]+$/ : /(?<=[^/])\/+$/;

const [readLater, writeLater] = [promisify(read), promisify(write)];

/** What sealing and checking on disk takes from its caller besides. */
export interface TreeOptions {
  /** Takes the hashes. Default {@linkcode nativeSha256}. */
  readonly sha256?: Sha256;
}

/**
 * Seals the declared files of a directory into a fresh read-only one.
 *
 * @param source the directory that holds exactly the declared files; nobody else may work in it meanwhile.
 * @param sealed where the copies go: a path in a directory that exists, which does not exist itself.
 * @returns the manifest, or the first fault, `at.path` where it has a place.
 * @throws {IoError} with the system's code.
 *
 * @example
 * ```ts
 * import { mkdir, writeFile } from "node:fs/promises";
 * import { sealDeliverable } from "affidavit/node";
 *
 * await mkdir("work");
 * await writeFile("work/totals.csv", "month,total\n");
 * const declaration = [
 *   { artifact_id: "totals", source_path: "totals.csv", path: "totals.csv", media_type: "text/csv", max_size_bytes: 1e6 },
 * ];
 * const hash = "0".repeat(64);
 * const bindings = { task_sha256: hash, run_sha256: hash, config_sha256: hash };
 * const result = await sealDeliverable("work", "sealed", declaration, bindings);
 * if (result.ok) console.log(result.value.manifest.total_size_bytes); // 12n
 * ```
 */
export async function sealDeliverable(
  source: string,
  sealed: string,
  declaration: readonly FileDeclaration[],
  bindings: Bindings,
  options: SealOptions & TreeOptions = {},
): Promise<RecordResult<Sealed>> {
  const plan = planSeal(declaration, bindings, options);
  if (!plan.ok) return plan;
  return await sealTree(
    treeAt(source),
    treeAt(sealed),
    plan.value,
    options.sha256 ?? nativeSha256(),
  );
}

/**
 * Checks a sealed directory against its manifest, as `parseManifest` gave it.
 *
 * @returns the manifest, or the first fault, `at.path` where it has a place.
 * @throws {IoError} with the system's code.
 */
export function checkDeliverable(
  sealed: string,
  manifest: Manifest,
  options: DeliverableOptions & TreeOptions = {},
): Promise<RecordResult<Manifest>> {
  return checkTree(treeAt(sealed), manifest, options.sha256 ?? nativeSha256(), options.profile);
}

/** The tree at a path, which need not exist. */
export function treeAt(path: string): FileTree {
  const place = isAbsolute(path) ? path : `${process.cwd()}/${path}`;
  return new DiskTree(place.replace(TRAILING, "")); // with a separator behind it a link would be followed
}

class DiskTree implements FileTree {
  readonly label: string;
  readonly name: string;
  #turn = performance.now();

  constructor(path: string) {
    this.label = path;
    this.name = basename(path);
  }

  above(): readonly unknown[] | null {
    return attemptNow("stat", "the parent directory", () => {
      const identities: unknown[] = [];
      try {
        for (let path = realpathSync(dirname(this.label));; path = dirname(path)) {
          const stats = statSync(path, { bigint: true });
          if (identities.length === 0 && !stats.isDirectory()) return null;
          identities.push(describe(stats).identity);
          if (path === dirname(path)) return identities;
        }
      } catch (error) {
        return isNowhere(error) ? null : raise(error);
      }
    });
  }

  inspect(path: string): TreeNode | null {
    return attemptNow("lstat", path, () => {
      try {
        return nodeOf(lstatSync(this.#locate(path), { bigint: true }));
      } catch (error) {
        return isNowhere(error) ? null : raise(error);
      }
    });
  }

  list(path: string, most: number): string[] {
    return attemptNow("readdir", path, () => {
      const directory = opendirSync(this.#locate(path), { bufferSize: Math.min(most, 1024) });
      try {
        const names: string[] = [];
        while (names.length < most) {
          const entry = directory.readSync();
          if (entry === null) break;
          names.push(entry.name);
        }
        return names;
      } finally {
        directory.closeSync();
      }
    });
  }

  openRead(path: string): TreeFile | Promise<TreeFile> {
    const open = (): TreeFile => this.#open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    if (performance.now() - this.#turn < TURN_MS) return open();
    return new Promise<void>((resolve) => setImmediate(resolve)).then(() => {
      this.#turn = performance.now();
      return open();
    });
  }

  openNew(path: string, mode: number): TreeFile {
    return this.#open(path, O_WRONLY | O_CREAT | O_EXCL, mode);
  }

  makeDirectory(path: string, mode: number): void {
    attemptNow("mkdir", path, () => mkdirSync(this.#locate(path), { mode }));
  }

  setDirectoryMode(path: string, mode: number): void {
    if (process.platform === "win32") return; // directories have no such bits there, and cannot be opened
    const directory = this.#open(path, O_RDONLY | O_NOFOLLOW | O_DIRECTORY);
    try {
      directory.setMode(mode);
    } finally {
      directory.close();
    }
  }

  #locate(path: string): string {
    return path === "" ? this.label : `${this.label}/${path}`;
  }

  #open(path: string, flags: number, mode?: number): DiskFile {
    const place = this.#locate(path);
    return new DiskFile(path, attemptNow("open", path, () => openSync(place, flags, mode)));
  }
}

class DiskFile implements TreeFile {
  readonly #path: string;
  readonly #descriptor: number;

  constructor(path: string, descriptor: number) {
    this.#path = path;
    this.#descriptor = descriptor;
  }

  inspect(): TreeNode {
    return attemptNow("fstat", this.#path, () => {
      return nodeOf(fstatSync(this.#descriptor, { bigint: true }));
    });
  }

  read(into: Uint8Array): number | Promise<number> {
    if (into.length < LONG_BYTES) {
      return attemptNow("read", this.#path, () => readSync(this.#descriptor, into));
    }
    return readLater(this.#descriptor, into, 0, into.length, null).then(
      ({ bytesRead }) => bytesRead,
      (cause: unknown) => raise(ioError("read", this.#path, cause)),
    );
  }

  write(bytes: Uint8Array): number | Promise<number> {
    if (bytes.length < LONG_BYTES) {
      return attemptNow("write", this.#path, () => writeSync(this.#descriptor, bytes));
    }
    return writeLater(this.#descriptor, bytes, 0, bytes.length, null).then(
      ({ bytesWritten }) => bytesWritten,
      (cause: unknown) => raise(ioError("write", this.#path, cause)),
    );
  }

  setMode(mode: number): void {
    attemptNow("fchmod", this.#path, () => fchmodSync(this.#descriptor, mode));
  }

  close(): void {
    attemptNow("close", this.#path, () => closeSync(this.#descriptor));
  }
}

function nodeOf(stats: BigIntStats): TreeNode {
  return {
    ...describe(stats),
    links: Number(stats.nlink),
    mode: Number(stats.mode) & 0o7777,
    modified: `${stats.mtimeNs}:${stats.ctimeNs}`, // nobody can set the second one back
  };
}

/** A path through a file or a circle of links, and one that is too long for anything to be there, lead to nothing. */
function isNowhere(error: unknown): boolean {
  return ["ENOENT", "ENOTDIR", "ELOOP", "ENAMETOOLONG"].includes(codeOf(error) ?? "");
}

function attemptNow<T>(operation: string, name: string, call: () => T): T {
  try {
    return call();
  } catch (cause) {
    throw cause instanceof IoError ? cause : ioError(operation, name || "the root", cause);
  }
}

function raise(error: unknown): never {
  throw error;
}
