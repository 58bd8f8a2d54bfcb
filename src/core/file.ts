/**
 * A file as a verifier gets it: its bytes, nothing, or a reason why it cannot be read.
 *
 * @module
 */
import { ByteBuffer, readPieces, SourceError } from "./bytes.ts";
import type { ByteSource } from "./bytes.ts";
import { codeOf } from "./errors.ts";
import { fail, ok } from "./result.ts";
import type { Result } from "./result.ts";

/** A file that is there but cannot be read, or is no regular file. */
export interface Unreadable {
  /** Why, in words without private paths. */
  readonly unreadable: string;
}

/** The bytes of a file, `null` when it is absent, or why it cannot be read. */
export type FileInput = ByteSource | Unreadable | null;

/** Is this the stand-in for a file that cannot be read? */
export function isUnreadable(input: FileInput): input is Unreadable {
  return typeof input === "object" && input !== null && "unreadable" in input;
}

/** The whole of a file that is expected to be small, or why it could not be had. */
export async function readWhole(
  input: FileInput,
  maxBytes: number,
): Promise<Result<Uint8Array, "absent" | "unreadable" | "too_large">> {
  if (input === null) return fail("absent", "absent");
  if (isUnreadable(input)) return fail("unreadable", `unreadable: ${input.unreadable}`);
  const whole = new ByteBuffer();
  try {
    for await (const piece of readPieces(input)) {
      if (whole.length + piece.length > maxBytes) {
        return fail("too_large", `larger than ${maxBytes} bytes`);
      }
      whole.append(piece);
    }
  } catch (error) {
    if (error instanceof SourceError) {
      const why = codeOf(error.cause);
      return fail("unreadable", `unreadable: reading failed${why === undefined ? "" : `: ${why}`}`);
    }
    throw error;
  }
  return ok(whole.view());
}
