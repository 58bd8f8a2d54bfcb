/**
 * The next entry of a journal: what is asked of it, in the order in which a writer refuses.
 *
 * Rule: `docs/spec/capsule.md`, "Appending", steps 3 to 6.
 *
 * @module
 */
import { encodeUtf8, EvidenceError, MAX_TEXT_BYTES } from "../core/mod.ts";
import { GENESIS } from "../hash/mod.ts";
import type { Sha256 } from "../hash/mod.ts";
import type { CapsuleCode } from "./codes.ts";
import { findFieldFaults, formatEntry, hashEntry } from "./envelope.ts";
import type { Entry } from "./envelope.ts";
import { describeFault, quoteNames } from "./faults.ts";
import type { EntryFault, Finding } from "./faults.ts";
import { filterPayload } from "./payload.ts";
import type { CapsuleState } from "./verify.ts";
import { ENVELOPE_SCHEMA, isLineage, LINEAGES } from "./vocabulary.ts";

/** What is particular to a refusal. */
export interface CapsuleDetails {
  /** Index of the journal entry at fault, where the journal is. */
  readonly failed_at?: number | null;
  /** Secret-shaped texts, with `capsule.secret_canary`. */
  readonly findings?: readonly Finding[];
  /** Fields outside the table or allowlist, with `capsule.payload_denied`. */
  readonly dropped?: readonly string[];
  /** What is wrong with the entry or payload. */
  readonly faults?: readonly EntryFault[];
}

/** A call on a capsule was refused. */
export class CapsuleError extends EvidenceError {
  /** The rule that was broken. */
  declare readonly code: CapsuleCode;
  /** Index of the journal entry at fault; `null` when the journal is not. */
  readonly failed_at: number | null;
  /** Secret-shaped texts, with `capsule.secret_canary`. */
  readonly findings: readonly Finding[];
  /** Fields that may not be kept, with `capsule.payload_denied`. */
  readonly dropped: readonly string[];
  /** What is wrong with the entry or payload. */
  readonly faults: readonly EntryFault[];

  /** `details` is what is particular to this refusal; what is left out is empty. */
  constructor(
    code: CapsuleCode,
    message: string,
    details: CapsuleDetails & { cause?: unknown } = {},
  ) {
    super(code, message, "cause" in details ? { cause: details.cause } : {});
    this.failed_at = details.failed_at ?? null;
    this.findings = details.findings ?? [];
    this.dropped = details.dropped ?? [];
    this.faults = details.faults ?? [];
  }
}

/** Where a journal stands: what the next entry depends on. */
export type ChainHead = Pick<
  CapsuleState,
  "metadata" | "entry_count" | "root_hash" | "journal_bytes"
>;

/** What may be said of a new entry. */
export interface AppendOptions {
  /** How far its effects reach; SE0 unless given. */
  readonly effect_class?: string;
  /** Payload fields that may be kept; it can only narrow the v1 table. */
  readonly allowlist?: readonly string[] | null;
  /** `false` drops fields that may not be kept, instead of refusing the entry. */
  readonly strict?: boolean;
}

/**
 * Builds the entry that would follow.
 *
 * @param now called once, and only when lineage and payload are in order.
 * @throws {CapsuleError} `capsule.bad_lineage`, `capsule.payload_invalid`, `capsule.secret_canary`,
 * `capsule.payload_denied` or `capsule.invalid_entry`.
 * @throws {TypeError} when there is an unknown option or the allowlist is no list of texts; {RangeError} when the clock gives an invalid instant.
 */
export function buildEntry(
  head: ChainHead,
  entry: { lineage: unknown; kind: unknown; payload?: unknown; options?: AppendOptions },
  now: () => Date,
  sha256: Sha256,
): Entry {
  const { lineage, kind, payload = {}, options = {} } = entry;
  refuseUnknown(entry, ["lineage", "kind", "payload", "options"]);
  refuseUnknown(options, ["effect_class", "allowlist", "strict"]);
  if (!isLineage(lineage)) {
    throw new CapsuleError(
      "capsule.bad_lineage",
      `Appending an entry: lineage is none of ${LINEAGES.join(", ")}`,
    );
  }
  const filtered = filterPayload(payload, { allowlist: options.allowlist ?? null });
  const { errors, findings, dropped } = filtered;
  if (errors[0] !== undefined) {
    const message = `Appending an entry: ${describeFault(errors[0])}`;
    throw new CapsuleError("capsule.payload_invalid", message, { faults: errors });
  }
  if (findings[0] !== undefined) {
    const message = `Appending an entry: ${
      describeFault({ kind: "payload_canary", ...findings[0] })
    }`;
    throw new CapsuleError("capsule.secret_canary", message, { findings });
  }
  if (dropped.length > 0 && options.strict !== false) {
    const message = `Appending an entry: the payload may not carry ${quoteNames(dropped)}`;
    throw new CapsuleError("capsule.payload_denied", message, { dropped });
  }
  const { run_id, capsule_id, harness_version, task_family } = head.metadata;
  const unhashed = {
    schema: ENVELOPE_SCHEMA as typeof ENVELOPE_SCHEMA,
    run_id,
    capsule_id,
    seq: head.entry_count,
    ts: now().toISOString(),
    lineage,
    kind: kind as string,
    effect_class: (options.effect_class || "SE0") as Entry["effect_class"],
    harness_version,
    task_family,
    parent_hash: head.root_hash,
    payload: filtered.payload,
  };
  const faults = findFieldFaults({ ...unhashed, entry_hash: GENESIS });
  if (faults[0] !== undefined) {
    const message = `Appending an entry: ${describeFault(faults[0])}`;
    throw new CapsuleError("capsule.invalid_entry", message, { faults });
  }
  return { ...unhashed, entry_hash: hashEntry(unhashed, sha256) };
}

/**
 * The bytes of an entry's journal line, with its line feed.
 *
 * @throws {CapsuleError} `capsule.invalid_entry` when no reader would take so long a line.
 */
export function encodeEntry(entry: Entry): Uint8Array {
  const bytes = encodeUtf8(`${formatEntry(entry)}\n`);
  if (bytes.length - 1 <= MAX_TEXT_BYTES) return bytes;
  throw new CapsuleError(
    "capsule.invalid_entry",
    `Appending an entry: its line is longer than ${MAX_TEXT_BYTES} bytes`,
  );
}

/** A misspelled option would otherwise be passed over, and an entry be recorded as harmless that is not. */
function refuseUnknown(given: object, known: readonly string[]): void {
  const unknown = Object.keys(given).find((name) => !known.includes(name));
  if (unknown !== undefined) {
    throw new TypeError(`Appending an entry: there is no option ${quoteNames([unknown])}`);
  }
}
