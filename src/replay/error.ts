/**
 * What making a replayer, or a call on one, throws when it is refused.
 *
 * @module
 */
import { EvidenceError } from "../core/mod.ts";
import type { ReplayCode } from "./codes.ts";
import type { Miss } from "./miss.ts";

/** A replayer or a call was refused. */
export class ReplayError extends EvidenceError {
  /** Why it was refused. */
  declare readonly code: ReplayCode;
  /** What is recorded instead, with `tool.fixture_missing`. */
  readonly miss: Miss | undefined;

  /** `options.miss` is what is recorded instead. */
  constructor(
    code: ReplayCode,
    message: string,
    options: { cause?: unknown; miss?: Miss } = {},
  ) {
    super(code, message, "cause" in options ? { cause: options.cause } : {});
    this.miss = options.miss;
  }
}
