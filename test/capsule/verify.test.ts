import { suite } from "uvu";
import * as assert from "uvu/assert";
import {
  type CapsuleOptions,
  type CapsuleVerdict,
  formatMetadata,
  verifyCapsule,
} from "../../src/capsule/mod.ts";
import type { FileInput } from "../../src/core/mod.ts";
import { loadSha256 } from "../../src/hash/mod.ts";
import type { Fields } from "../lib/plain.ts";
import {
  bytesOf,
  chainOf,
  failing,
  journalOf,
  METADATA,
  sampleParts,
  sourcesOf,
} from "../lib/sample.ts";

const sha256 = await loadSha256();
const entries = chainOf(sampleParts(3), sha256);
const sound = journalOf(entries);
const metadata = bytesOf(formatMetadata(METADATA));

const verify = (
  journal: FileInput,
  metadata: FileInput,
  options?: CapsuleOptions,
): Promise<CapsuleVerdict> => verifyCapsule({ journal, metadata }, sha256, options);

const refusal = (code: string, what: string, more: Fields = {}): object => ({
  ok: false,
  code,
  reason: `Verifying the capsule: ${what}`,
  failed_at: null,
  entry_count: 0,
  root_hash: null,
  ...more,
});

const capsules = suite("verifyCapsule()");

capsules("verifyCapsule() gives the state of a sound capsule with its metadata", async () => {
  const root_hash = entries[2]?.["entry_hash"];
  assert.equal(await verify(sound, metadata, { prefix: 2 }), {
    ok: true,
    code: "ok",
    reason: null,
    failed_at: null,
    entry_count: 3,
    root_hash,
    state: {
      entry_count: 3,
      root_hash,
      journal_sha256: sha256.digest(sound),
      journal_bytes: sound.length,
      by_lineage: { plan: 1, attempt: 2, interaction: 0, environment: 0, strategy: 0 },
      by_effect_class: { SE0: 1, SE1: 1, SE2: 0, SE3: 1, SE4: 0 },
      prefix_root: entries[1]?.["entry_hash"],
      metadata: METADATA,
    },
  });
});

capsules("verifyCapsule() gives the same in every shape of source", async () => {
  const expected = await verify(sound, metadata);
  const shapes = [sourcesOf(sound, 99), sourcesOf(metadata, 7)] as const;
  for (const [name, open] of Object.entries(shapes[0])) {
    assert.equal(await verify(open(), shapes[1][name]?.() ?? null), expected, name);
  }
});

capsules("verifyCapsule() judges the journal before the metadata, whatever that is", async () => {
  const code = async (journal: FileInput, metadata: FileInput): Promise<string> =>
    (await verify(journal, metadata)).code;
  assert.is(await code(null, null), "capsule.missing_journal");
  assert.is(await code({ unreadable: "x" }, { unreadable: "x" }), "capsule.unreadable_journal");
  assert.is(await code(bytesOf("no entry\n"), bytesOf("{}")), "capsule.corrupt_entry");
  assert.is(await code(bytesOf("no entry"), failing()), "capsule.truncated_tail");
  const foreign = bytesOf(formatMetadata({ ...METADATA, run_id: "r2" }));
  const reordered = journalOf(entries.slice(0, 1).concat(entries.slice(2)));
  assert.is(await code(reordered, foreign), "capsule.reordered");
});

capsules("verifyCapsule() says why the metadata is invalid, after all entries", async () => {
  const reasons = async (input: FileInput, options?: CapsuleOptions): Promise<void> => {
    const [why, expected] = [await verify(sound, input, options), table.get(input)];
    assert.equal(why, refusal("capsule.metadata_invalid", String(expected), { entry_count: 3 }));
  };
  const table = new Map<FileInput, string>([
    [null, "capsule.json is absent"],
    [{ unreadable: "it is a directory" }, "capsule.json is unreadable: it is a directory"],
    [failing(), "capsule.json is unreadable: reading failed"],
    [Uint8Array.of(0xff), "capsule.json: not valid UTF-8"],
    [bytesOf("\ufeff{}"), "capsule.json: not JSON"],
    [bytesOf("{}"), 'capsule.json: "schema" is not "capsule-envelope/v1"'],
  ]);
  for (const input of table.keys()) await reasons(input);
  const { length } = metadata;
  table.set(metadata, `capsule.json is larger than ${length - 1} bytes`);
  await reasons(metadata, { maxMetadataBytes: length - 1 });
  assert.is((await verify(sound, metadata, { maxMetadataBytes: length })).code, "ok");
});

capsules("verifyCapsule() names the first entry of another identity, field by field", async () => {
  const mismatch = (index: number): object =>
    refusal(
      "capsule.metadata_mismatch",
      `entry ${index} names another run, capsule, harness or task family than capsule.json`,
      { failed_at: index, entry_count: 3, at: { entry: index } },
    );
  for (const field of ["run_id", "capsule_id", "harness_version", "task_family"]) {
    for (const index of [0, 1, 2]) {
      const parts = sampleParts(3).map((part, at) => at < index ? part : { ...part, [field]: "x" });
      assert.equal(await verify(journalOf(chainOf(parts, sha256)), metadata), mismatch(index));
    }
    const other = bytesOf(formatMetadata({ ...METADATA, [field]: "x" }));
    assert.equal(await verify(sound, other), mismatch(0), field);
  }
});

capsules(
  "verifyCapsule() binds created_at to nothing, and an empty journal to no identity",
  async () => {
    const later = { ...METADATA, created_at: "2030-01-01T00:00:00.000Z" };
    assert.is((await verify(sound, bytesOf(formatMetadata(later)))).code, "ok");
    const foreign = { ...METADATA, run_id: "another" };
    assert.is((await verify(new Uint8Array(), bytesOf(formatMetadata(foreign)))).code, "ok");
  },
);

capsules(
  "verifyCapsule() calls onEntry for each entry, also when the metadata is invalid",
  async () => {
    for (const input of [metadata, null]) {
      const seen: unknown[] = [];
      await verify(sound, input, { onEntry: (entry, index) => seen.push([index, entry]) });
      assert.equal(seen, entries.map((entry, index) => [index, entry]));
    }
  },
);

capsules("verifyCapsule() applies the bound of lines", async () => {
  const verdict = await verify(sound, metadata, { maxLineBytes: 100 });
  assert.equal([verdict.code, verdict.failed_at], ["capsule.invalid_entry", 0]);
});

capsules.run();
