/**
 * Why a recorder stopped.
 *
 * @module
 */
import { EvidenceError } from "../core/mod.ts";
import type { RecordingCode } from "./codes.ts";

/** A recorder cannot go on: what passes from now on would not be recorded. */
export class RecordingError extends EvidenceError {
  /** One of `RECORDING_CODES`. */
  declare readonly code: RecordingCode;

  /** `cause` is the failure of the journal or of the store. */
  constructor(code: RecordingCode, message: string, cause: unknown) {
    super(code, message, { cause });
  }
}
