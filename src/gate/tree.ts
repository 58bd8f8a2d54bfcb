/**
 * The tree of a variant: its files in the order of the tree digest, and that digest.
 *
 * The digest is not injective: a zero byte in a file can stand where one that frames it stands in another tree. And the
 * order of names beyond ASCII is that of the engine's collation data. It tells whether a tree is the one that was
 * inspected here; it is no commitment to show to others.
 *
 * Rule: `docs/spec/gate.md`, "Tree".
 *
 * @module
 */
import { compareCodeUnits, encodeUtf8, fail, ok } from "../core/mod.ts";
import type { Result } from "../core/mod.ts";
import type { Digest, Sha256 } from "../hash/mod.ts";
import type { ListedNode, Listing } from "../ports/mod.ts";

/** The names that are passed over at any depth, whatever they stand for. */
export const SKIPPED_NAMES: readonly string[] = ["node_modules", ".git"];

/** A regular file of a tree. */
export type ListedFileNode = Extract<ListedNode, { kind: "file" }>;

/** How names are ordered. */
export interface TreeOptions {
  /** Whose order of names counts, as `Intl.Collator` knows it. Default `en-US`, never that of the process. */
  readonly locale?: string;
}

/**
 * The files of a tree in walk order: within each directory by name, a directory at the place of its name.
 *
 * @returns `gate.variant_invalid` for the first thing in that order that is neither file nor directory.
 * @throws {TypeError} when the listing breaks its duties. @throws {RangeError} for what is no locale.
 */
export function walkTree(
  listing: Listing,
  options: TreeOptions = {},
): Result<readonly ListedFileNode[], "gate.variant_invalid"> {
  const nodes = listing.map((node) => ({ node, parts: partsOf(node.path) })).filter(({ parts }) =>
    !parts.some((part) => SKIPPED_NAMES.includes(part))
  );
  const { compare } = new Intl.Collator(options.locale ?? "en-US");
  nodes.sort((a, b) => compareParts(a.parts, b.parts, compare));
  nodes.forEach(({ node }, index) => requireApart(nodes[index - 1]?.node, node));
  const files: ListedFileNode[] = [];
  for (const { node } of nodes) {
    if (node.kind === "file") files.push(node);
    else if (node.kind !== "directory") {
      const what = node.kind === "link" ? "a symbolic link" : "no regular file or directory";
      const { path } = node;
      return fail("gate.variant_invalid", `Reading a variant: "${path}" is ${what}`, { path });
    }
  }
  return ok(files);
}

/** The digest of a tree: over each file its path, a zero byte, its bytes and a zero byte. Refuses as `walkTree` does. */
export function digestTree(
  listing: Listing,
  sha256: Sha256,
  options: TreeOptions = {},
): Result<Digest, "gate.variant_invalid"> {
  const files = walkTree(listing, options);
  return files.ok ? ok(digestFiles(files.value, sha256)) : files;
}

/** The digest of files that are in walk order. */
export function digestFiles(files: readonly ListedFileNode[], sha256: Sha256): Digest {
  const running = sha256.start();
  for (const { path, bytes } of files) {
    running.update(encodeUtf8(`${path}\0`));
    running.update(bytes);
    running.update(ZERO);
  }
  return running.digest();
}

const ZERO = new Uint8Array(1);

function partsOf(path: string): string[] {
  const parts = path.split("/");
  if (parts.some((part) => part === "" || part === "." || part === "..") || path.includes("\0")) {
    throw new TypeError("A listing must hold relative paths without empty, . and .. parts");
  }
  return parts;
}

/** Part by part, so that all of a directory stands together at the place of its name. */
function compareParts(
  a: readonly string[],
  b: readonly string[],
  compare: (a: string, b: string) => number,
): number {
  for (let at = 0; at < a.length && at < b.length; at++) {
    const [left, right] = [a[at]!, b[at]!];
    if (left !== right) return compare(left, right) || compareCodeUnits(left, right);
  }
  return a.length - b.length;
}

/** Equal paths, and a path below a file, are neighbours once the nodes are sorted. */
function requireApart(before: ListedNode | undefined, { path }: ListedNode): void {
  if (before === undefined) return;
  if (before.path === path) throw new TypeError("A listing must hold each path once");
  if (before.kind !== "directory" && path.startsWith(`${before.path}/`)) {
    throw new TypeError("A listing must hold nothing below what is no directory");
  }
}
