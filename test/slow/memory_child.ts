/**
 * `memory_child.ts DIRECTORY` verifies a capsule and prints the verdict and the time it took.
 *
 * @module
 */
import process from "node:process";
import { verifyCapsule } from "../../src/node/mod.ts";

const started = process.hrtime.bigint();
const { code, failed_at, entry_count } = await verifyCapsule(process.argv[2] ?? "");
const seconds = Number((process.hrtime.bigint() - started) / 1_000_000n) / 1000;
console.log(JSON.stringify({ verdict: { code, failed_at, entry_count }, seconds }));
