import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { Entry } from "../../src/capsule/mod.ts";
import { MAX_TEXT_BYTES } from "../../src/core/mod.ts";
import { loadSha256 } from "../../src/hash/mod.ts";
import { EntryIndex, IndexWriter } from "../../src/web/entry_index.ts";
import { searchEntries } from "../../src/web/filter.ts";
import { canonicalText } from "../lib/plain.ts";
import { chainOf, sampleParts } from "../lib/sample.ts";

const sha256 = await loadSha256();

/** Notes how much is read of it. */
class CountedBlob extends Blob {
  readonly ranges: [from: number, to: number][] = [];

  override slice(from: number, to: number): Blob {
    this.ranges.push([from, to]);
    return super.slice(from, to);
  }
}

const search = suite("the search of the timeline");

search("reads no more than one line's bound of what follows the last entry listed", async () => {
  const entries = chainOf(sampleParts(3), sha256) as unknown as Entry[];
  const lines = entries.map((entry) => `${canonicalText(entry)}\n`).join("");
  const index = new EntryIndex();
  const writer = new IndexWriter((block) => index.add(block));
  writer.takePiece(new TextEncoder().encode(lines), 0);
  for (const entry of entries) writer.takeEntry(entry);
  writer.flush();
  const journal = new CountedBlob([lines, "what does not hold and is not listed\n"]);
  const wanted = entries[2]!.entry_hash;
  const { signal } = new AbortController();
  const found = await searchEntries(journal, index, wanted, () => {}, signal);
  assert.equal([...found], [2]);
  const [from, to] = journal.ranges.at(-1)!;
  assert.equal([from, to - from], [index.startOf(2), MAX_TEXT_BYTES]);
});

search.run();
