/**
 * The program that runs servers of tests: Node, whatever runs the tests.
 *
 * @module
 */
import process from "node:process";

const { bun, deno } = process.versions as Record<string, string | undefined>;

/** A path, or a name in `PATH`. */
export const NODE: string = bun === undefined && deno === undefined ? process.execPath : "node";
