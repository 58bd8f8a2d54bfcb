/**
 * Interfaces that the pure code asks for: types and duties, no code.
 *
 * @module
 */
export type { Clock, RandomBytes } from "./clock.ts";
export type { Directory, FileInfo, OpenFile } from "./directory.ts";
export type { ListedNode, Listing } from "./listing.ts";
export type { FixtureStore } from "./fixture_store.ts";
export type { Timers } from "./timers.ts";
export type { PeerExit, Transport, TransportEvents } from "./transport.ts";
export type { Awaitable, FileTree, TreeFile, TreeNode } from "./tree.ts";
export type { Consumption, ConsumptionStore, RepeatSlot, ReplayState } from "./consumption.ts";
