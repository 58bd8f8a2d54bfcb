import { suite } from "uvu";
import * as assert from "uvu/assert";
import {
  isBlank,
  isJudge,
  isMediaType,
  isRepository,
  LAB_PROFILE,
  reading,
  scanPublic,
  trim,
} from "../../src/record/mod.ts";
import { objectOf } from "../lib/records.ts";

const scanning = suite("scanPublic()");

function scan(record: Readonly<Record<string, unknown>>): string {
  const result = reading(() => scanPublic(objectOf(record), LAB_PROFILE.reservedWords));
  return result.ok ? "clean" : result.code.replace("record.public_scan_", "");
}

scanning("ranks and reserved words are found in names and as whole values", () => {
  const found = [
    { tier: 1 },
    { RESULT_TIER: 1 },
    { a: [{ b: " Official\u001c" }] },
    { private_debug: 1 },
  ];
  for (const record of found) assert.is(scan(record), "classification", JSON.stringify(record));
  for (const record of [{ " tier": 1 }, { a: "officially" }, { a: "\ufeffofficial" }]) {
    assert.is(scan(record), "clean", JSON.stringify(record));
  }
});

scanning("names of secrets and accounts are found, words beside them are not", () => {
  const found = ["apiKey", "x_API-key", "accessToken", "my_secret", "HTTPSecrets", "secret2"];
  found.push("PASSWORD", "ap\u0130key", "provider_account_id", "orgId", "organ\u0131zation-id");
  found.push("credentials", "\u017fecret");
  for (const name of found) assert.is(scan({ [name]: 1 }), "field_name", name);
  for (const name of ["2secret", "secretary", "keyapi", "tokens", "organisation_id"]) {
    assert.is(scan({ [name]: 1 }), "clean", name);
  }
});

scanning("file names directly below document hashes are no field names", () => {
  assert.is(scan({ document_hashes: { "a/secret.txt": "x" } }), "clean");
  assert.is(scan({ document_hashes: { secret: "x" } }), "field_name");
  assert.is(scan({ document_hashes: { ".secret": "x" } }), "field_name");
  assert.is(scan({ document_hashes: { a: { "secret.txt": "x" } } }), "field_name");
});

scanning("values of secrets are found", () => {
  const found = [
    "Authorization: Bearer x",
    "api-key = 12345678",
    "SECRET:\u00a012345678",
    `AKIA${"A".repeat(16)}`,
  ];
  for (const text of found) assert.is(scan({ a: text }), "secret_value", text);
  const clean = [
    "authorization: bearer x",
    "api-key = 1234567",
    "mysecret: 12345678",
    `AKIA${"A".repeat(17)}`,
  ];
  for (const text of clean) assert.is(scan({ a: text }), "clean", text);
});

scanning("hostile texts of a megabyte are scanned to their end", () => {
  for (
    const part of ["secret   ", "api_key", "Authorization : ", "AKIA", "\u3000", "\u0130\u0131"]
  ) {
    const text = part.repeat(Math.ceil(1_000_000 / part.length));
    assert.is(scan({ a: text }), "clean", part);
  }
});

scanning("white space is that of the first writer", () => {
  const spaces = "\t\n\u000b\f\r\u001c\u001d\u001e\u001f \u0085\u00a0\u1680\u2000\u200a" +
    "\u2028\u2029\u202f\u205f\u3000";
  assert.is(isBlank(spaces), true);
  assert.is(trim(`${spaces}a b${spaces}`), "a b");
  assert.is(isBlank("\ufeff"), false);
  assert.is(isBlank("\u200b"), false);
});

scanning("judges, media types and repositories are full matches", () => {
  const judges = ["a/b", "a/b@C", "A/b", "a/b@", "a/b\n", "a"];
  assert.equal(judges.map(isJudge), [true, true, false, false, false, false]);
  const types = ["a/b", "A/B+c", "a/b;c=d", "a", "a/b/c"];
  assert.equal(types.map(isMediaType), [true, true, false, false, false]);
  assert.is(isRepository("https://h.org/a/b.git"), true);
  const bad = ["https://h.org", "https://h.org/", "https://H.org/a", "http://h.org/a"];
  bad.push("https://u@h.org/a", "https://h.org:/a", "https://h.org/a?", "https://h.org/a#");
  bad.push("https://h.org/a//b", "https://h.org/..", "https://[::1]/a", "https://h.org/a\n");
  for (const text of bad) assert.is(isRepository(text), false, text);
});

scanning.run();
