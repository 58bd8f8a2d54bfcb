/**
 * Time and randomness come in from outside, so that the same inputs give the same bytes.
 *
 * @module
 */

/** Gives the present instant. An invalid `Date` is misuse. */
export type Clock = () => Date;

/** Gives that many bytes that nobody can guess. */
export type RandomBytes = (count: number) => Uint8Array;
