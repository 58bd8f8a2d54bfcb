/**
 * The codes of recording and serving; each has a row in `docs/errors.md`.
 *
 * @module
 */

/** What recording, and serving what was recorded, refuses with besides the codes of replay. */
export const RECORDING_CODES = [
  "recording.policy_invalid",
  "recording.write_failed",
  "tool.fixture_exhausted",
] as const;

/** A code of {@linkcode RECORDING_CODES}. */
export type RecordingCode = typeof RECORDING_CODES[number];
