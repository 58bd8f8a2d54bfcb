/**
 * A directory tree as a listing, for Node, Deno and Bun: walked without following a link, with every file's bytes.
 *
 * @module
 */
import { constants } from "node:fs";
import type { BigIntStats } from "node:fs";
import { lstat, open, readdir, realpath } from "node:fs/promises";
import { join } from "node:path";
import { IoError } from "../core/mod.ts";
import { SKIPPED_NAMES } from "../gate/mod.ts";
import type { ListedNode, Listing } from "../ports/mod.ts";
import { attempt } from "./directory.ts";

const { O_RDONLY } = constants;
/** Windows has no such flags; there a link or FIFO that takes a file's place meanwhile is found by its identity only. */
const GUARDED: number = O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** Bounds of {@linkcode readListing}. */
export interface ListingOptions {
  /** Most bytes that all files may have together. Default 256 MiB. */
  readonly maxBytes?: number;
  /** Most files, directories and other things. Default 100,000. */
  readonly maxNodes?: number;
}

/** What is below a directory, and where that really is. */
export interface ListedDirectory {
  /** The path with all links followed. */
  readonly dir: string;
  /** Everything below it, but for what is named `node_modules` or `.git`. */
  readonly listing: Listing;
}

/**
 * Lists a directory tree with the bytes of its files. A link that the path itself leads through is followed, none below it
 * is. A tree that changes meanwhile may come out as it never was.
 *
 * @throws {IoError} with the system's code: `ENOENT`, `ENOTDIR`, …; `EFBIG` for a tree over the bounds.
 */
export async function readListing(
  path: string,
  options: ListingOptions = {},
): Promise<ListedDirectory> {
  const dir = await attempt("realpath", "the directory", () => realpath(path));
  const { maxBytes = 256 * 1024 * 1024, maxNodes = 100_000 } = options;
  const listing: ListedNode[] = [];
  let left = maxBytes;
  const pending = [""];
  for (let prefix = pending.pop(); prefix !== undefined; prefix = pending.pop()) {
    for (const name of await namesIn(dir, prefix)) {
      if (listing.length === maxNodes) throw tooLarge(`more than ${maxNodes} files`);
      const node = await readNode(dir, prefix + name, left);
      if (node.kind === "file") left -= node.bytes.length;
      if (node.kind === "directory") pending.push(`${prefix}${name}/`);
      listing.push(node);
    }
  }
  return { dir, listing };
}

async function namesIn(dir: string, prefix: string): Promise<string[]> {
  const names = await attempt(
    "readdir",
    prefix || "the directory",
    () => readdir(join(dir, prefix)),
  );
  // Names that are no UTF-8 lose what tells them apart, and one file would be read for another.
  if (new Set(names).size < names.length) {
    throw new IoError("EILSEQ", "readdir", `readdir "${prefix}": two names have one spelling`);
  }
  return names.filter((name) => !SKIPPED_NAMES.includes(name));
}

async function readNode(dir: string, path: string, left: number): Promise<ListedNode> {
  const place = join(dir, path);
  const stats = await attempt("lstat", path, () => lstat(place, { bigint: true }));
  if (stats.isDirectory()) return { path, kind: "directory" };
  if (stats.isSymbolicLink()) return { path, kind: "link" };
  if (!stats.isFile()) return { path, kind: "other" };
  if (stats.size > left) throw tooLarge("files with more bytes than are taken");
  const bytes = await attempt("read", path, () => readUnchanged(place, stats));
  if (bytes !== undefined) return { path, kind: "file", bytes };
  throw new IoError("EAGAIN", "read", `read "${path}": it changed meanwhile`);
}

/** The bytes of the file that was looked at; `undefined` when another stands there, or it has another size by now. */
async function readUnchanged(
  place: string,
  { dev, ino, size }: BigIntStats,
): Promise<Uint8Array | undefined> {
  const file = await open(place, GUARDED);
  try {
    const found = await file.stat({ bigint: true });
    if (found.dev !== dev || found.ino !== ino) return undefined;
    const bytes = new Uint8Array(Number(size) + 1);
    let length = 0;
    for (let count = -1; count !== 0 && length < bytes.length; length += count) {
      count = (await file.read(bytes, length, bytes.length - length, null)).bytesRead;
    }
    return length === Number(size) ? bytes.subarray(0, length) : undefined;
  } finally {
    await file.close();
  }
}

function tooLarge(what: string): IoError {
  return new IoError("EFBIG", "readdir", `Listing a directory: it has ${what}`);
}
