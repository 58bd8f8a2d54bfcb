/**
 * Schemas: the shape of every document, for editors, generators and whoever writes one by hand. A document that fits
 * its schema is not verified; verifying does not need this area.
 *
 * Each schema is a Standard Schema. The same shapes are in `schemas/*.json` as JSON Schema.
 *
 * @example
 * ```ts
 * import { AppendLineSchema } from "affidavit/schema";
 *
 * const result = AppendLineSchema["~standard"].validate({ lineage: "plan", kind: "Start" });
 * for (const issue of result.issues ?? []) console.log(issue.message);
 * ```
 *
 * @module
 */
export type { DocumentSchema, SchemaIssue, StandardProperties, Validated } from "./standard.ts";
export { EntrySchema } from "./entry.ts";
export { MetadataSchema } from "./metadata.ts";
export { ProjectionSchema } from "./projection.ts";
export type { ReceiptShape } from "./receipt.ts";
export { ReceiptSchema } from "./receipt.ts";
export type { AppendLine } from "./append_line.ts";
export { AppendLineSchema } from "./append_line.ts";
export type { VectorCase, VectorSuite } from "./vector_suite.ts";
export { VectorSuiteSchema } from "./vector_suite.ts";
export type { VectorFile, VectorIndex } from "./vector_index.ts";
export { VectorIndexSchema } from "./vector_index.ts";
export type { DocumentKind } from "./documents.ts";
export { SCHEMAS } from "./documents.ts";
