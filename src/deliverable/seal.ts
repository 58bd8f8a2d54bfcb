/**
 * Seals a deliverable: copies the declared files from a tree that nobody vouches for into a fresh read-only one, and states
 * in a manifest what is there.
 *
 * Rule: `docs/spec/deliverable.md`, "Sealing". It does not promise to hold against a process of the same user that races
 * with it on purpose; such callers keep the trees to themselves.
 *
 * @module
 */
import { codeOf, IoError } from "../core/mod.ts";
import type { Sha256 } from "../hash/mod.ts";
import type { FileTree, TreeFile } from "../ports/mod.ts";
import { readingLater, refuse, required } from "../record/mod.ts";
import type { RecordResult } from "../record/mod.ts";
import { compareCodePoints } from "../canonical/mod.ts";
import { checkSizes, checkTree } from "./check.ts";
import { commitTree, listTree } from "./commitment.ts";
import type { Measured, TreeDocument } from "./commitment.ts";
import type { PlannedFile, SealPlan } from "./declaration.ts";
import { buildManifest } from "./manifest.ts";
import type { Manifest } from "./manifest.ts";
import { comparePaths, parentsOf } from "./path.ts";
import { checkUnchanged, discover, inspectRoot, Reader } from "./tree.ts";
import type { Found } from "./tree.ts";

/** Permission bits in a sealed tree. */
export const SEALED_MODES: { readonly file: number; readonly directory: number } = {
  file: 0o444,
  directory: 0o555,
};

/** What came of sealing. */
export interface Sealed {
  /** Names every sealed file, with its own hash; it is not written into the tree. */
  readonly manifest: Manifest;
  /** What the manifest's `tree_sha256` commits to. */
  readonly tree: TreeDocument;
}

/**
 * Carries out a plan.
 *
 * @returns what was sealed, or the first fault in the order of the format's page, with the path. A refusal may leave part
 * of the sealed tree behind.
 * @throws {IoError} with the system's code.
 */
export function sealTree(
  source: FileTree,
  sealed: FileTree,
  plan: SealPlan,
  sha256: Sha256,
): Promise<RecordResult<Sealed>> {
  return readingLater(async () => {
    await checkRoots(source, sealed);
    const paths = plan.files.map((file) => file.source_path).sort(comparePaths);
    const walk = { field: "source_root", isSealed: false };
    const found = await discover(source, paths, walk);
    const limits = plan.files.map(({ source_path, max_size_bytes }) => {
      return { path: source_path, max_size_bytes };
    });
    checkSizes(found, limits, plan.max_total_size_bytes);
    const copied = await copyAll(source, found, sealed, plan, sha256);
    const result = describe(plan, copied, sha256);
    required(await checkTree(sealed, result.manifest, sha256, plan.profile));
    checkUnchanged(found, await discover(source, paths, walk));
    return result;
  });
}

async function checkRoots(source: FileTree, sealed: FileTree): Promise<void> {
  const { identity } = await inspectRoot(source, "source_root");
  if (["", ".", ".."].includes(sealed.name)) refuse("sealed_root_not_fresh");
  const above = await sealed.above();
  if (above === null) refuse("sealed_root_parent_missing");
  if (await sealed.inspect("") !== null) refuse("sealed_root_not_fresh");
  // What does not exist yet holds nothing, so only the source can be around the other.
  if (above.includes(identity)) refuse("roots_not_disjoint");
}

async function copyAll(
  source: FileTree,
  found: Found,
  sealed: FileTree,
  plan: SealPlan,
  sha256: Sha256,
): Promise<Measured[]> {
  const directories = [...new Set(plan.files.flatMap(({ path }) => parentsOf(path)))]
    .sort(compareCodePoints); // what begins with another one comes after it
  for (const path of ["", ...directories]) {
    await fresh(path, () => sealed.makeDirectory(path, 0o700));
  }
  const reader = new Reader(source, found, sha256);
  const copied: Measured[] = [];
  for (const file of plan.files) copied.push(await copyFile(reader, file, sealed));
  for (const path of ["", ...directories].reverse()) {
    await sealed.setDirectoryMode(path, SEALED_MODES.directory);
  }
  return copied;
}

async function copyFile(
  reader: Reader,
  { source_path, path }: PlannedFile,
  sealed: FileTree,
): Promise<Measured> {
  const copy = await fresh(path, () => sealed.openNew(path, 0o600));
  try {
    const measured = await reader.read(source_path, (piece) => writeAll(copy, piece));
    await copy.setMode(SEALED_MODES.file);
    return { ...measured, path };
  } finally {
    await copy.close();
  }
}

/** A fresh tree holds nothing: what is in the way was put there meanwhile, or has a name that is one with another. */
async function fresh<T>(path: string, make: () => T | Promise<T>): Promise<T> {
  try {
    return await make();
  } catch (error) {
    if (codeOf(error) !== "EEXIST") throw error;
    return path === ""
      ? refuse("sealed_root_not_fresh")
      : refuse("unexpected_path", undefined, { path });
  }
}

async function writeAll(file: TreeFile, bytes: Uint8Array): Promise<void> {
  for (let done = 0; done < bytes.length;) {
    const count = await file.write(bytes.subarray(done));
    if (count === 0) throw new IoError("EIO", "write", "write: the file took no bytes");
    done += count;
  }
}

function describe(plan: SealPlan, copied: readonly Measured[], sha256: Sha256): Sealed {
  const tree = listTree(copied, plan.profile);
  const artifacts = plan.files.map((file, index) => {
    const { artifact_id, path, media_type, max_size_bytes } = file;
    const { sha256, size_bytes } = copied[index]!;
    return { artifact_id, path, media_type, sha256, size_bytes, max_size_bytes };
  });
  const members = {
    ...plan.bindings,
    artifacts,
    total_size_bytes: copied.reduce((sum, { size_bytes }) => sum + size_bytes, 0n),
    max_files: plan.max_files,
    max_total_size_bytes: plan.max_total_size_bytes,
    tree_sha256: commitTree(tree, sha256),
  };
  return { manifest: buildManifest(members, plan.profile, sha256), tree };
}
