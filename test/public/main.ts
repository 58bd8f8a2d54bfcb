/**
 * Prints the verdicts of the public suites in the runtime at hand: the files come as JSON on standard input.
 *
 * @module
 */
import process from "node:process";
import { judge } from "./judge.ts";
import type { Files } from "./judge.ts";

let input = "";
for await (const piece of process.stdin.setEncoding("utf8")) input += String(piece);
process.stdout.write(JSON.stringify(await judge(JSON.parse(input) as Files)));
