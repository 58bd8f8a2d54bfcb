/**
 * Bounds on untrusted input. Sizes are defaults that an option may change; the depth is part of the formats.
 *
 * @module
 */

/** Deepest JSON nesting that any reader or canonical form takes; an open array or object is one level. */
export const MAX_DEPTH = 1000;

/** Default largest text that is parsed at once (a journal line, a metadata file, a receipt, …), in bytes: 64 MiB. */
export const MAX_TEXT_BYTES: number = 64 * 1024 * 1024;
