/**
 * The codes of conformance.
 *
 * @module
 */

/** What reading a vector file refuses with. */
export const CONFORMANCE_CODES = ["conformance.suite_invalid"] as const;

/** A code of {@linkcode CONFORMANCE_CODES}. */
export type ConformanceCode = typeof CONFORMANCE_CODES[number];
