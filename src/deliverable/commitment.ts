/**
 * What a tree of files commits to: every directory, and every file with its hash and size.
 *
 * Rule: `docs/spec/deliverable.md`, "Tree commitment".
 *
 * @module
 */
import { commit, compareCodePoints, formatAscii } from "../canonical/mod.ts";
import { toCommitment } from "../hash/mod.ts";
import type { Commitment, Sha256 } from "../hash/mod.ts";
import { LAB_PROFILE, reading, refuse } from "../record/mod.ts";
import type { RecordProfile, RecordResult } from "../record/mod.ts";
import { parentsOf } from "./path.ts";

/** What was read of a file. */
export interface Measured {
  /** Below the root of the tree, names joined by `/`. */
  readonly path: string;
  /** Hash of the bytes that were read, with its prefix. */
  readonly sha256: Commitment;
  /** How many bytes were read. */
  readonly size_bytes: bigint;
}

/** A document that lists a tree. */
export interface TreeDocument {
  /** The profile's id prefix and `deliverable_tree_commitment.v1`. */
  readonly schema_version: string;
  /** Sorted by path, as whole texts by code point. */
  readonly entries: readonly (
    | { readonly path: string; readonly type: "directory" }
    | Measured & { readonly type: "file" }
  )[];
}

/** Lists a tree. */
export function listTree(
  files: readonly Measured[],
  { idPrefix }: RecordProfile = LAB_PROFILE,
): TreeDocument {
  const directories = new Set(files.flatMap(({ path }) => parentsOf(path)));
  const entries = [
    ...[...directories].map((path) => ({ path, type: "directory" as const })),
    ...files.map(({ path, sha256, size_bytes }) => ({
      path,
      type: "file" as const,
      sha256,
      size_bytes,
    })),
  ].sort((a, b) => compareCodePoints(a.path, b.path));
  return { schema_version: `${idPrefix}deliverable_tree_commitment.v1`, entries };
}

/** The text that a tree's commitment is the hash of. */
export function formatTree(tree: TreeDocument): string {
  return formatAscii(tree);
}

/** Commits to a tree. */
export function commitTree(tree: TreeDocument, sha256: Sha256): Commitment {
  return commit("ascii", tree, sha256);
}

/**
 * Commits to the tree that holds one file. The rules for paths are not asked again: give names that passed them.
 *
 * @returns `record.path_not_bare_name` for a name that is empty, `.`, or holds a `/`.
 */
export function commitFile(
  name: string,
  bytes: Uint8Array,
  sha256: Sha256,
  profile: RecordProfile = LAB_PROFILE,
): RecordResult<Commitment> {
  return reading(() => {
    if (name === "" || name === "." || name.includes("/")) refuse("path_not_bare_name");
    const file = {
      path: name,
      sha256: toCommitment(sha256.digest(bytes)),
      size_bytes: BigInt(bytes.length),
    };
    return commitTree(listTree([file], profile), sha256);
  });
}
