/**
 * Bytes and text: strict UTF-8 and hexadecimal, and the shapes in which bytes may arrive.
 *
 * @module
 */

/**
 * Bytes at hand or in pieces. Pieces may be cut anywhere and a piece may be reused by its source once the next one is
 * asked for: nothing here keeps a reference to it.
 */
export type ByteSource =
  | Uint8Array
  | Iterable<Uint8Array>
  | AsyncIterable<Uint8Array>
  | ReadableStream<Uint8Array>
  | Blob;

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** The UTF-8 bytes of a text. An unpaired surrogate has none and comes out as U+FFFD: canonical forms escape it first. */
export function encodeUtf8(text: string): Uint8Array<ArrayBuffer> {
  return encoder.encode(text);
}

/** The text of UTF-8 bytes, a leading byte order mark included; `undefined` when they are not valid UTF-8. */
export function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return decoder.decode(bytes);
  } catch {
    return undefined;
  }
}

/** Offset of the first byte that begins no valid UTF-8 sequence; the length when there is none. */
export function findInvalidUtf8(bytes: Uint8Array): number {
  const checker = new Utf8Checker();
  checker.write(bytes);
  return checker.whole;
}

/** Checks bytes that arrive in pieces for UTF-8, by Unicode's table 3-7, and makes no text of them. */
export class Utf8Checker {
  #whole = 0;
  #started = 0;
  #needed = 0;
  #lowest = 0x80;
  #highest = 0xbf;
  #isValid = true;

  /** Bytes of whole characters before the first fault, or so far. */
  get whole(): number {
    return this.#whole;
  }

  /** Were all bytes valid, and was no character cut at the end? */
  get isComplete(): boolean {
    return this.#isValid && this.#needed === 0;
  }

  /** Takes the next bytes; false once one of them fits no character. */
  write(bytes: Uint8Array): boolean {
    for (let at = 0; at < bytes.length && this.#isValid; at++) this.#take(bytes[at]!);
    return this.#isValid;
  }

  #take(byte: number): void {
    if (this.#needed === 0) {
      this.#needed = byte < 0x80 ? 0 : byte < 0xe0 ? 1 : byte < 0xf0 ? 2 : 3;
      this.#isValid = byte < 0x80 || (byte >= 0xc2 && byte <= 0xf4);
      this.#lowest = byte === 0xe0 ? 0xa0 : byte === 0xf0 ? 0x90 : 0x80; // no longer spelling than needed
      this.#highest = byte === 0xed ? 0x9f : byte === 0xf4 ? 0x8f : 0xbf; // no surrogate, nothing past Unicode
    } else {
      this.#isValid = byte >= this.#lowest && byte <= this.#highest;
      this.#needed--;
      this.#lowest = 0x80; // measured: as one assignment of a list it leaves garbage for every byte in Bun
      this.#highest = 0xbf;
    }
    if (!this.#isValid) return;
    this.#started++;
    if (this.#needed > 0) return;
    this.#whole += this.#started;
    this.#started = 0;
  }
}

/** Lower-case hexadecimal. */
export function encodeHex(bytes: Uint8Array): string {
  let text = "";
  for (const byte of bytes) text += (byte < 16 ? "0" : "") + byte.toString(16);
  return text;
}

/** Collects bytes that arrive in pieces of any size, at a cost linear in their number. */
export class ByteBuffer {
  #bytes = new Uint8Array(0);
  #length = 0;

  /** Bytes collected. */
  get length(): number {
    return this.#length;
  }

  /** Copies a piece to the end. */
  append(piece: Uint8Array): void {
    const length = this.#length + piece.length;
    if (length > this.#bytes.length) {
      const grown = new Uint8Array(Math.max(length, 4 * this.#bytes.length));
      grown.set(this.#bytes.subarray(0, this.#length));
      this.#bytes = grown;
    }
    this.#bytes.set(piece, this.#length);
    this.#length = length;
  }

  /** What was collected; valid until the next change. */
  view(): Uint8Array {
    return this.#bytes.subarray(0, this.#length);
  }

  /** Forgets everything, and gives large memory back. */
  clear(): void {
    this.#length = 0;
    if (this.#bytes.length > 1 << 20) this.#bytes = new Uint8Array(0);
  }
}

/** Orders texts by UTF-16 code unit, the order of the canonical forms; never by locale. */
export function compareCodeUnits(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/**
 * The pieces of a byte source, one by one.
 *
 * @throws {TypeError} when the source is none of the accepted shapes or yields something that is no `Uint8Array`.
 * What the source itself throws while it is read comes out wrapped as {@linkcode SourceError}.
 */
export async function* readPieces(source: ByteSource): AsyncGenerator<Uint8Array, void, undefined> {
  if (source instanceof Uint8Array) {
    yield source;
    return;
  }
  const pieces = iteratorOf(source);
  let finished = false;
  try {
    for (;;) {
      const step = await pieces.next().catch((cause: unknown) => {
        finished = true; // a source that failed is not asked to stop
        throw new SourceError(cause);
      });
      if (step.done === true) {
        finished = true;
        return;
      }
      if (!(step.value instanceof Uint8Array)) {
        throw new TypeError("A byte source must yield Uint8Array pieces");
      }
      yield step.value;
    }
  } finally {
    // What was read is judged already: a source that cannot stop cleanly changes nothing about it.
    if (!finished) await pieces.stop().catch(() => undefined);
  }
}

/** A byte source failed while it was read; `cause` is what it threw. */
export class SourceError extends Error {
  /** `cause` is what the source threw. */
  constructor(cause: unknown) {
    super("The byte source failed while it was read", { cause });
    this.name = "SourceError";
  }
}

interface Pieces {
  next(): Promise<{ done?: boolean | undefined; value?: unknown }>;
  stop(): Promise<void>;
}

function iteratorOf(source: Exclude<ByteSource, Uint8Array>): Pieces {
  const wanted = "Bytes must be a Uint8Array, an iterable of them, a ReadableStream or a Blob";
  if (typeof source !== "object" || source === null) throw new TypeError(wanted);
  if (typeof Blob !== "undefined" && source instanceof Blob) return iteratorOf(source.stream());
  if ("getReader" in source) { // not every browser iterates a ReadableStream
    const reader = source.getReader();
    return { next: () => reader.read(), stop: () => reader.cancel() };
  }
  if (Symbol.asyncIterator in source) {
    const iterator = source[Symbol.asyncIterator]();
    return {
      next: async () => await iterator.next(),
      stop: async () => void await iterator.return?.(),
    };
  }
  if (Symbol.iterator in source) {
    const iterator = source[Symbol.iterator]();
    const later = <T>(step: () => T) => new Promise<T>((resolve) => resolve(step())); // a throw becomes a rejection
    return {
      next: () => later(() => iterator.next()),
      stop: () => later(() => void iterator.return?.()),
    };
  }
  throw new TypeError(wanted);
}
