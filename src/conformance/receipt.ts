/**
 * Operations `receipt.*`.
 *
 * @module
 */
import { encodeUtf8, EvidenceError, IoError } from "../core/mod.ts";
import type { FileInput } from "../core/mod.ts";
import { parseJson } from "../canonical/mod.ts";
import { FILES } from "../capsule/mod.ts";
import type { Digest } from "../hash/mod.ts";
import { digestFile, formatReceipt } from "../receipt/mod.ts";
import type { Signer, Verifier } from "../receipt/mod.ts";
import { buildReceiptFor, checkReceiptFor, readFileInput } from "../store/mod.ts";
import { CAPSULE } from "./capsule.ts";
import { environmentFor } from "./environment.ts";
import { readContent, readFiles } from "./files.ts";
import { InputError, isObject, readText } from "./input.ts";
import type { Input, Output } from "./input.ts";
import { attempt } from "./refusal.ts";
import { withWorkspace } from "./workspace.ts";
import type { Host, Workspace } from "./workspace.ts";

/** `receipt.check` */
export async function check(input: Input, host: Host): Promise<Output> {
  return await withWorkspace(host, async (workspace) => {
    await workspace.build(CAPSULE, readFiles(input, "files"));
    const artifact = await buildArtifact(input, workspace);
    const { artifact_digest, gate_receipt, verifier } = input;
    const verdict = await checkReceiptFor(
      encodeUtf8(readText(input, "receipt_json")),
      workspace.at(CAPSULE),
      host.sha256,
      {
        artifactDigest: artifact_digest as string | null | undefined ?? null,
        gateReceipt: gate_receipt,
        ...(artifact !== undefined && { artifact }),
      },
      isGiven(verifier) ? { verifier: verifierOf(verifier) } : {},
    );
    return { ok: verdict.ok, check: verdict.check };
  });
}

/** `receipt.build` */
export async function build(input: Input, host: Host): Promise<Output> {
  return await withWorkspace(host, async (workspace) => {
    await workspace.build(CAPSULE, readFiles(input, "files"));
    const artifact = await buildArtifact(input, workspace);
    const { artifact_digest, signer } = input;
    const outcome = await attempt(async () => {
      const receipt = await buildReceiptFor(workspace.at(CAPSULE), environmentFor(input, host), {
        artifactDigest: artifact_digest as Digest | null | undefined ?? null,
        gateReceipt: readGateReceipt(input),
        ...(artifact !== undefined && { digestArtifact: () => requireDigest(artifact, host) }),
        ...(isGiven(signer) && { signer: signerOf(signer) }),
      });
      return { receipt_file: formatReceipt(receipt) };
    });
    const files = await workspace.list(CAPSULE) ?? [];
    const { path: _, ...projection } = files.find(({ path }) => path === FILES.projection) ??
      { path: FILES.projection, absent: true };
    return { ...outcome, projection_after: projection };
  });
}

const ARTIFACTS = "artifacts";

/** Puts the artifact of a case beside the capsule; `undefined` when the case passes no path to one. */
async function buildArtifact(input: Input, workspace: Workspace): Promise<FileInput | undefined> {
  if (!isGiven(input["artifact"])) return undefined;
  const content = readContent(input["artifact"]);
  await workspace.build(ARTIFACTS, [{ path: "artifact", content }]);
  return await readFileInput(workspace.at(ARTIFACTS), "artifact");
}

async function requireDigest(artifact: FileInput, { sha256 }: Host): Promise<Digest> {
  const digest = await digestFile(artifact, sha256);
  if (digest !== null) return digest;
  throw new IoError("ENOENT", "open", "Reading the artifact: it is absent or unreadable");
}

function readGateReceipt(input: Input): unknown {
  if (input["gate_receipt_json"] === undefined) return input["gate_receipt"];
  const parsed = parseJson(readText(input, "gate_receipt_json"));
  if (!parsed.ok) throw new EvidenceError(parsed.code, parsed.reason);
  return parsed.value;
}

/** The synthetic signers of vector files. They prove nothing; a signer's text is stored untouched, which is the point. */
function signerOf(description: unknown): Signer {
  const { kind, prefix, value } = isObject(description) ? description : {};
  if (kind === "prefix") return (hash) => `${String(prefix)}${hash}`;
  if (kind === "literal") return () => value;
  throw new InputError("signer", "of kind prefix or literal");
}

function verifierOf(description: unknown): Verifier {
  if (isObject(description) && description["kind"] === "constant") {
    return () => description["result"];
  }
  const sign = signerOf(description);
  return (hash, signature) => signature === sign(hash);
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}
