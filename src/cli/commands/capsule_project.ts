/**
 * `affidavit capsule project`.
 *
 * @module
 */
import { projectCapsule } from "../../node/mod.ts";
import { parseArguments, takePositionals } from "../args.ts";
import { COMMON } from "../help.ts";
import type { Io } from "../io.ts";
import { linesOfFields, showResult } from "../output.ts";

const help = `affidavit capsule project DIR: writes and prints the summary of a capsule

Verifies the capsule, derives its projection (counts, root, digest of the
journal) and writes it to projection.json in DIR, in the place of an older one.
Anybody who projects the same capsule gets the same bytes.
${COMMON}
Example: affidavit capsule project run
`;

/** Writes and prints the projection. */
export async function project(args: readonly string[], io: Io): Promise<number> {
  const given = parseArguments(args, { help, flags: {} });
  const [path] = takePositionals(given, "DIR");
  const projection = await projectCapsule(path);
  const counts = (of: Readonly<Record<string, number>>): string =>
    Object.entries(of).map(([name, number]) => `${name} ${number}`).join(", ");
  showResult(io, given.isJson, projection, () =>
    linesOfFields([
      ["run", projection.run_id],
      ["capsule", projection.capsule_id],
      ["harness", projection.harness_version],
      ["task family", projection.task_family],
      ["entries", projection.entry_count],
      ["root", projection.root_hash],
      ["journal", projection.journal_sha256],
      ["by lineage", counts(projection.by_lineage)],
      ["by effect class", counts(projection.by_effect_class)],
      ["highest effect", projection.max_effect_class],
      ["projection", projection.projection_hash],
    ]));
  return 0;
}
