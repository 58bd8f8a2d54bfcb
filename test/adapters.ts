/**
 * The ADAPTERS lane: test files that need a file system, processes or a terminal. They run in
 * Node, Deno and Bun, with equal counts demanded.
 *
 * To add a file, add its line: the path below test/ as the key and as the literal import.
 * test/house/lists.test.ts compares the lists with the disk.
 *
 * @module
 */
import type { TestList } from "./harness/runner.ts";

export const ADAPTERS: TestList = {
  "canonical/jcs_peer.test.ts": () => import("./canonical/jcs_peer.test.ts"),
  "cli/capsule.test.ts": () => import("./cli/capsule.test.ts"),
  "cli/deliverable.test.ts": () => import("./cli/deliverable.test.ts"),
  "cli/evaluation.test.ts": () => import("./cli/evaluation.test.ts"),
  "cli/example.test.ts": () => import("./cli/example.test.ts"),
  "cli/identity.test.ts": () => import("./cli/identity.test.ts"),
  "cli/gate.test.ts": () => import("./cli/gate.test.ts"),
  "cli/group.test.ts": () => import("./cli/group.test.ts"),
  "cli/mcp.test.ts": () => import("./cli/mcp.test.ts"),
  "cli/output.test.ts": () => import("./cli/output.test.ts"),
  "cli/page.test.ts": () => import("./cli/page.test.ts"),
  "cli/process.test.ts": () => import("./cli/process.test.ts"),
  "cli/record.test.ts": () => import("./cli/record.test.ts"),
  "cli/receipt.test.ts": () => import("./cli/receipt.test.ts"),
  "cli/replay.test.ts": () => import("./cli/replay.test.ts"),
  "cli/signature.test.ts": () => import("./cli/signature.test.ts"),
  "cli/usage.test.ts": () => import("./cli/usage.test.ts"),
  "cli/verify.test.ts": () => import("./cli/verify.test.ts"),
  "conformance/disk.test.ts": () => import("./conformance/disk.test.ts"),
  "conformance/serve.test.ts": () => import("./conformance/serve.test.ts"),
  "docs/deliverable.test.ts": () => import("./docs/deliverable.test.ts"),
  "docs/evaluation.test.ts": () => import("./docs/evaluation.test.ts"),
  "docs/guide.test.ts": () => import("./docs/guide.test.ts"),
  "docs/gate.test.ts": () => import("./docs/gate.test.ts"),
  "docs/links.test.ts": () => import("./docs/links.test.ts"),
  "docs/readme.test.ts": () => import("./docs/readme.test.ts"),
  "docs/recording.test.ts": () => import("./docs/recording.test.ts"),
  "docs/spec.test.ts": () => import("./docs/spec.test.ts"),
  "gate/static.test.ts": () => import("./gate/static.test.ts"),
  "house/boundaries.test.ts": () => import("./house/boundaries.test.ts"),
  "house/docs.test.ts": () => import("./house/docs.test.ts"),
  "house/entry.test.ts": () => import("./house/entry.test.ts"),
  "house/exports.test.ts": () => import("./house/exports.test.ts"),
  "house/lists.test.ts": () => import("./house/lists.test.ts"),
  "mcp/hostile.test.ts": () => import("./mcp/hostile.test.ts"),
  "mcp/stdio.test.ts": () => import("./mcp/stdio.test.ts"),
  "node/consumption.test.ts": () => import("./node/consumption.test.ts"),
  "node/faults.test.ts": () => import("./node/faults.test.ts"),
  "node/files.test.ts": () => import("./node/files.test.ts"),
  "node/fixture_store.test.ts": () => import("./node/fixture_store.test.ts"),
  "node/gate.test.ts": () => import("./node/gate.test.ts"),
  "node/hostile.test.ts": () => import("./node/hostile.test.ts"),
  "node/kill.test.ts": () => import("./node/kill.test.ts"),
  "node/processes.test.ts": () => import("./node/processes.test.ts"),
  "node/relay.test.ts": () => import("./node/relay.test.ts"),
  "node/seal_tree.test.ts": () => import("./node/seal_tree.test.ts"),
  "node/suite.test.ts": () => import("./node/suite.test.ts"),
  "schema/json_schema.test.ts": () => import("./schema/json_schema.test.ts"),
};
