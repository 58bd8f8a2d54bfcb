/**
 * Lines out of bytes that arrive cut anywhere. Every byte is looked at once, so the cost is linear however they are cut.
 *
 * Rule: `docs/spec/mcp-stdio.md`, "Framing".
 *
 * @module
 */
import { ByteBuffer } from "../core/mod.ts";

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/**
 * Takes a line: without its line end, and whole but for the line feed. Both are valid during the call only. False stops
 * the framer.
 */
export type TakeLine = (line: Uint8Array, whole: Uint8Array) => boolean;

/** Splits at line feeds, takes one carriage return off the end of a line, and passes over empty lines. */
export class Framer {
  readonly #maxBytes: number;
  readonly #take: TakeLine;
  readonly #partial = new ByteBuffer();
  #isStopped = false;

  /** `take` gets the lines. @param maxBytes longest line in bytes, without its line feed. */
  constructor(maxBytes: number, take: TakeLine) {
    this.#maxBytes = maxBytes;
    this.#take = take;
  }

  /** Bytes of the line that is not finished yet. */
  get pending(): number {
    return this.#partial.length;
  }

  /**
   * Takes the next bytes.
   *
   * @returns false, and takes no more, once a line is longer than the bound, whether it is finished or not.
   */
  push(chunk: Uint8Array): boolean {
    let start = 0;
    while (!this.#isStopped) {
      const end = chunk.indexOf(LINE_FEED, start);
      const part = chunk.subarray(start, end < 0 ? chunk.length : end);
      if (this.#partial.length + part.length > this.#maxBytes) {
        this.#isStopped = true;
        this.#partial.clear();
        return false;
      }
      if (end < 0) {
        this.#partial.append(part);
        return true;
      }
      start = end + 1;
      this.#finish(part);
    }
    return true;
  }

  /** Forgets everything and takes nothing more. */
  stop(): void {
    this.#isStopped = true;
    this.#partial.clear();
  }

  #finish(part: Uint8Array): void {
    if (this.#partial.length > 0) this.#partial.append(part);
    const whole = this.#partial.length > 0 ? this.#partial.view() : part;
    const line = whole.at(-1) === CARRIAGE_RETURN ? whole.subarray(0, -1) : whole;
    if (line.length > 0 && !this.#take(line, whole)) this.#isStopped = true;
    this.#partial.clear();
  }
}

/** A line with its line feed. */
export function withLineFeed(line: Uint8Array): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(line.length + 1);
  bytes.set(line);
  bytes[line.length] = LINE_FEED;
  return bytes;
}
