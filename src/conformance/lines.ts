/**
 * Lines of a stream, split on LF alone: U+2028 and U+2029 may stand in a JSON string, and CR is white space to JSON.
 *
 * @module
 */
import { ByteBuffer } from "../core/mod.ts";

/** Default longest line of the protocol in bytes: 256 MiB, four times the largest text of the formats. */
export const MAX_LINE_BYTES: number = 256 * 1024 * 1024;

const LF = 0x0a;

/**
 * The lines of a stream without their line feeds, and what follows the last one when that is not empty. A line that is
 * longer than it may be comes out as `null`. Each array is valid until the next is asked for.
 */
export async function* splitLines(
  source: AsyncIterable<Uint8Array>,
  maxLineBytes: number = MAX_LINE_BYTES,
): AsyncGenerator<Uint8Array | null, void, undefined> {
  const held = new ByteBuffer();
  let isTooLong = false;
  const hold = (part: Uint8Array): void => {
    isTooLong ||= held.length + part.length > maxLineBytes;
    if (isTooLong) held.clear();
    else held.append(part);
  };
  for await (const piece of source) {
    let from = 0;
    for (let end = piece.indexOf(LF); end >= 0; end = piece.indexOf(LF, from)) {
      hold(piece.subarray(from, end));
      yield isTooLong ? null : held.view();
      held.clear();
      isTooLong = false;
      from = end + 1;
    }
    hold(piece.subarray(from));
  }
  if (isTooLong) yield null;
  else if (held.length > 0) yield held.view();
}
