/**
 * Adapters for Node, Deno and Bun: capsules and receipts by path.
 *
 * @module
 */
export type { BuildOptions, CheckReceiptOptions } from "./capsule.ts";
export {
  appendEntry,
  buildReceipt,
  checkReceipt,
  createCapsule,
  exportBundle,
  openCapsule,
  openSession,
  projectCapsule,
  verifyCapsule,
} from "./capsule.ts";
export { consumptionStoreAt, openConsumptionStore } from "./consumption_store.ts";
export { directoryAt } from "./directory.ts";
export { systemEnvironment } from "./environment.ts";
export {
  digestFileAt,
  fileAt,
  readFileAt,
  readReceiptAt,
  writeFileAt,
  writeReceipt,
} from "./files.ts";
export type { LoadedVariant } from "./gate.ts";
export { loadTaskset, loadVariant } from "./gate.ts";
export type { ListedDirectory, ListingOptions } from "./listing.ts";
export { readListing } from "./listing.ts";
export { groupCapsules } from "./retrospective.ts";
export { fixtureStoreAt, openFixtureStore } from "./fixture_store.ts";
export type { TreeOptions } from "./seal_tree.ts";
export { checkDeliverable, sealDeliverable, treeAt } from "./seal_tree.ts";
export { nativeSha256 } from "./sha256.ts";
export type { Peer, PeerEnd, PeerOptions } from "./peer.ts";
export { startPeer } from "./peer.ts";
export type { RelayClient, Relayed, RelayOptions } from "./relay.ts";
export { Relay } from "./relay.ts";
export type { StdioSpec } from "./stdio_spec.ts";
export { defaultEnvironment } from "./stdio_spec.ts";
export type { StdioClientOptions, StdioOptions } from "./stdio.ts";
export { McpStdioClient, stdioTransport } from "./stdio.ts";
export { systemTimers } from "./timers.ts";
export { openDiskWorkspace } from "./workspace.ts";
