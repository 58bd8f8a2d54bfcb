/**
 * What a chain cannot show by itself, and what a caller who knows more may hold against it.
 *
 * @module
 */
import { fail, ok } from "../core/mod.ts";
import type { Result } from "../core/mod.ts";
import type { Digest } from "../hash/mod.ts";
import type { ExpectationCode } from "./codes.ts";
import type { JournalState } from "./chain.ts";

/** What the caller knows of a capsule from elsewhere. */
export interface Expectation {
  /** Hash of the last entry. */
  readonly root?: Digest;
  /** How many entries there are. */
  readonly count?: number;
}

/** One thing that was not checked. */
export interface NotChecked {
  /** A stable name. */
  readonly what: string;
  /** What that leaves open, in words. */
  readonly why: string;
  /** What would check it; `null` when nothing of this library can. */
  readonly how: string | null;
}

/** Holds a journal against what the caller knows: the number of entries, then the root. */
export function checkExpectation(
  state: JournalState,
  expected: Expectation,
): Result<null, ExpectationCode> {
  const { entry_count, root_hash } = state;
  if (expected.count !== undefined && expected.count !== entry_count) {
    return fail(
      "capsule.count_differs",
      `The capsule has ${entry_count} entries, ${expected.count} were expected`,
    );
  }
  if (expected.root !== undefined && expected.root !== root_hash) {
    return fail(
      "capsule.root_differs",
      `The capsule ends in root ${root_hash}, ${expected.root} was expected`,
    );
  }
  return ok(null);
}

/** What stays unchecked after a capsule was found consistent and held against an expectation. */
export function listUnchecked(state: JournalState, expected: Expectation = {}): NotChecked[] {
  const how =
    "a receipt from its producer, or --expect-root HASH and --expect-count N known from elsewhere";
  const open: NotChecked[] = [];
  if (state.entry_count === 0) {
    open.push({
      what: "content",
      why: "the journal is empty: it holds nothing that could be checked",
      how: null,
    });
  }
  if (expected.root === undefined) {
    const why = expected.count === undefined
      ? "entries may be missing from the end: a chain whose tail was cut is still a chain"
      : "the number of entries is as expected, but the last ones may have been replaced by others";
    open.push({ what: "tail", why, how });
  }
  return [...open, ...ALWAYS_OPEN];
}

/** What no verification of records shows. */
export const ALWAYS_OPEN: readonly NotChecked[] = [
  {
    what: "origin",
    why: "whoever has the files can write all of them anew: they do not show who made them",
    how: "a receipt signed with a key that you pinned beforehand",
  },
  {
    what: "truth",
    why: "that the run happened as recorded, and that nothing was left out while recording",
    how: null,
  },
];
