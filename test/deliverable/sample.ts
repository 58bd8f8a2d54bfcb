/**
 * A deliverable of three files in memory, and how to seal it.
 *
 * @module
 */
import { encodeUtf8 } from "../../src/core/mod.ts";
import { MemoryFiles, planSeal, sealTree } from "../../src/deliverable/mod.ts";
import type { Bindings, FileDeclaration, Sealed, SealPlan } from "../../src/deliverable/mod.ts";
import { loadSha256 } from "../../src/hash/mod.ts";
import type { Sha256 } from "../../src/hash/mod.ts";
import type { FileTree } from "../../src/ports/mod.ts";
import type { RecordResult } from "../../src/record/mod.ts";

export const sha256: Sha256 = await loadSha256();

/** Contents by source path. */
export const CONTENTS: Readonly<Record<string, string>> = {
  "out/answer.md": "# Answer\n",
  "out/deep/table.csv": "a,b\n1,2\n",
  "notes.txt": "",
};

export const DECLARATION: readonly FileDeclaration[] = [
  declare("answer", "out/answer.md", "work/answer.md"),
  declare("table", "out/deep/table.csv", "work/data/table.csv"),
  declare("notes", "notes.txt", "notes.txt"),
];

export const BINDINGS: Bindings = {
  task_sha256: "1".repeat(64),
  run_sha256: `sha256:${"2".repeat(64)}`,
  config_sha256: "3".repeat(64),
};

export function declare(artifact_id: string, source_path: string, path: string): FileDeclaration {
  return { artifact_id, source_path, path, media_type: "text/plain", max_size_bytes: 1024 };
}

/** The files before they are sealed, below `source`. */
export function sampleFiles(): MemoryFiles {
  const files = new MemoryFiles();
  for (const [path, text] of Object.entries(CONTENTS)) {
    files.put(`source/${path}`, encodeUtf8(text));
  }
  return files;
}

/** The plan to seal them. */
export function samplePlan(): SealPlan {
  const plan = planSeal(DECLARATION, BINDINGS);
  if (!plan.ok) throw new Error(plan.reason);
  return plan.value;
}

/** Seals `source` into `sealed`. */
export function sealSample(
  files: MemoryFiles,
  wrap: (tree: FileTree) => FileTree = (tree) => tree,
): Promise<RecordResult<Sealed>> {
  return sealTree(wrap(files.at("source")), wrap(files.at("sealed")), samplePlan(), sha256);
}

/** Seals them undisturbed. */
export async function sealedSample(): Promise<Sealed> {
  const result = await sealSample(sampleFiles());
  if (!result.ok) throw new Error(result.reason);
  return result.value;
}
