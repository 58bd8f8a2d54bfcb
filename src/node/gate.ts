/**
 * Task sets and variants by path, for Node, Deno and Bun. They are read; nothing is executed.
 *
 * @module
 */
import { resolve } from "node:path";
import { MAX_TEXT_BYTES, ok } from "../core/mod.ts";
import type { Result } from "../core/mod.ts";
import { inspectVariant, parseTaskset } from "../gate/mod.ts";
import type { Taskset, Variant, VariantCode, VariantOptions } from "../gate/mod.ts";
import type { Sha256 } from "../hash/mod.ts";
import { systemEnvironment } from "./environment.ts";
import { readReceiptAt } from "./files.ts";
import { readListing } from "./listing.ts";
import type { ListingOptions } from "./listing.ts";

/** A variant, and where it is. */
export interface LoadedVariant extends Variant {
  /** The path of its directory with all links followed. */
  readonly dir: string;
}

/** Reads the task set in a file. @throws {IoError} with the system's code when it cannot be read. */
export async function loadTaskset(
  path: string,
  options: { readonly maxBytes?: number } = {},
  sha256: Sha256 = systemEnvironment().sha256,
): Promise<Result<Taskset, "gate.taskset_invalid">> {
  const bytes = await readReceiptAt(path, options.maxBytes ?? MAX_TEXT_BYTES);
  return parseTaskset(bytes, resolve(path), sha256, options);
}

/**
 * Inspects the variant in a directory, following no link below it. Content never makes it throw.
 *
 * @throws {IoError} with the system's code when the tree cannot be read, `EFBIG` when it is over the bounds.
 */
export async function loadVariant(
  path: string,
  options: VariantOptions & ListingOptions = {},
  sha256: Sha256 = systemEnvironment().sha256,
): Promise<Result<LoadedVariant, VariantCode>> {
  const { dir, listing } = await readListing(path, options);
  const variant = inspectVariant(listing, sha256, options);
  return variant.ok ? ok({ dir, ...variant.value }) : variant;
}
