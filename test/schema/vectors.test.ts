/**
 * Schemas and hand-written code judge the same documents. What the code accepts fits the schema; where a document fits
 * and is refused all the same, it is for one of the reasons that a schema cannot say.
 *
 * @module
 */
import { suite } from "uvu";
import * as assert from "uvu/assert";
import {
  isId,
  isKind,
  isTimestamp,
  validateEntry,
  validateMetadata,
} from "../../src/capsule/mod.ts";
import { parseSuite } from "../../src/conformance/mod.ts";
import { loadSha256 } from "../../src/hash/mod.ts";
import { validateReceipt } from "../../src/receipt/mod.ts";
import { SCHEMAS } from "../../src/schema/mod.ts";
import type { DocumentKind, VectorIndex } from "../../src/schema/mod.ts";
import { readText } from "../read.ts";
import { faultsOfAppend, type Judged, judgedDocuments, type JudgedKind } from "./documents.ts";
import { mutationsOf } from "./mutations.ts";

const sha256 = await loadSha256();
const documents = await judgedDocuments(sha256);

function fits(kind: DocumentKind, value: unknown): boolean {
  return SCHEMAS[kind]["~standard"].validate(value).issues === undefined;
}

/** Documents that fit though they are refused, by what is wrong with them. */
function unsaid(kind: JudgedKind): Record<string, string[]> {
  const found: Record<string, string[]> = {};
  for (const { id, value, faults } of documents[kind]) {
    if (faults.length > 0 && fits(kind, value)) {
      (found[[...new Set(faults)].join()] ??= []).push(id);
    }
  }
  return found;
}

const isAccepted = ({ faults }: Judged): boolean => faults.length === 0;

function ids(suite: string, letter: string, ...numbers: number[]): string[] {
  return numbers.map((number) => `${suite}/${letter}${String(number).padStart(3, "0")}`);
}

const vectors = suite("schemas and vectors");

vectors("SCHEMAS takes every document that the hand-written code accepts", () => {
  const refused: string[] = [];
  for (const [kind, judged] of Object.entries(documents) as [JudgedKind, Judged[]][]) {
    assert.ok(judged.some(isAccepted), kind);
    assert.ok(judged.some((document) => !isAccepted(document)), kind);
    for (const one of judged) if (isAccepted(one) && !fits(kind, one.value)) refused.push(one.id);
  }
  // A line names its class or leaves it out; the writer also takes an empty text for SE0.
  assert.equal(refused, ["writes/o008, step 0"]);
});

vectors("EntrySchema leaves hashes and secrets to the verifier, and nothing else", () => {
  assert.equal(unsaid("entry"), {
    entry_hash_mismatch: [
      ...ids("entries", "e", 93, 95, 96),
      ...ids("verify", "k", 49, 50, 51),
    ],
    payload_canary: [
      ...ids("entries", "e", 115, 116, 117, 118, 119, 120, 121, 122, 123, 124),
      ...ids("verify", "k", 58),
    ],
  });
});

vectors("MetadataSchema leaves the calendar to the verifier, and nothing else", () => {
  assert.equal(unsaid("metadata"), { created_at: ["verify/k101"] });
});

vectors("ProjectionSchema leaves it to the verifier what the journal gives", () => {
  assert.equal(unsaid("projection"), { differs: ["projections/k005, saved"] });
});

vectors("ReceiptSchema refuses exactly what fails the check `schema`", () => {
  const v = (...numbers: number[]): string[] => ids("receipt-check", "v", ...numbers);
  assert.equal(unsaid("receipt"), {
    receipt_hash: v(64, 65, 66, 67, 69, 73),
    journal_present: v(74),
    journal_integrity: v(75, 76, 77, 78, 84),
    truncation: v(79, 80),
    stale_checkpoint: v(81, 82),
    capsule_root: v(83, 85),
    metadata: v(86, 87, 88, 89, 90, 91),
    projection: v(92, 95, 96, 97, 98, 99, 100, 101, 102, 103, 105, 106),
  });
});

vectors("AppendLineSchema leaves secrets to the writer, and nothing else", () => {
  assert.equal(unsaid("append-line"), { "capsule.secret_canary": ["writes/o005, step 3"] });
});

vectors(
  "VectorIndexSchema takes the index, and VectorSuiteSchema every file that it lists",
  async () => {
    const index = JSON.parse(await readText("vectors/index.json")) as VectorIndex;
    assert.ok(index.files.length > 0);
    assert.is(SCHEMAS["vector-index"]["~standard"].validate(index).issues, undefined);
    for (const { path } of index.files) {
      const value = JSON.parse(await readText(`vectors/${path}`));
      assert.is(SCHEMAS["vector-suite"]["~standard"].validate(value).issues, undefined, path);
    }
  },
);

vectors.run();

const changes = suite("schemas and changed documents");

/** The largest accepted document of a kind. */
function largest(kind: JudgedKind): object {
  const texts = documents[kind].filter(isAccepted).map(({ value }) => JSON.stringify(value));
  return JSON.parse(texts.sort((a, b) => b.length - a.length)[0]!);
}

/** How often schema and code disagree on changed documents, by what the code says. */
function disagreements(
  kind: JudgedKind,
  faultOf: (value: unknown) => string | undefined,
): Record<string, string[]> {
  const found: Record<string, Set<string>> = {};
  for (const value of mutationsOf(largest(kind))) {
    const fault = faultOf(value);
    const isFit = fits(kind, value);
    if (isFit === (fault === undefined)) continue;
    (found[isFit ? "only the code refuses" : "only the schema refuses"] ??= new Set())
      .add(fault ?? JSON.stringify(value));
  }
  return Object.fromEntries(Object.entries(found).map(([name, set]) => [name, [...set].sort()]));
}

