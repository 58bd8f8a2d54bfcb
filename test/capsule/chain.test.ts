import { suite } from "uvu";
import * as assert from "uvu/assert";
import {
  type Entry,
  type JournalOptions,
  type JournalVerdict,
  JournalVerifier,
  verifyJournal,
} from "../../src/capsule/mod.ts";
import type { ByteSource } from "../../src/core/mod.ts";
import { loadSha256 } from "../../src/hash/mod.ts";
import { canonicalText, type Fields } from "../lib/plain.ts";
import {
  bytesOf,
  chainOf,
  failing,
  journalOf,
  piecesOf,
  sampleParts,
  seal,
} from "../lib/sample.ts";

const sha256 = await loadSha256();
const GENESIS = "0".repeat(64);

/** The verdict over bytes, which must be the same whole and in pieces of every size. */
function verdictOf(bytes: Uint8Array, options: JournalOptions = {}): JournalVerdict {
  const [whole, ...others] = [bytes.length + 1, 1, 2, 7, 100, 1000].map((size) => {
    const verifier = new JournalVerifier(sha256, options);
    for (const piece of piecesOf(bytes, size)) verifier.write(piece);
    return verifier.end();
  }) as [JournalVerdict, ...JournalVerdict[]];
  for (const other of others) assert.equal(other, whole);
  return whole;
}

const refusal = (code: string, what: string, more: Fields = {}): object => ({
  ok: false,
  code,
  reason: `Verifying the capsule: ${what}`,
  failed_at: null,
  entry_count: 0,
  root_hash: null,
  ...more,
});

/** The refusal of one line of a journal whose lines before it hold. */
const lineRefusal = (
  code: string,
  index: number,
  byte: number,
  what: string,
  more: Fields = {},
): object =>
  refusal(code, `entry ${index}: ${what}`, {
    failed_at: index,
    entry_count: index,
    at: { entry: index, byte },
    ...more,
  });

const entries = chainOf(sampleParts(3), sha256);
const [first, second, third] = entries as [Fields, Fields, Fields];
const lines = entries.map((entry) => `${canonicalText(entry)}\n`) as [string, string, string];
/** Where the line after so many starts. */
const offset = (count: number): number => bytesOf(lines.slice(0, count).join("")).length;

const chain = suite("JournalVerifier");

chain("an empty journal holds, with the genesis root", () => {
  const state = {
    entry_count: 0,
    root_hash: GENESIS,
    journal_sha256: "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    journal_bytes: 0,
    by_lineage: { plan: 0, attempt: 0, interaction: 0, environment: 0, strategy: 0 },
    by_effect_class: { SE0: 0, SE1: 0, SE2: 0, SE3: 0, SE4: 0 },
    prefix_root: GENESIS,
  };
  assert.equal(verdictOf(new Uint8Array()), {
    ok: true,
    code: "ok",
    reason: null,
    failed_at: null,
    entry_count: 0,
    root_hash: GENESIS,
    state,
  });
});

chain("a sound journal holds, with its root, digest and counts", () => {
  const bytes = journalOf(entries);
  assert.equal(verdictOf(bytes), {
    ok: true,
    code: "ok",
    reason: null,
    failed_at: null,
    entry_count: 3,
    root_hash: third["entry_hash"],
    state: {
      entry_count: 3,
      root_hash: third["entry_hash"],
      journal_sha256: sha256.digest(bytes),
      journal_bytes: bytes.length,
      by_lineage: { plan: 1, attempt: 2, interaction: 0, environment: 0, strategy: 0 },
      by_effect_class: { SE0: 1, SE1: 1, SE2: 0, SE3: 1, SE4: 0 },
      prefix_root: GENESIS,
    },
  });
});

