import { suite } from "uvu";
import * as assert from "uvu/assert";
import {
  commit,
  compareCodePoints,
  JsonNumber,
  parseStrictText,
  PROFILES,
} from "../../src/canonical/mod.ts";
import type { JsonObject, JsonValue } from "../../src/canonical/mod.ts";
import { formatManifest, parseManifest } from "../../src/deliverable/mod.ts";
import { UNSTABLE_NEUTRAL_PROFILE } from "../../src/record/mod.ts";
import { seeded } from "../lib/random.ts";
import type { Random } from "../lib/random.ts";
import { sealedSample, sha256 } from "./sample.ts";

const manifests = suite("parseManifest()");
const { manifest } = await sealedSample();
const text = formatManifest(manifest);

function read(text: string): JsonValue {
  const parsed = parseStrictText(text, { duplicateKeys: "last-wins", nonFinite: true });
  if (!parsed.ok) throw new Error(parsed.reason);
  return parsed.value;
}

manifests("reads what was sealed, and formatManifest() writes it again", () => {
  const result = parseManifest(read(text), sha256);
  if (!result.ok) throw new Error(result.reason);
  assert.is(formatManifest(result.value), text);
  assert.equal(result.value.artifacts, manifest.artifacts);
  assert.is(result.value.manifest_sha256, manifest.manifest_sha256);
});

manifests("takes the ids of its own profile only", () => {
  const { code, field } = parseManifest(read(text), sha256, {
    profile: UNSTABLE_NEUTRAL_PROFILE,
  }) as {
    code?: string;
    field?: string;
  };
  assert.equal([code, field], ["record.schema_version_unsupported", "schema_version"]);
});

/** Values of every type, and such as have fooled readers. */
const HOSTILE = [
  ...["null", "true", "[]", "{}", "0", "1", "-0", "1.0", "1e0", "-1", "NaN", "-Infinity", "1e999"],
  ...[
    "9007199254740993",
    `1${"0".repeat(400)}`,
    '""',
    '" "',
    '"\\u001c"',
    '"\\ud800"',
    '"\\u0000"',
  ],
  ...[
    '"__proto__"',
    '"../x"',
    '"a/b"',
    '".env"',
    '"%2e"',
    '"C:\\\\x"',
    '"text/plain"',
    '"Text/Plain"',
  ],
  ...[`"${"0".repeat(64)}"`, `"sha256:${"0".repeat(64)}"`, `"sha256:${"A".repeat(64)}"`],
  ...['"WORK/answer.md"', '"notes.txt/x"', "[[[[[]]]]]", '{"__proto__":1}', "[{}]"],
];

/** Changes one or two things, mostly deep inside, and mostly with a hash that fits afterwards. */
function mutate(random: Random): JsonObject {
  const record = read(text) as JsonObject;
  for (let changes = 1 + random.below(2); changes > 0; changes--) change(record, random);
  if (random.below(4) > 0) {
    const rest = new Map([...record].filter(([name]) => name !== "manifest_sha256"));
    try {
      record.set("manifest_sha256", commit("ascii", rest, sha256));
    } catch {
      // It holds a number that has no text, and nothing can fit.
    }
  }
  return record;
}

function change(record: JsonObject, random: Random): void {
  const artifacts = record.get("artifacts");
  const inner = Array.isArray(artifacts) && artifacts.length > 0 ? random.pick(artifacts) : null;
  const target = inner instanceof Map && random.below(3) > 0 ? inner : record;
  if (target.size === 0) return;
  const name = random.pick([...target.keys()]);
  switch (random.below(6)) {
    case 0:
      return void target.delete(name);
    case 1:
      return void target.set(
        random.pick(["extra", "__proto__", "toString", ""]),
        target.get(name)!,
      );
    case 2:
      if (Array.isArray(artifacts)) artifacts.push(random.pick([...artifacts, null]));
      return;
    case 3:
      if (Array.isArray(artifacts)) artifacts.reverse();
      return;
    case 4:
      return void target.set(name, target.get(random.pick([...target.keys()]))!);
    default:
      return void target.set(name, read(random.pick(HOSTILE)));
  }
}

