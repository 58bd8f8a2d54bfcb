// Writes the suites of this project's own: limits-*, precedence, signatures and so on. Expectations are written by hand from
// the rules, never computed by the library; check.py holds them against a second reading of the rules in Python.
//
//   node vectors/generate/own.mjs

import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";

const ZEROS = "0".repeat(64);
const BASIS = "Derived by hand from the rules of the format; held against generate/check.py.";

const sha256 = (data) => createHash("sha256").update(data).digest("hex");

/** The canonical text of values without numeric-looking keys, which are all that is needed here. */
function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const keys = Object.keys(value).sort();
  return `{${keys.map((key) => `${JSON.stringify(key)}:${canonical(value[key])}`).join(",")}}`;
}

function write(name, suite, cases, area = "capsule") {
  const ids = new Set(cases.map(({ id }) => id));
  if (ids.size !== cases.length) throw new Error(`${name}: an id is used twice`);
  const head = JSON.stringify({ suite: `${area}/${name}`, ...suite, basis: suite.basis ?? BASIS }).slice(0, -1);
  const lines = cases.map((one) => JSON.stringify(one)).join(",\n");
  writeFileSync(
    new URL(`../${area}/${name}.json`, import.meta.url),
    `${head},"cases":[\n${lines}\n]}\n`,
  );
}

// ---- a capsule to break ----

const METADATA = {
  schema: "capsule-envelope/v1",
  run_id: "run-1",
  capsule_id: "cap-1",
  harness_version: "h/1",
  task_family: "fam",
  created_at: "2026-09-02T00:00:00.000Z",
};

function entry(seq, parent_hash, payload, changes = {}) {
  const { created_at: ts, ...identity } = METADATA;
  const fields = { ...identity, seq, ts, lineage: "plan", kind: "k", effect_class: "SE0" };
  const unhashed = { ...fields, parent_hash, payload, ...changes };
  return { ...unhashed, entry_hash: sha256(canonical(unhashed)) };
}

function chain(...payloads) {
  const entries = [];
  for (const payload of payloads) {
    entries.push(entry(entries.length, entries.at(-1)?.entry_hash ?? ZEROS, payload));
  }
  return entries;
}

const lines = (entries) => entries.map((one) => `${canonical(one)}\n`).join("");

const refused = (code, failed_at) => ({ ok: false, code: `capsule.${code}`, failed_at });
const holds = { ok: true, code: "ok", failed_at: null };

// ---- limits of a journal line ----

const [open, shut] = ["[", "]"].map((bracket) => (times) => bracket.repeat(times));
const nested = '{"a":';
const first = lines(chain({ note: "first" }));

const tooDeep = (index = 0) => refused("invalid_entry", index);
const noJson = (index = 0) => refused("corrupt_entry", index);

