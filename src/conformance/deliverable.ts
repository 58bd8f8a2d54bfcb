/**
 * Operations `deliverable.*`.
 *
 * @module
 */
import {
  checkTree,
  commitFile,
  formatManifest,
  formatTree,
  parseManifest,
  planSeal,
  sealTree,
} from "../deliverable/mod.ts";
import type {
  Bindings,
  FileDeclaration,
  Manifest,
  Sealed,
  SealLimits,
  SealOptions,
} from "../deliverable/mod.ts";
import type { FileTree } from "../ports/mod.ts";
import type { RecordResult } from "../record/mod.ts";
import { readContent, readFiles } from "./files.ts";
import { InputError, readObject, readObjects, readText } from "./input.ts";
import type { Input, Output } from "./input.ts";
import { answerRecord, NOT_JSON, readRecord } from "./record.ts";
import { withWorkspace } from "./workspace.ts";
import type { Host } from "./workspace.ts";

/** `deliverable.seal` */
export async function seal(input: Input, host: Host): Promise<Output> {
  return await withWorkspace(host, async (workspace) => {
    const trees = await workspace.buildTrees(readFiles(input, "files"));
    const [source, sealed] = ["source_root", "sealed_root"].map((name) =>
      trees(readText(input, name))
    ) as [FileTree, FileTree];
    const result = await sealInto(source, sealed, input, host);
    if (!result.ok) return answerRecord(result);
    const { manifest, tree } = result.value;
    const modes = await readModes(sealed, manifest);
    return answerRecord(result, () => ({
      manifest_json: formatManifest(manifest),
      manifest_sha256: manifest.manifest_sha256,
      tree_sha256: manifest.tree_sha256,
      tree_preimage: formatTree(tree),
      sealed_file_mode: modes.file,
      sealed_dir_mode: modes.directory,
    }));
  });
}

async function sealInto(
  source: FileTree,
  sealed: FileTree,
  input: Input,
  { sha256 }: Host,
): Promise<RecordResult<Sealed>> {
  const limits = input["limits"] ?? null;
  const options: SealOptions = {
    ...(limits !== null && { limits: readObject(input, "limits") as unknown as SealLimits }),
    ...readPortable(input),
  };
  const declaration = readObjects(input, "declaration") as unknown as FileDeclaration[];
  const bindings = readObject(input, "bindings") as unknown as Bindings;
  const plan = planSeal(declaration, bindings, options);
  return plan.ok ? await sealTree(source, sealed, plan.value, sha256) : plan;
}

/** The one mode that all files have, and the one of all directories; several would be given together. */
async function readModes(
  sealed: FileTree,
  { artifacts }: Manifest,
): Promise<{ file: string; directory: string }> {
  const modes = { file: new Set<string>(), directory: new Set<string>() };
  for (const { path } of artifacts) {
    const names = path.split("/");
    for (let depth = 0; depth <= names.length; depth++) {
      const node = await sealed.inspect(names.slice(0, depth).join("/"));
      if (node === null) continue;
      modes[depth < names.length ? "directory" : "file"].add(
        `0${(node.mode & 0o777).toString(8)}`,
      );
    }
  }
  return { file: [...modes.file].join(), directory: [...modes.directory].join() };
}

/** `deliverable.check` */
export async function check(input: Input, host: Host): Promise<Output> {
  return await withWorkspace(host, async (workspace) => {
    const trees = await workspace.buildTrees(readFiles(input, "files"));
    const manifest = readManifest(input, host);
    if (manifest === undefined) return NOT_JSON;
    const result = manifest.ok
      ? await checkTree(trees(readText(input, "sealed_root")), manifest.value, host.sha256)
      : manifest;
    return answerRecord(result, ({ manifest_sha256 }) => ({ manifest_sha256 }));
  });
}

/** `deliverable.parse_manifest` */
export function parse(input: Input, host: Host): Output {
  const result = readManifest(input, host);
  if (result === undefined) return NOT_JSON;
  return answerRecord(result, (manifest) => ({
    manifest_sha256: manifest.manifest_sha256,
    rewritten_json: formatManifest(manifest),
  }));
}

/** `deliverable.commit_file` */
export function commitOneFile(input: Input, { sha256 }: Host): Output {
  const content = readContent(input["content"]);
  if (content.kind !== "file") throw new InputError("content", "a file");
  return answerRecord(commitFile(readText(input, "path"), content.bytes, sha256), (tree) => ({
    tree_sha256: tree,
  }));
}

function readManifest(input: Input, { sha256 }: Host): RecordResult<Manifest> | undefined {
  const record = readRecord(input, "manifest_json");
  return record === undefined ? undefined : parseManifest(record, sha256, readPortable(input));
}

/** Our own suites ask for portable paths; elsewhere the profile decides. */
function readPortable(input: Input): { portable?: boolean } {
  return typeof input["portable"] === "boolean" ? { portable: input["portable"] } : {};
}
