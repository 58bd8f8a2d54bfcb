/**
 * `affidavit conformance run`: runs vectors against this library or another implementation.
 *
 * @module
 */
import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { askHere, parseSuite, runSuite, sumTotals } from "../../conformance/mod.ts";
import type { Ask, CaseResult, Difference, Suite, SuiteReport } from "../../conformance/mod.ts";
import { codeOf, decodeUtf8 } from "../../core/mod.ts";
import { readFileAt, startPeer } from "../../node/mod.ts";
import type { PeerEnd } from "../../node/mod.ts";
import { parseArguments, takePositionals } from "../args.ts";
import type { Arguments } from "../args.ts";
import { RefusedError } from "../errors.ts";
import { COMMON } from "../help.ts";
import type { Io } from "../io.ts";
import { showLines, showResult, showText } from "../output.ts";
import type { Line } from "../output.ts";
import { hostHere } from "./conformance.ts";

const help = `affidavit conformance run: runs test vectors and compares the answers

  --suite GLOB            only suites of that name; * stands for anything within a
                          part, ** also across /; an area alone takes all of it;
                          may be repeated
  --vectors DIR           the vector files in DIR instead of the bundled ones
  --stall-ms N            longest silence of COMMAND while answers are due, 60000
                          unless given; then it is killed and started anew
  --against COMMAND ARG.. start COMMAND, without a shell, and ask it over its
                          standard streams; takes the rest of the line
${COMMON}
A case of an operation that the implementation does not know is counted apart
as unsupported and is no failure.

Example: affidavit conformance run --suite capsule --against python3 adapter.py
`;

/** How many requests another implementation has to deal with at once. */
const WINDOW = 32;

/** Cases whose failure is shown in full for a suite; JSON has all of them. */
const MAX_SHOWN = 5;

/** Runs the suites; 0 when something passed and nothing failed. */
export async function run(args: readonly string[], io: Io): Promise<number> {
  const at = args.indexOf("--against");
  const flags = { suite: "list", vectors: "value", "stall-ms": "value" } as const;
  const given = parseArguments(at < 0 ? args : args.slice(0, at), { help, flags });
  takePositionals(given);
  const command = at < 0 ? undefined : args.slice(at + 1);
  if (command?.length === 0) throw given.usage("--against needs a command");
  const stallMs = takeStall(given, command !== undefined);

  const suites = await loadSuites(given);
  const isForPeople = !given.isJson && io.stdout.isTerminal;
  const peer = command === undefined ? undefined : startPeer(command, { stallMs });
  const reports = await runAll(suites, peer?.ask ?? askHere(hostHere()), peer ? WINDOW : 1, io, {
    onReport: (report) => isForPeople && showLines(io, linesOf(report)),
  });
  const end = await peer?.end() ?? { failure: null, strays: 0 };
  const totals = sumTotals([
    ...reports,
    { passed: 0, failed: end.failure === null ? 0 : 1, unsupported: 0 },
  ]);
  const result = { ...totals, protocol: end, suites: reports.map(summaryOf) };
  const { passed, failed, unsupported } = totals;
  showResult(io, given.isJson, result, () => [
    ...linesOfEnd(end),
    [
      { style: failed > 0 || passed === 0 ? "bad" : "good", text: `${passed} passed` },
      `, ${failed} failed, ${unsupported} unsupported`,
    ],
  ]);
  return failed === 0 && passed > 0 ? 0 : 1;
}

function takeStall(given: Arguments, hasCommand: boolean): number {
  const text = given.value("stall-ms");
  if (text !== undefined && !hasCommand) throw given.usage("--stall-ms goes with --against");
  const stallMs = Number(text ?? 60_000);
  if (Number.isSafeInteger(stallMs) && stallMs > 0 && stallMs < 2 ** 31) return stallMs;
  throw given.usage("--stall-ms takes a whole number of milliseconds");
}

async function loadSuites(given: Arguments): Promise<Suite[]> {
  const folder = given.value("vectors") ?? bundledVectors();
  if (folder === undefined) throw given.usage("No vectors are bundled here: --vectors is needed");
  const patterns = given.list("suite").map(patternOf);
  const suites: Suite[] = [];
  for (const file of await filesOf(folder)) {
    const text = decodeUtf8(await readFileAt(join(folder, file)));
    const suite = parseSuite(text ?? "");
    if (!suite.ok) throw new RefusedError(suite.code, `${file}: ${suite.reason}`);
    const { value } = suite;
    if (patterns.length === 0 || patterns.some((one) => one.test(value.suite))) suites.push(value);
  }
  if (suites.length === 0) throw given.usage("No suite has such a name");
  return suites;
}

