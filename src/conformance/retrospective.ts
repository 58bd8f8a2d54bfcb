/**
 * Operations `retrospective.*`.
 *
 * @module
 */
import { groupCapsules } from "../retrospective/mod.ts";
import { verifyDirectory } from "../store/mod.ts";
import { readFiles } from "./files.ts";
import { InputError, isObject, readList, readObjects, readText } from "./input.ts";
import type { Input, Output } from "./input.ts";
import { withWorkspace } from "./workspace.ts";
import type { Host } from "./workspace.ts";

/** `retrospective.group` */
export async function group(input: Input, host: Host): Promise<Output> {
  return await withWorkspace(host, async (workspace) => {
    for (const capsule of readObjects(input, "capsules")) {
      await workspace.build(`in/${readText(capsule, "name")}`, readFiles(capsule, "files"));
    }
    const inputs = "inputs_raw" in input
      ? input["inputs_raw"]
      : readList(input, "inputs").map(pathOf);
    const { sha256 } = host;
    const verdict = await groupCapsules(
      inputs as readonly string[], // of whatever shape, which is what some cases are about
      (path) => verifyDirectory(workspace.at(path), sha256),
      sha256,
    );
    if (verdict.ok) return { ok: true, report: verdict.report };
    const { code, input_index } = verdict;
    return { ok: false, code, input_index };
  });
}

/** What is passed for an item of `inputs`. */
function pathOf(item: unknown): unknown {
  if (typeof item === "string") return `in/${item}`;
  if (!isObject(item)) throw new InputError("inputs", "names or objects");
  return item["missing"] === true ? "out/nothing" : item["raw"];
}
