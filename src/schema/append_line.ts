/**
 * The shape of a line that `affidavit capsule append DIR -` takes.
 *
 * @module
 */
import * as v from "valibot";
import { EFFECT_CLASSES, LINEAGES } from "../capsule/mod.ts";
import type { EffectClass, Lineage, Payload } from "../capsule/mod.ts";
import { kind, payload, publish } from "./parts.ts";
import type { Agrees } from "./parts.ts";
import type { DocumentSchema } from "./standard.ts";

/** An entry to append. */
export interface AppendLine {
  /** Strand of the run. */
  readonly lineage: Lineage;
  /** What happened. */
  readonly kind: string;
  /** Nothing unless given. */
  readonly payload?: Payload;
  /** `SE0` unless given. */
  readonly effect_class?: EffectClass;
}

const line = v.pipe(
  v.strictObject({
    lineage: v.pipe(v.picklist(LINEAGES), v.description("Strand of the run.")),
    kind: v.pipe(kind, v.description("What happened, in a word of the writer's.")),
    payload: v.exactOptional(
      v.pipe(
        payload,
        v.description("Scalar values under the names of a closed table. Not said: no secrets."),
      ),
    ),
    effect_class: v.exactOptional(
      v.pipe(
        v.picklist(EFFECT_CLASSES),
        v.description("How far the effects reach, from none (SE0) to irreversible (SE4)."),
      ),
    ),
  }),
  v.title("Entry to append"),
  v.description(
    "One line of standard input of `affidavit capsule append DIR -`, as parsed JSON. Not said here: no text of the " +
      "payload is shaped like a secret; the line is bounded in size and depth. With --allow or --drop-unknown the " +
      "payload may hold more than this.",
  ),
);
true satisfies Agrees<typeof line, AppendLine>;

/** The shape of an entry to append. */
export const AppendLineSchema: DocumentSchema<AppendLine> = publish(line);
