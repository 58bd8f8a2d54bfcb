import { suite } from "uvu";
import * as assert from "uvu/assert";
import { describeFault, type EntryFault } from "../../src/capsule/mod.ts";

const faults = suite("describeFault()");

/** Every kind of fault and its words. */
const WORDS: [EntryFault, string][] = [
  [{ kind: "not_plain_object" }, "it is no plain object"],
  [{ kind: "non_data_property" }, "it has an accessor, symbol or hidden property"],
  [{ kind: "unknown_fields", keys: ["a", "b"] }, 'it has unknown fields: "a", "b"'],
  [{ kind: "missing_fields", keys: ["ts"] }, 'it lacks fields: "ts"'],
  [{ kind: "schema" }, '"schema" is not as the format demands: "capsule-envelope/v1" was wanted'],
  [
    { kind: "ts" },
    '"ts" is not as the format demands: a time like 2026-09-02T00:00:00.000Z, on a day that exists, was wanted',
  ],
  [{ kind: "entry_hash_format" }, '"entry_hash" is not 64 lower-case hexadecimal digits'],
  [
    { kind: "entry_hash_mismatch" },
    '"entry_hash" is not the hash of the other fields: something in the entry was changed',
  ],
  [{ kind: "payload_not_object" }, '"payload" is no plain object'],
  [
    { kind: "payload_non_data_property" },
    '"payload" has an accessor, symbol or hidden property',
  ],
  [
    { kind: "payload_type", field: "hits", expected_type: "integer" },
    'payload field "hits" is not of type integer',
  ],
  [
    { kind: "payload_unknown_keys", keys: ["prompt"] },
    'payload has fields outside the v1 table: "prompt"',
  ],
  [
    { kind: "payload_canary", canary: "jwt", path: "$.note" },
    "$.note holds text shaped like a secret (jwt)",
  ],
];

faults("describeFault() has words for every kind of fault", () => {
  assert.equal(WORDS.map(([fault]) => describeFault(fault)), WORDS.map(([, words]) => words));
});

faults("describeFault() shows few names, cut short, with nothing a terminal acts on", () => {
  const keys = ["\u001b[31m", 'a"\n', "é\ud83d😀", "a".repeat(65), "b".repeat(64), "f", "g"];
  const shown = [
    ...['"\\u001b[31m"', '"a\\"\\n"', '"\\u00e9\\ud83d\\ud83d\\ude00"'],
    ...[`"${"a".repeat(64)}..."`, `"${"b".repeat(64)}"`],
  ].join(", ");
  const described = describeFault({ kind: "unknown_fields", keys });
  assert.is(described, `it has unknown fields: ${shown} and 2 more`);
});

faults.run();
