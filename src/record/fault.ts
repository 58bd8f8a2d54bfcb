/**
 * The first fault of a record, and where. Readers unwind by throwing it inside this area's callers and hand it out as a
 * value at their door.
 *
 * @module
 */
import { EvidenceError } from "../core/mod.ts";
import type { At, Fail, Ok } from "../core/mod.ts";
import { RECORD_CODES } from "./codes.ts";
import type { RecordCode } from "./codes.ts";

/** A refusal of a record. */
export interface RecordRefusal extends Fail<RecordCode> {
  /** The member at fault, by its own name; list items as `artifacts[1]`, map entries as `counts.succeeded`. */
  readonly field?: string;
}

/** A value, or the first fault of the record that it was to be read from. */
export type RecordResult<T> = Ok<T> | RecordRefusal;

/** @internal What readers throw to unwind; caught by {@linkcode reading}. */
export class RecordFault extends Error {
  readonly refusal: RecordRefusal;

  constructor(code: RecordCode, reason: string, field?: string, at?: At) {
    super(reason);
    const place = { ...(field !== undefined && { field }), ...(at !== undefined && { at }) };
    this.refusal = { ok: false, code, reason, ...place };
  }
}

/** Ends a reader with a fault. Details, if there are any, follow what the code says. */
export function refuse(kind: RecordKind, field?: string, at?: At, details?: string): never {
  const code: RecordCode = `record.${kind}`;
  const place = field ?? at?.path;
  const where = place === undefined ? "" : ` (at ${JSON.stringify(place)})`;
  const more = details === undefined ? "" : `: ${details}`;
  throw new RecordFault(code, `${RECORD_CODES[code]}${where}${more}`, field, at);
}

/** A code without its area. */
export type RecordKind = RecordCode extends `record.${infer Kind}` ? Kind : never;

/** Runs a reader; a fault of the record comes out as a value. */
export function reading<T>(read: () => T): RecordResult<T> {
  try {
    return { ok: true, value: read() };
  } catch (error) {
    return refusalOf(error);
  }
}

/** Runs an asynchronous reader; a fault of the record comes out as a value. */
export async function readingLater<T>(read: () => Promise<T>): Promise<RecordResult<T>> {
  try {
    return { ok: true, value: await read() };
  } catch (error) {
    return refusalOf(error);
  }
}

/** The value of a result inside another reader, whose fault it is too. */
export function required<T>(result: RecordResult<T>): T {
  if (result.ok) return result.value;
  throw new RecordFault(result.code, result.reason, result.field, result.at);
}

function refusalOf(error: unknown): RecordRefusal {
  if (error instanceof RecordFault) return error.refusal;
  // What has no canonical text cannot be hashed: an unpaired surrogate, or a number that is not finite.
  if (error instanceof EvidenceError && error.code === "canonical.not_encodable") {
    return { ok: false, code: "record.not_encodable", reason: error.message };
  }
  if (error instanceof EvidenceError && error.code === "canonical.non_finite_number") {
    return { ok: false, code: "record.non_finite_number", reason: error.message };
  }
  throw error;
}
