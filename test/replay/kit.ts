/**
 * What the tests of replay share.
 *
 * @module
 */
import * as assert from "uvu/assert";
import { codeOf } from "../../src/core/mod.ts";
import type { Sha256 } from "../../src/hash/mod.ts";
import {
  createReplayer,
  memoryFixtures,
  type ReplayerOptions,
  ReplayError,
  type Tools,
} from "../../src/replay/mod.ts";
import type { FixtureStore } from "../../src/ports/mod.ts";
import { MemoryDirectory } from "../../src/store/mod.ts";
import { rejectionOf } from "../lib/thrown.ts";

/** A directory in memory and the store over it. */
export function makeStore(): { directory: MemoryDirectory; store: FixtureStore } {
  const directory = new MemoryDirectory("memory:", { exists: true });
  return { directory, store: memoryFixtures(directory) };
}

/** A tool that gives back what it got, and counts how often. */
export function counting(
  answer: (args: unknown) => unknown = (args) => args,
): { calls: unknown[]; tools: Tools } {
  const calls: unknown[] = [];
  const tools: Tools = {
    read: {
      effect_class: "SE0",
      determinism: "deterministic",
      impl: (args) => {
        calls.push(args);
        return answer(args);
      },
    },
  };
  return { calls, tools };
}

/** Records calls of the tool `read` with these arguments. */
export async function recordAll(
  calls: readonly unknown[],
  options: Omit<ReplayerOptions, "mode">,
): Promise<void> {
  const replayer = createReplayer(counting().tools, { ...options, mode: "record" });
  for (const args of calls) await replayer.call("read", args);
}

/** The refusal of a call; fails when it is none of replay's. */
export async function refusalOf(call: Promise<unknown>): Promise<ReplayError> {
  const error = await rejectionOf(call);
  assert.instance(error, ReplayError, String(codeOf(error) ?? error));
  return error as ReplayError;
}

/** The text of a file in a directory in memory. */
export function textOf(directory: MemoryDirectory, name: string): string {
  const node = directory.nodes.get(name);
  if (node?.kind !== "file") throw new Error(`"${name}" is no file`);
  return new TextDecoder().decode(node.bytes.view());
}

/** The hash of a text, as 64 digits. */
export function hashText(text: string, sha256: Sha256): string {
  return sha256.digest(new TextEncoder().encode(text));
}
