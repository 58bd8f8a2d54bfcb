/**
 * A suite of cases, and whether an answer satisfies one of them.
 *
 * Rule: `docs/spec/conformance.md`, "Vector files".
 *
 * @module
 */
import { fail, ok } from "../core/mod.ts";
import type { Result } from "../core/mod.ts";
import type { ConformanceCode } from "./codes.ts";
import { findDifferences } from "./compare.ts";
import type { CompareRules, Difference } from "./compare.ts";
import { isObject } from "./input.ts";
import type { Input } from "./input.ts";
import type { Answer } from "./protocol.ts";

/** One case. */
export interface Case {
  /** Unique in its suite, and never reused. */
  readonly id: string;
  /** What it is about, for people. */
  readonly note: string;
  /** Words to choose cases by. */
  readonly tags: readonly string[];
  /** With what the suite shares merged under it. */
  readonly input: Input;
  /** Answers that are as good as each other; the first is what differences are shown against. */
  readonly expectations: readonly Input[];
  /** May a stricter reader refuse? */
  readonly may_refuse: boolean;
}

/** Cases that ask for one operation. */
export interface Suite {
  /** Such as `capsule/verify`. */
  readonly suite: string;
  /** The operation that every case asks for. */
  readonly op: string;
  /** How outputs are compared. */
  readonly compare: CompareRules;
  /** In the order of the file. */
  readonly cases: readonly Case[];
}

/** What became of a case. */
export interface CaseResult {
  /** The `id` of the case. */
  readonly id: string;
  /** What the case is about. */
  readonly note: string;
  /** `unsupported`: the implementation does not know the operation. */
  readonly status: "passed" | "failed" | "unsupported";
  /** Where the output is not what was expected. */
  readonly differences: readonly Difference[];
  /** What failed inside the implementation. */
  readonly error?: string;
}

/** Reads a vector file. `conformance.suite_invalid` says of which member it is not a suite. */
export function parseSuite(text: string): Result<Suite, ConformanceCode> {
  let file: unknown;
  try {
    file = JSON.parse(text);
  } catch {
    return invalid("the text is not JSON");
  }
  if (!isObject(file)) return invalid("the text is no JSON object");
  const { suite, op, compare = {}, shared = {}, cases } = file;
  if (typeof suite !== "string") return invalid('"suite" is no text');
  if (typeof op !== "string") return invalid('"op" is no text');
  if (!isRules(compare)) return invalid('"compare" holds no rules of comparison');
  if (!isObject(shared)) return invalid('"shared" is no object');
  if (!Array.isArray(cases)) return invalid('"cases" is no list');

  const read: Case[] = [];
  const ids = new Set<unknown>();
  for (const [index, value] of cases.entries()) {
    const problem = problemOf(value);
    if (problem !== null) return invalid(`case ${index}: ${problem}`);
    const one = value as RawCase;
    if (ids.has(one.id)) return invalid(`case ${index}: its "id" was used before`);
    ids.add(one.id);
    read.push({
      id: one.id,
      note: one.note ?? "",
      tags: one.tags ?? [],
      input: { ...shared, ...one.input },
      expectations: [one.expect, ...one.expect_any ?? []],
      may_refuse: one.may_refuse ?? false,
    });
  }
  return ok({ suite, op, compare, cases: read });
}

/** Does an answer satisfy a case? */
export function judge(suite: Suite, { id, note, ...one }: Case, answer: Answer): CaseResult {
  const result = (status: CaseResult["status"], differences: Difference[] = []): CaseResult => {
    return { id, note, status, differences };
  };
  if ("unsupported" in answer) return result("unsupported");
  if ("error" in answer) return { ...result("failed"), error: answer.error };
  const { output } = answer;
  if (one.may_refuse && output["ok"] === false) return result("passed");
  const attempts = one.expectations.map((expected) =>
    findDifferences(expected, output, suite.compare)
  );
  if (attempts.some((differences) => differences.length === 0)) return result("passed");
  return result("failed", attempts[0]);
}

interface RawCase {
  readonly id: string;
  readonly note?: string;
  readonly tags?: readonly string[];
  readonly input: Input;
  readonly expect: Input;
  readonly expect_any?: readonly Input[];
  readonly may_refuse?: boolean;
}

function problemOf(one: unknown): string | null {
  if (!isObject(one)) return "it is no object";
  if (typeof one["id"] !== "string") return '"id" is no text';
  if (!isObject(one["input"])) return '"input" is no object';
  if (!isObject(one["expect"])) return '"expect" is no object';
  const { note = "", tags = [], expect_any = [], may_refuse = false } = one;
  if (typeof note !== "string") return '"note" is no text';
  if (!isTexts(tags)) return '"tags" is no list of texts';
  if (!Array.isArray(expect_any) || !expect_any.every(isObject)) {
    return '"expect_any" is no list of objects';
  }
  return typeof may_refuse === "boolean" ? null : '"may_refuse" is neither true nor false';
}

const RULES: Readonly<Record<keyof CompareRules, (value: unknown) => boolean>> = {
  unordered: isTexts,
  contains: isTexts,
  exact: isTexts,
  tolerance: (value) => typeof value === "number" && value >= 0,
  null_matches_absent: (value) => typeof value === "boolean",
};

/** A rule that is not known could only be ignored, and then cases would fail for no visible reason. */
function isRules(value: unknown): value is CompareRules {
  return isObject(value) &&
    Object.entries(value).every(([name, rule]) =>
      Object.hasOwn(RULES, name) && RULES[name as keyof CompareRules](rule)
    );
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === "string");
}

function invalid(why: string): Result<never, ConformanceCode> {
  return fail("conformance.suite_invalid", `Reading a suite: ${why}`);
}