/** The rules once more, plainly and without their order: may this be accepted? */
function mayHold(record: JsonObject): boolean {
  const members = (value: unknown): string =>
    value instanceof Map ? [...value.keys()].sort().join() : "";
  const integer = (value: unknown): bigint =>
    value instanceof JsonNumber && /^-?\d+$/.test(value.lexeme) ? BigInt(value.lexeme) : -1n;
  const artifacts = record.get("artifacts");
  const digests = ["task_sha256", "run_sha256", "config_sha256", "tree_sha256"];
  const wanted = [...digests, "artifacts", "manifest_sha256", "max_files", "max_total_size_bytes"];
  wanted.push("schema_version", "total_size_bytes");
  if (members(record) !== wanted.sort().join() || !Array.isArray(artifacts)) return false;
  const digest = /^sha256:[0-9a-f]{64}$/;
  const rest = new Map([...record].filter(([name]) => name !== "manifest_sha256"));
  const rows = artifacts.map((item) => item instanceof Map ? item : new Map<string, JsonValue>());
  const ids = rows.map((row) => String(row.get("artifact_id")));
  const paths = rows.map((row) => String(row.get("path")).toLowerCase());
  const total = rows.reduce((sum, row) => sum + integer(row.get("size_bytes")), 0n);
  return record.get("schema_version") === manifest.schema_version &&
    digests.every((name) => digest.test(String(record.get(name)))) &&
    rows.every((row) =>
      members(row) === "artifact_id,max_size_bytes,media_type,path,sha256,size_bytes" &&
      typeof row.get("artifact_id") === "string" && String(row.get("artifact_id")).trim() !== "" &&
      typeof row.get("path") === "string" &&
      !/^\s*$|^\/|\\|%[0-9a-f]{2}/i.test(String(row.get("path"))) &&
      String(row.get("path")).split("/").every((name) => name !== "" && !name.startsWith(".")) &&
      /^[a-z0-9!#$&^_.+-]+\/[a-z0-9!#$&^_.+-]+$/.test(String(row.get("media_type"))) &&
      digest.test(String(row.get("sha256"))) && integer(row.get("size_bytes")) >= 0n &&
      integer(row.get("max_size_bytes")) > 0n &&
      integer(row.get("size_bytes")) <= integer(row.get("max_size_bytes"))
    ) &&
    rows.length > 0 && BigInt(rows.length) <= integer(record.get("max_files")) &&
    new Set(ids).size === ids.length && new Set(paths).size === paths.length &&
    !paths.some((path) => paths.some((other) => other.startsWith(`${path}/`))) &&
    ids.every((id, index) => index === 0 || compareCodePoints(ids[index - 1]!, id) < 0) &&
    total === integer(record.get("total_size_bytes")) &&
    total <= integer(record.get("max_total_size_bytes")) &&
    record.get("manifest_sha256") === commit("ascii", rest, sha256);
}

manifests("accepts of 5,000 mutations exactly those that keep the rules, and never throws", () => {
  const random = seeded(2026);
  const outcomes = new Map<string, number>();
  for (let round = 0; round < 5_000; round++) {
    const record = mutate(random);
    const result = parseManifest(record, sha256);
    assert.is(result.ok, mayHold(record), `round ${round}`);
    if (result.ok) assert.is(formatManifest(result.value), PROFILES.ascii.format(record));
    const outcome = result.ok ? "ok" : result.code;
    outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
  }
  assert.is((outcomes.get("ok") ?? 0) > 100, true);
  assert.is(outcomes.size > 20, true, [...outcomes.keys()].join());
});

manifests("answers any JSON value, however deep or large", () => {
  const deep = read(`${"[".repeat(999)}${"]".repeat(999)}`);
  for (const value of [null, true, "x", read("1"), [], deep]) {
    const { code } = parseManifest(value, sha256) as { code?: string };
    assert.is(code, "record.wrong_type");
  }
  const record = read(text) as JsonObject;
  record.set("total_size_bytes", read("9".repeat(1_000)));
  const { code } = parseManifest(record, sha256) as { code?: string };
  assert.is(code, "record.total_size_mismatch");
});

manifests.run();
