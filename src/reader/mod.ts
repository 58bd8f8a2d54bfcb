/**
 * Readers of versioned records that other tools wrote: tasks, run summaries, submissions.
 *
 * @module
 */
export type { ReaderName, Rewritten } from "./readers.ts";
export { readVersioned, versionsOf } from "./readers.ts";
