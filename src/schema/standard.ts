/**
 * The type of every schema of this area: the public part of Standard Schema, version 1, that is needed to use one. Any
 * library that takes a Standard Schema takes these.
 *
 * @module
 */

/** A schema that judges the shape of parsed JSON. */
export interface DocumentSchema<Output> {
  /** The Standard Schema properties. */
  readonly "~standard": StandardProperties<Output>;
}

/** What Standard Schema asks of a schema. */
export interface StandardProperties<Output> {
  /** Version of Standard Schema. */
  readonly version: 1;
  /** The library that does the work. */
  readonly vendor: string;
  /** Judges a value, at once and without changing it. A value that fits comes back as a copy. */
  readonly validate: (value: unknown) => Validated<Output>;
  /** For the compiler only. */
  readonly types?: { readonly input: unknown; readonly output: Output } | undefined;
}

/** The answer of a schema. */
export type Validated<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly SchemaIssue[] };

/** One thing that does not fit. */
export interface SchemaIssue {
  /** In English; it may quote the value, so it does not belong into a log of secrets. */
  readonly message: string;
  /** Where in the document: names of members and indices of lists, outermost first. */
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}
