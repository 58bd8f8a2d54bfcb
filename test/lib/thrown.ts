/**
 * What a call throws, for asserting its type, code and message at once.
 *
 * @module
 */

/** An error in plain members, `code` only where it has one. */
export interface Thrown {
  name: string;
  message: string;
  code?: string;
}

/** What this call throws; fails when it throws nothing. */
export function thrownBy(run: () => unknown): unknown {
  let value: unknown;
  try {
    value = run();
  } catch (error) {
    return error;
  }
  throw new Error(`Nothing was thrown, the call gave ${String(value)}`);
}

/** What this promise is rejected with; fails when it is fulfilled. */
export async function rejectionOf(promise: Promise<unknown>): Promise<unknown> {
  const settled = await promise.then((value) => ({ value }), (error: unknown) => ({ error }));
  if ("error" in settled) return settled.error;
  throw new Error(`Nothing was thrown, the promise gave ${String(settled.value)}`);
}

/** The members of an error that callers may rely on. */
export function describe(error: unknown): Thrown {
  if (!(error instanceof Error)) throw new Error(`No Error was thrown but ${String(error)}`);
  const { name, message } = error;
  return "code" in error ? { name, code: String(error.code), message } : { name, message };
}
