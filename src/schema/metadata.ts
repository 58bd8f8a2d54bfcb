/**
 * The shape of `capsule.json`.
 *
 * Rule: `docs/spec/capsule.md`, "Metadata".
 *
 * @module
 */
import * as v from "valibot";
import { ENVELOPE_SCHEMA } from "../capsule/mod.ts";
import type { Metadata } from "../capsule/mod.ts";
import { id, nonBlank, publish, text } from "./parts.ts";
import type { Agrees } from "./parts.ts";
import type { DocumentSchema } from "./standard.ts";

const INSTANT =
  /^([0-9]{4}|[+-][0-9]{6})-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]\.[0-9]{3}Z$/;

const fields = {
  schema: v.pipe(v.literal(ENVELOPE_SCHEMA), v.description("Format and version.")),
  run_id: v.pipe(id, v.description("Which run.")),
  capsule_id: v.pipe(id, v.description("Which record of that run.")),
  harness_version: v.pipe(nonBlank, v.description("What ran the agent.")),
  task_family: v.pipe(nonBlank, v.description("What kind of task it was.")),
  created_at: v.pipe(
    text(INSTANT),
    v.description("Instant in UTC with milliseconds. Not said: the day and the year exist."),
  ),
};
const known = v.object(fields);
true satisfies Agrees<typeof known, Metadata>;

const metadata = v.pipe(
  v.looseObject(fields),
  v.title("Capsule metadata"),
  v.description(
    "capsule.json, as parsed JSON: who a capsule says it is. Further members are allowed and ignored. Not said here: " +
      "created_at is spelled as ECMAScript spells that instant, so that its day exists, its year has six digits only " +
      "where four do not do, and it is within the range of ECMAScript; the file is bounded in size and depth.",
  ),
);

/** The shape of `capsule.json`. */
export const MetadataSchema: DocumentSchema<Metadata> = publish(metadata);
