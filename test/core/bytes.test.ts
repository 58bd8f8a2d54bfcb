import { suite } from "uvu";
import * as assert from "uvu/assert";
import {
  ByteBuffer,
  type ByteSource,
  compareCodeUnits,
  decodeUtf8,
  encodeHex,
  encodeUtf8,
  findInvalidUtf8,
  readPieces,
  type SourceError,
  Utf8Checker,
} from "../../src/core/mod.ts";
import { seeded } from "../lib/random.ts";
import { bytesOf, piecesOf, sourcesOf, streamOf } from "../lib/sample.ts";
import { describe, rejectionOf } from "../lib/thrown.ts";

const text = suite("UTF-8 and hexadecimal");

text("decodeUtf8() gives the text, a leading byte order mark included", () => {
  for (const sample of ["", "a", "é漢😀", "\ufeffa", "a\ufeff\u0000", "\u2028\uffff\u{10ffff}"]) {
    assert.is(decodeUtf8(encodeUtf8(sample)), sample);
  }
});

const INVALID = [
  ...["80", "bf", "c0 80", "c1 bf", "c3", "c3 28", "e0 80 80", "e0 9f bf", "e2 82", "ed a0 80"],
  ...["ed bf bf", "f0 8f bf bf", "f0 9f 98", "f4 90 80 80", "f5 80 80 80", "ff", "fe", "e2 28 a1"],
].map((hex) => Uint8Array.from(hex.split(" "), (byte) => Number.parseInt(byte, 16)));

text("decodeUtf8() gives undefined for bytes that are no UTF-8, and works on afterwards", () => {
  for (const bytes of INVALID) {
    assert.is(decodeUtf8(bytes), undefined, encodeHex(bytes));
    assert.is(decodeUtf8(bytesOf("é")), "é", encodeHex(bytes));
  }
});

text("findInvalidUtf8() names the offset after which the strict decoder fails", () => {
  for (const bytes of INVALID) {
    assert.is(findInvalidUtf8(bytes), 0, encodeHex(bytes));
    const around = Uint8Array.from([...bytesOf("é漢😀a"), ...bytes, 0x61]);
    assert.is(findInvalidUtf8(around), 10, encodeHex(bytes));
  }
  assert.is(findInvalidUtf8(bytesOf("é漢😀\u{10ffff}\ud7ff\ue000")), 19);
});

text("Utf8Checker says the same of bytes in pieces, wherever they are cut", () => {
  const whole = Uint8Array.of(...bytesOf("aé漢😀z"), 0xed, 0xa0, 0x80);
  for (let length = 0; length <= whole.length; length++) {
    for (const size of [1, 2, 3, 5]) {
      const checker = new Utf8Checker();
      for (let at = 0; at < length; at += size) {
        checker.write(whole.slice(at, Math.min(at + size, length)));
      }
      const bytes = whole.slice(0, length);
      assert.is(checker.isComplete, decodeUtf8(bytes) !== undefined, `${length} by ${size}`);
      assert.is(checker.whole, findInvalidUtf8(bytes), `${length} by ${size}`);
    }
  }
  const failed = new Utf8Checker();
  assert.is(failed.write(Uint8Array.of(0x61, 0xff)), false);
  assert.is(failed.write(Uint8Array.of(0x61)), false);
  assert.is(failed.whole, 1);
});

text("findInvalidUtf8() and decodeUtf8() agree on random bytes", () => {
  const random = seeded(3);
  const bytes = [
    0x00,
    0x61,
    0x7f,
    0x80,
    0x8f,
    0x90,
    0x9f,
    0xa0,
    0xbf,
    0xc1,
    0xc2,
    0xdf,
    0xe0,
    0xe1,
  ];
  bytes.push(0xec, 0xed, 0xee, 0xef, 0xf0, 0xf1, 0xf3, 0xf4, 0xf5, 0xff);
  for (let run = 0; run < 20_000; run++) {
    const sample = Uint8Array.from({ length: random.below(6) }, () => random.pick(bytes));
    const at = findInvalidUtf8(sample);
    const isValid = decodeUtf8(sample) !== undefined;
    if (isValid !== (at === sample.length) || decodeUtf8(sample.subarray(0, at)) === undefined) {
      assert.unreachable(`${encodeHex(sample)} at ${at}`);
    }
  }
});