const lineCases = [
  ["1000 levels are JSON, though no entry", `${open(1000)}${shut(1000)}`, tooDeep()],
  ["1001 levels", `${open(1001)}${shut(1001)}`, tooDeep()],
  ["1000 levels left open", open(1000), noJson()],
  ["1001 levels left open are too deep before they are no JSON", open(1001), tooDeep()],
  ["1000 levels, then nonsense", `${open(1000)}x`, noJson()],
  ["1001 levels, then nonsense", `${open(1001)}x`, tooDeep()],
  ["nonsense, then 1001 levels", `x${open(1001)}`, noJson()],
  ["1000 levels closed, then more text", `${open(1000)}${shut(1000)}x`, noJson()],
  ["1000 objects", `${nested.repeat(1000)}1${"}".repeat(1000)}`, tooDeep()],
  ["1000 objects left open", nested.repeat(1000), noJson()],
  ["1001 objects left open", nested.repeat(1001), tooDeep()],
  ["objects and arrays count together, 1000", `[{"a":`.repeat(500), noJson()],
  ["objects and arrays count together, 1001", `${`[{"a":`.repeat(500)}[`, tooDeep()],
  ["white space between brackets", "[ ".repeat(1001), tooDeep()],
  ["2000 siblings are one level", `[${"[],".repeat(2000)}1]`, tooDeep()],
  ["2000 siblings, then nonsense", `[${"[],".repeat(2000)}x`, noJson()],
  ["brackets in a text", `"${open(1500)}"`, tooDeep()],
  ["brackets in a text left open", `"${open(1500)}`, noJson()],
  ["brackets after an escaped quote", `"\\"${open(1500)}`, noJson()],
  ["brackets after an escaped backslash", `"\\\\"${open(1500)}`, noJson()],
  ["1000 levels, a text, then level 1001", `${open(1000)}"[]",[`, tooDeep()],
  ["a bracket where a colon belongs opens no level", `${open(999)}{"a"[`, noJson()],
  ["a bracket after a number opens no level", `${open(1000)}1[`, noJson()],
  ["a bracket after a comma opens level 1001", `${open(1000)}1,[`, tooDeep()],
  ["a comma too early", `${open(1000)},[`, noJson()],
  ["half a word before level 1001", `${open(1000)}tru,[`, noJson()],
  ["a number with a leading zero before level 1001", `${open(1000)}01,[`, noJson()],
  ["a raw control character before level 1001", `${open(1000)}"\u0001",[`, noJson()],
  ["the wrong bracket closes before level 1001", `${open(999)}{"a":1],${open(10)}`, noJson()],
  ["closed too often, then 1001 levels", `[]]${open(1001)}`, noJson()],
].map(([note, line, expect], index) => ({
  id: `l${String(index + 1).padStart(3, "0")}`,
  note,
  input: { journal: { utf8: `${line}\n` } },
  expect,
}));

write("limits-journal", {
  op: "capsule.verify_journal",
  about: "Nesting of a journal line: text is refused as too deep as soon as level 1001 opens, " +
    "and as no JSON when an error comes before that.",
}, [
  ...lineCases,
  {
    id: "l031",
    note: "1001 levels after an entry that holds",
    input: { journal: { utf8: `${first}${open(1001)}\n` } },
    expect: tooDeep(1),
  },
  {
    id: "l032",
    note: "1000 levels left open after an entry that holds",
    input: { journal: { utf8: `${first}${open(1000)}\n` } },
    expect: noJson(1),
  },
]);

// ---- limits of the metadata ----

const withExtra = (text) => `${JSON.stringify(METADATA).slice(0, -1)},"extra":${text}}`;

write(
  "limits-metadata",
  {
    op: "capsule.verify",
    about:
      "Nesting of capsule.json, whose extra members are free: 1000 levels are read, 1001 are not.",
  },
  [
    ["999 levels below the outermost", withExtra(`${open(999)}${shut(999)}`), true],
    ["1000 levels below the outermost", withExtra(`${open(1000)}${shut(1000)}`), false],
    ["level 1001 opens and nothing follows", withExtra(open(1000)), false],
    ["brackets in a text", withExtra(`"${open(1500)}"`), true],
    ["2000 siblings", withExtra(`[${"{},".repeat(2000)}1]`), true],
    ["a sound document, then 1001 levels", `${JSON.stringify(METADATA)}${open(1001)}`, false],
  ].map(([note, utf8, ok], index) => ({
    id: `m${String(index + 1).padStart(3, "0")}`,
    note,
    input: { files: [{ path: "capsule.json", utf8 }, { path: "journal.ndjson", utf8: "" }] },
    expect: ok
      ? { ...holds, entry_count: 0, root_hash: ZEROS }
      : { ...refused("metadata_invalid", null), entry_count: 0, root_hash: null },
  })),
);

// ---- limits of the canonical form ----

write(
  "limits-canonical",
  {
    op: "canonical.encode",
    about: "Nesting of the canonical form: 1000 levels have one, 1001 are refused.",
    shared: { profile: "capsule" },
  },
  [
    ["1000 arrays", `${open(1000)}${shut(1000)}`, true],
    ["1001 arrays", `${open(1001)}${shut(1001)}`, false],
    ["1000 objects", `${nested.repeat(1000)}1${"}".repeat(1000)}`, true],
    ["1001 objects", `${nested.repeat(1001)}1${"}".repeat(1001)}`, false],
    ["2000 siblings", `[${"[],".repeat(2000)}1]`, true],
    ["brackets in a text", `"${open(1500)}"`, true],
  ].map(([note, value_json, ok], index) => ({
    id: `d${String(index + 1).padStart(3, "0")}`,
    note,
    input: { value_json },
    expect: ok
      ? { ok, text: value_json, byte_length: value_json.length, sha256: sha256(value_json) }
      : { ok },
  })),
);

// ---- receipts ----

const entries = chain({ note: "one" }, { note: "two" });
const journal = lines(entries);
const { created_at: _created, ...identity } = METADATA;
const unhashedProjection = {
  ...identity,
  entry_count: 2,
  last_seq: 1,
  root_hash: entries[1].entry_hash,
  journal_sha256: sha256(journal),
  by_lineage: { plan: 2, attempt: 0, interaction: 0, environment: 0, strategy: 0 },
  by_effect_class: { SE0: 2, SE1: 0, SE2: 0, SE3: 0, SE4: 0 },
  max_effect_class: "SE0",
};
const projection_hash = sha256(canonical(unhashedProjection));
const projection = canonical({ ...unhashedProjection, projection_hash });

function receipt(changes = {}) {
  const unhashed = {
    schema: "capsule-receipt/v1",
    envelope_schema: "capsule-envelope/v1",
    capsule_id: METADATA.capsule_id,
    run_id: METADATA.run_id,
    capsule_root: entries[1].entry_hash,
    entry_count: 2,
    journal_sha256: sha256(journal),
    projection_hash,
    artifact_digest: null,
    gate_receipt_digest: null,
    gate_verdict: null,
    created_at: METADATA.created_at,
    signature: null,
    ...changes,
  };
  return { ...unhashed, receipt_hash: sha256(canonical({ ...unhashed, signature: null })) };
}

const FILES = [
  { path: "capsule.json", utf8: `${canonical(METADATA)}\n` },
  { path: "journal.ndjson", utf8: journal },
  { path: "projection.json", utf8: `${projection}\n` },
];
const shared = {
  files: FILES,
  artifact: null,
  artifact_digest: null,
  gate_receipt: null,
  verifier: null,
};
const file = (path, utf8) => FILES.map((one) => one.path === path ? { path, utf8 } : one);
const answer = (check) => ({ ok: check === null, check });

function deepReceipt(levels) {
  let extra = 1;
  for (let level = 0; level < levels; level++) extra = [extra];
  return canonical(receipt({ extra }));
}

const plain = canonical(receipt());

write(
  "limits-receipt",
  {
    op: "receipt.check",
    about: "Nesting of a receipt, whose unknown members are hashed, and of the saved projection.",
    shared,
  },
  [
    ["999 levels below the outermost", { receipt_json: deepReceipt(999) }, null],
    ["1000 levels below the outermost", { receipt_json: deepReceipt(1000) }, "schema"],
    ["level 1001 opens and nothing follows", { receipt_json: open(1001) }, "schema"],
    ["no JSON", { receipt_json: `${plain}x` }, "schema"],
    [
      "a projection of 1001 levels",
      { receipt_json: plain, files: file("projection.json", `${open(1001)}${shut(1001)}`) },
      "projection",
    ],
    [
      "a projection with a member of 1000 levels",
      {
        receipt_json: plain,
        files: file(
          "projection.json",
          `${projection.slice(0, -1)},"x":${open(1000)}${shut(1000)}}`,
        ),
      },
      "projection",
    ],
    [
      "a journal line of 1001 levels",
      { receipt_json: plain, files: file("journal.ndjson", `${journal}${open(1001)}\n`) },
      "journal_integrity",
    ],
    [
      "metadata of 1001 levels",
      { receipt_json: plain, files: file("capsule.json", `${open(1001)}${shut(1001)}`) },
      "metadata",
    ],
  ].map(([note, input, check], index) => ({
    id: `r${String(index + 1).padStart(3, "0")}`,
    note,
    input,
    expect: answer(check),
  })),
);

const constant = (result) => ({ kind: "constant", result });
const prefix = { kind: "prefix", prefix: "key-1:" };
const signed = (signature) => canonical(receipt({ signature }));
const { receipt_hash } = receipt();
const good = signed(`key-1:${receipt_hash}`);
const { signature: _none, ...rest } = receipt();
const unsigned = canonical(rest);
const broken = JSON.stringify({ ...receipt(), created_at: "2026-09-03T00:00:00.000Z" });

write(
  "signatures",
  {
    op: "receipt.check",
    about:
      "Detached signatures: what counts as one, what counts as accepted, and when it is looked at.",
    shared,
  },
  [
    ["a signature of the pinned key", { receipt_json: good, verifier: prefix }, null],
    [
      "a signature of another key",
      { receipt_json: good, verifier: { kind: "prefix", prefix: "key-2:" } },
      "signature",
    ],
    [
      "the signature of another receipt",
      { receipt_json: signed(`key-1:${ZEROS}`), verifier: prefix },
      "signature",
    ],
    ["the signature is not hashed", { receipt_json: signed("anything") }, null],
    ["null is no signature", { receipt_json: signed(null), verifier: constant(true) }, "signature"],
    [
      "false is no signature",
      { receipt_json: signed(false), verifier: constant(true) },
      "signature",
    ],
    ["0 is no signature", { receipt_json: signed(0), verifier: constant(true) }, "signature"],
    [
      "empty text is no signature",
      { receipt_json: signed(""), verifier: constant(true) },
      "signature",
    ],
    [
      "an absent signature is none",
      { receipt_json: unsigned, verifier: constant(true) },
      "signature",
    ],
    [
      "an object may be a signature",
      { receipt_json: signed({ a: 1 }), verifier: constant(true) },
      null,
    ],
    ["an empty list may be one", { receipt_json: signed([]), verifier: constant(true) }, null],
    ["true may be one", { receipt_json: signed(true), verifier: constant(true) }, null],
    ["a verifier that says false", { receipt_json: good, verifier: constant(false) }, "signature"],
    ["a verifier that says null", { receipt_json: good, verifier: constant(null) }, "signature"],
    ["a verifier that says 0", { receipt_json: good, verifier: constant(0) }, "signature"],
    ["a verifier that says nothing", { receipt_json: good, verifier: constant("") }, "signature"],
    ["a verifier that says 1", { receipt_json: good, verifier: constant(1) }, null],
    ["a verifier that says a text", { receipt_json: good, verifier: constant("no") }, null],
    [
      "the hash is checked first",
      { receipt_json: broken, verifier: constant(false) },
      "receipt_hash",
    ],
    [
      "the shape is checked first",
      {
        receipt_json: signed("x").replace("capsule-receipt/v1", "other/v1"),
        verifier: constant(false),
      },
      "schema",
    ],
    [
      "the signature is checked before the journal is looked for",
      {
        receipt_json: good,
        verifier: constant(false),
        files: FILES.map((one) =>
          one.path === "journal.ndjson" ? { path: one.path, absent: true } : one
        ),
      },
      "signature",
    ],
    [
      "a good signature over a journal that was cut",
      { receipt_json: good, verifier: prefix, files: file("journal.ndjson", lines([entries[0]])) },
      "truncation",
    ],
  ].map(([note, input, check], index) => ({
    id: `s${String(index + 1).padStart(3, "0")}`,
    note,
    input,
    expect: answer(check),
  })),
);

// ---- precedence ----

const bytes = (...parts) =>
  Buffer.concat(
    parts.map((part) => typeof part === "string" ? Buffer.from(part) : Buffer.from(part)),
  );
const [a, b, c] = chain({ note: "a" }, { note: "b" }, { note: "c" });
const [lineA, lineB, lineC] = [a, b, c].map((one) => `${canonical(one)}\n`);
const notUtf8 = refused("non_canonical", null);
const foreign = "f".repeat(64);

/** A journal of one entry whose note holds these bytes; its hash is right where they are UTF-8. */
function noteOf(raw) {
  const text = Buffer.from(raw).toString("utf8");
  const line = canonical(entry(0, ZEROS, { note: "@" }));
  const isUtf8 = Buffer.from(text).equals(Buffer.from(raw));
  const whole = isUtf8 ? canonical(entry(0, ZEROS, { note: text })) : undefined;
  const [before, after] = line.split("@");
  return whole === undefined ? bytes(before, raw, after, "\n") : bytes(whole, "\n");
}

const badUtf8 = {
  "a lone continuation byte 80": [0x80],
  "a lone continuation byte BF": [0xbf],
  "overlong NUL C0 80": [0xc0, 0x80],
  "overlong C1 BF": [0xc1, 0xbf],
  "overlong E0 80 80": [0xe0, 0x80, 0x80],
  "overlong E0 9F BF": [0xe0, 0x9f, 0xbf],
  "overlong F0 80 80 80": [0xf0, 0x80, 0x80, 0x80],
  "overlong F0 8F BF BF": [0xf0, 0x8f, 0xbf, 0xbf],
  "surrogate ED A0 80": [0xed, 0xa0, 0x80],
  "surrogate ED BF BF": [0xed, 0xbf, 0xbf],
  "a pair of surrogates ED A0 BD ED B8 80": [0xed, 0xa0, 0xbd, 0xed, 0xb8, 0x80],
  "above U+10FFFF, F4 90 80 80": [0xf4, 0x90, 0x80, 0x80],
  "F5 80 80 80": [0xf5, 0x80, 0x80, 0x80],
  "FE": [0xfe],
  "FF": [0xff],
  "two bytes of three": [0xe2, 0x98],
  "three bytes of four": [0xf0, 0x9f, 0x98],
  "a start byte before another character": [0xc3, 0x41],
};
const goodUtf8 = {
  "U+0080": [0xc2, 0x80],
  "U+07FF": [0xdf, 0xbf],
  "U+0800": [0xe0, 0xa0, 0x80],
  "U+D7FF": [0xed, 0x9f, 0xbf],
  "U+E000": [0xee, 0x80, 0x80],
  "U+FEFF within a text": [0xef, 0xbb, 0xbf],
  "the noncharacter U+FFFE": [0xef, 0xbf, 0xbe],
  "the noncharacter U+FFFF": [0xef, 0xbf, 0xbf],
  "the replacement character U+FFFD": [0xef, 0xbf, 0xbd],
  "U+10000": [0xf0, 0x90, 0x80, 0x80],
  "U+10FFFF": [0xf4, 0x8f, 0xbf, 0xbf],
  "U+2028, which ends no line": [0xe2, 0x80, 0xa8],
  "U+0085, which ends no line": [0xc2, 0x85],
  "DEL, which is not escaped": [0x7f],
  "NUL, which is escaped": [0x00],
  "CR, which is escaped": [0x0d],
};

const reseq = entry(2, foreign, { note: "x" });
const relinked = entry(1, foreign, { note: "x" });

write(
  "precedence",
  {
    op: "capsule.verify_journal",
    about:
      "Which of several faults of a journal is the answer: bytes that are no UTF-8 anywhere, then a " +
      "last line without its line feed, then the first bad line, and in it the first rule that is broken.",
  },
  [
    ["a bad line, then bytes that are no UTF-8", bytes("x\n", lineB, [0xff], "\n"), notUtf8],
    ["bytes that are no UTF-8, then a bad line", bytes([0xff], "\n", "x\n"), notUtf8],
    [
      "a bad line, then a tail that was cut",
      bytes(lineA, "x\n", lineC.slice(0, 9)),
      refused("truncated_tail", 2),
    ],
    ["all three", bytes("x\n", lineB, lineC.slice(0, 9), [0xff]), notUtf8],
    ["no UTF-8 in the tail that was cut", bytes(lineA, lineB.slice(0, 9), [0xff]), notUtf8],
    ["the tail is cut within a character", bytes(lineA, '{"a":"', [0xe2, 0x98]), notUtf8],
    ["the only line is cut within a character", bytes('{"a":"', [0xf0, 0x9f]), notUtf8],
    ["a line feed within a character", bytes([0xc3], "\n", [0xa9], "\n"), notUtf8],
    ["a lone NUL", bytes([0]), refused("truncated_tail", 0)],
    ["NUL on a line of its own", bytes(lineA, [0], "\n"), noJson(1)],
    ["a raw NUL in a text", bytes(lineA, '{"a":"', [0], '"}\n'), noJson(1)],
    ["a raw CR in a text", bytes('{"a":"\r"}\n'), noJson()],
    ["a byte order mark", bytes([0xef, 0xbb, 0xbf], lineA), noJson()],
    [
      "a byte order mark before the second line",
      bytes(lineA, [0xef, 0xbb, 0xbf], lineB),
      noJson(1),
    ],
    ["a byte order mark and nothing else", bytes([0xef, 0xbb, 0xbf]), refused("truncated_tail", 0)],
    ["UTF-16 with its mark", bytes([0xff, 0xfe], Buffer.from(lineA, "utf16le")), notUtf8],
    ["U+2028 between entries ends no line", bytes(lineA.trimEnd(), "\u2028", lineB), noJson()],
    ["two bad lines", bytes(lineA, lineC, "x\n"), refused("reordered", 1)],
    ["two bad lines, the other way round", bytes(lineA, "x\n", lineC), noJson(1)],
    ["a bad line between good ones", bytes(lineA, "[]\n", lineB, lineC), tooDeep(1)],
    [
      "wrong hash and wrong place",
      bytes(lineA, `${canonical({ ...c, payload: { note: "other" } })}\n`),
      tooDeep(1),
    ],
    ["wrong place and wrong link", bytes(lineA, `${canonical(reseq)}\n`), refused("reordered", 1)],
    [
      "wrong place and not canonical",
      bytes(lineA, `${canonical(c).replace(":", ": ")}\n`),
      refused("reordered", 1),
    ],
    ["wrong link", bytes(lineA, `${canonical(relinked)}\n`), refused("broken_link", 1)],
    [
      "wrong link and not canonical",
      bytes(lineA, `${canonical(relinked).replace(":", ": ")}\n`),
      refused("broken_link", 1),
    ],
    ["not canonical", bytes(lineA, lineB.replace(":", ": ")), refused("non_canonical", 1)],
    [
      "a link to the entry before the last",
      bytes(lineA, lineB, `${canonical(entry(2, a.entry_hash, {}))}\n`),
      refused("broken_link", 2),
    ],
    [
      "an entry that links to itself cannot be hashed",
      bytes(`${canonical({ ...a, parent_hash: a.entry_hash })}\n`),
      tooDeep(),
    ],
  ].map(([note, raw, expect], index) => ({
    id: `p${String(index + 1).padStart(3, "0")}`,
    note,
    raw,
    expect,
  }))
    .concat(
      Object.entries(badUtf8).map(([note, raw], index) => ({
        id: `u${String(index + 1).padStart(3, "0")}`,
        note: `no UTF-8: ${note}`,
        raw: noteOf(raw),
        expect: notUtf8,
      })),
      Object.entries(goodUtf8).map(([note, raw], index) => ({
        id: `g${String(index + 1).padStart(3, "0")}`,
        note: `UTF-8: ${note}`,
        raw: noteOf(raw),
        expect: holds,
      })),
    ).map(({ id, note, raw, expect }) => ({
      id,
      note,
      input: { journal: { base64: raw.toString("base64") } },
      expect,
    })),
);

// ---- kinds of files ----

const metadataFile = { path: "capsule.json", utf8: `${canonical(METADATA)}\n` };
const journalFile = { path: "journal.ndjson", utf8: journal };
const whole = { ...holds, entry_count: 2, root_hash: entries[1].entry_hash };
const fails = (code, failed_at = null, entry_count = 0) => {
  return { ...refused(code, failed_at), entry_count, root_hash: null };
};
const at = (path, content) => ({ path, ...content });

write(
  "file-types",
  {
    op: "capsule.verify",
    about:
      "Links are followed; what is no regular file then is never opened; what leads nowhere is absent.",
  },
  [
    ["the journal is a link", [
      metadataFile,
      at("j", { utf8: journal }),
      at("journal.ndjson", { symlink: "j" }),
    ], whole],
    ["the journal is a link to a link", [
      metadataFile,
      at("j", { utf8: journal }),
      at("k", { symlink: "j" }),
      at("journal.ndjson", { symlink: "k" }),
    ], whole],
    ["the journal has a second name", [
      metadataFile,
      at("j", { utf8: journal }),
      at("journal.ndjson", { hardlink: "j" }),
    ], whole],
    ["the journal is a link that leads nowhere", [
      metadataFile,
      at("journal.ndjson", { symlink: "j" }),
    ], fails("missing_journal")],
    ["the journal is a link to a directory", [
      metadataFile,
      at("j", { dir: true }),
      at("journal.ndjson", { symlink: "j" }),
    ], fails("unreadable_journal")],
    [
      "the journal is a named pipe",
      [metadataFile, at("journal.ndjson", { fifo: true })],
      fails("unreadable_journal"),
    ],
    ["the journal is a link to a named pipe", [
      metadataFile,
      at("j", { fifo: true }),
      at("journal.ndjson", { symlink: "j" }),
    ], fails("unreadable_journal")],
    ["the journal is a mebibyte of nothing", [
      metadataFile,
      at("journal.ndjson", { sparse: 1048576 }),
    ], fails("truncated_tail", 0)],
    ["the metadata is a link", [
      at("m", { utf8: metadataFile.utf8 }),
      at("capsule.json", { symlink: "m" }),
      journalFile,
    ], whole],
    ["the metadata is a link that leads nowhere", [
      at("capsule.json", { symlink: "m" }),
      journalFile,
    ], fails("metadata_invalid", null, 2)],
    [
      "the metadata is a named pipe",
      [at("capsule.json", { fifo: true }), journalFile],
      fails("metadata_invalid", null, 2),
    ],
    ["both are named pipes", [
      at("capsule.json", { fifo: true }),
      at("journal.ndjson", { fifo: true }),
    ], fails("unreadable_journal")],
    ["the lock and the projection are not looked at", [
      metadataFile,
      journalFile,
      at(".append.lock", { fifo: true }),
      at("projection.json", { fifo: true }),
    ], whole],
  ].map(([note, files, expect], index) => ({
    id: `f${String(index + 1).padStart(3, "0")}`,
    note,
    input: { files },
    expect,
  })),
);

const other = (path, content) => FILES.map((one) => one.path === path ? { path, ...content } : one);
const artifactReceipt = canonical(receipt({ artifact_digest: sha256("artifact\n") }));
const saved = { path: "saved", utf8: `${projection}\n` };

write(
  "receipt-files",
  {
    op: "receipt.check",
    about: "Kinds of files beside a receipt, and the artifact by its path and by its digest.",
    shared,
  },
  [
    ["the projection is a link", {
      files: [...other("projection.json", { symlink: "saved" }), saved],
    }, null],
    ["the projection is a link that leads nowhere", {
      files: other("projection.json", { symlink: "saved" }),
    }, "projection"],
    [
      "the projection is a named pipe",
      { files: other("projection.json", { fifo: true }) },
      "projection",
    ],
    ["the journal is a link that leads nowhere", {
      files: other("journal.ndjson", { symlink: "j" }),
    }, "journal_present"],
    [
      "the journal is a named pipe",
      { files: other("journal.ndjson", { fifo: true }) },
      "journal_integrity",
    ],
    ["the metadata is a named pipe", { files: other("capsule.json", { fifo: true }) }, "metadata"],
    [
      "the artifact is the one",
      { receipt_json: artifactReceipt, artifact: { utf8: "artifact\n" } },
      null,
    ],
    [
      "the artifact is a named pipe",
      { receipt_json: artifactReceipt, artifact: { fifo: true } },
      "artifact",
    ],
    [
      "the artifact is a directory",
      { receipt_json: artifactReceipt, artifact: { dir: true } },
      "artifact",
    ],
    ["the artifact is a link that leads nowhere", {
      receipt_json: artifactReceipt,
      artifact: { symlink: "a" },
    }, "artifact"],
    ["a path goes before a digest", {
      receipt_json: artifactReceipt,
      artifact: { utf8: "other\n" },
      artifact_digest: sha256("artifact\n"),
    }, "artifact"],
    ["an absent path goes before a digest", {
      receipt_json: artifactReceipt,
      artifact: { absent: true },
      artifact_digest: sha256("artifact\n"),
    }, "artifact"],
    ["an empty digest is none", { receipt_json: artifactReceipt, artifact_digest: "" }, null],
    ["a digest in upper case is another one", {
      receipt_json: artifactReceipt,
      artifact_digest: sha256("artifact\n").toUpperCase(),
    }, "artifact"],
    [
      "an artifact where the receipt is about none",
      { artifact: { utf8: "artifact\n" } },
      "artifact",
    ],
  ].map(([note, input, check], index) => ({
    id: `a${String(index + 1).padStart(3, "0")}`,
    note,
    input: { receipt_json: plain, ...input },
    expect: answer(check),
  })),
);

// ---- writing ----

const { created_at: clock, schema: _schema, ...create } = METADATA;
const append = (payload, changes = {}) => {
  return {
    op: "append",
    lineage: "plan",
    kind: "k",
    payload_tagged: { t: "json", text: JSON.stringify(payload) },
    ...changes,
  };
};
const done = (seq, payload) => {
  const { entry_hash } = entry(seq, ZEROS, payload);
  return { op: "append", ok: true, seq, entry_hash };
};
const not = (op, code, more = {}) => ({ op, ok: false, code: `capsule.${code}`, ...more });
const created = { op: "create", ok: true };
const secret = `ghp_${"a".repeat(36)}`;
const firstLine = `${canonical(entry(0, ZEROS, { note: "n" }))}\n`;

write(
  "writes-order",
  {
    op: "capsule.write",
    about: "What a writer refuses with when several things are wrong, and what stands in its way.",
    shared: { clock, existing: [], create, plant: [], steps: [] },
  },
  [
    ["an empty journal of a crashed creation is kept", {
      existing: [at("journal.ndjson", { utf8: "" })],
      steps: [append({ note: "n" })],
    }, {
      steps: [created, done(0, { note: "n" })],
      files: [metadataFile, at("journal.ndjson", { utf8: firstLine })],
    }],
    ["the journal to be is a directory", { existing: [at("journal.ndjson", { dir: true })] }, {
      steps: [not("create", "exists")],
      files: [at("journal.ndjson", { dir: true })],
    }],
    ["the journal to be is a link that leads nowhere", {
      existing: [at("journal.ndjson", { symlink: "j" })],
    }, {
      steps: [not("create", "exists")],
    }],
    ["the journal to be is a link to an empty file", {
      existing: [at("j", { utf8: "" }), at("journal.ndjson", { symlink: "j" })],
    }, { steps: [not("create", "exists")] }],
    ["the journal to be is a named pipe", { existing: [at("journal.ndjson", { fifo: true })] }, {
      steps: [not("create", "exists")],
    }],
    ["the metadata to be is a link that leads nowhere", {
      existing: [at("capsule.json", { symlink: "m" })],
    }, {
      steps: [not("create", "exists")],
    }],
    ["the metadata to be is a directory", { existing: [at("capsule.json", { dir: true })] }, {
      steps: [not("create", "exists")],
      files: [at("capsule.json", { dir: true })],
    }],
    ["existing metadata goes before a bad option", {
      existing: [at("capsule.json", { utf8: "" })],
      create: { ...create, run_id: "" },
    }, { steps: [not("create", "exists")], files: [at("capsule.json", { utf8: "" })] }],
    ["a bad option goes before an orphan journal", {
      existing: [at("journal.ndjson", { utf8: "x" })],
      create: { ...create, run_id: "" },
    }, {
      steps: [not("create", "metadata_invalid")],
      files: [at("journal.ndjson", { utf8: "x" })],
    }],
    ["a lock that is a link that leads nowhere", {
      plant: [at(".append.lock", { symlink: "l" })],
      steps: [append({})],
    }, { steps: [created, not("append", "busy")] }],
    ["a lock that is a named pipe", {
      plant: [at(".append.lock", { fifo: true })],
      steps: [append({})],
    }, {
      steps: [created, not("append", "busy")],
    }],
    ["the lock goes before the journal", {
      plant: [at(".append.lock", { utf8: "" }), at("journal.ndjson", { utf8: "x\n" })],
      steps: [append({})],
    }, { steps: [created, not("append", "busy")] }],
    ["the journal goes before the lineage", {
      plant: [at("journal.ndjson", { utf8: "x\n" })],
      steps: [append({}, { lineage: "other" }), append({})],
    }, {
      steps: [
        created,
        not("append", "corrupt_entry", { failed_at: 0 }),
        not("append", "corrupt_entry", { failed_at: 0 }),
      ],
      files: [metadataFile, at("journal.ndjson", { utf8: "x\n" })],
    }],
    ["the journal became a named pipe", {
      plant: [at("journal.ndjson", { fifo: true })],
      steps: [append({})],
    }, {
      steps: [created, not("append", "unreadable_journal", { failed_at: null })],
    }],
    ["the metadata became a named pipe", {
      plant: [at("capsule.json", { fifo: true })],
      steps: [append({})],
    }, {
      steps: [created, not("append", "metadata_invalid", { failed_at: null })],
    }],
    ["the lineage goes before the payload", { steps: [append([], { lineage: "other" })] }, {
      steps: [created, not("append", "bad_lineage")],
    }],
    ["a wrong type goes before a secret and a field outside the table", {
      steps: [append({ note: secret, passed: "1", other: 1 })],
    }, { steps: [created, not("append", "payload_invalid")] }],
    ["a secret goes before a field outside the table", {
      steps: [append({ note: secret, other: 1 })],
    }, {
      steps: [created, not("append", "secret_canary")],
    }],
    ["a field outside the table goes before a bad kind", {
      steps: [append({ other: 1 }, { kind: "K" })],
    }, {
      steps: [created, not("append", "payload_denied")],
    }],
    ["a bad kind, and a bad effect class", {
      steps: [append({}, { kind: "K" }), append({}, { options: { effect_class: "SE5" } })],
    }, { steps: [created, not("append", "invalid_entry"), not("append", "invalid_entry")] }],
    ["after every refusal the next entry is the first", {
      steps: [
        append({}, { lineage: "other" }),
        append({ note: secret }),
        append({}, { kind: "" }),
        append({ note: "n" }),
        { op: "verify" },
      ],
    }, {
      steps: [
        created,
        not("append", "bad_lineage"),
        not("append", "secret_canary"),
        not("append", "invalid_entry"),
        done(0, { note: "n" }),
        {
          op: "verify",
          ...holds,
          entry_count: 1,
          root_hash: entry(0, ZEROS, { note: "n" }).entry_hash,
        },
      ],
      files: [metadataFile, at("journal.ndjson", { utf8: firstLine })],
    }],
    ["an export replaces a stale projection", {
      plant: [at("projection.json", { utf8: "stale" })],
      steps: [{ op: "project" }, { op: "export" }, { op: "export" }],
    }, {
      steps: [
        created,
        { op: "project", ok: true },
        { op: "export", ok: true, verify_copy: "ok" },
        { op: "export", ok: true, verify_copy: "ok" },
      ],
    }],
  ].map(([note, input, expect], index) => ({
    id: `w${String(index + 1).padStart(3, "0")}`,
    note,
    input,
    expect,
  })),
);

// ---- canonical profiles ----

const spelled = (text) => ({ ok: true, text, sha256: `sha256:${sha256(text)}` });
const kind = (name) => ({ ok: false, kind: name });
const numbered = (cases) => cases.map((one, index) => ({ id: `j${String(index + 1).padStart(3, "0")}`, ...one }));

// The numbers are those of RFC 8785, appendix B, and around the places where the spelling changes.
const jcsCases = [
  ["zero", "0", "0"],
  ["minus zero", "-0", "0"],
  ["minus zero as a fraction", "-0.0", "0"],
  ["one with a fraction", "1.0", "1"],
  ["smallest denormal", "5e-324", "5e-324"],
  ["largest double", "1.7976931348623157e308", "1.7976931348623157e+308"],
  ["2^53", "9007199254740992", "9007199254740992"],
  ["2^53 + 1 is read as a double", "9007199254740993", "9007199254740992"],
  ["2^68", "295147905179352830000", "295147905179352830000"],
  ["below 1e21", "999999999999999900000", "999999999999999900000"],
  ["1e21", "1e21", "1e+21"],
  ["1e23 is not round", "9.999999999999997e22", "9.999999999999997e+22"],
  ["1e-6", "0.000001", "0.000001"],
  ["below 1e-6", "9.999999999999997e-7", "9.999999999999997e-7"],
  ["too many digits", "333333333.33333329", "333333333.3333333"],
  ["names by code unit: astral before the private use area", '{"\ue000":1,"\ud83d\ude00":2}', '{"\u{1f600}":2,"\ue000":1}'],
  ["names like numbers are texts", '{"10":1,"9":2,"":3}', '{"":3,"10":1,"9":2}'],
  ["escapes", String.raw`"\u000f\u000A\u0041\/\"\\\u20ac\u007f"`, String.raw`"\u000f\nA/\"\\€` + '\u007f"'],
  ["blanks between tokens", ' { "a" : [ 1 , null ] } ', '{"a":[1,null]}'],
  ["__proto__ is a name", '{"__proto__":{"a":1},"a":2}', '{"__proto__":{"a":1},"a":2}'],
].map(([note, value_json, text]) => ({ note, input: { value_json }, expect: spelled(text) }));

const jcsRefusals = [
  ["a number beyond doubles", "[1e400]", "non_finite_number"],
  ["NaN", "NaN", "non_finite_number"],
  ["an unpaired surrogate", '"\\ud800"', "not_encodable"],
  ["an unpaired surrogate in a name", '{"\\udc00":1}', "not_encodable"],
].map(([note, value_json, name]) => ({ note, input: { value_json }, expect: kind(name) }));

write("jcs", {
  op: "canonical.encode",
  about: "Canonical text under profile jcs (RFC 8785) and its commitment.",
  shared: { profile: "jcs" },
}, numbered([...jcsCases, ...jcsRefusals]), "canonical");

const json = (text) => ({ t: "json", text });
const strictCases = ["value", "artifact", "ascii", "jcs"].flatMap((profile) => {
  const end = profile === "artifact" ? "\n" : "";
  const whole = { t: "object", entries: [["b", json("1")], ["a", { t: "array", items: [json("true"), json("null")] }]] };
  const refusedValues = [
    ["undefined", { t: "undefined" }, "no_text"],
    ["undefined member", { t: "object", entries: [["a", { t: "undefined" }]] }, "no_text"],
    ["hole", { t: "array", items: [json("1"), { t: "hole" }] }, "no_text"],
    ["function", { t: "array", items: [{ t: "function" }] }, "no_text"],
    ["symbol", { t: "symbol" }, "no_text"],
    ["symbol key", { t: "symbol_key" }, "no_text"],
    ["accessor", { t: "getter", key: "a", value: json("1") }, "no_text"],
    ["hidden member", { t: "hidden", entries: [["a", json("1")]] }, "no_text"],
    ["inherited members", { t: "inherits", proto: json('{"a":1}'), entries: [] }, "no_text"],
    ["own toJSON function", { t: "tojson", value: json("1"), entries: [] }, "no_text"],
    ["date", { t: "date", v: "2026-01-01T00:00:00.000Z" }, "no_text"],
    ["set", { t: "set" }, "no_text"],
    ["byte buffer", { t: "bytes", v: "00" }, "no_text"],
    ["boxed text", { t: "boxed_string", v: "a" }, "no_text"],
    ["cycle", { t: "cycle", key: "a" }, "too_deep"],
    ["NaN", { t: "nan" }, "non_finite_number"],
    ["infinity", { t: "-inf" }, "non_finite_number"],
  ];
  const oneWay = profile === "jcs"
    ? [["a fraction", json("1.5"), spelled("1.5")], ["minus zero", { t: "-0" }, spelled("0")], [
      "BigInt has no double",
      { t: "bigint", v: "1" },
      { ok: false, code: "canonical.no_text" },
    ]]
    : [["a fraction needs its text", json("1.5"), { ok: false, code: "canonical.ambiguous_number" }], [
      "minus zero needs its text",
      { t: "-0" },
      { ok: false, code: "canonical.ambiguous_number" },
    ], ["BigInt is an integer", { t: "bigint", v: "123456789012345678901234567890" }, spelled(`123456789012345678901234567890${end}`)]];
  return [
    ["whole numbers, lists and objects", whole, spelled(`{"a":[true,null],"b":1}${end}`)],
    ["object without prototype", { t: "null_proto", entries: [["a", json("1")]] }, spelled(`{"a":1}${end}`)],
    ...oneWay,
    ...refusedValues.map(([note, value, code]) => [note, value, { ok: false, code: `canonical.${code}` }]),
  ].map(([note, value_tagged, expect]) => ({
    note: `${profile}: ${note}`,
    tags: ["js-value"],
    input: { profile, value_tagged },
    expect,
  }));
});

write("host-values", {
  op: "canonical.encode_value",
  about: "Values of the host language under the strict profiles: nothing is dropped, called or guessed.",
}, numbered(strictCases), "canonical");

// ---- retrospectives ----

const capsuleOf = (name, changes = {}, journal = "") => ({
  name,
  files: [
    { path: "capsule.json", utf8: `${canonical({ ...METADATA, ...changes })}\n` },
    { path: "journal.ndjson", utf8: journal },
  ],
});
const retrospective = (code, input_index) => ({ ok: false, code: `retrospective.${code}`, input_index });

write(
  "retrospective-order",
  { op: "retrospective.group", about: "What a retrospective refuses first, and what counts as an input." },
  [
    [
      "all are read before families are compared",
      [capsuleOf("a"), capsuleOf("b", { task_family: "other" }), capsuleOf("c", {}, "{}\n")],
      ["a", "b", "c"],
      retrospective("invalid_capsule", 2),
    ],
    [
      "the first that does not verify is named",
      [capsuleOf("a", {}, "torn"), capsuleOf("b", {}, "{}\n")],
      [{ missing: true }, "a", "b"],
      retrospective("invalid_capsule", 0),
    ],
    [
      "of one input, its family comes before its identity",
      [capsuleOf("a"), capsuleOf("b", { task_family: "other" })],
      ["a", "b"],
      retrospective("mixed_task_families", 1),
    ],
    [
      "an earlier conflict comes before a later family",
      [capsuleOf("a"), capsuleOf("b", {}, first), capsuleOf("c", { task_family: "other" })],
      ["a", "a", "b", "c"],
      retrospective("conflicting_identity", 2),
    ],
    ["a blank input comes before one that is missing", [], [{ missing: true }, { raw: "\u3000" }], retrospective("invalid_inputs", null)],
    ["U+FEFF is trimmed", [], [{ raw: "\ufeff" }], retrospective("invalid_inputs", null)],
    ["a list in a list", [], [{ raw: ["a"] }], retrospective("invalid_inputs", null)],
  ].map(([note, capsules, inputs, expect], index) => ({
    id: `o${String(index + 1).padStart(3, "0")}`,
    note,
    input: { capsules, inputs },
    expect,
  })),
);

// ---- the gate ----

const TASK = '{"id":"t","input":null,"expected":1}';
const tasksetOf = (rest = "") => `{"version":1,"family":"f","tasks":[${TASK}]${rest}}`;
const tasksetTaken = (bytes, ...members) => ({
  ok: true,
  digest: sha256(bytes),
  version: 1,
  family: "f",
  task_ids: ["t"],
  keys: ["version", "family", "tasks", ...members, "path", "digest"],
});
const tasksetRefused = { ok: false, code: "gate.taskset_invalid" };
const latin1 = Buffer.from(tasksetOf(',"note":"\u00e9"'), "latin1");

write(
  "limits-taskset",
  {
    op: "gate.parse_taskset",
    about: "Nesting and encoding of a task set, and the code of what is no JSON or no object.",
    compare: { unordered: ["keys"] },
  },
  [
    ["1000 levels", { utf8: tasksetOf(`,"x":${open(999)}${shut(999)}`) }, tasksetTaken(tasksetOf(`,"x":${open(999)}${shut(999)}`), "x")],
    ["1001 levels", { utf8: tasksetOf(`,"x":${open(1000)}${shut(1000)}`) }, tasksetRefused],
    ["level 1001 opens and nothing follows", { utf8: open(1001) }, tasksetRefused],
    ["no JSON", { utf8: `${tasksetOf()}x` }, tasksetRefused],
    ["an empty file", { utf8: "" }, tasksetRefused],
    ["a byte order mark", { utf8: `\ufeff${tasksetOf()}` }, tasksetRefused],
    ["a list", { utf8: `[${tasksetOf()}]` }, tasksetRefused],
    ["a byte that is no UTF-8, in a text", { base64: latin1.toString("base64") }, tasksetTaken(latin1, "note")],
    ["a member __proto__ is one like any other", { utf8: tasksetOf(',"__proto__":{"version":2}') }, tasksetTaken(tasksetOf(',"__proto__":{"version":2}'), "__proto__")],
    ["the last of a repeated member counts", { utf8: tasksetOf(',"family":"g"') }, { ...tasksetTaken(tasksetOf(',"family":"g"')), family: "g" }],
    ["a task that is a list", { utf8: tasksetOf().replace(TASK, "[]") }, tasksetRefused],
  ].map(([note, content, expect], index) => ({
    id: `t${String(index + 1).padStart(3, "0")}`,
    note,
    input: { file: content },
    expect,
  })),
);

/** The digest of a tree whose files are given in walk order, which is the hand-made part. */
const treeDigest = (files) => sha256(files.map(({ path, utf8 }) => `${path}\0${utf8}\0`).join(""));
const MANIFEST = { path: "variant.json", utf8: '{"name":"v","effect_class":"SE0"}' };
const RUN = { path: "run.js", utf8: "0\n" };
const text = (path, utf8 = path) => ({ path, utf8 });
const entryOf = (value) => ({ path: "variant.json", utf8: `{"name":"v","effect_class":"SE0","entry":${JSON.stringify(value)}}` });
const variantRefused = { ok: false, code: "gate.variant_invalid" };
const noHits = { hits: [], class_hits: { SE0: [], SE2: [], SE4: [] } };
const refusedLoad = (load, ...inOrder) => ({
  load,
  digest_dir: inOrder.length > 0 ? { ok: true, digest: treeDigest(inOrder) } : variantRefused,
  hits: null,
  class_hits: null,
});
function loaded(inOrder, { entry = "run.js", hits = [] } = {}) {
  const digest = treeDigest(inOrder);
  const load = { ok: true, name: "v", effect_class: "SE0", entry, digest };
  return { load, digest_dir: { ok: true, digest }, ...noHits, hits };
}
const hit = (rule, file, line) => ({ variant: "v", rule, file, line });
const z = text("z.js");
const umlaut = text("\u00e4.js");
const soft = [text("s.js"), text("s\u00ad.js")];
const scanned = text("a.sh", "fetch(\r\nx\r\r\nfetch(\n\nfetch (\u00a0\r");
const deepManifest = (levels) => ({ path: "variant.json", utf8: `{"name":"v","effect_class":"SE0","x":${open(levels)}${shut(levels)}}` });

write(
  "gate-trees",
  {
    op: "gate.inspect",
    about: "Order of names by locale, spellings of the entry, limits of the manifest, ends of lines.",
    basis: "Derived by hand from the rules of the format.",
    shared: { locale: "en-US" },
  },
  [
    ["a letter with a diacritic stands by its letter", [z, MANIFEST, RUN, umlaut], loaded([umlaut, RUN, MANIFEST, z])],
    ["and at the end in Swedish", [z, MANIFEST, RUN, umlaut], loaded([RUN, MANIFEST, z, umlaut]), { locale: "sv" }],
    ["names that collate equal go by code unit", [soft[1], MANIFEST, RUN, soft[0]], loaded([RUN, ...soft, MANIFEST])],
    ["a directory stands at its name, before what its path would sort after", [text("a-b.js"), text("a/z.js"), text("a.js"), MANIFEST, RUN], loaded([text("a/z.js"), text("a-b.js"), text("a.js"), RUN, MANIFEST])],
    ["an entry that ends in /.", [entryOf("run.js/."), RUN], loaded([RUN, entryOf("run.js/.")])],
    ["an entry that ends in /", [entryOf("run.js/"), RUN], refusedLoad(variantRefused, RUN, entryOf("run.js/"))],
    ["an entry of dots and slashes", [entryOf(".//./run.js"), RUN], loaded([RUN, entryOf(".//./run.js")])],
    ["an entry with a colon that is no drive", [entryOf("C:run.js"), text("C:run.js")], loaded([text("C:run.js"), entryOf("C:run.js")], { entry: "C:run.js" })],
    ["three dots are a name", [entryOf("..."), text("...")], loaded([text("..."), entryOf("...")], { entry: "..." })],
    ["a manifest of 1000 levels", [deepManifest(999), RUN], loaded([RUN, deepManifest(999)])],
    ["a manifest of 1001 levels", [deepManifest(1000), RUN], refusedLoad(variantRefused, RUN, deepManifest(1000))],
    ["a manifest that is no JSON", [text("variant.json", "{"), RUN], refusedLoad(variantRefused, RUN, text("variant.json", "{"))],
    ["a manifest with a byte order mark", [text("variant.json", `\ufeff${MANIFEST.utf8}`), RUN], refusedLoad(variantRefused, RUN, text("variant.json", `\ufeff${MANIFEST.utf8}`))],
    ["a manifest that is null", [text("variant.json", "null"), RUN], refusedLoad(variantRefused, RUN, text("variant.json", "null"))],
    ["no manifest is told before a link in the tree", [RUN, { path: "link", symlink: "run.js" }], refusedLoad({ ok: false, code: "gate.variant_missing" })],
    ["a dangling link is one", [MANIFEST, RUN, { path: "link", symlink: "nothing" }], refusedLoad(variantRefused)],
    ["a carriage return alone ends no line", [scanned, MANIFEST, RUN], loaded([scanned, RUN, MANIFEST], {
      hits: [hit("hidden_network", "a.sh", 1), hit("hidden_network", "a.sh", 3), hit("hidden_network", "a.sh", 5)],
    })],
  ].map(([note, files, expect, changes = {}], index) => ({
    id: `w${String(index + 1).padStart(3, "0")}`,
    note,
    input: { files, ...changes },
    expect,
  })),
);

const ROW = '{"id":"t","output":1}';
const results = (rows = ROW, rest = "") => `{"results":[${rows}]${rest}}`;
const childFailed = (kind) => ({ ok: false, kind, outputs: [] });
const childHeld = (...outputs) => ({ ok: true, kind: null, outputs });
const T = [{ id: "t" }];

write(
  "gate-results-order",
  { op: "gate.parse_result", about: "What is wrong first with the result of a child, and the edges of its output." },
  [
    ["an error hides a bad exit", { error: {}, status: 1, stdout: "x" }, T, childFailed("process_error")],
    ["a timeout hides all else", { error: { code: "ETIMEDOUT" }, status: 0, signal: "SIGTERM", stdout: results() }, T, childFailed("timeout")],
    ["an error that is a text", { error: "ETIMEDOUT", status: 0, stdout: results() }, T, childFailed("process_error")],
    ["a falsy error is none", { error: null, status: 0, signal: "", stdout: results() }, T, childHeld(["t", { id: "t", output: 1 }])],
    ["a bad exit hides a reported failure", { status: 2, stdout: '{"fatal":"x"}' }, T, childFailed("unsuccessful_exit")],
    ["a status that is a text", { status: "0", stdout: results() }, T, childFailed("unsuccessful_exit")],
    ["a list goes on, and has no status", [], T, childFailed("unsuccessful_exit")],
    ["1 MiB with its blanks", { status: 0, stdout_repeat: { text: " ", times: 1048576 - 35 }, stdout_suffix: results() }, T, childHeld(["t", { id: "t", output: 1 }])],
    ["1 MiB and a byte", { status: 0, stdout_repeat: { text: " ", times: 1048577 - 35 }, stdout_suffix: results() }, T, childFailed("protocol")],
    ["1 MiB is counted in bytes", { status: 0, stdout_repeat: { text: "\u3000", times: 349525 }, stdout_suffix: results() }, T, childFailed("protocol")],
    ["a byte order mark goes", { status: 0, stdout: `\ufeff${results()}` }, T, childHeld(["t", { id: "t", output: 1 }])],
    ["a byte order mark at the start of the last line stays", { status: 0, stdout: `x\n\ufeff${results()}` }, T, childFailed("protocol")],
    ["a carriage return alone is no line", { status: 0, stdout: `x\r${results()}` }, T, childFailed("protocol")],
    ["the last of a repeated member counts", { status: 0, stdout: results('{"id":"u","output":1,"id":"t"}') }, T, childHeld(["t", { id: "t", output: 1 }])],
    ["1001 levels", { status: 0, stdout: results(ROW, `,"x":${open(1000)}${shut(1000)}`) }, T, childFailed("protocol")],
    ["a null fatal beside results", { status: 0, stdout: results(ROW, ',"fatal":null') }, T, childFailed("protocol")],
    ["ids are compared with their type", { status: 0, stdout: results('{"id":1,"output":1}') }, [{ id: "1" }], childFailed("protocol")],
    ["ids need not be texts", { status: 0, stdout: results('{"id":1,"output":1}') }, [{ id: 1 }], childHeld([1, { id: 1, output: 1 }])],
    ["tasks with one id twice", { status: 0, stdout: results(`${ROW},${ROW}`) }, [...T, ...T], childFailed("protocol")],
  ].map(([note, child, tasks, expect], index) => ({
    id: `p${String(index + 1).padStart(3, "0")}`,
    note,
    input: { child, tasks },
    expect,
  })),
);

const RUN_OF_BASELINE = { fatal: null, exit_code: 0, marker_intact: true, fence_events: [] };
const rowsOf = (json, changes = {}) => ({ ...RUN_OF_BASELINE, outputs_json: json, ...changes });
const incomplete = (kind) => ({ ok: kind === null, kind });

write(
  "gate-baselines-order",
  { op: "gate.check_baseline", about: "Rows of other shapes, and which fault of a baseline is told." },
  [
    ["a row that is null", rowsOf('[["t",null]]'), T, incomplete("row")],
    ["a row that is a text", rowsOf('[["t","t"]]'), T, incomplete("row")],
    ["an output named __proto__ is none", rowsOf('[["t",{"id":"t","__proto__":{"output":1}}]]'), T, incomplete("row")],
    ["further members of a row are free", rowsOf('[["t",{"id":"t","output":1,"ms":3}]]'), T, incomplete(null)],
    ["a bad row in a run that failed", rowsOf('[["t",null]]', { fatal: "x" }), T, incomplete("run_or_tasks")],
    ["a row of another task", rowsOf('[["u",{"id":"u","output":1}]]'), T, incomplete("row")],
    ["no run and no tasks", null, [], incomplete("run_or_tasks")],
    ["an exit code that is a text", rowsOf('[["t",{"id":"t","output":1}]]', { exit_code: "0" }), T, incomplete("run_or_tasks")],
  ].map(([note, run, tasks, expect], index) => ({
    id: `b${String(index + 1).padStart(3, "0")}`,
    note,
    input: { run, tasks },
    expect,
  })),
);
