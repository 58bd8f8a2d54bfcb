/**
 * The codes of the command line's own refusals; each has a row in `docs/errors.md`.
 *
 * @module
 */

/** What the command line refuses with, besides what the library does. */
export const CLI_CODES = [
  "cli.usage",
  "cli.line_invalid",
  "cli.not_evidence",
  "cli.receipt_alone",
  "cli.projection_invalid",
  "cli.nothing_to_check",
  "cli.page_missing",
  "cli.pins_invalid",
  "cli.fixture_not_found",
] as const;

/** A code of {@linkcode CLI_CODES}. */
export type CliCode = typeof CLI_CODES[number];
