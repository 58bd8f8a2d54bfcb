/**
 * The shape of a file of test vectors.
 *
 * Rule: `docs/spec/conformance.md`, "Vector files". `parseSuite` of `affidavit/conformance` reads such files, and is
 * content with less: this is for those who write them.
 *
 * @module
 */
import * as v from "valibot";
import type { CompareRules } from "../conformance/mod.ts";
import { members, noList, operation, publish, suiteName } from "./parts.ts";
import type { Agrees } from "./parts.ts";
import type { DocumentSchema } from "./standard.ts";

/** One case of a suite. */
export interface VectorCase {
  /** Unique in the suite, and never reused. */
  readonly id: string;
  /** What is particular about it. */
  readonly note: string;
  /** Words to select cases by. */
  readonly tags?: readonly string[];
  /** What the operation is given, besides what the suite shares. */
  readonly input: Readonly<Record<string, unknown>>;
  /** What the output must hold. */
  readonly expect: Readonly<Record<string, unknown>>;
  /** Outputs that are as good. */
  readonly expect_any?: readonly Readonly<Record<string, unknown>>[];
  /** May a stricter implementation refuse? */
  readonly may_refuse?: boolean;
  /** Remarks; neither sent nor compared. */
  readonly info?: Readonly<Record<string, unknown>>;
}

/** A file of test vectors: cases that ask for one operation. */
export interface VectorSuite {
  /** Area and name, as in the path of the file. */
  readonly suite: string;
  /** The operation. */
  readonly op: string;
  /** What the cases are about. */
  readonly about: string;
  /** Where the expectations come from. */
  readonly basis: string;
  /** How outputs are compared. */
  readonly compare?: CompareRules;
  /** Members of every input; those of the case win. */
  readonly shared?: Readonly<Record<string, unknown>>;
  /** The cases. */
  readonly cases: readonly VectorCase[];
}

const words = v.pipe(v.string(), v.minLength(1));
const names = v.array(v.string());

const vectorCase = v.strictObject({
  id: v.pipe(words, v.description("Unique in the suite, and never reused.")),
  note: v.pipe(v.string(), v.description("What is particular about the case.")),
  tags: v.exactOptional(v.pipe(names, v.description("Words to select cases by."))),
  input: v.pipe(members, v.description("What the operation is given, on top of shared.")),
  expect: v.pipe(members, v.description("What the output must hold; it may hold more.")),
  expect_any: v.exactOptional(
    v.pipe(v.array(members), v.description("Outputs that are as good as expect.")),
  ),
  may_refuse: v.exactOptional(
    v.pipe(v.boolean(), v.description("A stricter implementation may answer ok false.")),
  ),
  info: v.exactOptional(
    v.pipe(members, v.description("Remarks; neither sent nor compared.")),
  ),
});
true satisfies Agrees<typeof vectorCase, VectorCase>;

const compare = v.strictObject({
  unordered: v.exactOptional(
    v.pipe(names, v.description("Members whose lists match in any order.")),
  ),
  contains: v.exactOptional(
    v.pipe(names, v.description("Members whose lists need only contain what is expected.")),
  ),
  exact: v.exactOptional(
    v.pipe(names, v.description("Members that may hold nothing but what is expected.")),
  ),
  tolerance: v.exactOptional(
    v.pipe(
      v.number(),
      v.minValue(0),
      v.maxValue(Number.MAX_VALUE),
      v.description("How far two numbers may be apart."),
    ),
  ),
  null_matches_absent: v.exactOptional(
    v.pipe(v.boolean(), v.description("A missing member matches an expected null.")),
  ),
});

const suite = v.pipe(
  v.strictObject({
    suite: v.pipe(suiteName, v.description("Area and name.")),
    op: v.pipe(operation, v.description("Operation that all cases ask for.")),
    about: v.pipe(words, v.description("What the cases are about.")),
    basis: v.pipe(words, v.description("Where the expectations come from.")),
    compare: v.exactOptional(
      v.pipe(noList(compare), v.description("How outputs are compared.")),
    ),
    shared: v.exactOptional(
      v.pipe(members, v.description("Members of every input; those of the case win.")),
    ),
    cases: v.pipe(v.array(vectorCase), v.description("The cases.")),
  }),
  v.title("Test vectors"),
  v.description(
    "A file of vectors/, as parsed JSON: cases that ask for one operation. Not said here: ids are unique in the suite; " +
      "suite is the path of the file below vectors/, without its ending; input and expect are those of the operation.",
  ),
);
true satisfies Agrees<typeof suite, VectorSuite>;

/** The shape of a file of test vectors. */
export const VectorSuiteSchema: DocumentSchema<VectorSuite> = publish(suite);
