/**
 * `affidavit capsule verify`.
 *
 * @module
 */
import { verifyCapsule } from "../../capsule/mod.ts";
import { nativeSha256 } from "../../node/mod.ts";
import { parseArguments, takePositionals } from "../args.ts";
import { readCapsule } from "../evidence.ts";
import { COMMON } from "../help.ts";
import type { Io } from "../io.ts";
import { showResult } from "../output.ts";
import { EXPECTATION_FLAGS, takeExpectation } from "../values.ts";
import { linesOfReport, reportOf } from "../verdict.ts";

const help = `affidavit capsule verify DIR: is the capsule or bundle in DIR consistent?

Verifies that every entry is well formed, unchanged and linked to the one before
it, and that all belong to the run that capsule.json names. Nothing is written.
Entries cut from the end leave a consistent capsule behind: to notice that, give
what you know from elsewhere, or check a receipt ("receipt verify").

  --expect-root HASH   root hash that the capsule must have
  --expect-count N     number of entries that it must have
${COMMON}
Example: affidavit capsule verify bundle --expect-count 8
`;

/** Verifies a capsule and prints the verdict. */
export async function verify(args: readonly string[], io: Io): Promise<number> {
  const given = parseArguments(args, { help, flags: EXPECTATION_FLAGS });
  const [path] = takePositionals(given, "DIR");
  const expected = takeExpectation(given);
  const verdict = await verifyCapsule(await readCapsule(path, io), nativeSha256());
  const report = reportOf(verdict, expected);
  showResult(io, given.isJson, report, () => linesOfReport(report));
  return report.ok ? 0 : 1;
}
