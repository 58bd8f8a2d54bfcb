/**
 * Listings of variants for tests.
 *
 * @module
 */
import { encodeUtf8 } from "../../src/core/mod.ts";
import { inspectVariant, type Variant } from "../../src/gate/mod.ts";
import { loadSha256 } from "../../src/hash/mod.ts";
import type { ListedNode } from "../../src/ports/mod.ts";

/** A regular file. */
export function file(path: string, text: string = path): Extract<ListedNode, { kind: "file" }> {
  return { path, kind: "file", bytes: encodeUtf8(text) };
}

/** Something that is no regular file. */
export function node(path: string, kind: "directory" | "link" | "other"): ListedNode {
  return { path, kind };
}

/** A manifest with these members. */
export function manifest(members: Record<string, unknown> = {}): ListedNode {
  return file("variant.json", JSON.stringify({ name: "v", effect_class: "SE0", ...members }));
}

/** A variant of these files and a manifest. */
export async function variantOf(...files: ListedNode[]): Promise<Variant> {
  const found = inspectVariant(
    [manifest({ entry: files[0]?.path }), ...files],
    await loadSha256(),
  );
  if (!found.ok) throw new Error(found.reason);
  return found.value;
}
