/**
 * `affidavit capsule create`.
 *
 * @module
 */
import { createCapsule } from "../../node/mod.ts";
import { parseArguments, takePositionals } from "../args.ts";
import { COMMON } from "../help.ts";
import type { Io } from "../io.ts";
import { linesOfFields, showResult } from "../output.ts";

const help = `affidavit capsule create DIR: starts a capsule, the record of one run

Makes DIR where it is missing, an empty journal.ndjson and capsule.json, which
says whose record it is. Refuses with capsule.exists when there is one already.

  --run-id ID          which run; 1 to 128 of letters, digits and ._:-
  --capsule-id ID      which capsule; both ids are random unless given
  --harness NAME       what runs the agent, with its version ("unknown")
  --task-family NAME   what kind of task it is ("unspecified")
${COMMON}
Example: affidavit capsule create run --harness my-agent/1.4 --task-family invoices
`;

/** Creates a capsule and prints what it is. */
export async function create(args: readonly string[], io: Io): Promise<number> {
  const flags = {
    "run-id": "value",
    "capsule-id": "value",
    harness: "value",
    "task-family": "value",
  } as const;
  const given = parseArguments(args, { help, flags });
  const [path] = takePositionals(given, "DIR");
  const [run_id, capsule_id] = [given.value("run-id"), given.value("capsule-id")];
  const [harness_version, task_family] = [given.value("harness"), given.value("task-family")];
  const { dir, meta } = await createCapsule(path, {
    ...(run_id !== undefined && { run_id }),
    ...(capsule_id !== undefined && { capsule_id }),
    ...(harness_version !== undefined && { harness_version }),
    ...(task_family !== undefined && { task_family }),
  });
  showResult(io, given.isJson, { dir, metadata: meta }, () => [
    [{ style: "good", text: "created" }, ` ${dir}`],
    ...linesOfFields([
      ["run", meta.run_id],
      ["capsule", meta.capsule_id],
      ["harness", meta.harness_version],
      ["task family", meta.task_family],
    ]),
  ]);
  return 0;
}
