/**
 * Calls that a signal gives up: one listener a signal, however many calls wait on it, since Node warns of many.
 *
 * @module
 */

/** Watches signals for calls. */
export class Aborts {
  readonly #giveUp: (id: number, signal: AbortSignal) => void;
  readonly #watched = new Map<AbortSignal, { readonly ids: Set<number>; stop: () => void }>();

  /** `giveUp` is called for each call of a signal that aborts. */
  constructor(giveUp: (id: number, signal: AbortSignal) => void) {
    this.#giveUp = giveUp;
  }

  /** From now on the signal gives up this call too. */
  watch(signal: AbortSignal, id: number): void {
    const watched = this.#watched.get(signal) ?? this.#follow(signal);
    watched.ids.add(id);
  }

  /** The call has ended. */
  unwatch(signal: AbortSignal, id: number): void {
    const watched = this.#watched.get(signal);
    watched?.ids.delete(id);
    if (watched?.ids.size !== 0) return;
    watched.stop();
    this.#watched.delete(signal);
  }

  #follow(signal: AbortSignal): { readonly ids: Set<number>; stop: () => void } {
    const ids = new Set<number>();
    const abort = (): void => [...ids].forEach((id) => this.#giveUp(id, signal));
    signal.addEventListener("abort", abort, { once: true });
    const watched = { ids, stop: () => signal.removeEventListener("abort", abort) };
    this.#watched.set(signal, watched);
    return watched;
  }
}
