/**
 * The shape of `projection.json`.
 *
 * Rule: `docs/spec/capsule.md`, "Projection".
 *
 * @module
 */
import * as v from "valibot";
import { EFFECT_CLASSES, ENVELOPE_SCHEMA, LINEAGES } from "../capsule/mod.ts";
import type { Projection } from "../capsule/mod.ts";
import { count, counts, digest, id, nonBlank, publish } from "./parts.ts";
import type { Agrees } from "./parts.ts";
import type { DocumentSchema } from "./standard.ts";

const projection = v.pipe(
  v.strictObject({
    schema: v.pipe(v.literal(ENVELOPE_SCHEMA), v.description("Format and version.")),
    run_id: v.pipe(id, v.description("Which run.")),
    capsule_id: v.pipe(id, v.description("Which record of that run.")),
    harness_version: v.pipe(nonBlank, v.description("What ran the agent.")),
    task_family: v.pipe(nonBlank, v.description("What kind of task it was.")),
    entry_count: v.pipe(count, v.description("Number of entries.")),
    last_seq: v.pipe(
      v.nullable(count),
      v.description("seq of the last entry; null when there is none."),
    ),
    root_hash: v.pipe(
      digest,
      v.description("entry_hash of the last entry; 64 zeros when there is none."),
    ),
    journal_sha256: v.pipe(digest, v.description("Digest of the journal's raw bytes.")),
    by_lineage: v.pipe(counts(LINEAGES), v.description("Number of entries of each lineage.")),
    by_effect_class: v.pipe(
      counts(EFFECT_CLASSES),
      v.description("Number of entries of each effect class."),
    ),
    max_effect_class: v.pipe(
      v.picklist(EFFECT_CLASSES),
      v.description("Highest effect class that occurs; SE0 for an empty journal."),
    ),
    projection_hash: v.pipe(digest, v.description("Hash of all other members.")),
  }),
  v.title("Capsule projection"),
  v.description(
    "projection.json, as parsed JSON: the summary of a capsule. Not said here: it is the one that the journal gives; " +
      "projection_hash is the hash of the other members; the counts add up; zero is not written as -0; the file is " +
      "bounded in size and depth.",
  ),
);
true satisfies Agrees<typeof projection, Projection>;

/** The shape of `projection.json`. */
export const ProjectionSchema: DocumentSchema<Projection> = publish(projection);
