/**
 * Evidence for the page: from the vectors, and made with the library.
 *
 * @module
 */
import { encodeUtf8 } from "../../src/core/mod.ts";
import { formatProjection, project, verifyCapsule } from "../../src/capsule/mod.ts";
import type { CapsuleState } from "../../src/capsule/mod.ts";
import { parseSuite } from "../../src/conformance/mod.ts";
import type { Case } from "../../src/conformance/mod.ts";
import { nativeSha256 } from "../../src/node/mod.ts";
import { buildReceipt, ed25519Signer, formatReceipt } from "../../src/receipt/mod.ts";
import type { ReceiptOptions } from "../../src/receipt/mod.ts";
import { readText } from "../read.ts";
import { canonicalText, type Fields } from "../lib/plain.ts";
import { chainOf, journalOf, METADATA } from "../lib/sample.ts";
import type { TestFile } from "./browser.ts";

/** The cases of a vector file. */
export async function casesOf(path: string): Promise<readonly Case[]> {
  const suite = parseSuite(await readText(`vectors/${path}`));
  if (!suite.ok) throw new Error(`${path}: ${suite.reason}`);
  return suite.value.cases;
}

/** The files of a bundle. */
export interface TestBundle {
  files: TestFile[];
  state: CapsuleState;
}

/** A bundle of entries with these parts. */
export async function bundleOf(parts: readonly Fields[]): Promise<TestBundle> {
  const sha256 = nativeSha256();
  const journal = journalOf(chainOf(parts, sha256));
  const metadata = encodeUtf8(`${canonicalText(METADATA)}\n`);
  const verdict = await verifyCapsule({ journal, metadata }, sha256);
  if (!verdict.ok) throw new Error(verdict.reason);
  const files = [
    { path: "capsule.json", content: metadata },
    { path: "journal.ndjson", content: journal },
    { path: "projection.json", content: formatProjection(project(verdict.state, sha256)) },
  ];
  return { files, state: verdict.state };
}

/** A receipt for a bundle. */
export async function receiptFor(
  { state }: TestBundle,
  options: ReceiptOptions = {},
): Promise<TestFile> {
  const clock = (): Date => new Date(Date.UTC(2026, 8, 2));
  const receipt = await buildReceipt(state, clock, nativeSha256(), options);
  return { path: "receipt.json", content: formatReceipt(receipt) };
}

/** A seed of no one's, for signatures in tests. */
export const SEED: Uint8Array = new Uint8Array(32).fill(7);

/** Signs with {@linkcode SEED}. */
export const signer: ReturnType<typeof ed25519Signer> = ed25519Signer(SEED);

/** The files with one of them replaced or, with `null`, left out. */
export function replaced(
  files: readonly TestFile[],
  path: string,
  change: ((content: string) => string) | null,
): TestFile[] {
  return files.flatMap((file) => {
    if (file.path !== path) return [file];
    if (change === null) return [];
    return [{ path, content: change(new TextDecoder().decode(asBytes(file.content))) }];
  });
}

function asBytes(content: string | Uint8Array): Uint8Array {
  return typeof content === "string" ? encodeUtf8(content) : content;
}
