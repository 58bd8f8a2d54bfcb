/**
 * The format pages tell the truth: their examples are what the library reads and writes, byte for
 * byte, and their tables are the library's own.
 *
 * @module
 */
import { suite } from "uvu";
import * as assert from "uvu/assert";
import {
  CANONICAL_CODES,
  CanonicalError,
  commit,
  COMMITMENT_CODES,
  formatCapsuleV1,
  JSON_CODES,
  parseJson,
  parseStrict,
  parseStrictText,
  PROFILES,
  STRICT_JSON_CODES,
} from "../../src/canonical/mod.ts";
import type { CommitmentProfile, JsonValue, ProfileName } from "../../src/canonical/mod.ts";
import {
  CANARIES,
  EFFECT_CLASSES,
  formatProjection,
  LINEAGES,
  PAYLOAD_FIELDS,
  project,
  verifyCapsule,
} from "../../src/capsule/mod.ts";
import type { CapsuleState, Entry, Lineage } from "../../src/capsule/mod.ts";
import { answerLine, openMemoryWorkspace, OPERATIONS } from "../../src/conformance/mod.ts";
import { encodeHex, encodeUtf8 } from "../../src/core/mod.ts";
import { loadSha256 } from "../../src/hash/mod.ts";
import {
  checkReceipt,
  ed25519Signer,
  ed25519Verifier,
  formatReceipt,
  RECEIPT_CHECKS,
} from "../../src/receipt/mod.ts";
import { derivePublicKey } from "../../src/signature/mod.ts";
import { buildReceiptFor, createCapsule, MemoryDirectory } from "../../src/store/mod.ts";
import { readText } from "../read.ts";
import { fence, rowsOf, section } from "./page.ts";

const capsulePage = await readText("docs/spec/capsule.md");
const canonicalPage = await readText("docs/spec/canonical.md");
const receiptPage = await readText("docs/spec/receipt.md");
const conformancePage = await readText("docs/spec/conformance.md");
const sha256 = await loadSha256();

const metadata = fence(capsulePage, "capsule.json");
const journal = fence(capsulePage, "journal.ndjson");
const projection = fence(capsulePage, "projection.json");
const receipt = fence(receiptPage, "receipt.json");
const artifact = encodeUtf8("2 + 3 = 5\n");
const files = { journal: encodeUtf8(journal), metadata: encodeUtf8(metadata) };
const entries = journal.trimEnd().split("\n").map((line) => JSON.parse(line) as Entry);

async function verifiedState(): Promise<CapsuleState> {
  const verdict = await verifyCapsule(files, sha256);
  if (!verdict.ok) throw new Error(verdict.reason);
  return verdict.state;
}

const examples = suite("examples of the format pages");

examples(
  "verifyCapsule() accepts the example and finds the root that its projection states",
  async () => {
    const { state: _, ...verdict } = await verifyCapsule(files, sha256) as { state?: unknown };
    assert.equal(verdict, {
      ok: true,
      code: "ok",
      reason: null,
      failed_at: null,
      entry_count: 3,
      root_hash: JSON.parse(projection).root_hash,
    });
  },
);

examples("project() of the example is the projection on the page", async () => {
  assert.is(formatProjection(project(await verifiedState(), sha256)), projection);
});

examples("the text that the page hashes is the first entry without its hash", () => {
  const { entry_hash, ...hashed } = entries[0]!;
  const preimage = fence(capsulePage, "preimage").trimEnd();
  assert.is(preimage, formatCapsuleV1(hashed));
  assert.is(sha256.digest(encodeUtf8(preimage)), entry_hash);
});

examples("checkReceipt() accepts the receipt on the page", async () => {
  const evidence = { ...files, projection: encodeUtf8(projection), artifact };
  const { ok, check, reason } = await checkReceipt(encodeUtf8(receipt), evidence, sha256);
  assert.equal({ ok, check, reason }, { ok: true, check: null, reason: null });
});