chain("prefix_root is the root after so many entries, null when there are fewer", () => {
  const roots = [0, -0, 1, 2, 3, 4, 2 ** 53 - 1].map((prefix) => {
    const verdict = verdictOf(journalOf(entries), { prefix });
    return verdict.ok ? verdict.state.prefix_root : verdict.code;
  });
  const hashes = entries.map((entry) => entry["entry_hash"]);
  assert.equal(roots, [GENESIS, GENESIS, ...hashes, null, null]);
});

chain("onEntry is called with each entry that holds, in order, up to the first bad one", () => {
  const seen = (bytes: Uint8Array): unknown[] => {
    const calls: unknown[] = [];
    const onEntry = (entry: Entry, index: number): void => void calls.push([entry, index]);
    const verifier = new JournalVerifier(sha256, { onEntry });
    for (const piece of piecesOf(bytes, 50)) verifier.write(piece);
    verifier.end();
    return calls;
  };
  assert.equal(seen(journalOf(entries)), entries.map((entry, index) => [entry, index]));
  assert.equal(seen(journalOf([first, third, second])), [[first, 0]]);
});

chain("bytes that are no UTF-8 anywhere come before all else", () => {
  const expected = refusal("capsule.non_canonical", "the journal is not valid UTF-8");
  const bad = Uint8Array.of(0xff);
  const join = (...parts: (string | Uint8Array)[]): Uint8Array =>
    Uint8Array.from(parts.flatMap((part) => [...typeof part === "string" ? bytesOf(part) : part]));
  assert.equal(verdictOf(bad), expected);
  assert.equal(verdictOf(join("no entry\n", bad)), expected);
  assert.equal(verdictOf(join("no entry\n", bad, "\n")), expected);
  assert.equal(verdictOf(join(lines[0], "no entry", bad)), expected);
  assert.equal(verdictOf(join(lines[0], bad, "\n", lines[1])), expected);
  assert.equal(verdictOf(join(lines[0], Uint8Array.of(0xc3))), expected); // cut in a character
  assert.equal(verdictOf(join("no entry\n", Uint8Array.of(0xc3))), expected);
  assert.equal(verdictOf(join(Uint8Array.of(0xc3), "\n", Uint8Array.of(0xa9), "\n")), expected);
  assert.equal(verdictOf(join("no entry\n", Uint8Array.of(0xe2, 0x82), "\n")), expected);
});

chain("a last line without line feed comes before any bad line", () => {
  const truncated = (index: number): object =>
    refusal(
      "capsule.truncated_tail",
      `the last line, at index ${index}, does not end with a line feed: a write was cut short`,
      { failed_at: index },
    );
  assert.equal(verdictOf(bytesOf("no entry")), truncated(0));
  assert.equal(verdictOf(bytesOf("no entry\n\n\né")), truncated(3));
  assert.equal(verdictOf(bytesOf(lines.join("").slice(0, -1))), truncated(2));
  assert.equal(verdictOf(bytesOf(`${lines.join("")}\ufeff`)), truncated(3));
  assert.equal(verdictOf(bytesOf(" ")), truncated(0));
});

chain("a line that is no JSON is a corrupt entry", () => {
  const corrupt = (index: number): object =>
    lineRefusal("capsule.corrupt_entry", index, offset(index), "it is not JSON");
  assert.equal(verdictOf(bytesOf("\n")), corrupt(0));
  assert.equal(verdictOf(bytesOf(`\ufeff${lines[0]}`)), corrupt(0));
  assert.equal(verdictOf(bytesOf(`${lines[0]}\n${lines[1]}`)), corrupt(1));
  assert.equal(verdictOf(bytesOf(`${lines.join("")}\n`)), corrupt(3));
  assert.equal(verdictOf(bytesOf(`${lines[0]}{"a":1,}\n{}\n`)), corrupt(1));
  assert.equal(verdictOf(bytesOf(`${lines[0]}${"[".repeat(1000)}\n`)), corrupt(1));
  assert.equal(verdictOf(bytesOf(`${lines[0]}nul${"[".repeat(1001)}\n`)), corrupt(1));
});

