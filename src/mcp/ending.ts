/**
 * Ending a peer in stages, each with its wait, and the helpers that it leaves behind.
 *
 * Rule: `docs/spec/mcp-stdio.md`, "Closing".
 *
 * @module
 */
import type { Timers, Transport } from "../ports/mod.ts";

/** What is done to end a peer. */
export type Stage = "endInput" | "terminate" | "kill";

/** How often a helper that was told to end is looked for. */
const LOOK_EVERY_MS = 20;

/** A promise with its ends in hand; that nobody waits for it is no fault. */
export class Settled {
  /** Settles as it is told to. */
  readonly promise: Promise<void>;
  /** Has it? */
  isSettled = false;
  #resolve!: () => void;
  #reject!: (reason: unknown) => void;

  constructor() {
    this.promise = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    this.promise.catch(() => undefined);
  }

  /** Fulfils it, the first time. */
  resolve(): void {
    this.isSettled = true;
    this.#resolve();
  }

  /** Rejects it, the first time. */
  reject(reason: unknown): void {
    this.isSettled = true;
    this.#reject(reason);
  }
}

/**
 * Goes through the stages until the peer is gone, then ends what it left behind. Each wait is `closeTimeoutMs`.
 *
 * @param gone settles when the peer has exited, or was never started.
 * @returns false when the peer outlives every stage.
 */
export async function endPeer(
  peer: Pick<Transport, "endInput" | "signal">,
  gone: Settled,
  stages: readonly Stage[],
  timers: Timers,
  closeTimeoutMs: number,
): Promise<boolean> {
  for (const stage of stages) {
    if (gone.isSettled) break;
    if (stage === "endInput") peer.endInput();
    else peer.signal(stage);
    await waitFor(gone, timers, closeTimeoutMs);
  }
  if (!gone.isSettled) return false;
  if (!peer.signal("terminate")) return true;
  for (let waited = 0; waited < closeTimeoutMs; waited += LOOK_EVERY_MS) {
    await new Promise<void>((resolve) => void timers.after(LOOK_EVERY_MS, resolve));
    if (!peer.signal("look")) return true;
  }
  peer.signal("kill");
  return true;
}

function waitFor(gone: Settled, timers: Timers, ms: number): Promise<void> {
  return new Promise((resolve) => {
    const callOff = timers.after(ms, resolve);
    void gone.promise.then(() => {
      callOff();
      resolve();
    });
  });
}
