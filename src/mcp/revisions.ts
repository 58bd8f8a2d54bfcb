/**
 * The revisions of the protocol whose lifecycle begins with `initialize`.
 *
 * @module
 */

/** A revision, by its date. */
export type Revision =
  | "2025-11-25"
  | "2025-06-18"
  | "2025-03-26"
  | "2024-11-05"
  | "2024-10-07";

/** All of them, the newest first. */
export const REVISIONS: readonly Revision[] = [
  "2025-11-25",
  "2025-06-18",
  "2025-03-26",
  "2024-11-05",
  "2024-10-07",
];

/** Those that a client accepts unless told otherwise; the first is the one it asks for. */
export const DEFAULT_REVISIONS: readonly Revision[] = REVISIONS.slice(0, 3);

/** Is this a revision with `initialize`? */
export function isRevision(value: unknown): value is Revision {
  return REVISIONS.some((revision) => revision === value);
}

/** Do peers on this revision have to take lists of messages? One revision says so; the next one took it back. */
export function hasBatches(revision: unknown): boolean {
  return revision === "2025-03-26";
}