/** The vector files below a folder; the index of the bundled ones is none. */
async function filesOf(folder: string): Promise<string[]> {
  const names = await readdir(folder, { recursive: true }).catch((error: unknown) => {
    throw new RefusedError(codeOf(error), `Reading "${basename(folder)}": it cannot be listed`);
  });
  return names.filter((name) => name.endsWith(".json") && name !== "index.json").sort();
}

/** Beside the sources, or one further up when this runs as built; none when it was loaded from the net. */
function bundledVectors(): string | undefined {
  if (!import.meta.url.startsWith("file:")) return undefined;
  return ["../../../vectors", "../../../../vectors"]
    .map((path) => fileURLToPath(new URL(path, import.meta.url)))
    .find((folder) => existsSync(join(folder, "index.json")));
}

function patternOf(glob: string): RegExp {
  const source = glob.replace(/\*\*|\*|[^*]+/g, (part) => {
    if (part === "**") return ".*";
    return part === "*" ? "[^/]*" : part.replace(/[\\^$.|?+()[\]{}/-]/g, "\\$&");
  });
  return new RegExp(glob.includes("/") ? `^${source}$` : `^${source}(?:/.*)?$`);
}

async function runAll(
  suites: readonly Suite[],
  ask: Ask,
  window: number,
  { stderr }: Io,
  { onReport }: { onReport: (report: SuiteReport) => void },
): Promise<SuiteReport[]> {
  const reports: SuiteReport[] = [];
  const clear = (): void => stderr.isTerminal ? showText(stderr, "\r\x1b[K") : undefined;
  for (const suite of suites) {
    let drawnAt = Date.now();
    const onProgress = (done: number): void => {
      if (!stderr.isTerminal || Date.now() - drawnAt < 100) return;
      drawnAt = Date.now();
      clear();
      showText(stderr, `running: ${reports.length + 1} of ${suites.length} suites, case ${done}`);
    };
    const report = await runSuite(suite, ask, { window, onProgress });
    clear();
    reports.push(report);
    onReport(report);
  }
  return reports;
}

/** A report without the cases that passed. */
function summaryOf({ cases, ...report }: SuiteReport): unknown {
  const failures = cases.filter(({ status }) => status === "failed").map(({ status: _, ...one }) =>
    one
  );
  return { ...report, failures };
}

function linesOf({ suite, cases, passed, failed, unsupported }: SuiteReport): Line[] {
  const failures = cases.filter(({ status }) => status === "failed");
  const more = failures.length - MAX_SHOWN;
  return [
    [
      { style: failed > 0 ? "bad" : passed > 0 ? "good" : "open", text: suite },
      `: ${passed}/${cases.length}`,
      unsupported > 0 ? `, ${unsupported} unsupported` : "",
    ],
    ...failures.slice(0, MAX_SHOWN).flatMap(linesOfFailure),
    ...(more > 0 ? [`  and ${more} more failures`] : []),
  ];
}

function linesOfFailure({ id, note, error, differences }: CaseResult): Line[] {
  return [
    [{ style: "bad", text: `  failed ${id}` }, note === "" ? "" : ` (${note})`],
    ...(error === undefined ? [] : [`    ${error}`]),
    ...differences.map((difference) => `    ${describe(difference)}`),
  ];
}

function linesOfEnd({ failure, strays }: PeerEnd): Line[] {
  return [
    ...(failure === null ? [] : [`protocol: ${failure}`]),
    ...(strays === 0 ? [] : [`note: ${strays} lines on its standard output answered nothing`]),
  ];
}

function describe({ path, reason, expected, found }: Difference): string {
  const place = path === "" ? "the output" : path;
  switch (reason) {
    case "missing":
      return `${place}: expected ${short(expected)}, found nothing`;
    case "unexpected":
      return `${place}: expected nothing, found ${short(found)}`;
    case "length":
      return `${place}: expected ${String(expected)} elements, found ${String(found)}`;
    case "no such element":
      return `${place}: expected an element ${short(expected)}, found ${short(found)}`;
    case "differs":
      return `${place}: ${apart(expected, found)}`;
  }
}

/** Two values apart; of long texts only where they part. */
function apart(expected: unknown, found: unknown): string {
  if (typeof expected === "string" && typeof found === "string" && expected.length > 80) {
    let at = 0;
    while (expected[at] === found[at]) at++; // they differ, so this ends
    const near = (text: string): string =>
      JSON.stringify(text.slice(Math.max(0, at - 20), at + 50));
    return `expected ${near(expected)}, found ${near(found)}, apart from character ${at}`;
  }
  return `expected ${short(expected)}, found ${short(found)}`;
}

function short(value: unknown): string {
  const text = JSON.stringify(value);
  return text.length > 160 ? `${text.slice(0, 160)}...` : text;
}
