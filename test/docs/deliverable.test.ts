/**
 * The page on deliverables tells the truth: its example is sealed as it says, and its codes exist.
 *
 * @module
 */
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { encodeUtf8 } from "../../src/core/mod.ts";
import {
  checkTree,
  DEFAULT_LIMITS,
  formatManifest,
  formatTree,
  MemoryFiles,
  parseDeclaration,
  parseManifest,
  planSeal,
  sealTree,
} from "../../src/deliverable/mod.ts";
import { parseStrictText } from "../../src/canonical/mod.ts";
import type { JsonValue } from "../../src/canonical/mod.ts";
import { loadSha256 } from "../../src/hash/mod.ts";
import { RECORD_CODES } from "../../src/record/mod.ts";
import type { RecordResult } from "../../src/record/mod.ts";
import { readText } from "../read.ts";
import { fence } from "./page.ts";

const page = await readText("docs/spec/deliverable.md");
const sha256 = await loadSha256();

function json(name: string): JsonValue {
  const parsed = parseStrictText(fence(page, name));
  if (!parsed.ok) throw new Error(parsed.reason);
  return parsed.value;
}

function holds<T>(result: RecordResult<T>): T {
  if (!result.ok) throw new Error(`${result.code}: ${result.reason}`);
  return result.value;
}

const examples = suite("the page on deliverables");

examples(
  "sealTree() makes the manifest and the tree of the page from its declaration",
  async () => {
    const files = new MemoryFiles();
    files.put("source/out/answer.md", encodeUtf8("# Answer\n"));
    files.put("source/data.csv", encodeUtf8("a,b\n1,2\n"));
    const manifest = holds(parseManifest(json("manifest.json"), sha256));
    const plan = holds(planSeal(holds(parseDeclaration(json("declaration.json"))), manifest));
    const sealed = holds(await sealTree(files.at("source"), files.at("sealed"), plan, sha256));
    assert.is(`${formatManifest(sealed.manifest)}\n`, fence(page, "manifest.json"));
    assert.is(`${formatTree(sealed.tree)}\n`, fence(page, "tree.json"));
    assert.equal(holds(await checkTree(files.at("sealed"), manifest, sha256)), manifest);
  },
);

examples("the limits of the page are DEFAULT_LIMITS", () => {
  for (const [name, limit] of Object.entries(DEFAULT_LIMITS)) {
    assert.is(page.includes(`\`${name}\` (${limit})`), true, name);
  }
});

examples("every fault that the page names in brackets has a code", () => {
  const named = [...page.matchAll(/[(,] ?`([a-z]+(?:_[a-z]+)+)`(?=[),])/g)].map(([, kind]) => kind);
  const kinds = Object.keys(RECORD_CODES).map((code) => code.slice("record.".length));
  const members = [
    ...["tree_sha256", "manifest_sha256", "max_files", "max_total_size_bytes", "media_type"],
    ...[
      "total_size_bytes",
      "max_size_bytes",
      "run_sha256",
      "config_sha256",
      "size_bytes",
      "artifact_id",
    ],
  ];
  const unknown = named.filter((name) => !members.includes(name!) && !kinds.includes(name!));
  assert.equal(unknown, []);
  assert.is(named.length > 30, true);
});

examples.run();
