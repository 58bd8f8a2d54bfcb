/**
 * Paths that are also safe on other systems: nothing that Windows or macOS refuses, renames, or takes for a device, and no
 * two that become one there.
 *
 * Rule: `docs/spec/deliverable.md`, "Portable paths".
 *
 * @module
 */
import { encodeUtf8 } from "../core/mod.ts";
import { refuse } from "../record/mod.ts";
import type { RecordKind } from "../record/mod.ts";
import { comparePaths } from "./path.ts";

/** Longest name in bytes of UTF-8. */
const MAX_NAME_BYTES = 255;

const DEVICE = /^(?:con|prn|aux|nul|(?:com|lpt)[1-9¹²³]) *(?:\.|$)/i;

/** A path that is portable by itself. */
export function checkPortable(path: string): void {
  if (/\p{Cs}/u.test(path)) refuse("path_unpaired_surrogate", "path");
  for (const name of path.split("/")) {
    const fault = findFault(name);
    if (fault !== undefined) refuse(fault, "path");
  }
}

function findFault(name: string): RecordKind | undefined {
  if (/\p{Cc}/u.test(name)) return "path_control_character";
  if (/[<>:"|?*\\]/.test(name)) return "path_reserved_character";
  if (/[. ]$/.test(name)) return "path_trailing_dot_or_blank";
  if (DEVICE.test(name)) return "path_device_name";
  return encodeUtf8(name).length > MAX_NAME_BYTES ? "path_name_too_long" : undefined;
}

/** No two paths, or directories that they lead through, may be spelled differently and yet be one elsewhere. */
export function checkMerging(paths: readonly string[], fold: (text: string) => string): void {
  // Canonical caseless matching of Unicode, D145: it finds all that is equal after NFC and folding, and a little more.
  const key = (path: string): string => fold(path.normalize("NFD")).normalize("NFD");
  const rows = paths.map((path) => ({ path, key: key(path) }));
  // In this order paths that begin alike stand together, so that neighbours show every other spelling.
  rows.sort((a, b) => comparePaths(a.key, b.key));
  rows.forEach((row, index) => {
    const next = rows[index + 1];
    if (next !== undefined) compareSpelling(row, next);
  });
}

function compareSpelling(a: { path: string; key: string }, b: { path: string; key: string }): void {
  const [names, others, keys, otherKeys] = [a.path, b.path, a.key, b.key].map((path) =>
    path.split("/")
  ) as [string[], string[], string[], string[]];
  for (let at = 0; at < keys.length && keys[at] === otherKeys[at]; at++) {
    if (names[at] !== others[at]) refuse("path_merges_elsewhere", "path", { path: b.path });
  }
}
