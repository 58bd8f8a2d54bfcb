/**
 * One entry of a journal: thirteen fields, the last of which hashes the others.
 *
 * Rule: `docs/spec/capsule.md`, "Envelope".
 *
 * @module
 */
import { compareCodeUnits, isPlainObject, ownData } from "../core/mod.ts";
import { digestValue, formatCapsuleV1 } from "../canonical/mod.ts";
import { isDigest } from "../hash/mod.ts";
import type { Digest, Sha256 } from "../hash/mod.ts";
import type { EntryFault, PlainField } from "./faults.ts";
import { filterPayload } from "./payload.ts";
import type { Payload } from "./payload.ts";
import { ENVELOPE_SCHEMA, isEffectClass, isId, isKind, isLineage } from "./vocabulary.ts";
import type { EffectClass, Lineage } from "./vocabulary.ts";

/** One journal entry. */
export interface Entry {
  /** Name and version of this shape. */
  readonly schema: typeof ENVELOPE_SCHEMA;
  /** The run that it belongs to; the same in every entry of a journal. */
  readonly run_id: string;
  /** The capsule that it belongs to; the same in every entry of a journal. */
  readonly capsule_id: string;
  /** Zero-based position in the journal. */
  readonly seq: number;
  /** RFC 3339 time with upper-case `T` and `Z`, as the writer's clock had it. */
  readonly ts: string;
  /** Which of the five strands of a run it is part of. */
  readonly lineage: Lineage;
  /** What happened, in the words of the writer, such as `tool.call`. */
  readonly kind: string;
  /** How far its effects reach, as the writer declares. */
  readonly effect_class: EffectClass;
  /** What ran the agent, as in the metadata. */
  readonly harness_version: string;
  /** What kind of task it was, as in the metadata. */
  readonly task_family: string;
  /** `entry_hash` of the entry before; 64 zeros for the first. */
  readonly parent_hash: Digest;
  /** Fields of the payload table only. */
  readonly payload: Payload;
  /** Hash of the other twelve fields under profile `capsule-v1`. */
  readonly entry_hash: Digest;
}

const FIELDS: Readonly<Record<PlainField, (value: unknown) => boolean>> = {
  schema: (value) => value === ENVELOPE_SCHEMA,
  run_id: isId,
  capsule_id: isId,
  seq: (value) => Number.isInteger(value) && (value as number) >= 0,
  ts: isTimestamp,
  lineage: isLineage,
  kind: isKind,
  effect_class: isEffectClass,
  harness_version: isNonEmpty,
  task_family: isNonEmpty,
  parent_hash: isDigest,
};
const PLAIN_FIELDS = Object.keys(FIELDS) as PlainField[];
const ALL_FIELDS: readonly string[] = [...PLAIN_FIELDS, "payload", "entry_hash"];

/**
 * The faults of a value as a journal entry, in report order; none means that it is one. Links to other entries are not
 * looked at.
 *
 * A value that is no plain object of exactly the thirteen fields has only those faults. The hash is recomputed only when
 * nothing else is wrong.
 */
export function validateEntry(value: unknown, sha256: Sha256): EntryFault[] {
  const faults = findFieldFaults(value);
  if (faults.length === 0 && hashEntry(value as Entry, sha256) !== (value as Entry).entry_hash) {
    faults.push({ kind: "entry_hash_mismatch" });
  }
  return faults;
}

/** Everything that {@linkcode validateEntry} finds without hashing. */
export function findFieldFaults(value: unknown): EntryFault[] {
  if (!isPlainObject(value)) return [{ kind: "not_plain_object" }];
  const members = ownData(value);
  if (members === undefined) return [{ kind: "non_data_property" }];
  const faults = compareFields(members);
  if (faults.length > 0) return faults;

  const entry = value as Entry;
  for (const field of PLAIN_FIELDS) {
    if (!FIELDS[field](entry[field])) faults.push({ kind: field });
  }
  if (!isDigest(entry.entry_hash)) faults.push({ kind: "entry_hash_format" });
  const payload = filterPayload(entry.payload);
  faults.push(...payload.errors);
  if (payload.dropped.length > 0) {
    faults.push({ kind: "payload_unknown_keys", keys: payload.dropped });
  }
  faults.push(
    ...payload.findings.map((finding) => ({ kind: "payload_canary" as const, ...finding })),
  );
  return faults;
}

/** The hash that an entry's `entry_hash` must be: of all its other fields. */
export function hashEntry(entry: Omit<Entry, "entry_hash">, sha256: Sha256): Digest {
  const { entry_hash: _, ...rest } = entry as Entry;
  return digestValue("capsule-v1", rest, sha256);
}

/** The journal line of an entry, without the line feed. */
export function formatEntry(entry: Entry): string {
  return formatCapsuleV1(entry);
}

const TIMESTAMP =
  /^(\d{4})-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d+)?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$/;

/** Is this an RFC 3339 time with upper-case `T` and `Z`, on a day that exists? Leap seconds and 24:00 are refused. */
export function isTimestamp(value: unknown): value is string {
  const parts = typeof value === "string" ? TIMESTAMP.exec(value) : null;
  if (parts === null) return false;
  const [year, month, day] = [Number(parts[1]), Number(parts[2]), Number(parts[3])];
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  const days = month === 2 ? (isLeap ? 29 : 28) : [4, 6, 9, 11].includes(month) ? 30 : 31;
  return day <= days;
}

function compareFields(members: readonly (readonly [string, unknown])[]): EntryFault[] {
  const names = new Set(members.map(([name]) => name));
  const unknown = [...names].filter((name) => !ALL_FIELDS.includes(name)).sort(compareCodeUnits);
  const missing = ALL_FIELDS.filter((name) => !names.has(name));
  return [
    ...(unknown.length > 0 ? [{ kind: "unknown_fields" as const, keys: unknown }] : []),
    ...(missing.length > 0 ? [{ kind: "missing_fields" as const, keys: missing }] : []),
  ];
}

function isNonEmpty(value: unknown): boolean {
  return typeof value === "string" && value.length > 0;
}
