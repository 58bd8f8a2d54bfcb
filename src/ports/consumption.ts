/**
 * What accepted evaluation receipts use up, so that none counts twice. Acceptance only looks at it; whoever accepts
 * consumes afterwards, in one step.
 *
 * @module
 */

/** A place for one repetition of one evaluation: the hash of its spec, and the repeat index. */
export type RepeatSlot = readonly [spec: string, repeat: bigint];

/** What one accepted receipt uses up. */
export interface Consumption {
  /** Opaque id of the receipt's measurement. */
  readonly measurement_id: string;
  /** Opaque id that was given out for the receipt's attempt. */
  readonly attempt_nonce: string;
  /** `spec_sha256` of the receipt's spec, and its repeat index from 1 on. */
  readonly repeat_slot: RepeatSlot;
}

/** What was used up before, as acceptance takes it. */
export interface ReplayState {
  /** `measurement_id` of every receipt that was accepted, in any order. */
  readonly seen_measurement_ids: Iterable<string>;
  /** `attempt_nonce` of every receipt that was accepted, in any order. */
  readonly seen_attempt_nonces: Iterable<string>;
  /** Slot of every receipt that was accepted, in any order. */
  readonly occupied_repeat_slots: Iterable<RepeatSlot>;
}

/**
 * A memory of what was used up, shared by everybody who accepts under the same policy.
 *
 * Duties of an implementer: `consume` takes all three or nothing; of two callers who ask for the same measurement, nonce
 * or slot, at the same time or years apart, exactly one is told that it is theirs; what was consumed is never forgotten.
 */
export interface ConsumptionStore {
  /** What was used up so far. */
  read(): Promise<ReplayState>;
  /** Uses up all three, and gives `null`; or nothing, and gives the first of them that was used up before. */
  consume(wanted: Consumption): Promise<keyof Consumption | null>;
}
