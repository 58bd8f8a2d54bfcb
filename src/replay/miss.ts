/**
 * What to say of a call that has no fixture: what is recorded instead, and what comes nearest to it.
 *
 * @module
 */
import { compareCodeUnits } from "../core/mod.ts";
import { formatCapsuleV1 } from "../canonical/mod.ts";
import type { Digest, Sha256 } from "../hash/mod.ts";
import type { FixtureStore } from "../ports/mod.ts";
import { argumentsFile, readArguments } from "./arguments.ts";
import type { StoredFixture } from "./catalogue.ts";
import { compareValues } from "./difference.ts";
import type { Comparison } from "./difference.ts";
import type { CallId } from "./fixture.ts";
import { shorten } from "./withhold.ts";

/** A recorded call of the same tool: `a` is what was recorded, `b` what was asked for. */
export interface NearCall extends Comparison {
  /** The file of its fixture. */
  readonly file: string;
  /** Hash of its arguments. */
  readonly args_hash: Digest;
}

/** A call without a fixture. */
export interface Miss {
  /** The call. */
  readonly call: CallId;
  /** What is recorded: for each tool the hashes of arguments, in order. */
  readonly recorded: ReadonlyMap<string, readonly Digest[]>;
  /** Recorded calls of the same tool, the nearest first, three at most; empty unless arguments were kept. */
  readonly nearest: readonly NearCall[];
  /** Recorded calls of the same tool that the call was compared with. Others kept no arguments, or were too many. */
  readonly compared: number;
}

/** Most recorded calls that one call is compared with, and most that are told. */
const MAX_COMPARED = 1000;
const MAX_NEAREST = 3;

/** Finds out what is recorded instead of a call. */
export async function explainMiss(
  call: CallId,
  args: unknown,
  fixtures: readonly StoredFixture[],
  store: FixtureStore,
  sha256: Sha256,
): Promise<Miss> {
  const recorded = new Map<string, Digest[]>();
  for (const { tool, args_hash } of fixtures) {
    if (tool === null || args_hash === null) continue;
    if (!recorded.has(tool)) recorded.set(tool, []);
    recorded.get(tool)!.push(args_hash);
  }
  const asked: unknown = JSON.parse(formatCapsuleV1(args));
  const near: NearCall[] = [];
  for (const { file, tool, args_hash, has_arguments } of fixtures) {
    if (tool !== call.tool || args_hash === null || !has_arguments) continue;
    if (near.length === MAX_COMPARED) break;
    const key = file.slice(0, 64) as Digest;
    const kept = await readArguments(await store.read(argumentsFile(key)), key, sha256);
    if (!kept.ok || kept.value?.tool !== tool || kept.value.args_hash !== args_hash) continue;
    near.push({ file, args_hash, ...compareValues(kept.value.args, asked, kept.value.withheld) });
  }
  near.sort((a, b) => a.count - b.count || compareCodeUnits(a.args_hash, b.args_hash));
  return { call, recorded, nearest: near.slice(0, MAX_NEAREST), compared: near.length };
}

/** One line on a miss. It names places, never what stands there. */
export function describeMiss({ call, recorded, nearest }: Miss): string {
  const name = shorten(JSON.stringify(call.tool));
  const hashes = recorded.get(call.tool) ?? [];
  const start = `Replaying a call of ${name}: no fixture has arguments ${call.args_hash}; `;
  const others = [...recorded].filter(([, list]) => list.includes(call.args_hash))
    .map(([tool]) => shorten(JSON.stringify(tool)));
  const elsewhere = others.length === 0
    ? ""
    : `; the same arguments are recorded for ${firstOf(others)}`;
  if (hashes.length === 0) {
    const tools = [...recorded.keys()].map((tool) => shorten(JSON.stringify(tool)));
    const what = tools.length === 0
      ? "nothing is recorded"
      : `recorded are only calls of ${firstOf(tools)}`;
    return `${start}${what}${elsewhere}`;
  }
  const count = `${hashes.length} ${hashes.length === 1 ? "call of it is" : "calls of it are"}`;
  const [first] = nearest;
  if (first === undefined) {
    return `${start}${count} recorded, with arguments ${firstOf(hashes)}${elsewhere}`;
  }
  const places = first.differences.map(({ pointer }) => pointer === "" ? "the top" : pointer);
  const where = `the nearest, ${first.args_hash}, differs at ${firstOf(places, first.count)}`;
  return `${start}${count} recorded; ${where}${elsewhere}`;
}

function firstOf(items: readonly string[], count: number = items.length): string {
  const told = items.slice(0, 5);
  return `${told.join(", ")}${count > told.length ? ` and ${count - told.length} more` : ""}`;
}
