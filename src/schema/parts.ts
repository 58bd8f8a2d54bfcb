/**
 * Pieces that the schemas share. Nothing here is part of the public list of the area.
 *
 * Every piece must have an exact counterpart in JSON Schema, so: no transformation, no flag on an expression, no check
 * in code but the one of {@linkcode noList}. Expressions are spelled so that all dialects read them alike: `[0-9]`, not `\d`.
 *
 * @module
 */
import * as v from "valibot";
import { PAYLOAD_FIELDS } from "../capsule/mod.ts";
import type { Payload } from "../capsule/mod.ts";
import type { Digest } from "../hash/mod.ts";
import type { DocumentSchema } from "./standard.ts";

/** A schema with this output, whatever it is made of. */
export type Part<Output> = v.GenericSchema<Output>;

const MAX = Number.MAX_VALUE;

/** Refuses lists. */
const notList = v.check(
  (value: unknown) => !Array.isArray(value),
  "Expected an object, not a list",
);

/** Text that matches. */
export function text(pattern: RegExp): Part<string> {
  return v.pipe(v.string(), v.regex(pattern));
}

/** An id of a run or capsule. */
export const id: Part<string> = text(/^[A-Za-z0-9][A-Za-z0-9._:-]{0,127}$/);

/** The kind of an entry. */
export const kind: Part<string> = text(/^[a-z][a-z0-9_.-]{0,63}$/);

/** A bare SHA-256. */
export const digest: Part<Digest> = text(/^[0-9a-f]{64}$/) as unknown as Part<Digest>;

/** Text with at least one character that is no white space of ECMAScript. */
export const nonBlank: Part<string> = text(
  /[^\t-\r \u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff]/,
);

/** Name of a suite: its area and its own. */
export const suiteName: Part<string> = text(/^[a-z0-9-]+[/][a-z0-9-]+$/);

/** Name of an operation. */
export const operation: Part<string> = text(/^[a-z0-9_]+[.][a-z0-9_]+$/);

/** A number that is a finite double. */
export const finite: Part<number> = v.pipe(v.number(), v.minValue(-MAX), v.maxValue(MAX));

/** A finite double without a fraction. */
export const integer: Part<number> = v.pipe(
  v.number(),
  v.integer(),
  v.minValue(-MAX),
  v.maxValue(MAX),
);

/** How many: a safe integer from 0 up. */
export const count: Part<number> = v.pipe(
  v.number(),
  v.integer(),
  v.minValue(0),
  v.maxValue(Number.MAX_SAFE_INTEGER),
);

/** An object of any members. */
export const members: Part<Record<string, unknown>> = noList(v.record(v.string(), v.unknown()));

/** An object with a count under each of the names and nothing else. */
export function counts<Name extends string>(names: readonly Name[]): Part<Record<Name, number>> {
  const entries = Object.fromEntries(
    names.map((name) => [name, v.pipe(count, v.description(`Entries of ${name}.`))]),
  );
  return v.strictObject(entries) as unknown as Part<Record<Name, number>>;
}

const PAYLOAD_TYPES = {
  "string": v.pipe(v.string(), v.description("Text; nothing is asked of its form.")),
  "integer": v.pipe(integer, v.description("Whole number of any size and sign.")),
  "integer|null": v.pipe(v.nullable(integer), v.description("Whole number, or null for none.")),
  "number": v.pipe(finite, v.description("Finite number.")),
};

/** What an entry may carry. */
export const payload: Part<Payload> = noList(
  v.strictObject(
    Object.fromEntries(
      [...PAYLOAD_FIELDS].map(([name, type]) => [name, v.exactOptional(PAYLOAD_TYPES[type])]),
    ),
  ),
) as unknown as Part<Payload>;

/** A document: its schema under the type that the area exports. */
export function publish<Output>(schema: v.GenericSchema<unknown, Output>): DocumentSchema<Output> {
  return schema as unknown as DocumentSchema<Output>; // valibot's asynchronous schemas share a type with these
}

/**
 * `true` when what a schema gives and what the hand-written interface says are one type. Use:
 * `true satisfies Agrees<typeof schema, Interface>;`
 */
export type Agrees<Schema extends v.GenericSchema, Interface> = Same<
  Frozen<v.InferOutput<Schema>>,
  Interface
>;

/**
 * The same schema, but it refuses lists: for valibot whatever has `typeof` object is an object. JSON Schema needs nothing
 * for this, as "type": "object" says it; the converter passes over what comes before the last schema of a pipe.
 */
export function noList<Output>(schema: v.GenericSchema<unknown, Output>): Part<Output> {
  return v.pipe(v.unknown(), notList, schema) as unknown as Part<Output>;
}

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends (<T>() => T extends B ? 1 : 2) ? true
  : false;

type Frozen<T> = unknown extends T ? T
  : T extends string | number | boolean | null | undefined ? T
  : { readonly [Name in keyof T]: Frozen<T[Name]> };
