/**
 * Where each entry of a journal stands and what sort it is, in a few bytes an entry: enough to draw, filter and find
 * millions of them. The text of an entry stays in the file until somebody looks at it.
 *
 * @module
 */
import { EFFECT_CLASSES, LINEAGES } from "../capsule/mod.ts";
import type { Entry } from "../capsule/mod.ts";

const BITS = 16;
const MASK = (1 << BITS) - 1;

/** Entries of one block. */
export const BLOCK: number = 1 << BITS;

/** The most entries that are listed; 11 bytes each. Verified are all of them. */
export const MOST_LISTED = 8_000_000;

/** Kinds that are told apart; a journal with more of them shares the last number. */
const MOST_KINDS = 65_535;

/** Entries that follow each other. */
export interface Block {
  /** Where each line starts in the file. */
  readonly starts: Float64Array<ArrayBuffer>;
  /** Lineage times 8 plus effect class, by their places in the vocabulary. */
  readonly sorts: Uint8Array<ArrayBuffer>;
  /** Numbers of the kinds. */
  readonly kinds: Uint16Array<ArrayBuffer>;
  /** How many entries there are. */
  readonly length: number;
  /** Kinds that have not been named before, in the order of their numbers. */
  readonly newKinds: readonly string[];
}

const LF = 0x0a;

/** Collects the index while a journal is verified: pieces come before the entries that end in them. */
export class IndexWriter {
  readonly #emit: (block: Block) => void;
  readonly #kindNumbers = new Map<string, number>();
  #newKinds: string[] = [];
  #block = emptyBlock();
  #used = 0;
  #entries = 0;
  /** Starts of the lines that end in the present piece, and of the one that goes on after it. */
  #starts: number[] = [0];
  /** Index of the first of them. */
  #firstLine = 0;

  /** Every full block goes to `emit`, and the last one at the end. */
  constructor(emit: (block: Block) => void) {
    this.#emit = emit;
  }

  /** How many entries were held good so far. */
  get entries(): number {
    return this.#entries;
  }

  /** Looks for line ends in the next piece. Once a line did not hold, nothing after it is listed. */
  takePiece(piece: Uint8Array, byte: number): void {
    const ended = this.#firstLine + this.#starts.length - 1;
    if (this.#entries < ended || ended >= MOST_LISTED) return;
    this.#firstLine = ended;
    this.#starts = this.#starts.slice(-1);
    for (let at = piece.indexOf(LF); at >= 0; at = piece.indexOf(LF, at + 1)) {
      this.#starts.push(byte + at + 1);
    }
  }

  /** Takes an entry that holds. */
  takeEntry(entry: Entry): void {
    const index = this.#entries++;
    if (index >= MOST_LISTED) return;
    const { starts, sorts, kinds } = this.#block;
    starts[this.#used] = this.#starts[index - this.#firstLine] ?? 0;
    sorts[this.#used] = LINEAGES.indexOf(entry.lineage) * 8 +
      EFFECT_CLASSES.indexOf(entry.effect_class);
    kinds[this.#used] = this.#numberOf(entry.kind);
    if (++this.#used === BLOCK) this.flush();
  }

  /** Hands over what was collected since the last block. */
  flush(): void {
    if (this.#used === 0) return;
    this.#emit({ ...this.#block, length: this.#used, newKinds: this.#newKinds });
    this.#block = emptyBlock();
    this.#used = 0;
    this.#newKinds = [];
  }

  #numberOf(kind: string): number {
    const known = this.#kindNumbers.get(kind);
    if (known !== undefined) return known;
    if (this.#kindNumbers.size === MOST_KINDS) return MOST_KINDS;
    const number = this.#kindNumbers.size;
    this.#kindNumbers.set(kind, number);
    this.#newKinds.push(kind);
    return number;
  }
}

function emptyBlock(): Pick<Block, "starts" | "sorts" | "kinds"> {
  return {
    starts: new Float64Array(BLOCK),
    sorts: new Uint8Array(BLOCK),
    kinds: new Uint16Array(BLOCK),
  };
}

/** The finished index, read by the timeline. */
export class EntryIndex {
  readonly #blocks: Block[] = [];
  readonly #kinds: string[] = [];
  #length = 0;

  /** How many entries are listed. */
  get length(): number {
    return this.#length;
  }

  /** Adds the next block. */
  add(block: Block): void {
    this.#blocks.push(block);
    this.#length += block.length;
    for (const kind of block.newKinds) this.#kinds.push(kind); // spread would pass too many arguments
  }

  /** Where the line of an entry starts; `undefined` when it is not listed. */
  startOf(index: number): number | undefined {
    return index < this.#length ? this.#blocks[index >> BITS]?.starts[index & MASK] : undefined;
  }

  /** Lineage times 8 plus effect class. */
  sortOf(index: number): number {
    return this.#blocks[index >> BITS]?.sorts[index & MASK] ?? 0;
  }

  /** The kind of an entry; `undefined` when there are too many to tell apart. */
  kindOf(index: number): string | undefined {
    return this.#kinds[this.#blocks[index >> BITS]?.kinds[index & MASK] ?? MOST_KINDS];
  }
}
