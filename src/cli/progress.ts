/**
 * Progress of long reading, on a terminal only: one line on standard error that is drawn over and cleared at the end.
 *
 * @module
 */
import { isUnreadable, readPieces } from "../core/mod.ts";
import type { ByteSource, FileInput } from "../core/mod.ts";
import type { Output } from "./io.ts";

/** Below this size nothing is drawn: reading is over before a line could be read. */
const LONG_BYTES = 16 * 1024 * 1024;

/** Milliseconds between two drawings: at most ten a second. */
const PAUSE_MS = 100;

/** Where and when to draw; tests replace the clock and the size. */
export interface ProgressOptions {
  readonly longBytes?: number;
  readonly now?: () => number;
}

/** The same file; while it is read, how far that is shows on a terminal. */
export function withProgress(
  input: FileInput,
  totalBytes: number,
  stderr: Output,
  options: ProgressOptions = {},
): FileInput {
  const { longBytes = LONG_BYTES, now = () => Date.now() } = options;
  const isSource = input !== null && !isUnreadable(input);
  return isSource && stderr.isTerminal && totalBytes >= longBytes
    ? drawing(input, totalBytes, stderr, now)
    : input;
}

async function* drawing(
  source: ByteSource,
  totalBytes: number,
  stderr: Output,
  now: () => number,
): AsyncGenerator<Uint8Array, void, undefined> {
  let done = 0;
  let drawnAt = now();
  let isDrawn = false;
  try {
    for await (const piece of readPieces(source)) {
      done += piece.length;
      if (now() - drawnAt >= PAUSE_MS) {
        drawnAt = now();
        isDrawn = true;
        stderr.write(`\r\x1b[Kreading: ${megabytes(done)} of ${megabytes(totalBytes)} MB`);
      }
      yield piece;
    }
  } finally {
    if (isDrawn) stderr.write("\r\x1b[K");
  }
}

function megabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(1);
}