changes("EntrySchema and validateEntry() differ by the hash alone", () => {
  const faultOf = (value: unknown): string | undefined => validateEntry(value, sha256)[0]?.kind;
  assert.equal(disagreements("entry", faultOf), {
    "only the code refuses": ["entry_hash_mismatch"],
  });
});

changes("MetadataSchema and validateMetadata() differ by the spelling of the instant alone", () => {
  const faultOf = (value: unknown): string | undefined => {
    const result = validateMetadata(value);
    return result.ok ? undefined : /"(\w+)"/.exec(result.reason)?.[1];
  };
  assert.equal(disagreements("metadata", faultOf), {});
  const spellings = ["2026-02-30T00:00:00.000Z", "+002026-01-01T00:00:00.000Z"];
  spellings.push("-000000-01-01T00:00:00.000Z", "+275760-09-13T00:00:00.001Z");
  for (const created_at of spellings) {
    const document = { ...largest("metadata"), created_at };
    assert.equal([fits("metadata", document), faultOf(document)], [true, "created_at"], created_at);
  }
});

changes("ReceiptSchema and validateReceipt() agree", () => {
  const faultOf = (value: unknown): string | undefined => {
    const result = validateReceipt(value);
    return result.ok ? undefined : result.reason;
  };
  assert.equal(disagreements("receipt", faultOf), {});
});

changes("AppendLineSchema and the writer differ by an empty effect class alone", () => {
  const faultOf = (value: unknown): string | undefined => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return "no object";
    const names = ["lineage", "kind", "payload", "effect_class"];
    if (Object.keys(value).some((name) => !names.includes(name))) return "further member";
    return faultsOfAppend(value as Record<string, unknown>, sha256)[0];
  };
  const line = { lineage: "plan", kind: "start" };
  const full = { ...line, payload: { note: "a", hits: 1, exit_code: 0, score: 1 } };
  const falsy = [null, false, 0, -0, ""];
  for (const value of mutationsOf({ ...full, effect_class: "SE1" })) {
    const { effect_class } = (value ?? {}) as { effect_class?: unknown };
    const isFit = fits("append-line", value);
    if (falsy.includes(effect_class as null) && faultOf(value) === undefined) {
      assert.not(isFit);
    } else assert.is(isFit, faultOf(value) === undefined, JSON.stringify(value));
  }
});

changes("ProjectionSchema takes no projection with a member changed in type", () => {
  const projection = largest("projection");
  for (const name of Object.keys(projection)) {
    assert.not(fits("projection", { ...projection, [name]: true }), name);
  }
});

changes("parseSuite() reads whatever VectorSuiteSchema takes, but for ids that occur twice", () => {
  const one = { id: "a", note: "", input: {}, expect: {}, tags: ["t"], may_refuse: true, info: {} };
  const compare = { unordered: ["a"], contains: [], exact: ["b"], tolerance: 0.5 };
  const whole = {
    ...{ suite: "area/name", op: "area.verb", about: "a", basis: "b", shared: { c: 1 } },
    compare: { ...compare, null_matches_absent: true },
    cases: [{ ...one, expect_any: [{ ok: true }] }, { ...one, id: "b" }],
  };
  const codes = new Set<string>();
  let taken = 0;
  for (const value of mutationsOf(whole)) {
    if (!fits("vector-suite", value)) continue;
    taken++;
    const read = parseSuite(JSON.stringify(value));
    if (!read.ok) codes.add(read.reason);
  }
  assert.ok(taken > 100);
  assert.equal([...codes], []);
  const twice = { ...whole, cases: [one, one] };
  assert.ok(fits("vector-suite", twice));
  assert.not(parseSuite(JSON.stringify(twice)).ok);
});

changes.run();

const patterns = suite("patterns of schemas");

patterns("ids and kinds are those of isId() and isKind(), character by character", () => {
  const line = { lineage: "plan", kind: "a" };
  for (let code = 0; code < 0x180; code++) {
    const character = String.fromCharCode(code);
    for (const text of [character, `a${character}`, `a${character}b`]) {
      const metadata = { ...largest("metadata"), run_id: text };
      assert.is(fits("metadata", metadata), isId(text), JSON.stringify(text));
      assert.is(fits("append-line", { ...line, kind: text }), isKind(text), JSON.stringify(text));
    }
  }
});

patterns("MetadataSchema takes the same characters for blank as validateMetadata()", () => {
  const metadata = largest("metadata");
  for (let code = 0; code < 0x10000; code++) {
    const document = { ...metadata, task_family: String.fromCharCode(code) };
    if (fits("metadata", document) !== validateMetadata(document).ok) assert.is(code, undefined);
  }
});

patterns("EntrySchema differs from isTimestamp() by days that do not exist alone", () => {
  const entry = largest("entry");
  const missing: string[] = [];
  for (const time of ["2024-02-29T23:59:59.123+23:59", "1900-02-28T00:00:00Z"]) {
    for (let at = 0; at < time.length; at++) {
      for (const other of ["", ..."0123456789-:.TtZz+ \n"]) {
        const ts = time.slice(0, at) + other + time.slice(at + 1);
        const isFit = fits("entry", { ...entry, ts });
        if (isFit !== isTimestamp(ts)) missing.push(`${isFit} ${ts.slice(0, 10)}`);
      }
    }
  }
  const years = [2014, 2021, 2022, 2023, 2025, 2026, 2027, 2029, 2034, 2054, 2074, 2094];
  assert.equal(missing.sort(), [
    "true 1900-02-29",
    ...years.map((year) => `true ${year}-02-29`),
  ]);
});

patterns.run();
