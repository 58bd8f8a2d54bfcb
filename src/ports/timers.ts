/**
 * Waiting comes in from outside, so that a test decides what happens first.
 *
 * @module
 */

/** Waiting and a clock that never goes back. */
export interface Timers {
  /** Calls back once after that many milliseconds, never during the call itself. The returned function calls it off. */
  after(ms: number, fire: () => void): () => void;
  /** Milliseconds since some instant, with fractions. */
  now(): number;
}
