/**
 * `npm run test:live [-- PART]`: our MCP client, recorder and replay server against the official server, client and
 * conformance scenarios, which are installed and checked first. PART keeps the files whose path holds it.
 *
 * @module
 */
import process from "node:process";
import { runAndExit } from "../test/harness/exit.ts";
import { LIVE } from "../test/live/list.ts";
import { install } from "../test/live/packages.ts";

const [part = ""] = process.argv.slice(2);
for (const identity of await install()) console.log(identity);
const chosen = Object.entries(LIVE).filter(([file]) => file.includes(part));
await runAndExit(Object.fromEntries(chosen), { timeoutMs: 300_000 });
