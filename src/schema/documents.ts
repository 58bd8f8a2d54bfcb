/**
 * Every kind of document and its schema, by the name that its file in `schemas/` begins with.
 *
 * @module
 */
import { AppendLineSchema } from "./append_line.ts";
import { EntrySchema } from "./entry.ts";
import { MetadataSchema } from "./metadata.ts";
import { ProjectionSchema } from "./projection.ts";
import { ReceiptSchema } from "./receipt.ts";
import type { DocumentSchema } from "./standard.ts";
import { VectorIndexSchema } from "./vector_index.ts";
import { VectorSuiteSchema } from "./vector_suite.ts";

/** A kind of document. */
export type DocumentKind =
  | "entry"
  | "metadata"
  | "projection"
  | "receipt"
  | "append-line"
  | "vector-suite"
  | "vector-index";

/** The schema of each kind of document. */
export const SCHEMAS: Readonly<Record<DocumentKind, DocumentSchema<unknown>>> = {
  "entry": EntrySchema,
  "metadata": MetadataSchema,
  "projection": ProjectionSchema,
  "receipt": ReceiptSchema,
  "append-line": AppendLineSchema,
  "vector-suite": VectorSuiteSchema,
  "vector-index": VectorIndexSchema,
};
