/**
 * Variants: a directory with a manifest `variant.json`, looked at and never run.
 *
 * Rule: `docs/spec/gate.md`, "Variants".
 *
 * @module
 */
import { fail, isPlainObject, MAX_TEXT_BYTES, ok } from "../core/mod.ts";
import type { Fail, Result } from "../core/mod.ts";
import { parseJson } from "../canonical/mod.ts";
import { isEffectClass } from "../capsule/mod.ts";
import type { EffectClass } from "../capsule/mod.ts";
import type { Digest, Sha256 } from "../hash/mod.ts";
import type { Listing } from "../ports/mod.ts";
import type { GateCode } from "./codes.ts";
import { decodeTolerantly } from "./text.ts";
import { digestFiles, walkTree } from "./tree.ts";
import type { ListedFileNode, TreeOptions } from "./tree.ts";

/** The file that makes a directory a variant. */
export const VARIANT_MANIFEST = "variant.json";

/** Why a directory is no variant. */
export type VariantCode = Extract<GateCode, `gate.variant_${string}`>;

/** What a variant was found to be. What it does when it is run, nobody looked at. */
export interface Variant {
  /** As its manifest says. */
  readonly name: string;
  /** What its manifest declares, which nothing here checks. */
  readonly effect_class: EffectClass;
  /** Path of the file that would be run. */
  readonly entry: string;
  /** Digest of the tree. */
  readonly digest: Digest;
  /** The files of the tree, in walk order. */
  readonly files: readonly ListedFileNode[];
}

/** Settings of {@linkcode inspectVariant}. */
export interface VariantOptions extends TreeOptions {
  /** Largest manifest in bytes. Default 64 MiB. */
  readonly maxManifestBytes?: number;
}

const NAME = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/;
const DRIVE = /^[A-Za-z]:\//; // what Windows takes as absolute, but for a leading slash and backslashes

/**
 * Inspects the tree of a variant. Nothing in it is executed.
 *
 * @throws {TypeError} when the listing breaks its duties. @throws {RangeError} for what is no locale.
 *
 * @example
 * ```ts
 * import { inspectVariant, scanTripwires } from "affidavit/gate";
 * import { loadSha256 } from "affidavit/hash";
 *
 * const file = (path: string, text: string) =>
 *   ({ path, kind: "file", bytes: new TextEncoder().encode(text) }) as const;
 * const listing = [
 *   file("variant.json", '{"name":"candidate-1","effect_class":"SE0"}'),
 *   file("run.js", "fetch('https://example.org')\n"),
 * ];
 * const variant = inspectVariant(listing, await loadSha256());
 * if (variant.ok) console.log(variant.value.entry, scanTripwires(variant.value).length); // run.js 1
 * ```
 */
export function inspectVariant(
  listing: Listing,
  sha256: Sha256,
  options: VariantOptions = {},
): Result<Variant, VariantCode> {
  const manifest = readManifest(listing, options.maxManifestBytes ?? MAX_TEXT_BYTES);
  if (!manifest.ok) return manifest;
  const { name, effect_class, entry } = manifest.value;
  const files = walkTree(listing, options);
  if (!files.ok) return files;
  if (!files.value.some(({ path }) => path === entry)) {
    return refuse('its "entry" is no file of the tree');
  }
  const digest = digestFiles(files.value, sha256);
  return ok({ name, effect_class, entry, digest, files: files.value });
}

type Manifest = Pick<Variant, "name" | "effect_class" | "entry">;

function readManifest(listing: Listing, maxBytes: number): Result<Manifest, VariantCode> {
  const node = listing.find(({ path }) => path === VARIANT_MANIFEST);
  if (node === undefined && !listing.some(({ path }) => path.startsWith(`${VARIANT_MANIFEST}/`))) {
    return fail("gate.variant_missing", `Reading a variant: there is no ${VARIANT_MANIFEST}`);
  }
  if (node?.kind !== "file") return refuse("it is no regular file");
  if (node.bytes.length > maxBytes) return refuse(`it is larger than ${maxBytes} bytes`);
  const parsed = parseJson(decodeTolerantly(node.bytes));
  if (!parsed.ok) {
    return refuse(parsed.code === "json.syntax" ? "it is not JSON" : "it is too deep");
  }
  return isPlainObject(parsed.value) ? validateManifest(parsed.value) : refuse("it is no object");
}

function validateManifest(manifest: object): Result<Manifest, VariantCode> {
  const { name, effect_class, entry = "run.js" } = manifest as Record<string, unknown>;
  if (typeof name !== "string" || !NAME.test(name)) {
    return refuse('its "name" is not 1 to 64 letters, digits, "_" and "-"');
  }
  if (!isEffectClass(effect_class)) return refuse('its "effect_class" is none of SE0 to SE4');
  const normal = typeof entry === "string" ? normaliseEntry(entry) : undefined;
  if (normal === undefined) return refuse('its "entry" is no path within the tree');
  return ok({ name, effect_class, entry: normal });
}

/** A path within the tree, spelled as listings spell it; a final slash stays and then names no file. */
function normaliseEntry(entry: string): string | undefined {
  const parts = entry.split("/");
  const isAbsolute = entry.startsWith("/") || DRIVE.test(entry);
  if (entry === "" || isAbsolute || entry.includes("\\") || parts.includes("..")) return undefined;
  const kept = parts.filter((part) => part !== "" && part !== ".");
  return kept.join("/") + (entry.endsWith("/") ? "/" : "");
}

function refuse(why: string): Fail<"gate.variant_invalid"> {
  return fail("gate.variant_invalid", `Reading ${VARIANT_MANIFEST} of a variant: ${why}`, {
    path: VARIANT_MANIFEST,
  });
}
