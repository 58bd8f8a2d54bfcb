/**
 * `affidavit capsule group`.
 *
 * @module
 */
import { groupCapsules } from "../../node/mod.ts";
import { MAX_INPUTS } from "../../retrospective/mod.ts";
import { parseArguments } from "../args.ts";
import { RefusedError } from "../errors.ts";
import { COMMON } from "../help.ts";
import type { Io } from "../io.ts";
import { showResult } from "../output.ts";

const help = `affidavit capsule group DIR...: counts several runs, by harness version

Verifies 1 to ${MAX_INPUTS} capsules of one task family and prints a report of counts, always
as JSON. It ranks nothing, decides nothing and writes nothing.
The task family and the harness versions are in it verbatim. Its digests are
linkable, not anonymous: whoever has one of the capsules, or guesses its ids,
finds it again in every report that counts it.
A refusal names an input by its index, from 0, and never by its path.
${COMMON}
Example: affidavit capsule group runs/monday runs/tuesday
`;

/** Prints the report. */
export async function group(args: readonly string[], io: Io): Promise<number> {
  const given = parseArguments(args, { help, flags: {} });
  const paths = given.positionals;
  if (paths.length > MAX_INPUTS) throw given.usage(`No more than ${MAX_INPUTS} directories fit`);
  if (paths.some((path) => path.trim() === "")) throw given.usage("A directory is blank");
  const verdict = await groupCapsules(paths);
  if (verdict.ok) {
    showResult(io, true, verdict.report, () => []);
    return 0;
  }
  const { code, reason, input_index } = verdict;
  throw new RefusedError(code, reason, input_index === null ? {} : { at: { input: input_index } });
}
