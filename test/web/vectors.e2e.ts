/**
 * The page says of every vector what Node says, to the last word: through its own code, with WebAssembly and without.
 *
 * @module
 */
import type { Page } from "playwright-core";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { verifyCapsule, verifyJournal } from "../../src/capsule/mod.ts";
import type { Case } from "../../src/conformance/mod.ts";
import type { FileInput } from "../../src/core/mod.ts";
import { nativeSha256 } from "../../src/node/mod.ts";
import { checkReceipt } from "../../src/receipt/mod.ts";
import type { Verifier } from "../../src/receipt/mod.ts";
import type { loadSha256, verifyEvidence } from "../../src/web/main.ts";
import { closeStage, openPage, openStage, policyOf } from "./browser.ts";
import type { Stage } from "./browser.ts";
import { casesOf } from "./samples.ts";

/** A file as it can be sent to the page: base64, absent, or something that is no regular file. */
type Sent = string | null | "unreadable:";

/** A case as it can be sent. */
interface SentCase {
  journal: Sent;
  metadata: Sent;
  projection: Sent;
  isJournalAlone: boolean;
  receipt?: string;
  artifact?: Sent;
  artifactDigest?: string | null;
  gateReceipt?: unknown;
  verifier?: { kind: string; prefix?: string; value?: unknown; result?: unknown };
}

type Described = Readonly<Record<string, unknown>>;

const UNREADABLE = "it is no regular file";

/** What stands at a path of a case when links are followed. */
function contentAt(files: readonly Described[], path: string, hops = 0): Sent {
  const file = files.find((one) => one["path"] === path);
  if (file === undefined || hops > 8) return null;
  const { symlink, hardlink, sparse } = file;
  if (typeof symlink === "string") return contentAt(files, symlink, hops + 1);
  if (typeof hardlink === "string") return contentAt(files, hardlink, hops + 1);
  if (typeof sparse === "number") return Buffer.alloc(sparse).toString("base64");
  return contentOf(file);
}

function contentOf({ utf8, base64, absent, symlink }: Described): Sent {
  if (typeof utf8 === "string") return Buffer.from(utf8).toString("base64");
  if (typeof base64 === "string") return base64;
  return absent === true || typeof symlink === "string" ? null : "unreadable:";
}

function asSent({ input }: Case): SentCase {
  const { files, journal, receipt_json, artifact, artifact_digest, gate_receipt, verifier } = input;
  const tree = (files ?? []) as readonly Described[];
  const given = (value: unknown): boolean => value !== undefined && value !== null;
  return {
    journal: journal === undefined
      ? contentAt(tree, "journal.ndjson")
      : contentOf(journal as Described),
    metadata: contentAt(tree, "capsule.json"),
    projection: contentAt(tree, "projection.json"),
    isJournalAlone: journal !== undefined,
    ...(typeof receipt_json === "string" && {
      receipt: Buffer.from(receipt_json).toString("base64"),
    }),
    ...(given(artifact) && { artifact: contentOf(artifact as Described) }),
    ...(given(artifact_digest) && { artifactDigest: artifact_digest as string }),
    ...(given(gate_receipt) && { gateReceipt: gate_receipt }),
    ...(given(verifier) && { verifier: verifier as NonNullable<SentCase["verifier"]> }),
  };
}

function verifierOf({ kind, prefix, value, result }: NonNullable<SentCase["verifier"]>): Verifier {
  if (kind === "constant") return () => result;
  return (hash, signature) => signature === (kind === "prefix" ? `${prefix}${hash}` : value);
}

/** What Node says. */
async function askNode(sent: SentCase): Promise<unknown> {
  const sha256 = nativeSha256();
  const file = (content: Sent): FileInput =>
    content === null
      ? null
      : content === "unreadable:"
      ? { unreadable: UNREADABLE }
      : new Uint8Array(Buffer.from(content, "base64"));
  const { artifact, artifactDigest, gateReceipt, verifier } = sent;
  const [journal, metadata, projection] = [sent.journal, sent.metadata, sent.projection].map(file);
  const files = { journal: journal ?? null, metadata: metadata ?? null };
  if (sent.receipt === undefined) {
    return sent.isJournalAlone
      ? await verifyJournal(files.journal, sha256)
      : await verifyCapsule(files, sha256);
  }
  return await checkReceipt(
    new Uint8Array(Buffer.from(sent.receipt, "base64")),
    {
      ...files,
      projection: projection ?? null,
      ...(artifact !== undefined && { artifact: file(artifact) }),
      ...(artifactDigest !== undefined && { artifactDigest }),
      ...(gateReceipt !== undefined && { gateReceipt }),
    },
    sha256,
    verifier === undefined ? {} : { verifier: verifierOf(verifier) },
  );
}

