/**
 * Reads parts of files that may be larger than memory.
 *
 * @module
 */
import { Utf8Checker } from "../core/mod.ts";

/** How a file is read: in pieces of this size, with a word after each of them. */
export interface Reading {
  /** Bytes of a piece: few where a page must stay responsive meanwhile. */
  readonly pieceBytes: number;
  /** Called before each piece; throws to end the reading. */
  readonly beforePiece?: (piece: Uint8Array, byte: number) => void;
}

/** The pieces of a file. Between two of them the event loop has its turn. */
export async function* piecesOf(
  file: Blob,
  { pieceBytes, beforePiece }: Reading,
): AsyncGenerator<Uint8Array, void, undefined> {
  for (let byte = 0; byte < file.size; byte += pieceBytes) {
    const piece = await readRange(file, byte, byte + pieceBytes);
    beforePiece?.(piece, byte);
    yield piece;
  }
}

/** The bytes from one offset to another, or to the end. */
export async function readRange(file: Blob, from: number, to: number): Promise<Uint8Array> {
  return new Uint8Array(await file.slice(Math.max(0, from), to).arrayBuffer());
}

const LF = 0x0a;
const SCAN: Reading = { pieceBytes: 1 << 20 };

/** Where the line with this index starts; the size of the file when it has fewer. */
export async function findLine(file: Blob, index: number): Promise<number> {
  if (index === 0) return 0;
  let byte = 0;
  for await (const piece of piecesOf(file, SCAN)) {
    for (let at = piece.indexOf(LF); at >= 0; at = piece.indexOf(LF, at + 1)) {
      if (--index === 0) return byte + at + 1;
    }
    byte += piece.length;
  }
  return file.size;
}

/** How far back the start of a line is looked for: 1 MiB. */
const LONGEST_LOOK_BACK = 1 << 20;

/** Where the line starts that an offset lies in. Of a very long line only the part before the offset counts. */
export async function findLineStart(file: Blob, byte: number): Promise<number> {
  const from = Math.max(0, byte - LONGEST_LOOK_BACK);
  const piece = await readRange(file, from, byte);
  const at = piece.lastIndexOf(LF);
  return at >= 0 ? from + at + 1 : from;
}

/** Offset of the first byte that begins no valid UTF-8 sequence. */
export async function findBadUtf8(file: Blob): Promise<number> {
  const checker = new Utf8Checker();
  for await (const piece of piecesOf(file, SCAN)) {
    if (!checker.write(piece)) break;
  }
  return checker.whole;
}

/** A line as it is shown: its start, and how much more there is. */
export interface RawLine {
  /** Where it starts. */
  readonly byte: number;
  /** Its first characters; bytes that are no UTF-8 come out as U+FFFD. */
  readonly text: string;
  /** Is more of it in the file than `text` holds? */
  readonly isCut: boolean;
}

const SHOWN_BYTES = 4000;
const WINDOW_BYTES = 1 << 16;
const lenient = new TextDecoder("utf-8", { ignoreBOM: true });

/** The lines that end before an offset, the nearest last; only as far back as one window reaches. */
export async function linesBefore(file: Blob, byte: number, count: number): Promise<RawLine[]> {
  const from = Math.max(0, byte - WINDOW_BYTES);
  const window = await readRange(file, from, byte);
  const lines: RawLine[] = [];
  let end = window.length - 1; // at the line feed before the offset
  while (lines.length < count && end >= 0) {
    const at = end === 0 ? -1 : window.lastIndexOf(LF, end - 1);
    if (at < 0 && from > 0) break; // it starts before the window
    lines.unshift(rawLine(window.subarray(at + 1, end), from + at + 1));
    end = at;
  }
  return lines;
}

/** The lines from an offset on; the last one may be cut where the window ends. */
export async function linesFrom(file: Blob, byte: number, count: number): Promise<RawLine[]> {
  const window = await readRange(file, byte, byte + WINDOW_BYTES);
  const lines: RawLine[] = [];
  for (let from = 0; lines.length < count && from < window.length;) {
    const at = window.indexOf(LF, from);
    const isOpen = at < 0 && byte + window.length < file.size;
    lines.push(rawLine(window.subarray(from, at < 0 ? undefined : at), byte + from, isOpen));
    if (at < 0) break;
    from = at + 1;
  }
  return lines;
}

function rawLine(bytes: Uint8Array, byte: number, isOpen = false): RawLine {
  const text = lenient.decode(bytes.subarray(0, SHOWN_BYTES));
  return { byte, text, isCut: isOpen || bytes.length > SHOWN_BYTES };
}
