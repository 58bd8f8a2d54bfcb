/**
 * Walking and reading a tree that may change under one's eyes: whatever is not what was seen before ends it.
 *
 * Rule: `docs/spec/deliverable.md`, "Sealing" and "Checking".
 *
 * @module
 */
import { compareCodePoints } from "../canonical/mod.ts";
import { codeOf } from "../core/mod.ts";
import { toCommitment } from "../hash/mod.ts";
import type { Digest, RunningDigest, Sha256 } from "../hash/mod.ts";
import type { Awaitable, FileTree, TreeFile, TreeNode } from "../ports/mod.ts";
import { refuse } from "../record/mod.ts";
import type { RecordKind } from "../record/mod.ts";
import type { Measured } from "./commitment.ts";

/** Everything in a tree by its path, the root by the empty one. */
export type Found = ReadonlyMap<string, TreeNode>;

/** Write permission for anybody. */
const WRITE_BITS = 0o222;

/** Bytes that are read at once: large enough that calls cost nothing, and two of them are nothing to hold. */
const PIECE_BYTES = 1 << 20;

/** What stands at a root, which must be a directory itself. */
export async function inspectRoot(tree: FileTree, field: string): Promise<TreeNode> {
  const root = await tree.inspect("");
  if (root === null) refuse("root_missing", field);
  return root.kind === "directory" ? root : refuse("root_not_real_directory", field);
}

/**
 * Walks a tree without following links. It must hold exactly these files and the directories that they need.
 *
 * @param sorted paths of the files in the order of `comparePaths`.
 * @param options `field` names the root in refusals; with `isSealed` nothing may be writable.
 */
export async function discover(
  tree: FileTree,
  sorted: readonly string[],
  { field, isSealed }: { field: string; isSealed: boolean },
): Promise<Found> {
  const root = await inspectRoot(tree, field);
  if (isSealed) checkReadOnly("", root);
  const found = new Map([["", root]]);
  await walk({ tree, isSealed, found }, "", new Expected(sorted, 0, sorted.length, 0));
  const missing = sorted.find((path) => !found.has(path));
  if (missing !== undefined) refuse("missing_path", undefined, { path: missing });
  return found;
}

interface Walk {
  readonly tree: FileTree;
  readonly isSealed: boolean;
  readonly found: Map<string, TreeNode>;
}

async function walk(state: Walk, directory: string, expected: Expected): Promise<void> {
  const { tree, found } = state;
  const wanted = expected.names();
  const place = (name: string): string => directory === "" ? name : `${directory}/${name}`;
  // One name too many settles it, however many a stranger has put there.
  const names = [...await attempt(directory, () => tree.list(directory, wanted.size + 1))];
  const strange = names.sort(compareCodePoints).find((name) => !wanted.has(name));
  if (strange !== undefined) refuse("unexpected_path", undefined, { path: place(strange) });
  checkSame(directory, found.get(directory)!, await tree.inspect(directory)); // these were its names
  for (const name of names) {
    const [path, below] = [place(name), wanted.get(name) ?? null];
    const node = await tree.inspect(path);
    if (node === null) refuse("missing_path", undefined, { path });
    checkKind(path, node, below === null ? "file" : "directory");
    if (state.isSealed) checkReadOnly(path, node);
    found.set(path, node);
    if (below !== null) await walk(state, path, below);
  }
}

function checkKind(path: string, node: TreeNode, wanted: "file" | "directory"): void {
  if ((node.kind === "directory") !== (wanted === "directory")) {
    refuse("unexpected_path", undefined, { path });
  }
  if (wanted === "file") checkSingle(path, node);
}

/** A link, a FIFO or a second name is refused unopened. */
function checkSingle(path: string, node: TreeNode): void {
  if (node.kind !== "file" || node.links !== 1) {
    refuse("not_single_link_regular_file", undefined, { path });
  }
}

function checkReadOnly(path: string, node: TreeNode): void {
  if ((node.mode & WRITE_BITS) !== 0) refuse("not_read_only", undefined, { path });
}

/** Some files that are expected below a directory: a stretch of sorted paths, and where the name in it begins. */
class Expected {
  readonly #paths: readonly string[];
  readonly #from: number;
  readonly #to: number;
  readonly #start: number;

  constructor(paths: readonly string[], from: number, to: number, start: number) {
    this.#paths = paths;
    this.#from = from;
    this.#to = to;
    this.#start = start;
  }

