/**
 * How a refused call shows in an answer.
 *
 * @module
 */
import { EvidenceError } from "../core/mod.ts";
import { CapsuleError } from "../capsule/mod.ts";
import type { Output } from "./input.ts";

/** Runs a call; what it throws on purpose becomes a refusal, and anything else stays an exception. */
export async function attempt(call: () => Output | Promise<Output>): Promise<Output> {
  try {
    return { ok: true, ...await call() };
  } catch (error) {
    return { ok: false, ...describe(error) };
  }
}

function describe(error: unknown): Output {
  if (error instanceof CapsuleError) return { code: error.code, failed_at: error.failed_at };
  if (error instanceof EvidenceError) return { code: error.code };
  // Wrong arguments, such as an allowlist that is no list: refused without a code.
  if (error instanceof TypeError || error instanceof RangeError) return { message: error.message };
  throw error;
}
