/**
 * `affidavit verify`: finds out what it is given, and verifies it.
 *
 * @module
 */
import { nativeSha256 } from "../../node/mod.ts";
import { parseArguments } from "../args.ts";
import { RefusedError } from "../errors.ts";
import { readGateReceipt, readPinnedKey } from "../evidence.ts";
import { COMMON } from "../help.ts";
import { identify } from "../identify.ts";
import type { Found, Kind } from "../identify.ts";
import type { Io } from "../io.ts";
import { linesOfUnchecked, showResult } from "../output.ts";
import type { Line } from "../output.ts";
import { EXPECTATION_FLAGS, takeExpectation } from "../values.ts";
import { linesOfReceipt, linesOfReport } from "../verdict.ts";
import { findReceipt, nameCapsule, verifyPath } from "../verify_path.ts";
import type { NamedCapsule, Result } from "../verify_path.ts";

const help = `affidavit verify PATH...: finds out what each path is, and verifies it

Takes any number of: a capsule directory or bundle, a receipt, a journal by
itself, capsule.json, projection.json. A receipt is checked against the capsule
given beside it that has the same run and capsule id, else against the one in
the receipt's own directory. Whatever is none of these is refused. Nothing is
written.

  --expect-root HASH   root hash that every capsule or journal given must have
  --expect-count N     number of entries that it must have
  --artifact FILE      what the run delivered, for the receipt
  --gate FILE          the gate receipt (JSON), for the receipt
  --public-key FILE    the Ed25519 key whose signature the receipt must carry
${COMMON}
Example: affidavit verify bundle receipt.json --artifact totals.csv
`;

/** Verifies every path and prints what came of each; the exit code is 0 only when all hold. */
export async function verify(args: readonly string[], io: Io): Promise<number> {
  const flags = {
    ...EXPECTATION_FLAGS,
    artifact: "value",
    gate: "value",
    "public-key": "value",
  } as const;
  const given = parseArguments(args, { help, flags });
  const { positionals: paths } = given;
  if (paths.length === 0 || paths.includes("")) throw given.usage("PATH is missing");
  const expected = takeExpectation(given);

  const found: Found[] = [];
  for (const path of paths) found.push(await identify(path));
  refuseIdleFlags(found, given.has);
  const capsules: NamedCapsule[] = [];
  for (const { path, kind } of found) {
    if (kind === "capsule") capsules.push(await nameCapsule(path));
  }
  const gateReceipt = await readGateReceipt(given.value("gate"));
  const key = await readPinnedKey(given.value("public-key"));
  const task = {
    ...{ io, sha256: nativeSha256(), expected, artifact: given.value("artifact") },
    ...{ gateReceipt, key, capsules },
  };
  const results: Result[] = [];
  for (const each of found) results.push(...await verifyPath(each, task));

  const settled = results.map((result) => settle(result, results));
  const ok = settled.every((result) => result.ok);
  showResult(io, given.isJson, { ok, results: settled }, () => linesOf(settled));
  return ok ? 0 : 1;
}

/** A flag that nothing is held against would look like a check that was made. */
function refuseIdleFlags(found: readonly Found[], has: (flag: string) => boolean): void {
  const isGiven = (...kinds: (Kind | null)[]): boolean =>
    found.some(({ kind }) => kinds.includes(kind));
  for (const flag of ["expect-root", "expect-count", "artifact", "gate", "public-key"]) {
    const isForCapsules = flag.startsWith("expect");
    if (!has(flag) || (isForCapsules ? isGiven("capsule", "journal") : isGiven("receipt"))) {
      continue;
    }
    const wanted = isForCapsules ? "capsule or journal" : "receipt";
    throw new RefusedError(
      "cli.nothing_to_check",
      `Using --${flag}: no ${wanted} is among the paths`,
    );
  }
}

/** A receipt that holds has checked the tail of its capsule too. */
function settle(result: Result, results: readonly Result[]): Result {
  if (findReceipt(result, results) === undefined) return result;
  return { ...result, not_checked: result.not_checked.filter(({ what }) => what !== "tail") };
}

function linesOf(results: readonly Result[]): Line[] {
  return results.flatMap((result): Line[] => {
    const kind = result.kind ?? "nothing that can be verified";
    const against = "capsule" in result ? `, against ${result.capsule}` : "";
    return [
      [{ style: "strong", text: result.path }, `: ${kind}${against}`],
      ...linesOfResult(result, results).map((line): Line => ["  ", ...[line].flat()]),
    ];
  });
}

function linesOfResult(result: Result, results: readonly Result[]): Line[] {
  if ("checks" in result) return linesOfReceipt(result);
  if ("entry_count" in result) return linesOfReport(result, findReceipt(result, results));
  return [
    result.ok
      ? [{ style: "good", text: "well formed" }]
      : [{ style: "bad", text: `refused: ${result.code}` }],
    ...(result.reason === null ? [] : [`  ${result.reason}`]),
    ...linesOfUnchecked(result.not_checked),
  ];
}
