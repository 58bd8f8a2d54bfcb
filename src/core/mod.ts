/**
 * What every area may use: results, errors, bytes and bounds.
 *
 * @module
 */
export type { At, Fail, Ok, Result } from "./result.ts";
export { fail, formatPointer, ok } from "./result.ts";
export { codeOf, EvidenceError, IoError } from "./errors.ts";
export type { ByteSource } from "./bytes.ts";
export {
  ByteBuffer,
  compareCodeUnits,
  decodeUtf8,
  encodeHex,
  encodeUtf8,
  findInvalidUtf8,
  readPieces,
  SourceError,
  Utf8Checker,
} from "./bytes.ts";
export type { FileInput, Unreadable } from "./file.ts";
export { isUnreadable, readWhole } from "./file.ts";
export { isPlainObject, ownData } from "./plain.ts";
export { escapeText } from "./show.ts";
export { MAX_DEPTH, MAX_TEXT_BYTES } from "./limits.ts";
export { VERSION } from "./version.ts";
