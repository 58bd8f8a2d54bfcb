/**
 * Capsules in a directory, over a port: the same code writes to a disk and to memory.
 *
 * @module
 */
export type { StoreEnvironment } from "./environment.ts";
export { requireVerified, verifyDirectory } from "./verified.ts";
export type { CreateOptions } from "./capsule_store.ts";
export {
  Capsule,
  createCapsule,
  openCapsule,
  projectDirectory,
  saveProjection,
} from "./capsule_store.ts";
export type { Appended, NewEntry } from "./append.ts";
export { appendEntry } from "./append.ts";
export type { Acknowledgement, SessionOptions } from "./session.ts";
export { openSession, Session } from "./session.ts";
export type { Bundle } from "./bundle.ts";
export { exportBundle } from "./bundle.ts";
export type { DirectoryReceiptOptions } from "./receipt_store.ts";
export { buildReceiptFor, checkReceiptFor } from "./receipt_store.ts";
export { createFile, readFileInput, readFilePieces, replaceFile } from "./files.ts";
export type { MemoryNode } from "./memory.ts";
export { MemoryDirectory } from "./memory.ts";
export type { StoreCase, StoreHost } from "./suite.ts";
export { storeSuite } from "./suite.ts";
