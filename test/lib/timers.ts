/**
 * Time that passes only when a test says so.
 *
 * @module
 */
import type { Timers } from "../../src/ports/mod.ts";

interface Wait {
  readonly at: number;
  readonly fire: () => void;
}

/** Timers that a test moves. What becomes due meanwhile is due at its own instant, and in that order. */
export class FakeTimers implements Timers {
  #now = 0;
  readonly #waits = new Set<Wait>();

  /** Waits that are not over, and that nobody called off. */
  get waiting(): number {
    return this.#waits.size;
  }

  now(): number {
    return this.#now;
  }

  after(ms: number, fire: () => void): () => void {
    const wait = { at: this.#now + ms, fire };
    this.#waits.add(wait);
    return () => void this.#waits.delete(wait);
  }

  /** Lets time pass before anybody else has a turn. */
  advance(ms: number): void {
    const until = this.#now + ms;
    while (this.#step(until));
  }

  /** Lets time pass, and promises settle before it does and at each instant at which something is due. */
  async pass(ms: number): Promise<void> {
    const until = this.#now + ms;
    do await settle(); while (this.#step(until));
  }

  /** Goes on to the next instant at which something is due, else to the end. @returns false at the end. */
  #step(until: number): boolean {
    const next = [...this.#waits].filter(({ at }) => at <= until).sort((a, b) => a.at - b.at)[0];
    this.#now = next?.at ?? until;
    if (next === undefined) return false;
    this.#waits.delete(next);
    next.fire();
    return true;
  }
}

/** Lets every promise that can settle do so. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await Promise.resolve();
}
