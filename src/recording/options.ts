/**
 * What a recorder works with, what it has written where, and what it has seen.
 *
 * @module
 */
import type { Sha256 } from "../hash/mod.ts";
import type { FixtureStore, Timers } from "../ports/mod.ts";
import type { CallStatus } from "./call.ts";
import type { RecordingError } from "./error.ts";
import type { Journal } from "./journal.ts";
import type { EffectPolicy } from "./policy.ts";

/** What is to be written where. Lines are without line feed; those that pass unchanged are the arrays that came. */
export interface Traffic {
  /** Lines for the server. */
  readonly toServer?: readonly Uint8Array[];
  /** Lines for the client. */
  readonly toClient?: readonly Uint8Array[];
  /** The recorder cannot go on: write the lines, and stop. */
  readonly stop?: RecordingError;
}

/** What a recorder works with. */
export interface RecorderOptions {
  /** Where the entries go. */
  readonly journal: Journal;
  /** Where the answers go. */
  readonly store: FixtureStore;
  /** Takes every hash. */
  readonly sha256: Sha256;
  /** Tells how long calls take, and when they take too long. */
  readonly timers: Timers;
  /** What no other recorder of the same capsule has, such as 8 hexadecimal digits; `tool_call_id` starts with it. */
  readonly randomId: string;
  /** What tools may do. */
  readonly policy: EffectPolicy;
  /** Believe what the server says of its tools where the policy is silent. Default false. */
  readonly trustAnnotations?: boolean;
  /** Milliseconds after which a call is given up. Never unless given. */
  readonly callTimeoutMs?: number;
  /** Gets what a call that is given up makes the recorder say; needed with `callTimeoutMs`. */
  readonly deliver?: (traffic: Traffic) => void;
  /** Longest line of the client, in bytes. */
  readonly maxFrameBytes: number;
}

/** What a recorder has seen. */
export interface RecordingSummary {
  /** How many calls ended how. */
  readonly calls: Readonly<Record<CallStatus, number>>;
  /** Calls that are out. */
  readonly pending: number;
  /** Calls of which arguments or answer were withheld, by tool. */
  readonly withheld: readonly { readonly tool: string; readonly count: number }[];
  /** Answers to other requests that were withheld. */
  readonly withheld_others: number;
  /** Answers of tools that were stored. */
  readonly answers_stored: number;
  /** Messages of the client that were refused as unreadable or ambiguous. */
  readonly refused: number;
  /** Lines of the server that were no message, and answers to nothing that was asked; all were passed on. */
  readonly unmatched: number;
  /** Answers that were not passed on: before the call was, or after it was cancelled or given up. */
  readonly dropped: number;
}
