/**
 * The entry of both lanes in Node, Deno and Bun: `test/index.ts pure|adapters [PART]`, where PART
 * keeps the files whose path holds it. The lists of files are in pure.ts and adapters.ts; a page
 * runs page.ts instead.
 *
 * @module
 */
import process from "node:process";
import { ADAPTERS } from "./adapters.ts";
import { runAndExit } from "./harness/exit.ts";
import { PURE } from "./pure.ts";

const lanes = { pure: PURE, adapters: ADAPTERS };
const [lane, part = ""] = process.argv.slice(2);
if (lane !== "pure" && lane !== "adapters") {
  throw new Error(`Choosing a lane: wanted "pure" or "adapters", found "${lane}"`);
}
const chosen = Object.entries(lanes[lane]).filter(([file]) => file.includes(part));
await runAndExit(Object.fromEntries(chosen));