chain("a line that opens level 1001 is an invalid entry, whatever follows in it", () => {
  for (const rest of ["", "nonsense", "]".repeat(1001)]) {
    assert.equal(
      verdictOf(bytesOf(`${lines[0]}${"[".repeat(1001)}${rest}\n`)),
      lineRefusal("capsule.invalid_entry", 1, offset(1), "it is nested too deep"),
    );
  }
});

chain("an envelope with faults is an invalid entry, with all of them", () => {
  const invalid = (what: string, faults: Fields[]): object =>
    lineRefusal("capsule.invalid_entry", 1, offset(1), what, { faults });
  assert.equal(
    verdictOf(bytesOf(`${lines[0]}5\n`)),
    invalid("it is no plain object", [{ kind: "not_plain_object" }]),
  );
  assert.equal(
    verdictOf(journalOf([first, { ...second, kind: "A", seq: -1 }])),
    invalid('"seq" is not as the format demands: a whole number from 0 was wanted', [{
      kind: "seq",
    }, { kind: "kind" }]),
  );
  assert.equal(
    verdictOf(journalOf([first, { ...second, seq: 7, parent_hash: GENESIS }])), // before the links
    invalid(
      '"entry_hash" is not the hash of the other fields: something in the entry was changed',
      [{ kind: "entry_hash_mismatch" }],
    ),
  );
});

chain("an entry out of its place is reordered, before its link is looked at", () => {
  const reordered = (index: number, seq: number): object =>
    lineRefusal(
      "capsule.reordered",
      index,
      offset(index),
      `it says it is entry ${seq}: entries are missing, doubled or swapped`,
      { expected: String(index), found: String(seq) },
    );
  assert.equal(verdictOf(journalOf([second])), reordered(0, 1));
  assert.equal(verdictOf(journalOf([first, third])), reordered(1, 2));
  assert.equal(verdictOf(journalOf([first, first])), reordered(1, 0));
  assert.equal(
    verdictOf(journalOf([first, seal({ ...second, seq: 1e21 }, sha256)])),
    reordered(1, 1e21),
  );
});

chain("an entry with another parent is a broken link", () => {
  const other = seal({ ...second, parent_hash: GENESIS }, sha256);
  const link = { expected: first["entry_hash"], found: GENESIS };
  assert.equal(
    verdictOf(journalOf([first, other, third])),
    lineRefusal(
      "capsule.broken_link",
      1,
      offset(1),
      "it does not link to the entry before it",
      link,
    ),
  );
  const start = seal({ ...first, parent_hash: "f".repeat(64) }, sha256);
  assert.equal(
    verdictOf(journalOf([start])),
    lineRefusal("capsule.broken_link", 0, 0, "it does not link to the entry before it", {
      expected: GENESIS,
      found: "f".repeat(64),
    }),
  );
});

chain("another spelling of a sound entry is not canonical", () => {
  const line = lines[1].trimEnd();
  const spellings = [
    `${line} `,
    ` ${line}`,
    `${line}\r`,
    line.replace(":", ": "),
    line.replace("grep", "\\u0067rep"),
    line.replace("é", "\\u00e9"),
    JSON.stringify(
      JSON.parse(line),
      Object.keys(second).reverse().concat("tool", "exit_code", "note"),
    ),
    line.replace('"seq":1', '"seq":1.0'),
    line.replace('"seq":1', '"seq":1,"seq":1'),
    line.replace('"seq":1', '"seq":1e0'),
  ];
  for (const spelling of spellings) {
    assert.is.not(spelling, line);
    assert.equal(
      verdictOf(bytesOf(`${lines[0]}${spelling}\n${lines[2]}`)),
      lineRefusal("capsule.non_canonical", 1, offset(1), "it is not in its canonical spelling"),
      spelling,
    );
  }
  const minus = lines[0].replace('"seq":0', '"seq":-0');
  assert.equal(
    verdictOf(bytesOf(minus)),
    lineRefusal("capsule.non_canonical", 0, 0, "it is not in its canonical spelling"),
  );
});

