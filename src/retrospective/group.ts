/**
 * Groups capsules that were recorded, offline: all are read and verified first, then they must be of one task family and
 * not contradict each other. A refusal names the input by its index and never by its path, an id or what it holds.
 *
 * Rule: `docs/spec/retrospective.md`, "Grouping".
 *
 * @module
 */
import { project } from "../capsule/mod.ts";
import type { CapsuleState, CapsuleVerdict, Projection } from "../capsule/mod.ts";
import { EvidenceError } from "../core/mod.ts";
import type { Sha256 } from "../hash/mod.ts";
import type { RetrospectiveCode } from "./codes.ts";
import { buildReport, identityOf } from "./report.ts";
import type { Retrospective } from "./report.ts";

/** Most capsules that one report takes. */
export const MAX_INPUTS = 100;

/** A report, or why there is none. */
export type GroupVerdict = { readonly ok: true; readonly report: Retrospective } | GroupRefusal;

/** Why there is no report. */
export interface GroupRefusal {
  /** Always `false`. */
  readonly ok: false;
  /** Stable code. */
  readonly code: RetrospectiveCode;
  /** In words, without a path, an id or a payload. */
  readonly reason: string;
  /** Zero-based index of the input at fault; `null` when it is the list as a whole. */
  readonly input_index: number | null;
}

/**
 * Groups the capsules that some texts stand for, such as paths: 1 to 100 of them, not blank and without NUL. Content never
 * makes it throw.
 *
 * @param read verifies the capsule that a text stands for. Whatever it throws refuses that input.
 *
 * @example
 * ```ts
 * import { groupCapsules } from "affidavit/retrospective";
 * import { loadSha256 } from "affidavit/hash";
 *
 * const sha256 = await loadSha256();
 * const verdict = await groupCapsules(["gone"], () => Promise.reject(new Error("gone")), sha256);
 * console.log(verdict.ok || [verdict.code, verdict.input_index]); // retrospective.invalid_capsule, 0
 * ```
 */
export async function groupCapsules(
  inputs: readonly string[],
  read: (input: string) => Promise<CapsuleVerdict>,
  sha256: Sha256,
): Promise<GroupVerdict> {
  const asked = isCountRight(inputs) ? [...inputs] : [];
  if (asked.length === 0 || !asked.every(isInput)) return refuseInputs();
  const states: CapsuleState[] = [];
  for (const [index, input] of asked.entries()) {
    const { state, code } = await readState(input, read);
    if (state === undefined) {
      const why = `the capsule of input ${index} does not verify (${code})`;
      return refuse("retrospective.invalid_capsule", why, index);
    }
    states.push(state);
  }
  return groupStates(states, sha256);
}

/** Groups capsules that were verified, 1 to 100 of them. */
export function groupStates(states: readonly CapsuleState[], sha256: Sha256): GroupVerdict {
  if (!isCountRight(states)) return refuseInputs();
  const capsules = new Map<string, Projection>();
  for (const [index, state] of states.entries()) {
    const capsule = project(state, sha256);
    const identity = identityOf(capsule);
    const same = capsules.get(identity);
    if (state.metadata.task_family !== states[0]!.metadata.task_family) {
      const why = `input ${index} is of another task family than input 0`;
      return refuse("retrospective.mixed_task_families", why, index);
    }
    if (same !== undefined && same.projection_hash !== capsule.projection_hash) {
      const why = `input ${index} has the run and capsule id of an earlier one, and differs`;
      return refuse("retrospective.conflicting_identity", why, index);
    }
    capsules.set(identity, capsule);
  }
  return { ok: true, report: buildReport([...capsules.values()], states.length, sha256) };
}

async function readState(
  input: string,
  read: (input: string) => Promise<CapsuleVerdict>,
): Promise<{ state?: CapsuleState; code: string }> {
  try {
    const verdict = await read(input);
    return verdict.ok ? verdict : { code: verdict.code };
  } catch (error) {
    // Whatever else it says may hold a path.
    return { code: error instanceof EvidenceError ? error.code : "it cannot be read" };
  }
}

function isCountRight(inputs: unknown): boolean {
  return Array.isArray(inputs) && inputs.length >= 1 && inputs.length <= MAX_INPUTS;
}

function isInput(input: unknown): boolean {
  return typeof input === "string" && input.trim() !== "" && !input.includes("\0");
}

function refuseInputs(): GroupRefusal {
  const wanted = `1 to ${MAX_INPUTS} inputs were wanted, not blank and without NUL`;
  return refuse("retrospective.invalid_inputs", wanted, null);
}

function refuse(code: RetrospectiveCode, why: string, input_index: number | null): GroupRefusal {
  return { ok: false, code, reason: `Grouping capsules: ${why}`, input_index };
}
