/**
 * Which paths a deliverable may have, each by itself and all together.
 *
 * Rule: `docs/spec/deliverable.md`, "Paths" and "Set rules".
 *
 * @module
 */
import { decodePercent, isBlank, refuse } from "../record/mod.ts";
import type { RecordKind } from "../record/mod.ts";

/** The member that holds a path. */
export type PathField = "path" | "source_path";

/** Longest path in UTF-16 units: what Windows takes at most, which takes the longest. */
export const MAX_PATH_UNITS = 32_767;

/** A path that follows the rules, or the fault. */
export function checkPath(value: unknown, field: PathField): string {
  if (typeof value !== "string") refuse("path_empty", field);
  if (value.length > MAX_PATH_UNITS) refuse("path_too_long", field);
  const decoded = decodePercent(value); // bytes that are no UTF-8 count as changed
  if (decoded !== value) {
    const isSafe = findFault(decoded) === undefined;
    refuse(isSafe ? "path_percent_encoded" : "path_unsafe_after_decoding", field);
  }
  const fault = findFault(value);
  return fault === undefined ? value : refuse(fault, field);
}

function findFault(path: string): RecordKind | undefined {
  if (isBlank(path)) return "path_empty";
  if (path.includes("\\")) return "path_backslash";
  if (path.startsWith("/")) return "path_absolute";
  const names = path.split("/");
  if (names.some((name) => name === "" || name === "." || name === "..")) return "path_bad_segment";
  return names.some((name) => name.startsWith(".")) ? "path_hidden_segment" : undefined;
}

/** No two paths may be the same once folded. */
export function checkFolded(
  paths: readonly string[],
  field: PathField,
  fold: (text: string) => string,
): void {
  if (new Set(paths.map(fold)).size < paths.length) refuse("casefold_collision", field);
}

/** No path may lead through another one. @param sorted in the order of {@linkcode comparePaths}. */
export function checkPrefixes(sorted: readonly string[]): void {
  // In this order whatever is below a path follows it at once.
  if (sorted.some((path, index) => sorted[index + 1]?.startsWith(`${path}/`))) {
    refuse("path_prefix_collision");
  }
}

/** Orders paths name by name, so that a directory is followed by all that is in it. */
export function comparePaths(a: string, b: string): number {
  const shorter = Math.min(a.length, b.length);
  let at = 0;
  while (at < shorter && a.charCodeAt(at) === b.charCodeAt(at)) at++;
  return rank(a, at) - rank(b, at);
}

/** The end comes first, then the separator, then all else by code unit. */
function rank(path: string, at: number): number {
  return at === path.length ? -2 : path[at] === "/" ? -1 : path.charCodeAt(at);
}

/** The directories that a path leads through, the outermost first. */
export function parentsOf(path: string): string[] {
  const parents: string[] = [];
  for (let at = path.indexOf("/"); at >= 0; at = path.indexOf("/", at + 1)) {
    parents.push(path.slice(0, at));
  }
  return parents;
}
