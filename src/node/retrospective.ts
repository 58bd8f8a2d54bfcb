/**
 * Retrospectives over capsule directories, for Node, Deno and Bun.
 *
 * @module
 */
import { groupCapsules as group } from "../retrospective/mod.ts";
import type { GroupVerdict } from "../retrospective/mod.ts";
import { verifyDirectory } from "../store/mod.ts";
import type { StoreEnvironment } from "../store/mod.ts";
import { directoryAt } from "./directory.ts";
import { systemEnvironment } from "./environment.ts";

/**
 * Groups the capsules in 1 to 100 directories by harness version. Nothing is written, and content never makes it throw.
 *
 * The report returns labels verbatim, and its digests are linkable: they hide nothing from whoever has a capsule or can
 * guess its ids.
 */
export function groupCapsules(
  paths: readonly string[],
  environment: StoreEnvironment = systemEnvironment(),
): Promise<GroupVerdict> {
  const { sha256 } = environment;
  return group(paths, (path) => verifyDirectory(directoryAt(path), sha256), sha256);
}
