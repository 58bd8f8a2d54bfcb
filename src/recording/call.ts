/**
 * A call on its way through a recorder, and the two entries that it leaves.
 *
 * @module
 */
import type { CallId } from "../replay/mod.ts";
import type { NewEntry } from "../store/mod.ts";
import type { EffectDecision } from "./policy.ts";

/** What became of a call. */
export const CALL_STATUSES = [
  "ok",
  "tool_error",
  "rpc_error",
  "denied",
  "timed_out",
  "cancelled",
  "unanswered",
  "withheld",
  "malformed",
] as const;

/** One of {@linkcode CALL_STATUSES}. */
export type CallStatus = typeof CALL_STATUSES[number];

/** A call by what is recorded of it. */
export interface Call {
  /** The name of the tool, or that it is withheld. */
  readonly tool: string;
  /** Tells the two entries of a call from those of all others. */
  readonly tool_call_id: string;
  /** How far its effects reach. */
  readonly decision: EffectDecision;
  /** Why the policy does not let it through; `null` when it does. */
  readonly denied: string | null;
  /** Its hashes; `null` when name or arguments look like a secret, of which not even a hash is kept. */
  readonly id: CallId | null;
  /** Its arguments. */
  readonly args: unknown;
  /** The number that its answer is to have. */
  readonly occurrence: number;
}

/** What is known of a call once it has ended. */
export interface CallEnd {
  readonly status: CallStatus;
  readonly duration_ms: number;
  readonly response_hash?: string;
  /** The name of the file of its answer. */
  readonly path?: string;
}

/** The entry that is written before a call reaches the server. */
export function callEntry(call: Call, status: "forwarded" | "denied" | "withheld"): NewEntry {
  return entryOf("tool.call", call, { status });
}

/** The entry that is written before an answer reaches the client, or instead of one. */
export function resultEntry(call: Call, end: CallEnd): NewEntry {
  return entryOf("tool.result", call, end);
}

function entryOf(kind: string, call: Call, rest: object): NewEntry {
  const { tool, tool_call_id, decision: { effect_class, source }, id } = call;
  const hashes = id === null ? {} : { args_hash: id.args_hash, fixture_key: id.key };
  const payload = { tool, tool_call_id, ...hashes, decision: source, ...rest };
  return { lineage: "interaction", kind, payload, options: { effect_class } };
}
