/**
 * The tests of verify.html, in Node with a headless Chromium: `node --import tsx test/web/index.ts [PART]`. To add a file,
 * add its line; `build.e2e.ts` compares the list with the disk.
 *
 * @module
 */
import process from "node:process";
import { runAndExit } from "../harness/exit.ts";
import type { TestList } from "../harness/runner.ts";

const PAGE: TestList = {
  "web/access.e2e.ts": () => import("./access.e2e.ts"),
  "web/build.e2e.ts": () => import("./build.e2e.ts"),
  "web/places.e2e.ts": () => import("./places.e2e.ts"),
  "web/timeline.e2e.ts": () => import("./timeline.e2e.ts"),
  "web/vectors.e2e.ts": () => import("./vectors.e2e.ts"),
  "web/verdicts.e2e.ts": () => import("./verdicts.e2e.ts"),
};

const part = process.argv[2] ?? "";
const chosen = Object.entries(PAGE).filter(([file]) => file.includes(part));
await runAndExit(Object.fromEntries(chosen), { timeoutMs: 300_000 });
