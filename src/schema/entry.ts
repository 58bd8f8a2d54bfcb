/**
 * The shape of a journal entry.
 *
 * Rule: `docs/spec/capsule.md`, "Envelope" and "Payload".
 *
 * @module
 */
import * as v from "valibot";
import { EFFECT_CLASSES, ENVELOPE_SCHEMA, LINEAGES } from "../capsule/mod.ts";
import type { Entry } from "../capsule/mod.ts";
import { digest, id, integer, kind, payload, publish, text } from "./parts.ts";
import type { Agrees } from "./parts.ts";
import type { DocumentSchema } from "./standard.ts";

const TIMESTAMP =
  /^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](\.[0-9]+)?(Z|[+-]([01][0-9]|2[0-3]):[0-5][0-9])$/;

const entry = v.pipe(
  v.strictObject({
    schema: v.pipe(v.literal(ENVELOPE_SCHEMA), v.description("Format and version.")),
    run_id: v.pipe(id, v.description("Which run.")),
    capsule_id: v.pipe(id, v.description("Which record of that run.")),
    seq: v.pipe(integer, v.minValue(0), v.description("Zero-based position in the journal.")),
    ts: v.pipe(
      text(TIMESTAMP),
      v.description("RFC 3339 time with upper-case T and Z. Not said: the day exists."),
    ),
    lineage: v.pipe(v.picklist(LINEAGES), v.description("Strand of the run.")),
    kind: v.pipe(kind, v.description("What happened, in a word of the writer's.")),
    effect_class: v.pipe(
      v.picklist(EFFECT_CLASSES),
      v.description("How far the effects reach, from none (SE0) to irreversible (SE4)."),
    ),
    harness_version: v.pipe(v.string(), v.minLength(1), v.description("What ran the agent.")),
    task_family: v.pipe(v.string(), v.minLength(1), v.description("What kind of task it was.")),
    parent_hash: v.pipe(
      digest,
      v.description("entry_hash of the entry before; 64 zeros for the first."),
    ),
    payload: v.pipe(
      payload,
      v.description("Scalar values under the names of a closed table. Not said: no secrets."),
    ),
    entry_hash: v.pipe(digest, v.description("Hash of the twelve other members.")),
  }),
  v.title("Capsule journal entry"),
  v.description(
    "One line of journal.ndjson, as parsed JSON. A shape is no verification. Not said here: entry_hash is the hash of " +
      "the other members; seq and parent_hash continue the entry before; the day of ts exists; no text is shaped like " +
      "a secret; the line is spelled canonically, with no member twice, and bounded in size and depth; it names the run, " +
      "capsule, harness and task family of capsule.json.",
  ),
);
true satisfies Agrees<typeof entry, Entry>;

/** The shape of a line of `journal.ndjson`. */
export const EntrySchema: DocumentSchema<Entry> = publish(entry);
