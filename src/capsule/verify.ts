/**
 * Verifies a capsule as a whole: first its journal, then its metadata, then that every entry carries that identity.
 *
 * Rule: `docs/spec/capsule.md`, "Verification".
 *
 * @module
 */
import { MAX_TEXT_BYTES, readWhole } from "../core/mod.ts";
import type { FileInput } from "../core/mod.ts";
import type { Sha256 } from "../hash/mod.ts";
import { holds, refuse, verifyJournal } from "./chain.ts";
import type { Holds, JournalOptions, JournalResume, JournalState, Refused } from "./chain.ts";
import { isSameIdentity, parseMetadata } from "./metadata.ts";
import type { Metadata } from "./metadata.ts";

/** The two files that a capsule consists of. */
export interface CapsuleFiles {
  /** `journal.ndjson` */
  readonly journal: FileInput;
  /** `capsule.json` */
  readonly metadata: FileInput;
}

/** What a capsule that holds was found to contain. */
export interface CapsuleState extends JournalState {
  /** What `capsule.json` says. */
  readonly metadata: Metadata;
}

/** What the verification of a capsule ends in. */
export type CapsuleVerdict = Holds<CapsuleState> | Refused;

/** Options of {@linkcode verifyCapsule}. */
export interface CapsuleOptions extends Omit<JournalOptions, "resume"> {
  /** Go on after a part of the journal that was verified before, and with it the metadata it was held against. */
  readonly resume?: JournalResume<CapsuleState>;
  /** Largest metadata file in bytes. Default 64 MiB. */
  readonly maxMetadataBytes?: number;
}

/**
 * Verifies a capsule from its files, whole or in pieces. Content never makes it throw.
 *
 * A capsule that holds is consistent; whether entries are missing from its end only a receipt or a root known from
 * elsewhere can tell.
 *
 * @example
 * ```ts
 * import { verifyCapsule } from "affidavit/capsule";
 * import { loadSha256 } from "affidavit/hash";
 *
 * const metadata = new TextEncoder().encode(
 *   '{"schema":"capsule-envelope/v1","run_id":"r","capsule_id":"c","harness_version":"h","task_family":"f",' +
 *     '"created_at":"2026-09-02T00:00:00.000Z"}',
 * );
 * const verdict = await verifyCapsule({ journal: new Uint8Array(), metadata }, await loadSha256());
 * console.log(verdict.ok, verdict.entry_count); // true 0
 * ```
 */
export async function verifyCapsule(
  files: CapsuleFiles,
  sha256: Sha256,
  options: CapsuleOptions = {},
): Promise<CapsuleVerdict> {
  const metadata = await readMetadata(files.metadata, options.maxMetadataBytes ?? MAX_TEXT_BYTES);
  const before = options.resume?.state;
  // Every entry before carries that identity, so that under another one the first is the first that does not.
  const isOther = metadata.ok && before !== undefined && before.entry_count > 0 &&
    !isSameIdentity(before.metadata, metadata.value);
  let unbound = isOther ? 0 : undefined;
  const journal = await verifyJournal(files.journal, sha256, {
    ...options,
    onEntry(entry, index) {
      if (metadata.ok && unbound === undefined && !isSameIdentity(entry, metadata.value)) {
        unbound = index;
      }
      options.onEntry?.(entry, index);
    },
  });
  if (!journal.ok) return journal;
  const { entry_count } = journal;
  if (!metadata.ok) return refuse(metadata.code, metadata.reason, { entry_count });
  if (unbound !== undefined) {
    const what =
      `entry ${unbound} names another run, capsule, harness or task family than capsule.json`;
    return refuse("capsule.metadata_mismatch", what, {
      failed_at: unbound,
      entry_count,
      at: { entry: unbound },
    });
  }
  return holds({ ...journal.state, metadata: metadata.value });
}

async function readMetadata(
  input: FileInput,
  maxBytes: number,
): Promise<ReturnType<typeof parseMetadata>> {
  const bytes = await readWhole(input, maxBytes);
  if (bytes.ok) return parseMetadata(bytes.value, { maxBytes });
  return { ok: false, code: "capsule.metadata_invalid", reason: `capsule.json is ${bytes.reason}` };
}
