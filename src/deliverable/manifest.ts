/**
 * The manifest of a deliverable: which files it has, with their hashes, what it is bound to, and a hash over all of that.
 *
 * Rule: `docs/spec/deliverable.md`, "Manifest".
 *
 * @module
 */
import { commit, compareCodePoints, formatAscii } from "../canonical/mod.ts";
import type { JsonObject, JsonValue } from "../canonical/mod.ts";
import type { Sha256 } from "../hash/mod.ts";
import {
  checkPrefixedDigest,
  exactMembers,
  filledTextAt,
  hashWithout,
  integerAt,
  isMediaType,
  LAB_PROFILE,
  lowerAscii,
  objectAt,
  reading,
  refuse,
  rootObject,
} from "../record/mod.ts";
import type { RecordProfile, RecordResult } from "../record/mod.ts";
import type { DeliverableOptions } from "./declaration.ts";
import { caseFolder } from "./fold.ts";
import { checkFolded, checkPath, checkPrefixes, comparePaths } from "./path.ts";
import { checkMerging, checkPortable } from "./portable.ts";

/** A file of a deliverable. */
export interface Artifact {
  /** Any text that is not blank, once in a manifest; only `manifest_sha256` protects it. */
  readonly artifact_id: string;
  /** Below the sealed root. */
  readonly path: string;
  /** Type and subtype in lower case, as declared; nobody compares it with the contents. */
  readonly media_type: string;
  /** Hash of the file's bytes, with its prefix. */
  readonly sha256: string;
  /** Size of the file in bytes, from 0. */
  readonly size_bytes: bigint;
  /** Limit that the file was sealed under, in bytes; above 0. */
  readonly max_size_bytes: bigint;
}

/** A manifest, version 1. */
export interface Manifest {
  /** The profile's id prefix and `deliverable_manifest.v1`. */
  readonly schema_version: string;
  /** Hash of the task, with its prefix. */
  readonly task_sha256: string;
  /** Hash of the run, with its prefix. */
  readonly run_sha256: string;
  /** Hash of the configuration, with its prefix. */
  readonly config_sha256: string;
  /** In the order of their ids, by code point. */
  readonly artifacts: readonly Artifact[];
  /** Sum of the artifacts' sizes in bytes. */
  readonly total_size_bytes: bigint;
  /** How many files the host took at most. */
  readonly max_files: bigint;
  /** How many bytes the host took at most, all files together. */
  readonly max_total_size_bytes: bigint;
  /** Hash of the tree's listing: paths, kinds, hashes and sizes. */
  readonly tree_sha256: string;
  /** Hash of all other members under profile `ascii`. */
  readonly manifest_sha256: string;
}

const SELF = "manifest_sha256";
const DIGESTS = ["task_sha256", "run_sha256", "config_sha256", "tree_sha256", SELF] as const;
const MEMBERS = [
  "schema_version",
  "artifacts",
  "total_size_bytes",
  "max_files",
  "max_total_size_bytes",
  ...DIGESTS,
] as const;
const ARTIFACT_MEMBERS = [
  "artifact_id",
  "path",
  "media_type",
  "sha256",
  "size_bytes",
  "max_size_bytes",
] as const;

/** The schema id of manifests under a profile. */
export function manifestSchema({ idPrefix }: RecordProfile): string {
  return `${idPrefix}deliverable_manifest.v1`;
}

/** The manifest of these members, with its hash. */
export function buildManifest(
  members: Omit<Manifest, "schema_version" | "manifest_sha256">,
  profile: RecordProfile,
  sha256: Sha256,
): Manifest {
  const artifacts = [...members.artifacts].sort((a, b) =>
    compareCodePoints(a.artifact_id, b.artifact_id)
  );
  const hashed = { ...members, schema_version: manifestSchema(profile), artifacts };
  return { ...hashed, manifest_sha256: commit("ascii", hashed, sha256) };
}

/** The text of a manifest: profile `ascii`, without a line feed. */
export function formatManifest(manifest: Manifest): string {
  return formatAscii(manifest);
}

