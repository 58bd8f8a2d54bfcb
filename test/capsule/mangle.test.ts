/**
 * Whatever is done to the bytes of a journal, the verdict is the one of the plain check in
 * `lib/plain.ts`, whole and in pieces.
 *
 * @module
 */
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { JournalVerifier, verifyJournal } from "../../src/capsule/mod.ts";
import { GENESIS, loadSha256, type RunningDigest, type Sha256 } from "../../src/hash/mod.ts";
import { type Brief, plainVerdict } from "../lib/plain.ts";
import { seeded } from "../lib/random.ts";
import { bytesOf, chainOf, journalOf, sampleParts, sourcesOf } from "../lib/sample.ts";

const loaded = await loadSha256();
/** The digest of a journal is no part of the verdict, and taking it byte by byte is slow. */
const none: RunningDigest = { update: () => {}, digest: () => GENESIS, fork: () => none };
const sha256: Sha256 = { ...loaded, start: () => none };
const journal = journalOf(chainOf(sampleParts(5), loaded));
/** How long the pieces are: a number of bytes, or one asked for anew for each piece. */
type Size = number | (() => number);
const SIZES: readonly Size[] = [1, 7, 4096]; // the last takes the journal whole

function brief({ code, failed_at, entry_count, root_hash }: Brief): Brief {
  return { code, failed_at, entry_count, root_hash };
}

function verdictInPieces(bytes: Uint8Array, size: Size): Brief {
  const verifier = new JournalVerifier(sha256);
  for (let at = 0; at < bytes.length && !verifier.decided;) {
    const end = Math.min(at + (typeof size === "number" ? size : size()), bytes.length);
    verifier.write(bytes.subarray(at, end));
    at = end;
  }
  return brief(verifier.end());
}

/** Compares verdicts, and counts them by code. */
class Comparison {
  readonly seen: Record<string, number> = {};

  compare(bytes: Uint8Array, what: () => string, sizes: readonly Size[] = SIZES): void {
    const expected = plainVerdict(bytes, sha256);
    this.seen[expected.code] = (this.seen[expected.code] ?? 0) + 1;
    const text = JSON.stringify(expected);
    for (const size of sizes) {
      const found = verdictInPieces(bytes, size);
      if (JSON.stringify(found) !== text) assert.equal(found, expected, `${what()} by ${size}`);
    }
  }

  codes(): string {
    return Object.keys(this.seen).map((code) => code.replace("capsule.", "")).sort().join(" ");
  }
}

const mangling = suite("a mangled journal");

mangling("the sample holds, and the plain check says so with the root of its last entry", () => {
  const expected: Brief = {
    code: "ok",
    failed_at: null,
    entry_count: 5,
    root_hash: String(chainOf(sampleParts(5), loaded)[4]?.["entry_hash"]),
  };
  assert.equal(plainVerdict(journal, sha256), expected);
  for (const size of SIZES) assert.equal(verdictInPieces(journal, size), expected);
});

/** Every byte is changed so, taken in pieces of these sizes, and must give some of these codes. */
const CHANGES: [
  name: string,
  change: (byte: number) => number,
  sizes: readonly Size[],
  codes: string,
][] = [
  ["xor 01", (byte) => byte ^ 0x01, SIZES, "corrupt_entry invalid_entry truncated_tail"],
  ["xor 80", (byte) => byte ^ 0x80, SIZES, "non_canonical"],
  [
    "xor 20",
    (byte) => byte ^ 0x20,
    [7],
    "corrupt_entry invalid_entry non_canonical truncated_tail",
  ],
  ["a line feed", () => 0x0a, [7, 4096], "corrupt_entry non_canonical ok"],
  [
    "a quote",
    () => 0x22,
    [7],
    "corrupt_entry invalid_entry non_canonical ok truncated_tail",
  ],
];

for (const [name, change, sizes, codes] of CHANGES) {
  mangling(`every byte changed by ${name} gives the verdict of the plain check`, () => {
    const comparison = new Comparison();
    for (const [at, byte] of journal.entries()) {
      const mangled = journal.slice();
      mangled[at] = change(byte);
      comparison.compare(mangled, () => `${name} at ${at}`, sizes);
    }
    assert.is(comparison.codes(), codes);
  });
}

mangling("every prefix gives the verdict of the plain check", () => {
  const comparison = new Comparison();
  for (let length = 0; length < journal.length; length++) {
    comparison.compare(journal.subarray(0, length), () => `the first ${length} bytes`);
  }
  assert.is(comparison.codes(), "non_canonical ok truncated_tail");
});

/** The journal with its lines in another order, named by their indices. */
function arranged(indices: readonly number[]): Uint8Array {
  const lines = new TextDecoder().decode(journal).split("\n").slice(0, -1);
  return bytesOf(indices.map((index) => `${lines[index]}\n`).join(""));
}

mangling("every line dropped, doubled or swapped with every other is found at its index", () => {
  const comparison = new Comparison();
  const all = [0, 1, 2, 3, 4];
  for (const index of all) {
    comparison.compare(arranged(all.filter((other) => other !== index)), () => `no ${index}`);
    comparison.compare(
      arranged(all.flatMap((i) => i === index ? [i, i] : [i])),
      () => `2 ${index}`,
    );
    comparison.compare(arranged([...all, index]), () => `${index} again at the end`);
    for (const other of all.filter((other) => other !== index)) {
      const swapped = all.map((i) => i === index ? other : i === other ? index : i);
      comparison.compare(arranged(swapped), () => `${index} and ${other}`);
      const replaced = all.map((i) => i === index ? other : i);
      comparison.compare(arranged(replaced), () => `${other} for ${index}`);
    }
  }
  assert.equal(comparison.seen, { "capsule.reordered": 54, "ok": 1 }); // the last one dropped
});

function joined(...parts: Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

const BYTES = bytesOf('\n\r ",0[\\a{}é\ufeff');

mangling("5000 random combinations of changes, in pieces of random sizes, agree as well", () => {
  const random = seeded(20260902);
  const comparison = new Comparison();
  for (let run = 0; run < 5000; run++) {
    let bytes = journal;
    for (let change = random.below(4); change >= 0; change--) {
      const [at, length] = [random.below(bytes.length + 1), random.below(random.pick([2, 5, 300]))];
      const put = random.pick([
        new Uint8Array(),
        Uint8Array.from({ length: random.below(3) }, () => random.pick(BYTES)),
        bytes.subarray(at, at + length),
        arranged([random.below(5)]),
      ]);
      const rest = bytes.subarray(at + random.pick([0, length, put.length]));
      bytes = joined(bytes.subarray(0, at), put, rest);
    }
    const largest = random.pick([2, 10, 1000]);
    comparison.compare(bytes, () => `run ${run}`, [() => 1 + random.below(largest)]);
  }
  assert.is(
    comparison.codes(),
    "corrupt_entry invalid_entry non_canonical ok reordered truncated_tail",
  );
});

mangling("every shape of source gives the verdict of the plain check", async () => {
  const random = seeded(4);
  const samples = [journal, new Uint8Array(), arranged([0, 2]), journal.subarray(0, 500)];
  for (let run = 0; run < 60; run++) {
    const mangled = journal.slice();
    mangled[random.below(mangled.length)] = random.pick(BYTES);
    samples.push(mangled);
  }
  for (const bytes of samples) {
    const expected = plainVerdict(bytes, sha256);
    for (const [name, open] of Object.entries(sourcesOf(bytes, 1 + random.below(300)))) {
      assert.equal(brief(await verifyJournal(open(), loaded)), expected, name);
    }
  }
});

mangling.run();
