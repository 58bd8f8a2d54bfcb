/**
 * Numbers that look random and are the same in every run and runtime.
 *
 * @module
 */

/** A seeded generator. */
export interface Random {
  /** A whole number from 0 up to, not including, the bound. */
  below(bound: number): number;
  /** One item of a list, or one code unit of a text. */
  pick<T>(list: ArrayLike<T>): T;
}

/** A generator (xorshift, 32 bits) from a seed other than 0. */
export function seeded(seed: number): Random {
  let state = seed;
  const below = (bound: number): number => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % bound;
  };
  return { below, pick: <T>(list: ArrayLike<T>): T => list[below(list.length)] as T };
}
