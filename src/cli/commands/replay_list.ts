/**
 * `affidavit replay list`.
 *
 * @module
 */
import { fixtureStoreAt, nativeSha256 } from "../../node/mod.ts";
import { listFixtures } from "../../replay/mod.ts";
import type { StoredFixture } from "../../replay/mod.ts";
import { parseArguments, takePositionals } from "../args.ts";
import { COMMON } from "../help.ts";
import type { Io } from "../io.ts";
import { showResult } from "../output.ts";
import type { Line } from "../output.ts";

const help = `affidavit replay list DIR: which calls are recorded in DIR?

Prints a line for each fixture: the tool, the hash of the arguments, and whether
the arguments themselves were kept beside it. Files that are no fixtures are
passed over; a fixture that cannot be replayed is listed with its code.
${COMMON}
Example: affidavit replay list fixtures
`;

/** Lists the fixtures of a store. */
export async function list(args: readonly string[], io: Io): Promise<number> {
  const given = parseArguments(args, { help, flags: {} });
  const [path] = takePositionals(given, "DIR");
  const fixtures = await listFixtures(fixtureStoreAt(path), nativeSha256());
  const tools = new Set(fixtures.map(({ tool }) => tool).filter((tool) => tool !== null));
  showResult(io, given.isJson, { tool_count: tools.size, fixtures }, () => [
    [
      { style: "strong", text: numberOf(fixtures.length, "fixture") },
      ` of ${numberOf(tools.size, "tool")}`,
    ],
    ...fixtures.map(lineOf),
  ]);
  return 0;
}

/** A number of fixtures or tools. */
export function numberOf(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}

function lineOf({ file, code, tool, args_hash, has_arguments }: StoredFixture): Line {
  if (tool === null) return ["  ", { style: "bad", text: code ?? "" }, `  ${file}`];
  const kept = has_arguments ? "arguments kept" : "only their hash";
  return [`  ${tool}  ${args_hash}  `, { style: "dim", text: kept }];
}
