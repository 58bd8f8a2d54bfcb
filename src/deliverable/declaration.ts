/**
 * What is to be sealed: the declaration, the host's limits, the hashes that it is bound to.
 *
 * Rule: `docs/spec/deliverable.md`, "Declaration".
 *
 * @module
 */
import { JsonNumber } from "../canonical/mod.ts";
import type { JsonValue } from "../canonical/mod.ts";
import {
  exactMembers,
  integerOf,
  isBlank,
  isLaxDigest,
  isMediaType,
  LAB_PROFILE,
  lowerAscii,
  objectAt,
  reading,
  refuse,
} from "../record/mod.ts";
import type { RecordProfile, RecordResult } from "../record/mod.ts";
import { caseFolder } from "./fold.ts";
import { checkFolded, checkPath, checkPrefixes, comparePaths } from "./path.ts";
import { checkMerging, checkPortable } from "./portable.ts";

/** A file that is to be part of the deliverable. */
export interface FileDeclaration {
  /** Any text that is not blank. */
  readonly artifact_id: string;
  /** Where the file is, below the source's root. */
  readonly source_path: string;
  /** Where it will be, below the sealed root. */
  readonly path: string;
  /** Type and subtype without parameters, in any case; nobody compares it with the contents. */
  readonly media_type: string;
  /** Largest size in bytes that is sealed; an integer above 0. */
  readonly max_size_bytes: number | bigint;
}

/** What a host seals at most. */
export interface SealLimits {
  /** How many files a declaration may list; an integer above 0. */
  readonly max_files: number | bigint;
  /** Largest size of one file in bytes; an integer above 0. */
  readonly max_file_bytes: number | bigint;
  /** Largest sum of all sizes in bytes; an integer above 0. */
  readonly max_total_bytes: number | bigint;
}

/** The limits of a host that names none: 100 files, 100 MiB a file, 500 MiB together. */
export const DEFAULT_LIMITS: SealLimits = {
  max_files: 100,
  max_file_bytes: 104_857_600,
  max_total_bytes: 524_288_000,
};

/** What the deliverable belongs to, by hash. */
export interface Bindings {
  /** Of the task that was given: 64 lower-case hexadecimal digits, with or without `sha256:`. */
  readonly task_sha256: string;
  /** Of the run that made the files, in the same form. */
  readonly run_sha256: string;
  /** Of the configuration that the run had, in the same form. */
  readonly config_sha256: string;
}

/** What deliverables are judged by. */
export interface DeliverableOptions {
  /** The benchmark's data. Default {@linkcode LAB_PROFILE}. */
  readonly profile?: RecordProfile;
  /** Must paths survive on other systems, too? Default what the profile says. */
  readonly portable?: boolean;
}

/** How to seal. */
export interface SealOptions extends DeliverableOptions {
  /** Default {@linkcode DEFAULT_LIMITS}. */
  readonly limits?: SealLimits;
}

/** A file of a plan. */
export interface PlannedFile {
  /** As declared; no two files of a plan share one. */
  readonly artifact_id: string;
  /** Where it is read, below the source's root. */
  readonly source_path: string;
  /** Where it is written, below the sealed root. */
  readonly path: string;
  /** In lower case. */
  readonly media_type: string;
  /** The smaller of what was declared and what the host takes. */
  readonly max_size_bytes: bigint;
}

/** What will be sealed, once everything that is known without looking at files was judged. */
export interface SealPlan {
  /** In the order of the declaration. */
  readonly files: readonly PlannedFile[];
  /** The host's limit; the manifest repeats it. */
  readonly max_files: bigint;
  /** The host's `max_total_bytes`; the manifest repeats it under this name. */
  readonly max_total_size_bytes: bigint;
  /** With prefixes. */
  readonly bindings: Bindings;
  /** Whose schema ids the manifest and the tree commitment get. */
  readonly profile: RecordProfile;
  /** Whether the paths were also held to the rules for other systems. */
  readonly portable: boolean;
}

const MEMBERS = ["artifact_id", "source_path", "path", "media_type", "max_size_bytes"] as const;

