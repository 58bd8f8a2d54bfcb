/**
 * The codes of a retrospective; each has a row in `docs/errors.md`.
 *
 * @module
 */

/** What a grouping of capsules refuses with. */
export const RETROSPECTIVE_CODES = [
  "retrospective.invalid_inputs",
  "retrospective.invalid_capsule",
  "retrospective.mixed_task_families",
  "retrospective.conflicting_identity",
] as const;

/** A code of {@linkcode RETROSPECTIVE_CODES}. */
export type RetrospectiveCode = typeof RETROSPECTIVE_CODES[number];