text("encodeUtf8() writes an unpaired surrogate as U+FFFD", () => {
  assert.is(encodeHex(encodeUtf8("\ud83d")), "efbfbd");
});

text("encodeHex() writes two lower-case digits a byte", () => {
  assert.is(encodeHex(Uint8Array.from([0, 1, 15, 16, 171, 255])), "00010f10abff");
  assert.is(encodeHex(new Uint8Array()), "");
});

text("compareCodeUnits() orders by code unit, astral characters before U+E000", () => {
  const sorted = ["", "A", "a", "aa", "b", "é", "\ud7ff", "\u{10000}", "\ue000"];
  const random = seeded(9);
  assert.equal([...sorted].sort(() => random.below(3) - 1).sort(compareCodeUnits), sorted);
  assert.equal(
    [compareCodeUnits("a", "b"), compareCodeUnits("b", "a"), compareCodeUnits("a", "a")],
    [
      -1,
      1,
      0,
    ],
  );
});

text.run();

const buffers = suite("ByteBuffer");

buffers("a ByteBuffer collects copies of pieces of any size", () => {
  const buffer = new ByteBuffer();
  assert.equal([buffer.length, [...buffer.view()]], [0, []]);
  const piece = Uint8Array.from([1, 2, 3]);
  buffer.append(piece);
  piece.fill(9);
  buffer.append(new Uint8Array());
  buffer.append(Uint8Array.from([4]));
  buffer.append(Uint8Array.from([5]));
  assert.equal([buffer.length, [...buffer.view()]], [5, [1, 2, 3, 4, 5]]);
});

buffers("a ByteBuffer that was cleared starts anew, after little and after much", () => {
  for (const length of [10, 3 << 20]) {
    const buffer = new ByteBuffer();
    buffer.append(new Uint8Array(length).fill(1));
    buffer.clear();
    assert.equal([buffer.length, [...buffer.view()]], [0, []]);
    buffer.append(Uint8Array.from([2]));
    assert.equal([...buffer.view()], [2]);
  }
});

buffers.run();

const sources = suite("readPieces()");

async function readAll(source: ByteSource): Promise<string> {
  let all = "";
  for await (const piece of readPieces(source)) all += encodeHex(piece);
  return all;
}

sources("readPieces() reads every shape of source", async () => {
  const bytes = Uint8Array.from({ length: 100 }, (_, index) => index);
  for (const [name, open] of Object.entries(sourcesOf(bytes, 7))) {
    assert.is(await readAll(open()), encodeHex(bytes), name);
  }
  for (const [name, open] of Object.entries(sourcesOf(new Uint8Array(), 7))) {
    assert.is(await readAll(open()), "", name);
  }
});

sources("readPieces() throws TypeError for what is no source, and never quotes it", async () => {
  const message = "Bytes must be a Uint8Array, an iterable of them, a ReadableStream or a Blob";
  for (
    const value of ["a secret", "", 5, undefined, null, {}, () => [], Symbol("s"), new Date(0)]
  ) {
    const error = await rejectionOf(readAll(value as ByteSource));
    assert.equal(describe(error), { name: "TypeError", message });
  }
});

sources("readPieces() throws TypeError for a piece that is no Uint8Array, and closes", async () => {
  for (const piece of [5, "text", new ArrayBuffer(3), [1], null, undefined, new Uint16Array(2)]) {
    const { source, closed } = watched([bytesOf("a"), piece]);
    const error = await rejectionOf(readAll(source as ByteSource));
    const message = "A byte source must yield Uint8Array pieces";
    assert.equal(describe(error), { name: "TypeError", message });
    assert.is(closed(), true);
  }
  const stream = streamOf([bytesOf("a"), "b" as unknown as Uint8Array]);
  assert.instance(await rejectionOf(readAll(stream)), TypeError);
});

