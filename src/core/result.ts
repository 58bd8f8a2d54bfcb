/**
 * Outcomes as data: content problems are values with a stable code and a place, never exceptions.
 *
 * @module
 */

/** Where in the evidence something was found; only the parts that apply are there. */
export interface At {
  /** Zero-based index of a journal entry. */
  readonly entry?: number;
  /** Offset in bytes from the start of the file or text. */
  readonly byte?: number;
  /** JSON Pointer (RFC 6901) into a document. */
  readonly pointer?: string;
  /** Relative path with `/` between its parts. */
  readonly path?: string;
}

/** A success that carries a value. */
export interface Ok<T> {
  /** Always `true`. */
  readonly ok: true;
  /** What was asked for. */
  readonly value: T;
}

/** A refusal: what rule was broken, in words, and where. */
export interface Fail<C extends string> {
  /** Always `false`. */
  readonly ok: false;
  /** Stable code; never renamed or reused. */
  readonly code: C;
  /** What was found and what was wanted, for people. May change between versions. */
  readonly reason: string;
  /** Where it was found, as far as it has a place. */
  readonly at?: At;
}

/** Either a value or a coded refusal. */
export type Result<T, C extends string> = Ok<T> | Fail<C>;

/** Wraps a value as a success. */
export function ok<T>(value: T): Ok<T> {
  return { ok: true, value };
}

/** Makes a refusal. */
export function fail<C extends string>(code: C, reason: string, at?: At): Fail<C> {
  return at === undefined ? { ok: false, code, reason } : { ok: false, code, reason, at };
}

/** The JSON Pointer (RFC 6901) of a path of member names and list indices. */
export function formatPointer(path: readonly (string | number)[]): string {
  return path.map((part) => `/${String(part).replaceAll("~", "~0").replaceAll("/", "~1")}`).join(
    "",
  );
}