examples("the store writes the files on the pages again", async () => {
  const { created_at, schema: _, ...identity } = JSON.parse(metadata);
  const times = [created_at, ...entries.map(({ ts }) => ts), JSON.parse(receipt).created_at];
  const clock = () => new Date(times.shift());
  const environment = { sha256, clock, randomBytes: (count: number) => new Uint8Array(count) };
  const directory = new MemoryDirectory();
  const capsule = await createCapsule(directory, identity, environment);
  for (const { lineage, kind, payload, effect_class } of entries) {
    await capsule.append(lineage as Lineage, kind, payload, { effect_class });
  }
  const artifactDigest = sha256.digest(artifact);
  const built = await buildReceiptFor(directory, environment, { artifactDigest });
  const written = [...directory.nodes].map(([name, node]) =>
    [name, node.kind === "file" ? new TextDecoder().decode(node.bytes.view()) : node.kind] as const
  );
  assert.equal(Object.fromEntries(written), {
    "capsule.json": metadata,
    "journal.ndjson": journal,
    "projection.json": projection,
  });
  assert.is(formatReceipt(built), receipt);
});

examples(
  "ed25519Signer() gives the signature on the page, and ed25519Verifier() accepts it",
  async () => {
    const [key, stated] = fence(receiptPage, "signature").split("\n");
    const seed = Uint8Array.from({ length: 32 }, (_, index) => index);
    const { receipt_hash } = JSON.parse(receipt);
    assert.is(encodeHex(await derivePublicKey(seed)), key);
    assert.is(await ed25519Signer(seed)(receipt_hash), stated);
    assert.is(await ed25519Verifier(await derivePublicKey(seed))(receipt_hash, stated), true);
  },
);

examples("answerLine() answers the requests on the conformance page as it says", async () => {
  const host = { sha256, openWorkspace: openMemoryWorkspace };
  const answers: string[] = [];
  for (const line of fence(conformancePage, "requests").trimEnd().split("\n")) {
    answers.push(await answerLine(encodeUtf8(line), host));
  }
  assert.equal(answers, fence(conformancePage, "answers").trimEnd().split("\n"));
});

examples("every line of canonical examples is what formatCapsuleV1() writes", () => {
  const lines = fence(capsulePage, "canonical").trimEnd().split("\n");
  const written = lines.map((line) => {
    const parsed = parseJson(line.split(" → ")[0] ?? "");
    return `${line.split(" → ")[0]} → ${parsed.ok ? formatCapsuleV1(parsed.value) : parsed.code}`;
  });
  assert.ok(lines.length > 0);
  assert.equal(written, lines);
});

/** Splits lines `A → B` of a fence of the canonical page. */
function pairsIn(name: string): [string, string][] {
  const lines = fence(canonicalPage, name).trimEnd().split("\n");
  return lines.map((line) => line.split(" → ") as [string, string]);
}

function strictly(text: string): JsonValue {
  const result = parseStrictText(text);
  if (!result.ok) throw new Error(`"${text}" is refused: ${result.code}`);
  return result.value;
}

/** What a profile makes of a JSON text, as the page spells it. */
function spell(profile: string, text: string): string {
  const value = strictly(text);
  try {
    return PROFILES[profile as ProfileName].format(value);
  } catch (error) {
    if (!(error instanceof CanonicalError)) throw error;
    return `${error.code} at "${error.pointer}"`;
  }
}

examples(
  "the profiles give the texts and commitments of the document on the canonical page",
  () => {
    const document = fence(canonicalPage, "document");
    const texts = pairsIn("texts");
    assert.equal(texts.map(([profile]) => [profile, spell(profile, document)]), texts);
    const commitments = pairsIn("commitments");
    const found = commitments.map(([profile]) => {
      const commitment: string = commit(profile as CommitmentProfile, strictly(document), sha256);
      return [profile, commitment];
    });
    assert.equal(found, commitments);
    assert.is(spell("artifact", document), `${spell("value", document)}\n`);
  },
);

examples("every block of spellings on the canonical page is what the profiles write", () => {
  const blocks = fence(canonicalPage, "spellings").trimEnd().split(/\n(?! )/);
  const written = blocks.map((block) => {
    const [text = "", ...lines] = block.split("\n");
    const spelled = lines.map((line) => {
      const profile = line.split(" → ")[0]?.trim() ?? "";
      return `  ${profile} → ${spell(profile, text)}`;
    });
    return [text, ...spelled].join("\n");
  });
  assert.ok(blocks.length > 1);
  assert.equal(written, blocks);
});

examples("parseStrict() takes and refuses the texts on the canonical page as it says", () => {
  const pairs = pairsIn("strict");
  const found = pairs.map(([text]) => {
    const result = parseStrict(encodeUtf8(text));
    if (result.ok) return [text, "taken"];
    return [text, `${result.code} at byte ${result.at?.byte}, pointer "${result.at?.pointer}"`];
  });
  assert.equal(found, pairs);
});