/** A generator that says whether it was closed before its end. */
function watched(pieces: unknown[]): { source: Iterable<unknown>; closed: () => boolean } {
  let left = pieces.length;
  let closed = false;
  function* generate(): Generator<unknown> {
    try {
      for (const piece of pieces) {
        yield piece;
        left--;
      }
    } finally {
      closed = left > 0;
    }
  }
  return { source: generate(), closed: () => closed };
}

const broken = new Error("the disk is gone");

/** Sources that fail at their second piece, by name. */
function failing(): Record<string, ByteSource> {
  const first = { done: false, value: bytesOf("a") } as const;
  let asked = 0;
  const next = (): IteratorResult<Uint8Array> => {
    if (asked++ % 2 === 0) return first;
    throw broken;
  };
  return {
    "a generator": (function* () {
      yield bytesOf("a");
      throw broken;
    })(),
    "an async generator": (async function* () {
      yield await Promise.resolve(bytesOf("a"));
      throw broken;
    })(),
    "an iterator": { [Symbol.iterator]: () => ({ next }) },
    "an async iterator that throws at once": {
      [Symbol.asyncIterator]: () => ({ next: next as unknown as () => Promise<typeof first> }),
    },
    "a stream": new ReadableStream<Uint8Array>({
      pull: (controller) =>
        asked++ === 0 ? controller.enqueue(bytesOf("a")) : controller.error(broken),
    }),
  };
}

sources("readPieces() wraps what a source throws as SourceError", async () => {
  for (const name of Object.keys(failing())) {
    const error = await rejectionOf(readAll(failing()[name] as ByteSource)) as SourceError;
    const message = "The byte source failed while it was read";
    assert.equal(describe(error), { name: "SourceError", message }, name);
    assert.is(error.cause, broken, name);
  }
});

sources("readPieces() closes a source when its reader stops early, and only then", async () => {
  const early = watched(piecesOf(bytesOf("abc"), 1));
  for await (const _ of readPieces(early.source as Iterable<Uint8Array>)) break;
  assert.is(early.closed(), true);
  const late = watched(piecesOf(bytesOf("abc"), 1));
  assert.is(await readAll(late.source as Iterable<Uint8Array>), "616263");
  assert.is(late.closed(), false);

  let reason: unknown = "never canceled";
  const stream = new ReadableStream<Uint8Array>({
    pull: (controller) => controller.enqueue(bytesOf("a")),
    cancel: (given) => void (reason = given),
  });
  for await (const _ of readPieces(stream)) break;
  assert.is(reason, undefined);
});

sources("readPieces() lets a reader stop a source that fails to close or cannot", async () => {
  const step = { done: false, value: bytesOf("a") } as const;
  const fail = (): never => {
    throw broken;
  };
  const stubborn: ByteSource[] = [
    { [Symbol.iterator]: () => ({ next: () => step, return: fail }) },
    { [Symbol.asyncIterator]: () => ({ next: () => Promise.resolve(step), return: fail }) },
    { [Symbol.iterator]: () => ({ next: () => step }) },
    { [Symbol.asyncIterator]: () => ({ next: () => Promise.resolve(step) }) },
    new ReadableStream({ pull: (controller) => controller.enqueue(bytesOf("a")), cancel: fail }),
  ];
  for (const source of stubborn) {
    let seen = 0;
    for await (const _ of readPieces(source)) if (++seen === 2) break;
    assert.is(seen, 2);
  }
});

sources("readPieces() reads a stream where a Blob is not known", async () => {
  const kept = globalThis.Blob;
  Object.defineProperty(globalThis, "Blob", {
    value: undefined,
    configurable: true,
    writable: true,
  });
  try {
    assert.is(await readAll(streamOf([bytesOf("a")])), "61");
  } finally {
    Object.defineProperty(globalThis, "Blob", { value: kept, configurable: true, writable: true });
  }
});

sources.run();