/** What the page says: of cases of one suite, one after the other. */
async function askPage(page: Page, cases: readonly SentCase[]): Promise<unknown[]> {
  return await page.evaluate(async ({ cases, unreadable }) => {
    const { affidavit } = globalThis as unknown as {
      affidavit: { verifyEvidence: typeof verifyEvidence; loadSha256: typeof loadSha256 };
    };
    const file = (content: Sent): Blob | { unreadable: string } | null =>
      content === null
        ? null
        : content === "unreadable:"
        ? { unreadable }
        : new Blob([Uint8Array.from(atob(content), (character) => character.charCodeAt(0))]);
    const sha256 = await affidavit.loadSha256();
    const answers: unknown[] = [];
    for (const { journal, metadata, projection, receipt, artifact, verifier, ...rest } of cases) {
      const outcome = await affidavit.verifyEvidence(
        {
          journal: file(journal),
          metadata: file(metadata),
          projection: file(projection),
          isJournalAlone: rest.isJournalAlone,
          ...(receipt !== undefined && { receipt: file(receipt) as Blob }),
          ...(artifact !== undefined && { artifact: file(artifact) }),
          ...(rest.artifactDigest !== undefined && { artifactDigest: rest.artifactDigest }),
        },
        sha256,
        {
          pieceBytes: 1000,
          gateReceipt: rest.gateReceipt,
          ...(verifier !== undefined && {
            verifier: (hash: string, signature: unknown) =>
              verifier.kind === "constant" ? verifier.result : signature ===
                (verifier.kind === "prefix" ? verifier.prefix + hash : verifier.value),
          }),
        },
      );
      answers.push(receipt === undefined ? outcome.capsule : outcome.receipt);
    }
    return answers;
  }, { cases: [...cases], unreadable: UNREADABLE });
}

/** Is this one of the answers that a case allows? */
function isExpected({ expectations }: Case, answer: unknown): boolean {
  const found = answer as Described;
  return expectations.some((expected) =>
    Object.entries(expected).every(([name, value]) =>
      JSON.stringify(found[name]) === JSON.stringify(value)
    )
  );
}

const SUITES = [
  ...["verify", "file-types", "journals", "precedence", "limits-journal", "limits-metadata"],
  ...["receipt-check", "receipt-files", "signatures", "limits-receipt"],
];

const vectors = suite("verify.html and the vectors");
const state: { stage?: Stage } = {};

vectors.before(async () => {
  state.stage = await openStage();
});

vectors.after(async () => {
  if (state.stage !== undefined) await closeStage(state.stage);
});

for (const isWasm of [true, false]) {
  const how = isWasm ? "with WebAssembly" : "where the policy forbids WebAssembly";
  vectors(`every verdict equals that of Node and of the case, ${how}`, async () => {
    const { stage } = state;
    if (stage === undefined) throw new Error("There is no stage");
    stage.policy = isWasm
      ? undefined
      : policyOf(stage, (policy) => policy.replace(" 'wasm-unsafe-eval'", ""));
    const { page } = await openPage(stage);
    let count = 0;
    for (const name of SUITES) {
      const cases = await casesOf(`capsule/${name}.json`);
      const sent = cases.map(asSent);
      const found = await askPage(page, sent);
      for (const [at, one] of cases.entries()) {
        const wanted = JSON.parse(JSON.stringify(await askNode(sent[at]!)));
        const answer = JSON.parse(JSON.stringify(found[at]));
        assert.equal(answer, wanted, `${name} ${one.id}: ${one.note}`);
        assert.ok(isExpected(one, answer), `${name} ${one.id}: not what the case expects`);
        count++;
      }
    }
    assert.ok(count > 300, `only ${count} cases`);
    console.log(`\n${count} cases ${how}`);
  });
}

vectors.run();
