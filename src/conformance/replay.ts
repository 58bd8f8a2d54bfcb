/**
 * Operations `replay.*`.
 *
 * Rule: `docs/spec/conformance.md`, "replay.run".
 *
 * @module
 */
import { formatCapsuleV1 } from "../canonical/mod.ts";
import { decodeUtf8, readWhole } from "../core/mod.ts";
import type { FixtureStore } from "../ports/mod.ts";
import { createReplayer, fixtureFile, fixturesIn, hashCall, storeFixture } from "../replay/mod.ts";
import type { Mode, Replayer, ReplayerOptions, Tools } from "../replay/mod.ts";
import { readFiles } from "./files.ts";
import { readObject, readObjects, readText } from "./input.ts";
import type { Input, Output } from "./input.ts";
import { attempt } from "./refusal.ts";
import { decodeTagged } from "./tagged.ts";
import { withWorkspace } from "./workspace.ts";
import type { Host, Workspace } from "./workspace.ts";

/** Where operations build a store. */
export const STORE = "fixtures";

/** `replay.store` */
export async function store(input: Input, host: Host): Promise<Output> {
  return await withWorkspace(host, async (workspace) => {
    await workspace.build(STORE, []);
    const fixtures = fixturesOf(workspace);
    const outcome = await attempt(async () => {
      const args = decodeTagged(input["args_tagged"]);
      const call = hashCall(readText(input, "tool"), args, host.sha256);
      const response = decodeTagged(input["response_tagged"]);
      const { response_hash } = await storeFixture(fixtures, call, response, host.sha256);
      const file_name = fixtureFile(call.key);
      const bytes = await readWhole(await fixtures.read(file_name), Infinity);
      const file = { utf8: bytes.ok ? decodeUtf8(bytes.value) : undefined };
      return { key: call.key, args_hash: call.args_hash, response_hash, file_name, file };
    });
    return outcome["ok"] === true ? outcome : { ...outcome, files: await fixtures.list() };
  });
}

/** `replay.run` */
export async function run(input: Input, host: Host): Promise<Output> {
  return await withWorkspace(host, async (workspace) => {
    const isGiven = input["store"] !== null;
    await workspace.build(STORE, isGiven ? readFiles(input, "store") : []);
    const live = new Map<string, number>();
    const { mode, max_effect_class } = readObject(input, "options");
    let replayer: Replayer | undefined;
    const create = await attempt(() => {
      const options = {
        store: isGiven ? fixturesOf(workspace) : undefined,
        sha256: host.sha256,
        mode: mode as Mode,
        maxEffectClass: max_effect_class,
      };
      replayer = createReplayer(readTools(input, live), options as ReplayerOptions);
      return {};
    });
    if (replayer === undefined) return { create };
    const results = await callAll(replayer, readObjects(input, "calls"));
    const { callLog: call_log } = replayer;
    const live_calls = [...live].map(([tool, count]) => ({ tool, count }));
    return { create, results, call_log, live_calls, store: await workspace.list(STORE) };
  });
}

async function callAll(replayer: Replayer, calls: readonly Input[]): Promise<Output[]> {
  const results: Output[] = [];
  for (const call of calls) {
    const [name, args] = [readText(call, "name"), call["args_tagged"]];
    results.push(
      await attempt(async () => {
        const response = args === undefined
          ? await replayer.call(name)
          : await replayer.call(name, decodeTagged(args));
        return { response_canonical: formatCapsuleV1(response) };
      }),
    );
  }
  return results;
}

/** Declarations of a case, whose implementations count in `live` how often they are called. */
function readTools(input: Input, live: Map<string, number>): Tools {
  const tools = readObjects(input, "tools").map((tool) => {
    const name = readText(tool, "name");
    const { effect_class, determinism, live_tagged } = tool;
    const impl = (): unknown => {
      live.set(name, (live.get(name) ?? 0) + 1);
      return decodeTagged(live_tagged);
    };
    return [name, { effect_class, determinism, ...(live_tagged !== undefined && { impl }) }];
  });
  return Object.fromEntries(tools) as Tools;
}

/** The store in a workspace. Its temporary names need only differ from each other. */
export function fixturesOf(workspace: Workspace): FixtureStore {
  const list = async (): Promise<string[]> =>
    (await workspace.list(STORE) ?? []).map(({ path }) => path);
  let counter = 0;
  return fixturesIn(workspace.at(STORE), list, (count) => new Uint8Array(count).fill(counter++));
}
