/**
 * The files of the live lane. They are in neither list of `npm test`, since they need packages from the registry.
 *
 * @module
 */
import type { TestList } from "../harness/runner.ts";

/** Files by their path below `test/`. */
export const LIVE: TestList = {
  "live/everything.ts": () => import("./everything.ts"),
  "live/conformance.ts": () => import("./conformance.ts"),
  "live/record.ts": () => import("./record.ts"),
};
