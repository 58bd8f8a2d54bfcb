/**
 * The closed words of capsules, version 1.
 *
 * Rule: `docs/spec/capsule.md`, "Constants".
 *
 * @module
 */

/** The `schema` of entries, metadata and projections. */
export const ENVELOPE_SCHEMA = "capsule-envelope/v1";

/** The five lineages, in the order of reports. */
export const LINEAGES = ["plan", "attempt", "interaction", "environment", "strategy"] as const;

/** What strand of the run an entry belongs to. */
export type Lineage = typeof LINEAGES[number];

/** Effect classes from harmless to irreversible; the index is the rank. */
export const EFFECT_CLASSES = ["SE0", "SE1", "SE2", "SE3", "SE4"] as const;

/** How far the effects of an entry reach. */
export type EffectClass = typeof EFFECT_CLASSES[number];

/** Files of a capsule directory. */
export const FILES = {
  metadata: "capsule.json",
  journal: "journal.ndjson",
  projection: "projection.json",
  lock: ".append.lock",
} as const;

/** The files of an exported bundle, in the order they are copied and listed. */
export const BUNDLE_FILES = ["capsule.json", "journal.ndjson", "projection.json"] as const;

const ID = /^[A-Za-z0-9][A-Za-z0-9._:-]{0,127}$/;
const KIND = /^[a-z][a-z0-9_.-]{0,63}$/;

/** Is this one of the five lineages? */
export function isLineage(value: unknown): value is Lineage {
  return (LINEAGES as readonly unknown[]).includes(value);
}

/** Is this an effect class? */
export function isEffectClass(value: unknown): value is EffectClass {
  return (EFFECT_CLASSES as readonly unknown[]).includes(value);
}

/** The rank of an effect class, 0 to 4; -1 for anything else. */
export function rankOf(effectClass: unknown): number {
  return (EFFECT_CLASSES as readonly unknown[]).indexOf(effectClass);
}

/** Is this a run or capsule id: 1 to 128 characters, the first a letter or digit? */
export function isId(value: unknown): value is string {
  return typeof value === "string" && ID.test(value);
}

/** Is this the kind of an entry: 1 to 64 characters, the first a lower-case letter? */
export function isKind(value: unknown): value is string {
  return typeof value === "string" && KIND.test(value);
}
