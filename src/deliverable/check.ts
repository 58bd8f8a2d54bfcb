/**
 * Checks a sealed tree against its manifest.
 *
 * Rule: `docs/spec/deliverable.md`, "Checking".
 *
 * @module
 */
import type { Sha256 } from "../hash/mod.ts";
import type { FileTree } from "../ports/mod.ts";
import { LAB_PROFILE, readingLater, refuse } from "../record/mod.ts";
import type { RecordProfile, RecordResult } from "../record/mod.ts";
import { compareCodePoints } from "../canonical/mod.ts";
import { commitTree, listTree } from "./commitment.ts";
import type { Measured } from "./commitment.ts";
import type { Manifest } from "./manifest.ts";
import { comparePaths } from "./path.ts";
import { checkUnchanged, discover, Reader } from "./tree.ts";
import type { Found } from "./tree.ts";

/**
 * Checks that a tree is read-only and holds exactly what a manifest says. The manifest is one that `parseManifest` gave:
 * whether it is the right one, its `manifest_sha256` tells, held against one known from elsewhere.
 *
 * @returns the manifest, or the first fault in the order of the format's page, with the path.
 * @throws {IoError} with the system's code.
 */
export function checkTree(
  sealed: FileTree,
  manifest: Manifest,
  sha256: Sha256,
  profile: RecordProfile = LAB_PROFILE,
): Promise<RecordResult<Manifest>> {
  return readingLater(async () => {
    const walk = { field: "sealed_root", isSealed: true };
    const paths = manifest.artifacts.map(({ path }) => path).sort(comparePaths);
    const found = await discover(sealed, paths, walk);
    checkSizes(found, manifest.artifacts, manifest.max_total_size_bytes);
    const reader = new Reader(sealed, found, sha256);
    const measured = new Map<string, Measured>();
    for (const path of paths) measured.set(path, await reader.read(path, () => {}));
    if (commitTree(listTree([...measured.values()], profile), sha256) !== manifest.tree_sha256) {
      refuse("tree_mismatch");
    }
    for (const { path, sha256, size_bytes } of manifest.artifacts) {
      const file = measured.get(path)!;
      if (file.sha256 !== sha256) refuse("file_hash_mismatch", undefined, { path });
      if (file.size_bytes !== size_bytes) refuse("file_size_mismatch", undefined, { path });
    }
    checkUnchanged(found, await discover(sealed, paths, walk));
    return manifest;
  });
}

/** In the order of the paths: no file may be larger than its limit, nor than what the others left of the total. */
export function checkSizes(
  found: Found,
  files: readonly { readonly path: string; readonly max_size_bytes: bigint }[],
  most: bigint,
): void {
  let left = most;
  for (const file of [...files].sort((a, b) => compareCodePoints(a.path, b.path))) {
    const { path } = file;
    const size = BigInt(found.get(path)!.size);
    if (size > file.max_size_bytes) refuse("per_file_limit", undefined, { path });
    if (size > left) refuse("total_limit", undefined, { path });
    left -= size;
  }
}