  /** The names in the directory: of a file with `null`, of a directory with what is expected below it. */
  names(): Map<string, Expected | null> {
    const names = new Map<string, Expected | null>();
    for (let from = this.#from; from < this.#to;) {
      const path = this.#paths[from]!;
      const end = path.indexOf("/", this.#start);
      const name = path.slice(this.#start, end < 0 ? path.length : end);
      let to = from + 1;
      if (end >= 0) {
        const prefix = path.slice(0, end + 1);
        while (to < this.#to && this.#paths[to]!.startsWith(prefix)) to++;
      }
      names.set(name, end < 0 ? null : new Expected(this.#paths, from, to, end + 1));
      from = to;
    }
    return names;
  }
}

/** Refuses what is not the same in both looks: another thing, another size, written in between. */
export function checkUnchanged(before: Found, after: Found): void {
  for (const [path, node] of before) checkSame(path, node, after.get(path) ?? null);
}

function checkSame(path: string, before: TreeNode, after: TreeNode | null): void {
  if (after === null) refuse("missing_path", undefined, { path });
  if (before.kind === "file") checkSingle(path, after);
  const isSame = before.identity === after.identity && before.kind === after.kind &&
    (before.kind === "directory" ||
      (before.size === after.size && before.modified === after.modified));
  if (!isSame) refuse("file_changed", undefined, { path });
}

/** Reads and hashes files that were discovered, with two buffers for all of them. */
export class Reader {
  readonly #tree: FileTree;
  readonly #found: Found;
  readonly #sha256: Sha256;
  readonly #buffers = [new Uint8Array(PIECE_BYTES), new Uint8Array(PIECE_BYTES)] as const;

  constructor(tree: FileTree, found: Found, sha256: Sha256) {
    this.#tree = tree;
    this.#found = found;
    this.#sha256 = sha256;
  }

  /**
   * Reads the file that was found at a path, which must still be it and no longer or shorter. Whether it was written
   * meanwhile, another walk tells.
   *
   * @param use takes the pieces, each valid until its use is over.
   */
  async read(path: string, use: (piece: Uint8Array) => Promise<void> | void): Promise<Measured> {
    const before = this.#found.get(path)!;
    const file = await attempt(path, () => this.#tree.openRead(path));
    try {
      checkSame(path, before, await file.inspect());
      const digest = await this.#readAll(file, path, before.size, use);
      return { path, sha256: toCommitment(digest), size_bytes: BigInt(before.size) };
    } finally {
      await file.close();
    }
  }

  /** The next piece is read, and this one used, while this one is hashed. */
  async #readAll(
    file: TreeFile,
    path: string,
    size: number,
    use: (piece: Uint8Array) => Promise<void> | void,
  ): Promise<Digest> {
    let [here, ahead] = this.#buffers;
    let done = 0;
    const readAhead = (): Awaitable<number> =>
      watched(file.read(here.subarray(0, size - done + 1)));
    let running: RunningDigest | undefined;
    let digest: Digest | undefined;
    let pending = readAhead(); // a byte more than there should be would show growth
    try {
      for (let count = await pending; count > 0; count = await pending) {
        const isWhole = done === 0 && count === size;
        done += count;
        if (done > size) refuse("file_changed", undefined, { path });
        const piece = here.subarray(0, count);
        [here, ahead] = [ahead, here];
        pending = readAhead();
        const used = watched(use(piece));
        if (isWhole) digest = this.#sha256.digest(piece); // half the cost for a small file
        else (running ??= this.#sha256.start()).update(piece);
        await used;
      }
      if (done < size) refuse("file_changed", undefined, { path });
    } finally {
      await Promise.resolve(pending).catch(() => undefined); // the file is not closed under it
    }
    return digest ?? (running ?? this.#sha256.start()).digest();
  }
}

/** A promise that may fail before it is awaited: a runtime would take that for an error nobody sees. */
function watched<T>(value: Awaitable<T>): Awaitable<T> {
  if (value instanceof Promise) value.catch(() => undefined);
  return value;
}

/** What a path has become that can no longer be opened as the file or directory that it was. */
const TURNED: Readonly<Record<string, RecordKind>> = {
  ELOOP: "not_single_link_regular_file",
  ENXIO: "not_single_link_regular_file",
  ENOENT: "missing_path",
  ENOTDIR: "missing_path",
};

async function attempt<T>(path: string, open: () => Awaitable<T>): Promise<T> {
  try {
    return await open();
  } catch (error) {
    const kind = TURNED[codeOf(error) ?? ""];
    if (kind === undefined) throw error;
    refuse(kind, undefined, { path });
  }
}
