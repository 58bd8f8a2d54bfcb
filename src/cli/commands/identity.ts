/**
 * `affidavit identity …`: makes and checks identity records.
 *
 * @module
 */
import { formatValue } from "../../canonical/mod.ts";
import {
  checkExecution,
  checkRowResume,
  checkRunResume,
  deriveIdentity,
  parseExecution,
  parseIdentity,
} from "../../identity/mod.ts";
import type { Identity, IdentityContext, IdentityKind } from "../../identity/mod.ts";
import { nativeSha256 } from "../../node/mod.ts";
import { LAB_PROFILE } from "../../record/mod.ts";
import { isHelp, parseArguments, takePositionals } from "../args.ts";
import type { Arguments } from "../args.ts";
import { HelpRequest, UsageError } from "../errors.ts";
import { COMMON } from "../help.ts";
import type { Io } from "../io.ts";
import { linesOfFields, showResult } from "../output.ts";
import { readRecordFile, takeRecord } from "../record_files.ts";

const help = `affidavit identity ACTION: who a task, a solver and a run are

  derive KIND FILE      make the record of these members, with its key; KIND is task,
                        solver, bundle, run or matched. The last two also take
                        --task FILE and --solver FILE, identity records
  check KIND FILE       read an identity record and recompute its key
  resume PRIOR NOW      may the run of NOW go on where that of PRIOR stopped? Both
                        are run records, or with --whole-run bindings of whole runs
  execution FILE        check a public execution receipt, or with --full make the
                        public one of a full receipt

Files are JSON. Records are those of the Harvey LAB profile. They are printed as
record_json: text of their one spelling, as numbers in it may be of any size.
${COMMON}
Example: affidavit identity derive task members.json
`;

const KINDS: readonly string[] = [
  "task",
  "solver",
  "bundle",
  "run",
  "matched",
] satisfies IdentityKind[];
const FLAGS = { task: "value", solver: "value", "whole-run": "switch", full: "switch" } as const;

/** The flags that each action takes. */
const ACTIONS: ReadonlyMap<string, { flags: readonly string[]; run: Action }> = new Map([
  ["derive", { flags: ["task", "solver"], run: derive }],
  ["check", { flags: [], run: check }],
  ["resume", { flags: ["whole-run"], run: resume }],
  ["execution", { flags: ["full"], run: execution }],
]);

type Action = (given: Arguments, io: Io, context: IdentityContext) => Promise<number>;

/** Runs an action on identity records. */
export async function identity(args: readonly string[], io: Io): Promise<number> {
  const [name, ...rest] = args;
  if (isHelp(name)) throw new HelpRequest(help);
  const action = ACTIONS.get(name ?? "");
  if (action === undefined) {
    const what = name === undefined ? "An action is missing" : `There is no action "${name}"`;
    throw new UsageError(`${what} on identities`, help);
  }
  const given = parseArguments(rest, { help, flags: FLAGS });
  const stray = Object.keys(FLAGS).find((flag) => given.has(flag) && !action.flags.includes(flag));
  if (stray !== undefined) throw given.usage(`--${stray} does not go with ${name}`);
  return await action.run(given, io, { profile: LAB_PROFILE, sha256: nativeSha256() });
}

async function derive(given: Arguments, io: Io, context: IdentityContext): Promise<number> {
  const [kind, path] = takeKind(given);
  const [task, solver] = [given.value("task"), given.value("solver")];
  const takesBasis = kind === "run" || kind === "matched";
  if (takesBasis !== (task !== undefined) || takesBasis !== (solver !== undefined)) {
    throw given.usage("--task and --solver go with run and matched, which take both");
  }
  const basis = task === undefined || solver === undefined
    ? undefined
    : { task: await readRecordFile(task), solver: await readRecordFile(solver) };
  const members = await readRecordFile(path);
  return show(given, io, takeRecord(deriveIdentity(kind, members, context, basis)));
}

async function check(given: Arguments, io: Io, context: IdentityContext): Promise<number> {
  const [kind, path] = takeKind(given);
  return show(given, io, takeRecord(parseIdentity(kind, await readRecordFile(path), context)));
}

async function resume(given: Arguments, io: Io, context: IdentityContext): Promise<number> {
  const [first, second] = takePositionals(given, "PRIOR", "NOW");
  const [prior, now] = [await readRecordFile(first), await readRecordFile(second)];
  takeRecord(
    given.has("whole-run") ? checkRunResume(prior, now) : checkRowResume(prior, now, context),
  );
  showResult(io, given.isJson, { ok: true }, () => [[{ style: "good", text: "may resume" }]]);
  return 0;
}

async function execution(given: Arguments, io: Io, context: IdentityContext): Promise<number> {
  const [path] = takePositionals(given, "FILE");
  const record = await readRecordFile(path);
  if (given.has("full")) {
    const { record: published, sha256 } = takeRecord(parseExecution(record, context));
    const record_json = formatValue(published);
    showResult(io, given.isJson, { ok: true, public_sha256: sha256, record_json }, () => [
      ...linesOfFields([["public hash", sha256]]),
      record_json,
    ]);
    return 0;
  }
  takeRecord(checkExecution(record, context));
  showResult(io, given.isJson, { ok: true }, () => [[{ style: "good", text: "well formed" }]]);
  return 0;
}

function takeKind(given: Arguments): [IdentityKind, string] {
  const [kind, path] = takePositionals(given, "KIND", "FILE");
  if (!KINDS.includes(kind)) throw given.usage(`KIND is one of ${KINDS.join(", ")}`);
  return [kind as IdentityKind, path];
}

function show(given: Arguments, io: Io, { key, record }: Identity): number {
  const record_json = formatValue(record);
  showResult(io, given.isJson, { ok: true, key, record_json }, () => [
    ...linesOfFields([["key", key]]),
    record_json,
  ]);
  return 0;
}
