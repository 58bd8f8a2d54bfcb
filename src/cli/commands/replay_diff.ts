/**
 * `affidavit replay diff`.
 *
 * @module
 */
import { fixtureStoreAt, nativeSha256 } from "../../node/mod.ts";
import type { FixtureStore } from "../../ports/mod.ts";
import {
  argumentsFile,
  compareValues,
  describeMiss,
  explainMiss,
  fixtureFile,
  hashCall,
  listFixtures,
  readArguments,
  readFixture,
} from "../../replay/mod.ts";
import type { Comparison, Difference, KeptArguments, StoredFixture } from "../../replay/mod.ts";
import type { Digest } from "../../hash/mod.ts";
import { parseArguments, takePositionals } from "../args.ts";
import type { Arguments } from "../args.ts";
import { RefusedError } from "../errors.ts";
import { COMMON } from "../help.ts";
import type { Io } from "../io.ts";
import { linesOfFields, showResult } from "../output.ts";
import type { Line } from "../output.ts";
import { takeJson } from "../values.ts";

const help = `affidavit replay diff DIR A B: how do two recorded calls differ?
affidavit replay diff DIR TOOL --args JSON: which recorded call is nearest?

A and B name fixtures by the hash of the call (the name of the file) or of its
arguments, or by the start of either. The second form tells whether the call is
recorded, and if not, in what the nearest calls of the same tool differ from it.

A fixture holds only the hash of its arguments. Where none were kept beside it
(recordArguments), nothing is said of the arguments but whether they are equal.
What looks like a secret is never shown; neither is the inside of a list or
object that stands on one side only.

  --args JSON   the arguments of the call
${COMMON}
Example: affidavit replay diff fixtures read --args '{"path":"a.txt"}'
`;

/** Compares recorded calls with each other, or with one that is asked for. */
export async function diff(args: readonly string[], io: Io): Promise<number> {
  const given = parseArguments(args, { help, flags: { args: "value" } });
  return given.has("args") ? await diffCall(given, io) : await diffFixtures(given, io);
}

async function diffCall(given: Arguments, io: Io): Promise<number> {
  const [path, tool] = takePositionals(given, "DIR", "TOOL");
  const args = takeJson(given, "args");
  const [store, sha256] = [fixtureStoreAt(path), nativeSha256()];
  const call = hashCall(tool, args, sha256);
  const fixtures = await listFixtures(store, sha256);
  const fixture = await readFixture(await store.read(fixtureFile(call.key)), sha256, call);
  const isRecorded = fixture.ok && fixture.value !== null;
  const miss = await explainMiss(call, args, fixtures, store, sha256);
  const recorded = [...miss.recorded].map(([name, hashes]) => ({
    tool: name,
    args_hashes: hashes,
  }));
  const result = {
    call,
    is_recorded: isRecorded,
    code: fixture.ok ? null : fixture.code,
    nearest: isRecorded ? [] : miss.nearest,
    recorded,
  };
  showResult(io, given.isJson, result, () => {
    if (isRecorded) return [[{ style: "good", text: "recorded" }, `, in ${fixtureFile(call.key)}`]];
    return [
      fixture.ok
        ? [{ style: "open", text: "not recorded" }]
        : [{ style: "bad", text: `refused: ${fixture.code}` }, `, ${fixtureFile(call.key)}`],
      `  ${fixture.ok ? describeMiss(miss) : fixture.reason}`,
      ...miss.nearest.flatMap(({ args_hash, ...comparison }) => [
        ...linesOfFields([["recorded call", args_hash]]),
        ...linesOfComparison(comparison, "recorded", "asked"),
      ]),
    ];
  });
  return fixture.ok ? 0 : 1;
}

async function diffFixtures(given: Arguments, io: Io): Promise<number> {
  const [path, ...names] = takePositionals(given, "DIR", "A", "B");
  const [store, sha256] = [fixtureStoreAt(path), nativeSha256()];
  const fixtures = await listFixtures(store, sha256);
  const [a, b] = names.map((name) => find(fixtures, name)) as [StoredFixture, StoredFixture];
  const [argsOfA, argsOfB] = [await argumentsOf(a, store), await argumentsOf(b, store)];
  const compared = a.args_hash === b.args_hash
    ? { count: 0, differences: [] }
    : argsOfA === null || argsOfB === null
    ? null
    : compareValues(argsOfA.args, argsOfB.args, [...argsOfA.withheld, ...argsOfB.withheld]);
  const response = compareValues(await responseOf(a, store), await responseOf(b, store));
  showResult(io, given.isJson, { a, b, arguments: compared, response }, () => [
    ...linesOfFields([["a", `${a.tool}  ${a.args_hash}`], ["b", `${b.tool}  ${b.args_hash}`]]),
    [{ style: "strong", text: "tool" }, `: ${a.tool === b.tool ? "the same" : "another"}`],
    [
      { style: "strong", text: "arguments" },
      compared === null
        ? ": they differ; in what is not known, as they were not kept on both sides"
        : `: ${summary(compared)}`,
    ],
    ...(compared === null ? [] : linesOfComparison(compared, "a", "b")),
    [{ style: "strong", text: "response" }, `: ${summary(response)}`],
    ...linesOfComparison(response, "a", "b"),
  ]);
  return 0;
}

/** The one sound fixture that a name, or the start of one, stands for. */
function find(fixtures: readonly StoredFixture[], name: string): StoredFixture {
  const wanted = name.replace(/\.json$/, "");
  const found = fixtures.filter(({ code, file, args_hash }) =>
    code === null && (file.startsWith(wanted) || args_hash?.startsWith(wanted) === true)
  );
  if (found.length === 1) return found[0]!;
  const what = found.length === 0 ? "no sound fixture has" : `${found.length} fixtures have`;
  const message = `Looking for a fixture: ${what} a hash that starts with "${name}"`;
  throw new RefusedError("cli.fixture_not_found", message);
}

async function argumentsOf(
  { file, tool, args_hash }: StoredFixture,
  store: FixtureStore,
): Promise<KeptArguments | null> {
  const key = file.slice(0, 64) as Digest;
  const kept = await readArguments(await store.read(argumentsFile(key)), key, nativeSha256());
  const isOf = kept.ok && kept.value?.tool === tool && kept.value.args_hash === args_hash;
  return isOf ? kept.value : null;
}

async function responseOf({ file }: StoredFixture, store: FixtureStore): Promise<unknown> {
  const fixture = await readFixture(await store.read(file), nativeSha256());
  if (fixture.ok && fixture.value !== null) return fixture.value.response;
  throw new RefusedError("cli.fixture_not_found", `Reading "${file}": it changed meanwhile`);
}

function summary({ count }: Comparison): string {
  return count === 0 ? "the same" : `${count} ${count === 1 ? "difference" : "differences"}`;
}

function linesOfComparison({ count, differences }: Comparison, a: string, b: string): Line[] {
  const more = count - differences.length;
  return [
    ...differences.map((difference) => lineOf(difference, a, b)),
    ...(more === 0 ? [] : [[{ style: "dim" as const, text: `  and ${more} more` }]]),
  ];
}

function lineOf(difference: Difference, a: string, b: string): Line {
  const place: Line = ["  ", { style: "open", text: difference.pointer || "(the top)" }, ": "];
  switch (difference.kind) {
    case "withheld":
      return [...place, "it was withheld when recorded, so it may differ"];
    case "only_a":
      return [...place, `only ${a}: ${difference.a}`];
    case "only_b":
      return [...place, `only ${b}: ${difference.b}`];
    case "changed":
      return [...place, `${a} ${difference.a}, ${b} ${difference.b}`];
  }
}
