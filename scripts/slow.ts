/**
 * `npm run test:slow`: tests that need minutes or gigabytes, apart from `npm test`.
 *
 * @module
 */
import { runAndExit } from "../test/harness/exit.ts";

const list = {
  "slow/kill.ts": (): Promise<unknown> => import("../test/slow/kill.ts"),
  "slow/memory.ts": (): Promise<unknown> => import("../test/slow/memory.ts"),
  "slow/page.ts": (): Promise<unknown> => import("../test/slow/page.ts"),
  "slow/replay_kill.ts": (): Promise<unknown> => import("../test/slow/replay_kill.ts"),
};
await runAndExit(list, { timeoutMs: 3_600_000 });
