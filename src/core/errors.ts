/**
 * Exceptions: misuse and input/output only. What is wrong *with the evidence* is a value (see `result.ts`), except
 * in calls whose whole purpose failed, such as an append that was refused.
 *
 * @module
 */

/** Base of every error this library throws on purpose. */
export class EvidenceError extends Error {
  /** Stable code such as `capsule.busy`, or the system code of an I/O failure such as `ENOSPC`. */
  readonly code: string;

  /** `code` becomes the property, `options.cause` what led to it. */
  constructor(code: string, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = new.target.name;
    this.code = code;
  }
}

/** A file operation failed; `code` is the system's own (`ENOENT`, `ENOSPC`, …), or `EIO` where it gave none. */
export class IoError extends EvidenceError {
  /** What was attempted, such as `open` or `fsync`. */
  readonly operation: string;

  /** `code` is the system's, `operation` what was attempted. */
  constructor(code: string, operation: string, message: string, options?: { cause?: unknown }) {
    super(code, message, options);
    this.operation = operation;
  }
}

/** The code of anything thrown: its own text `code`, else `undefined`. */
export function codeOf(error: unknown): string | undefined {
  if (typeof error !== "object" || error === null || !("code" in error)) return undefined;
  return typeof error.code === "string" ? error.code : undefined;
}