chain("whole entries missing from the end are not seen", () => {
  const verdict = verdictOf(journalOf([first]));
  assert.equal([verdict.code, verdict.root_hash], ["ok", first["entry_hash"]]);
});

chain("a line may be as long as the bound and no longer, without its line feed", () => {
  const maxLineBytes = Math.max(...lines.map((line) => bytesOf(line).length - 1));
  assert.is(verdictOf(journalOf(entries), { maxLineBytes }).code, "ok");
  const index = lines.findIndex((line) => bytesOf(line).length - 1 === maxLineBytes);
  const long = (at: number, bound: number): object =>
    lineRefusal("capsule.invalid_entry", at, offset(at), `it is longer than ${bound} bytes`);
  const bound = maxLineBytes - 1;
  assert.equal(verdictOf(journalOf(entries), { maxLineBytes: bound }), long(index, bound));
  assert.equal(
    verdictOf(bytesOf(`${lines[0]}${" ".repeat(999)}\n`), { maxLineBytes: 998 }),
    long(1, 998),
  );
  assert.is(verdictOf(bytesOf("\n"), { maxLineBytes: 0 }).code, "capsule.corrupt_entry");
  assert.equal(verdictOf(bytesOf("5\n"), { maxLineBytes: 0 }), long(0, 0));
});

chain(
  "an over-long line is judged by its length before its JSON, after UTF-8 and line feed",
  () => {
    const options = { maxLineBytes: 10 };
    const code = (bytes: Uint8Array): unknown => {
      const { code, failed_at } = verdictOf(bytes, options);
      return [code, failed_at];
    };
    const late = (end: number[]): Uint8Array =>
      Uint8Array.from([...bytesOf("é".repeat(20)), ...end]);
    assert.equal(code(late([0x0a])), ["capsule.invalid_entry", 0]);
    assert.equal(code(late([])), ["capsule.truncated_tail", 0]);
    assert.equal(code(late([0x0a, 0x0a, 0x35])), ["capsule.truncated_tail", 2]);
    assert.equal(code(late([0x0a, 0xff])), ["capsule.non_canonical", null]);
    assert.equal(code(late([0xff])), ["capsule.non_canonical", null]);
    assert.equal(code(late([0xc3])), ["capsule.non_canonical", null]);
    assert.equal(code(late([0xc3, 0x0a])), ["capsule.non_canonical", null]);
    assert.equal(code(late([0x0a, 0xff, 0x0a])), ["capsule.non_canonical", null]);
    const early = Uint8Array.from([0xff, ...late([0x0a])]);
    assert.equal(code(early), ["capsule.non_canonical", null]);
    assert.equal(code(bytesOf(`5\n${"x".repeat(11)}\n`)), ["capsule.invalid_entry", 0]);
  },
);

chain("a bad line is followed by any number of bytes in one piece", () => {
  const bytes = new Uint8Array(300_000).fill(0x0a);
  bytes.set(bytesOf("漢"), (1 << 16) - 1);
  assert.equal(verdictOf(bytes).code, "capsule.corrupt_entry");
  bytes[(1 << 16) + 1] = 0x0a;
  assert.equal(verdictOf(bytes).code, "capsule.non_canonical");
});

chain("decided says that the verdict is certain, and only then", () => {
  const verifier = new JournalVerifier(sha256);
  const decided: boolean[] = [];
  for (const piece of ["", "no entry\n", "é", "\n"]) {
    verifier.write(bytesOf(piece));
    decided.push(verifier.decided);
  }
  verifier.write(Uint8Array.of(0xff, 0x6d, 0x6f, 0x72)); // as much as one character may have
  decided.push(verifier.decided);
  verifier.write(bytesOf("e")); // is not looked at
  assert.equal(decided, [false, false, false, false, true]);
  assert.is(verifier.end().code, "capsule.non_canonical");
});

