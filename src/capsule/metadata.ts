/**
 * `capsule.json`: who a capsule says it is. Every entry must repeat it, but for the creation time, which nothing binds.
 *
 * Rule: `docs/spec/capsule.md`, "Metadata".
 *
 * @module
 */
import { decodeUtf8, fail, MAX_TEXT_BYTES, ok } from "../core/mod.ts";
import type { Result } from "../core/mod.ts";
import { formatCapsuleV1, parseJson } from "../canonical/mod.ts";
import { ENVELOPE_SCHEMA, isId } from "./vocabulary.ts";

/** The identity of a capsule. */
export interface Metadata {
  /** Name and version of the entries' shape. */
  readonly schema: typeof ENVELOPE_SCHEMA;
  /** The run that is recorded. */
  readonly run_id: string;
  /** This record of it. */
  readonly capsule_id: string;
  /** What ran the agent, with its version. */
  readonly harness_version: string;
  /** What kind of task it was. */
  readonly task_family: string;
  /** ISO 8601 instant exactly as `Date.prototype.toISOString` writes it. */
  readonly created_at: string;
}

/** The fields of metadata that every entry repeats. */
export type Identity = Omit<Metadata, "created_at">;

const BOUND_FIELDS = ["schema", "run_id", "capsule_id", "harness_version", "task_family"] as const;

/** Reads the bytes of a `capsule.json`: layout is free, extra members are ignored, the last of a repeated one counts. */
export function parseMetadata(
  bytes: Uint8Array,
  options: { maxBytes?: number } = {},
): Result<Metadata, "capsule.metadata_invalid"> {
  const maxBytes = options.maxBytes ?? MAX_TEXT_BYTES;
  if (bytes.length > maxBytes) return invalid(`larger than ${maxBytes} bytes`);
  const text = decodeUtf8(bytes);
  if (text === undefined) return invalid("not valid UTF-8");
  const parsed = parseJson(text);
  return parsed.ok
    ? validateMetadata(parsed.value)
    : invalid(parsed.code === "json.syntax" ? "not JSON" : "nested too deep");
}

/** Checks a value as metadata, in the documented order, and gives its six fields. */
export function validateMetadata(value: unknown): Result<Metadata, "capsule.metadata_invalid"> {
  const found = (typeof value === "object" && value !== null ? value : {}) as Partial<
    Record<keyof Metadata, unknown>
  >;
  const { schema, run_id, capsule_id, harness_version, task_family, created_at } = found;
  if (schema !== ENVELOPE_SCHEMA) return invalid(`"schema" is not "${ENVELOPE_SCHEMA}"`);
  if (!isId(run_id)) {
    return invalid('"run_id" is no id: 1 to 128 of letters, digits and ._:- were wanted');
  }
  if (!isId(capsule_id)) {
    return invalid('"capsule_id" is no id: 1 to 128 of letters, digits and ._:- were wanted');
  }
  if (!isNonBlank(harness_version)) return invalid('"harness_version" is no text or blank');
  if (!isNonBlank(task_family)) return invalid('"task_family" is no text or blank');
  if (!isIsoInstant(created_at)) {
    return invalid('"created_at" is not an instant like 2026-09-02T00:00:00.000Z');
  }
  return ok({
    schema: ENVELOPE_SCHEMA,
    run_id,
    capsule_id,
    harness_version,
    task_family,
    created_at,
  });
}

/** The bytes of `capsule.json` as text: canonical, and a line feed. */
export function formatMetadata(metadata: Metadata): string {
  return `${formatCapsuleV1(metadata)}\n`;
}

/** Whether two of an entry and metadata carry the same identity. */
export function isSameIdentity(a: Identity, b: Identity): boolean {
  return BOUND_FIELDS.every((field) => a[field] === b[field]);
}

function invalid(why: string): Result<never, "capsule.metadata_invalid"> {
  return fail("capsule.metadata_invalid", `capsule.json: ${why}`);
}

function isNonBlank(value: unknown): value is string {
  return typeof value === "string" && value.trim() !== "";
}

function isIsoInstant(value: unknown): value is string {
  if (typeof value !== "string") return false;
  const instant = new Date(value);
  return !Number.isNaN(instant.getTime()) && instant.toISOString() === value;
}