/**
 * Reads a declaration: a list of objects with exactly the members of {@linkcode FileDeclaration}. Their values are judged
 * by {@linkcode planSeal}.
 */
export function parseDeclaration(value: JsonValue): RecordResult<readonly FileDeclaration[]> {
  return reading(() => {
    if (!Array.isArray(value)) refuse("wrong_type");
    return value.map((item, index) => {
      const entry = objectAt(item, `declaration[${index}]`);
      exactMembers(entry, MEMBERS);
      return Object.fromEntries(entry) as unknown as FileDeclaration;
    });
  });
}

/**
 * Judges a declaration, limits and bindings, in that order, then the declared paths together.
 *
 * @returns a plan, or the first fault; values of any type are taken and judged.
 */
export function planSeal(
  declaration: readonly FileDeclaration[],
  bindings: Bindings,
  options: SealOptions = {},
): RecordResult<SealPlan> {
  const { limits = DEFAULT_LIMITS, profile = LAB_PROFILE } = options;
  const portable = options.portable ?? profile.portable;
  return reading(() => {
    const declared = declaration.map((entry) => readEntry(entry, portable));
    const max_files = positive(limits.max_files, "max_files");
    const max_file_bytes = positive(limits.max_file_bytes, "max_file_bytes");
    const max_total_size_bytes = positive(limits.max_total_bytes, "max_total_bytes");
    const bound = {
      task_sha256: prefixed(bindings.task_sha256, "task_sha256"),
      run_sha256: prefixed(bindings.run_sha256, "run_sha256"),
      config_sha256: prefixed(bindings.config_sha256, "config_sha256"),
    };
    const files = declared.map((file) => ({
      ...file,
      max_size_bytes: file.max_size_bytes < max_file_bytes ? file.max_size_bytes : max_file_bytes,
    }));
    checkSet(files, max_files, portable);
    return { files, max_files, max_total_size_bytes, bindings: bound, profile, portable };
  });
}

function readEntry(entry: FileDeclaration, portable: boolean): PlannedFile {
  const { artifact_id, media_type, max_size_bytes } = entry;
  if (typeof artifact_id !== "string" || isBlank(artifact_id)) {
    refuse("string_empty", "artifact_id");
  }
  const source_path = checkPath(entry.source_path, "source_path");
  const path = checkPath(entry.path, "path");
  if (portable) checkPortable(path);
  if (!isMediaType(media_type)) refuse("media_type_invalid", "media_type");
  return {
    artifact_id,
    source_path,
    path,
    media_type: lowerAscii(media_type),
    max_size_bytes: positive(max_size_bytes, "max_size_bytes"),
  };
}

function checkSet(files: readonly PlannedFile[], most: bigint, portable: boolean): void {
  if (files.length === 0) refuse("no_artifacts");
  if (BigInt(files.length) > most) refuse("too_many_artifacts");
  if (new Set(files.map((file) => file.artifact_id)).size < files.length) {
    refuse("duplicate_artifact_id");
  }
  const fold = caseFolder();
  const sources = files.map((file) => file.source_path);
  const paths = files.map((file) => file.path);
  checkFolded(sources, "source_path", fold);
  checkFolded(paths, "path", fold);
  checkPrefixes(sources.sort(comparePaths));
  checkPrefixes(paths.sort(comparePaths));
  if (portable) checkMerging(paths, fold);
}

/** An integer above 0. Whoever writes a number as a double cannot write an unsafe one. */
function positive(value: unknown, field: string): bigint {
  const number = value instanceof JsonNumber
    ? integerOf(value) ?? 0n
    : typeof value === "bigint"
    ? value
    : Number.isSafeInteger(value)
    ? BigInt(value as number)
    : 0n;
  return number > 0n ? number : refuse("not_positive_integer", field);
}

function prefixed(value: unknown, field: string): string {
  if (!isLaxDigest(value)) refuse("digest_invalid", field);
  return value.startsWith("sha256:") ? value : `sha256:${value}`;
}
