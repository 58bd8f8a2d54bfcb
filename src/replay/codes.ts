/**
 * The codes of replay; each has a row in `docs/errors.md`.
 *
 * @module
 */

/** What making a replayer refuses with. */
export const REPLAY_CODES = [
  "replay.bad_mode",
  "replay.no_store",
  "replay.bad_declaration",
] as const;

/** What the file of a fixture is refused with. */
export const FIXTURE_CODES = ["tool.fixture_corrupt", "tool.fixture_mismatch"] as const;

/** What a call is refused with, besides what its fixture is. The last three are this library's own. */
export const CALL_CODES = [
  "tool.unknown",
  "tool.effect_forbidden",
  "tool.fixture_missing",
  "tool.not_serializable",
  "tool.no_implementation",
  "tool.fixture_too_large",
] as const;

/** What a file of arguments beside a fixture is refused with. */
export const ARGUMENTS_CODES = ["tool.arguments_invalid"] as const;

/** A code of {@linkcode FIXTURE_CODES}. */
export type FixtureCode = typeof FIXTURE_CODES[number];

/** A code of {@linkcode ARGUMENTS_CODES}. */
export type ArgumentsCode = typeof ARGUMENTS_CODES[number];

/** Any code that replaying or recording is refused with. */
export type ReplayCode = typeof REPLAY_CODES[number] | FixtureCode | typeof CALL_CODES[number];