examples.run();

const tables = suite("tables of the format pages");

tables("the payload table is PAYLOAD_FIELDS", () => {
  const listed = rowsOf(section(capsulePage, "Payload")).flatMap(([type = "", names = ""]) =>
    names.split(" ").map((name) => [name.replaceAll("`", ""), type.replaceAll("`", "")] as const)
  );
  assert.equal(new Map(listed), new Map(PAYLOAD_FIELDS));
});

tables("the canary table is CANARIES, in its order", () => {
  const names = rowsOf(section(capsulePage, "Canaries")).map(([name]) => name);
  assert.equal(names, CANARIES.map((name) => `\`${name}\``));
});

tables("the lineages and effect classes are in the library's order", () => {
  const rows = new Map(
    rowsOf(section(capsulePage, "Constants")).map(([name, value]) => [name, value]),
  );
  const spell = (names: readonly string[]) => names.map((name) => `\`${name}\``).join(" ");
  assert.is(rows.get("lineages, in this order"), spell(LINEAGES));
  assert.is(rows.get("effect classes, rank 0 to 4"), spell(EFFECT_CLASSES));
});

tables("the profiles on the canonical page are those of PROFILES", () => {
  const names = rowsOf(section(canonicalPage, "Profiles")).map(([name]) => name);
  assert.equal(names, Object.keys(PROFILES).map((name) => `\`${name}\``));
});

tables("the codes on the canonical page are those of reading, writing and commitments", () => {
  const named = new Set([...canonicalPage.matchAll(/`((?:json|canonical)\.\w+)`/g)].map(
    ([, code = ""]) => code,
  ));
  const codes = [JSON_CODES, STRICT_JSON_CODES, CANONICAL_CODES, COMMITMENT_CODES].flat();
  assert.equal([...named].sort(), [...codes].sort());
});

tables("the numbers of public cases are those of test/public/verdicts.json", async () => {
  const verdicts = JSON.parse(await readText("test/public/verdicts.json")) as Record<
    string,
    Record<string, string>
  >;
  const count = (suite: string, pattern = "", verdict = "") =>
    Object.entries(verdicts[suite] ?? {}).filter(([name, found]) =>
      name.startsWith(pattern) && (verdict === "" || found === verdict)
    ).length;
  const numbersIn = (page: string, heading: string, data: string) => {
    const row = rowsOf(section(page, heading)).find(([name]) => name === data) ?? [];
    return row.slice(1).join(" ").match(/\d+/g)?.map(Number);
  };
  const inSignature = (data: string) => numbersIn(receiptPage, "Signature", data);
  const inVectors = (data: string) => numbersIn(canonicalPage, "Vectors", data);
  const wycheproof = count("wycheproof");
  assert.equal(inSignature("Wycheproof, Ed25519"), [
    wycheproof,
    wycheproof,
    count("wycheproof", "", "valid"),
    count("wycheproof", "", "invalid"),
  ]);
  assert.equal(inSignature("CCTV, Ed25519"), [
    count("cctv"),
    count("cctv", "", "weak key"),
    count("cctv", "", "valid"),
    count("cctv", "", "invalid"),
  ]);
  const parsing = ["", "y_", "n_", "i_"].map((start) => count("json-parsing", start));
  assert.equal(inVectors("JSONTestSuite, parsing"), parsing);
  assert.equal(inVectors("JSONTestSuite, transform"), [count("json-transform")]);
  assert.equal(inVectors("RFC 8785, pairs of files"), [count("jcs-pairs")]);
});

tables("the checks of a receipt are those of RECEIPT_CHECKS", () => {
  const names = rowsOf(section(receiptPage, "Verification")).map(([, name]) => name);
  const expected = RECEIPT_CHECKS.map((name) => `\`${name}\``);
  assert.equal(new Set(names), new Set(expected));
});

tables("the operations are those that the library answers", () => {
  const names = rowsOf(section(conformancePage, "Operations")).map(([name]) => name)
    .filter((name) => /^`\w+\.\w+`$/.test(name ?? ""));
  assert.equal(names.sort(), [...OPERATIONS.keys()].map((name) => `\`${name}\``).sort());
});

tables.run();