chain("verifiers that run at once do not disturb each other", () => {
  const bytes = journalOf(entries);
  const verifiers = [1, 2, 3].map(() => new JournalVerifier(sha256));
  for (const piece of piecesOf(bytes, 5)) for (const verifier of verifiers) verifier.write(piece);
  for (const verifier of verifiers) {
    const verdict = verifier.end();
    assert.is(verdict.ok && verdict.state.journal_sha256, sha256.digest(bytes));
  }
});

chain("a verifier that resumes gives the verdict of one that read all", () => {
  const bytes = journalOf(entries);
  for (const count of [0, 1, 2, 3]) {
    const start = new JournalVerifier(sha256);
    start.write(bytes.subarray(0, offset(count)));
    const before = start.end();
    if (!before.ok) throw new Error(before.reason);
    const digest = sha256.start();
    digest.update(bytes.subarray(0, offset(count)));
    for (const whole of [bytes, journalOf([...entries, first])]) {
      const seen: number[] = [];
      const onEntry = (_: Entry, index: number): void => void seen.push(index);
      const resume = { state: before.state, digest: digest.fork() };
      const resumed = new JournalVerifier(sha256, { resume, onEntry, prefix: 3 });
      resumed.write(whole.subarray(offset(count)));
      assert.equal(resumed.end(), verdictOf(whole, { prefix: 3 }));
      assert.equal(seen, [0, 1, 2].slice(count));
    }
    const { by_lineage } = before.state;
    assert.is(Object.values(by_lineage).reduce((sum, n) => sum + n), count); // is left as it was
  }
});

chain.run();

const files = suite("verifyJournal()");

files("verifyJournal() tells a missing from an unreadable journal", async () => {
  assert.equal(
    await verifyJournal(null, sha256),
    refusal("capsule.missing_journal", "there is no journal"),
  );
  assert.equal(
    await verifyJournal({ unreadable: "it is a directory" }, sha256),
    refusal("capsule.unreadable_journal", "the journal is unreadable: it is a directory"),
  );
});

files(
  "verifyJournal() takes a source that fails as unreadable, whatever it gave before",
  async () => {
    for (const start of ["", "no entry\n", lines[0]]) {
      const source = failing(bytesOf(start));
      assert.equal(
        await verifyJournal(source, sha256),
        refusal("capsule.unreadable_journal", "the journal is unreadable: reading it failed"),
      );
    }
  },
);

files(
  "verifyJournal() stops reading, and closes the source, at bytes that are no UTF-8",
  async () => {
    const events: string[] = [];
    const source = (async function* (): AsyncGenerator<Uint8Array> {
      try {
        for (const byte of [0x7b, 0xff, 0x7d]) {
          events.push(`gave ${byte}`);
          yield await Promise.resolve(Uint8Array.of(byte));
          if (byte === 0x7b) continue;
          await Promise.resolve();
          yield Uint8Array.of(0x0a);
        }
      } finally {
        events.push("closed");
      }
    })();
    assert.is((await verifyJournal(source, sha256)).code, "capsule.non_canonical");
    assert.is(events.at(-1), "closed");
    assert.is(events.includes("gave 125"), false);
  },
);

files("verifyJournal() throws TypeError for what is no source of bytes", async () => {
  for (const journal of ["text", 5, undefined, {}, [lines[0]], [[1]]]) {
    const thrown = await verifyJournal(journal as ByteSource, sha256).catch((error) => error);
    assert.instance(thrown, TypeError, String(journal));
  }
});

files("verifyJournal() lets what onEntry throws pass", async () => {
  const mine = new RangeError("mine");
  const onEntry = (): never => {
    throw mine;
  };
  const thrown = await verifyJournal(journalOf(entries), sha256, { onEntry }).catch((error) =>
    error
  );
  assert.is(thrown, mine);
});

files.run();
