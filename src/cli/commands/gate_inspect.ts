/**
 * `affidavit gate inspect`.
 *
 * @module
 */
import type { NotChecked } from "../../capsule/mod.ts";
import type { Result } from "../../core/mod.ts";
import { scanTripwires } from "../../gate/mod.ts";
import type { Taskset, TripwireHit } from "../../gate/mod.ts";
import { loadTaskset, loadVariant } from "../../node/mod.ts";
import type { LoadedVariant } from "../../node/mod.ts";
import { parseArguments, takePositionals } from "../args.ts";
import { RefusedError } from "../errors.ts";
import { COMMON } from "../help.ts";
import type { Io } from "../io.ts";
import { linesOfFields, linesOfUnchecked, showResult } from "../output.ts";
import type { Line } from "../output.ts";

/** A hostile tree could make more lines than anybody reads or memory holds. */
const MAX_TRIPWIRES = 10_000;

const help = `affidavit gate inspect DIR: looks at a candidate, and runs nothing of it

Reads variant.json and the tree of DIR, and prints its digest, its entry, the
effect class that it declares, and tripwires: lines of text that a reviewer should
look at. Tripwires are no verdict, so the exit code is 0 with them and without.
No tripwire proves nothing: text that is spelled otherwise trips none. Of more
than ${MAX_TRIPWIRES} the first are listed.

  --taskset FILE   read this task set too, and print its digest
${COMMON}
Example: affidavit gate inspect candidate --taskset taskset.json
`;

/** What nothing here can find out. */
const BEHAVIOUR: NotChecked = {
  what: "behaviour",
  why: "nothing was run: what the candidate does is not known, with tripwires and without",
  how: null,
};

/** Inspects a variant and prints what was found. */
export async function inspect(args: readonly string[], io: Io): Promise<number> {
  const given = parseArguments(args, { help, flags: { taskset: "value" } });
  const [path] = takePositionals(given, "DIR");
  const file = given.value("taskset");
  const variant = take(await loadVariant(path));
  const taskset = file === undefined ? null : take(await loadTaskset(file));
  const report = reportOf(variant, taskset);
  showResult(io, given.isJson, report, () => linesOf(report));
  return 0;
}

interface Report {
  readonly name: string;
  readonly effect_class: string;
  readonly entry: string;
  readonly digest: string;
  readonly file_count: number;
  readonly tripwires: readonly TripwireHit[];
  readonly tripwires_cut: boolean;
  readonly taskset: Pick<Taskset, "version" | "family" | "digest"> & { task_count: number } | null;
  readonly not_checked: readonly NotChecked[];
}

function take<T>(result: Result<T, string>): T {
  if (result.ok) return result.value;
  throw new RefusedError(result.code, result.reason);
}

function reportOf(variant: LoadedVariant, taskset: Taskset | null): Report {
  const { name, effect_class, entry, digest, files } = variant;
  const tripwires = scanTripwires(variant, { maxHits: MAX_TRIPWIRES + 1 });
  return {
    name,
    effect_class,
    entry,
    digest,
    file_count: files.length,
    tripwires: tripwires.slice(0, MAX_TRIPWIRES),
    tripwires_cut: tripwires.length > MAX_TRIPWIRES,
    taskset: taskset && {
      version: taskset.version,
      family: taskset.family,
      digest: taskset.digest,
      task_count: taskset.tasks.length,
    },
    not_checked: [BEHAVIOUR],
  };
}

function linesOf({ tripwires, tripwires_cut, taskset, not_checked, ...variant }: Report): Line[] {
  return [
    ...linesOfFields([
      ["variant", variant.name],
      ["declares", variant.effect_class],
      ["entry", variant.entry],
      ["files", variant.file_count],
      ["digest", variant.digest],
      ...(taskset === null ? [] : [
        ["task set", `${String(taskset.version)}, ${String(taskset.family)}`] as const,
        ["tasks", taskset.task_count] as const,
        ["its digest", taskset.digest] as const,
      ]),
    ]),
    ...tripwires.map(({ rule, file, line, detail }): Line => [
      { style: "open", text: `tripwire: ${rule}` },
      `: ${file}:${line}${detail === undefined ? "" : ` (${detail})`}`,
    ]),
    ...(tripwires_cut ? [`there are more tripwires; the first ${MAX_TRIPWIRES} are listed`] : []),
    ...(tripwires.length > 0 ? [] : ["no tripwire, which proves nothing"]),
    ...linesOfUnchecked(not_checked),
  ];
}
