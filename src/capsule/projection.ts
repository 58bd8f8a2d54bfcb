/**
 * The projection: a small summary that anybody derives from a verified capsule and gets the same bytes.
 *
 * Rule: `docs/spec/capsule.md`, "Projection".
 *
 * @module
 */
import { digestValue, formatCapsuleV1 } from "../canonical/mod.ts";
import type { Digest, Sha256 } from "../hash/mod.ts";
import type { CapsuleState } from "./verify.ts";
import { EFFECT_CLASSES, ENVELOPE_SCHEMA } from "./vocabulary.ts";
import type { EffectClass, Lineage } from "./vocabulary.ts";

/** A summary of a capsule; the creation time is not part of it. */
export interface Projection {
  /** Name and version of the entries' shape. */
  readonly schema: typeof ENVELOPE_SCHEMA;
  /** The run that is recorded. */
  readonly run_id: string;
  /** The capsule that this was derived from. */
  readonly capsule_id: string;
  /** What ran the agent, with its version. */
  readonly harness_version: string;
  /** What kind of task it was. */
  readonly task_family: string;
  /** How many entries there are. */
  readonly entry_count: number;
  /** `seq` of the last entry; `null` when there is none. */
  readonly last_seq: number | null;
  /** Hash of the last entry; 64 zeros when there is none. */
  readonly root_hash: Digest;
  /** Digest of the journal's raw bytes. */
  readonly journal_sha256: Digest;
  /** How many entries of each lineage. */
  readonly by_lineage: Readonly<Record<Lineage, number>>;
  /** How many entries of each effect class. */
  readonly by_effect_class: Readonly<Record<EffectClass, number>>;
  /** The highest class that occurs; SE0 for an empty journal. */
  readonly max_effect_class: EffectClass;
  /** Hash of all other fields under profile `capsule-v1`. */
  readonly projection_hash: Digest;
}

/** Derives the projection of a capsule that was verified. */
export function project(state: CapsuleState, sha256: Sha256): Projection {
  const { run_id, capsule_id, harness_version, task_family } = state.metadata;
  const fields = {
    schema: ENVELOPE_SCHEMA as typeof ENVELOPE_SCHEMA,
    run_id,
    capsule_id,
    harness_version,
    task_family,
    entry_count: state.entry_count,
    last_seq: state.entry_count === 0 ? null : state.entry_count - 1,
    root_hash: state.root_hash,
    journal_sha256: state.journal_sha256,
    by_lineage: state.by_lineage,
    by_effect_class: state.by_effect_class,
    max_effect_class: EFFECT_CLASSES.filter((name) => state.by_effect_class[name] > 0).at(-1) ??
      "SE0",
  };
  return { ...fields, projection_hash: digestValue("capsule-v1", fields, sha256) };
}

/** The text of `projection.json`: canonical, and a line feed. */
export function formatProjection(projection: Projection): string {
  return `${formatCapsuleV1(projection)}\n`;
}