/** Reads a manifest; the first fault in the order of the format's page ends it. */
export function parseManifest(
  value: JsonValue,
  sha256: Sha256,
  options: DeliverableOptions = {},
): RecordResult<Manifest> {
  const { profile = LAB_PROFILE } = options;
  const portable = options.portable ?? profile.portable;
  return reading(() => {
    const record = rootObject(value);
    exactMembers(record, MEMBERS);
    const schema_version = manifestSchema(profile);
    if (record.get("schema_version") !== schema_version) {
      refuse("schema_version_unsupported", "schema_version");
    }
    const items = record.get("artifacts");
    if (!Array.isArray(items)) refuse("not_an_array", "artifacts");
    const artifacts = items.map((item, index) => {
      return readArtifact(objectAt(item, `artifacts[${index}]`), portable);
    });
    const manifest = { schema_version, artifacts, ...readTop(record) };
    checkSet(manifest, portable);
    if (hashWithout(record, [SELF], "ascii", sha256) !== manifest.manifest_sha256) {
      refuse("manifest_hash_mismatch");
    }
    return manifest;
  });
}

function readArtifact(record: JsonObject, portable: boolean): Artifact {
  exactMembers(record, ARTIFACT_MEMBERS);
  const artifact_id = filledTextAt(record, "artifact_id");
  filledTextAt(record, "path");
  const media_type = filledTextAt(record, "media_type");
  const sha256 = filledTextAt(record, "sha256");
  const size_bytes = integerAt(record, "size_bytes", 0n, "not_non_negative_integer");
  const max_size_bytes = integerAt(record, "max_size_bytes", 1n, "not_positive_integer");
  const path = checkPath(record.get("path"), "path");
  if (portable) checkPortable(path);
  if (!isMediaType(media_type)) refuse("media_type_invalid", "media_type");
  if (lowerAscii(media_type) !== media_type) refuse("media_type_not_lowercase", "media_type");
  checkPrefixedDigest(record, "sha256");
  if (size_bytes > max_size_bytes) refuse("artifact_size_exceeds_max", "size_bytes");
  return { artifact_id, path, media_type, sha256, size_bytes, max_size_bytes };
}

function readTop(record: JsonObject): Omit<Manifest, "schema_version" | "artifacts"> {
  const task_sha256 = filledTextAt(record, "task_sha256");
  const run_sha256 = filledTextAt(record, "run_sha256");
  const config_sha256 = filledTextAt(record, "config_sha256");
  const total_size_bytes = integerAt(record, "total_size_bytes", 0n, "not_non_negative_integer");
  const max_files = integerAt(record, "max_files", 1n, "not_positive_integer");
  const max_total_size_bytes = integerAt(
    record,
    "max_total_size_bytes",
    1n,
    "not_positive_integer",
  );
  const tree_sha256 = filledTextAt(record, "tree_sha256");
  const manifest_sha256 = filledTextAt(record, "manifest_sha256");
  const digests = { task_sha256, run_sha256, config_sha256, tree_sha256, manifest_sha256 };
  for (const name of DIGESTS) checkPrefixedDigest(record, name);
  return { ...digests, total_size_bytes, max_files, max_total_size_bytes };
}

function checkSet(manifest: Manifest, portable: boolean): void {
  const { artifacts, total_size_bytes } = manifest;
  if (artifacts.length === 0) refuse("no_artifacts");
  const ids = artifacts.map((artifact) => artifact.artifact_id);
  if (new Set(ids).size < ids.length) refuse("duplicate_artifact_id");
  const fold = caseFolder();
  const paths = artifacts.map((artifact) => artifact.path).sort(comparePaths);
  checkFolded(paths, "path", fold);
  checkPrefixes(paths);
  if (portable) checkMerging(paths, fold);
  if (ids.some((id, index) => index > 0 && compareCodePoints(ids[index - 1]!, id) > 0)) {
    refuse("artifacts_not_sorted");
  }
  if (BigInt(artifacts.length) > manifest.max_files) refuse("too_many_artifacts");
  const total = artifacts.reduce((sum, { size_bytes }) => sum + size_bytes, 0n);
  if (total !== total_size_bytes) refuse("total_size_mismatch", "total_size_bytes");
  if (total > manifest.max_total_size_bytes) refuse("total_size_exceeds_max", "total_size_bytes");
}
