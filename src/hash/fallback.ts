/**
 * SHA-256 (FIPS 180-4) in plain TypeScript, for pages whose policy forbids WebAssembly. About a tenth of the speed of
 * the WebAssembly one, with the same answers.
 *
 * @module
 */
import { encodeHex } from "../core/mod.ts";
import type { Engine } from "./sha256.ts";

/** A running SHA-256 in plain TypeScript. */
export function plainEngine(): Engine {
  return new PlainSha256();
}

class PlainSha256 implements Engine {
  // Fractional parts of the cube roots of the first 64 primes and of the square roots of the first 8 (FIPS 180-4,
  // 4.2.2 and 5.3.3), computed rather than typed.
  readonly #round = Uint32Array.from(firstPrimes(64), (prime) => fraction(Math.cbrt(prime)));
  readonly #start = Uint32Array.from(firstPrimes(8), (prime) => fraction(Math.sqrt(prime)));
  #state = this.#start.slice();
  readonly #block = new Uint8Array(64);
  #filled = 0;
  #length = 0;
  readonly #words = new Uint32Array(64);

  init(): void {
    this.#state = this.#start.slice();
    this.#filled = 0;
    this.#length = 0;
  }

  update(bytes: Uint8Array): void {
    this.#length += bytes.length;
    let at = 0;
    while (at < bytes.length) {
      const piece = bytes.subarray(at, at + 64 - this.#filled);
      this.#block.set(piece, this.#filled);
      this.#filled += piece.length;
      at += piece.length;
      if (this.#filled === 64) this.#compress();
    }
  }

  digest(): string {
    const length = this.#length;
    const padding = new Uint8Array((length % 64 < 56 ? 64 : 128) - (length % 64));
    padding[0] = 0x80;
    const tail = new DataView(padding.buffer, padding.length - 8);
    tail.setUint32(0, Math.floor(length / 2 ** 29)); // length in bits, high and low word
    tail.setUint32(4, (length << 3) >>> 0);
    this.update(padding);
    const result = new Uint8Array(32);
    this.#state.forEach((word, i) => new DataView(result.buffer).setUint32(i * 4, word));
    return encodeHex(result);
  }

  save(): unknown {
    return [this.#state.slice(), this.#block.slice(), this.#filled, this.#length];
  }

  load(state: unknown): void {
    const [words, block, filled, length] = state as [
      Uint32Array<ArrayBuffer>,
      Uint8Array<ArrayBuffer>,
      number,
      number,
    ];
    this.#state = words.slice();
    this.#block.set(block);
    this.#filled = filled;
    this.#length = length;
  }

  #compress(): void {
    const w = this.#words;
    const view = new DataView(this.#block.buffer);
    for (let i = 0; i < 16; i++) w[i] = view.getUint32(i * 4);
    for (let i = 16; i < 64; i++) {
      const x = w[i - 15]!, y = w[i - 2]!;
      const s0 = rotate(x, 7) ^ rotate(x, 18) ^ (x >>> 3);
      const s1 = rotate(y, 17) ^ rotate(y, 19) ^ (y >>> 10);
      w[i] = w[i - 16]! + s0 + w[i - 7]! + s1;
    }
    let [a, b, c, d, e, f, g, h] = this.#state as unknown as Octet;
    for (let i = 0; i < 64; i++) {
      const t1 = (h + (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)) + ((e & f) ^ (~e & g)) +
        this.#round[i]! + w[i]!) | 0;
      const t2 = ((rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) |
        0;
      [h, g, f, e, d, c, b, a] = [g, f, e, (d + t1) | 0, c, b, a, (t1 + t2) | 0];
    }
    [a, b, c, d, e, f, g, h].forEach((word, i) => this.#state[i] = this.#state[i]! + word);
    this.#filled = 0;
  }
}

type Octet = [number, number, number, number, number, number, number, number];

function rotate(word: number, by: number): number {
  return (word >>> by) | (word << (32 - by));
}

function fraction(root: number): number {
  return Math.floor((root - Math.floor(root)) * 2 ** 32);
}

function firstPrimes(count: number): number[] {
  const primes: number[] = [];
  for (let n = 2; primes.length < count; n++) {
    if (primes.every((prime) => n % prime !== 0)) primes.push(n);
  }
  return primes;
}
