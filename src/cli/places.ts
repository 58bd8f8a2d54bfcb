/**
 * Where the paths that are typed lead, so that what is written replaces nothing that is read.
 *
 * @module
 */
import { realpath } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";

/** A path without links, as far as it exists. */
export async function truePath(path: string): Promise<string> {
  const place = resolve(path);
  const parent = dirname(place);
  try {
    return await realpath(place);
  } catch {
    return parent === place ? place : join(await truePath(parent), basename(place));
  }
}

/** Is a path a directory, or something that is or would be in it, also by way of links? */
export async function isWithin(path: string, directory: string): Promise<boolean> {
  const root = await truePath(directory);
  for (let place = await truePath(path);; place = dirname(place)) {
    if (place === root) return true;
    if (place === dirname(place)) return false;
  }
}
