/**
 * Lets calls on one object take their turns, so that callers need not wait for each other.
 *
 * @module
 */

/** A queue of calls; one that fails does not keep the next from running. */
export class Turns {
  #last: Promise<unknown> = Promise.resolve();

  /** Runs a call when all earlier ones have ended. */
  take<T>(call: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(call);
    this.#last = turn.catch(() => undefined);
    return turn;
  }
}
