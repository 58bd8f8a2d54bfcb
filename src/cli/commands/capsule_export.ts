/**
 * `affidavit capsule export`.
 *
 * @module
 */
import { exportBundle } from "../../node/mod.ts";
import { parseArguments, takePositionals } from "../args.ts";
import { COMMON } from "../help.ts";
import type { Io } from "../io.ts";
import { showResult } from "../output.ts";

const help = `affidavit capsule export DIR OUT: copies a capsule as a bundle

Makes OUT, verifies the capsule, writes its projection.json into DIR, then
copies capsule.json, journal.ndjson and projection.json to OUT. A capsule that
does not verify is not copied, and OUT is left empty.
${COMMON}
Example: affidavit capsule export run bundle
`;

/** Exports a bundle and prints where it is. */
export async function exportTo(args: readonly string[], io: Io): Promise<number> {
  const given = parseArguments(args, { help, flags: {} });
  const [path, target] = takePositionals(given, "DIR", "OUT");
  const { dir, files } = await exportBundle(path, target);
  showResult(io, given.isJson, { dir, files }, () => [
    [{ style: "good", text: "exported" }, ` ${dir}`],
    ...files.map((name) => `  ${name}`),
  ]);
  return 0;
}
