/**
 * The shape of `vectors/index.json`.
 *
 * Rule: `docs/spec/conformance.md`, "Vector files".
 *
 * @module
 */
import * as v from "valibot";
import type { Digest } from "../hash/mod.ts";
import { count, digest, operation, publish, suiteName, text } from "./parts.ts";
import type { Agrees } from "./parts.ts";
import type { DocumentSchema } from "./standard.ts";

/** A file of test vectors, as the index lists it. */
export interface VectorFile {
  /** Below `vectors/`, with `/` between its parts. */
  readonly path: string;
  /** Area and name. */
  readonly suite: string;
  /** The operation that its cases ask for. */
  readonly op: string;
  /** Number of cases. */
  readonly cases: number;
  /** Digest of the file's bytes. */
  readonly sha256: Digest;
}

/** The list of all files of test vectors. */
export interface VectorIndex {
  /** The files, ordered by path. */
  readonly files: readonly VectorFile[];
}

const file = v.strictObject({
  path: v.pipe(
    text(/^[a-z0-9-]+[/][a-z0-9-]+[.]json$/),
    v.description("Path of the file below vectors/."),
  ),
  suite: v.pipe(suiteName, v.description("Area and name.")),
  op: v.pipe(operation, v.description("Operation that all cases ask for.")),
  cases: v.pipe(count, v.description("Number of cases.")),
  sha256: v.pipe(digest, v.description("Digest of the file's bytes.")),
});

const index = v.pipe(
  v.strictObject({
    files: v.pipe(v.array(file), v.description("The files, ordered by path.")),
  }),
  v.title("Index of test vectors"),
  v.description(
    "vectors/index.json, as parsed JSON. Not said here: the digests and numbers of cases are those of the files; path is " +
      "suite with its ending; every file is listed, once and in order.",
  ),
);
true satisfies Agrees<typeof index, VectorIndex>;

/** The shape of `vectors/index.json`. */
export const VectorIndexSchema: DocumentSchema<VectorIndex> = publish(index);
