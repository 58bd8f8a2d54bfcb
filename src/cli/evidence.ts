/**
 * What commands read: the files of a capsule with progress, a gate receipt, keys.
 *
 * @module
 */
import { decodeUtf8, encodeHex, MAX_TEXT_BYTES } from "../core/mod.ts";
import type { FileInput, Result } from "../core/mod.ts";
import { parseJson } from "../canonical/mod.ts";
import { FILES } from "../capsule/mod.ts";
import { directoryAt, fileAt, readFileAt, readReceiptAt } from "../node/mod.ts";
import { ed25519Signer, ed25519Verifier, ReceiptError } from "../receipt/mod.ts";
import type { Signer, Verifier } from "../receipt/mod.ts";
import { readPrivateKey, readPublicKey } from "../signature/mod.ts";
import type { KeyCode } from "../signature/mod.ts";
import { readFileInput } from "../store/mod.ts";
import type { Directory } from "../ports/mod.ts";
import { RefusedError } from "./errors.ts";
import type { Io } from "./io.ts";
import { withProgress } from "./progress.ts";

/** The three files of a capsule or bundle, for one verification. */
export interface CapsuleEvidence {
  readonly journal: FileInput;
  readonly metadata: FileInput;
  readonly projection: FileInput;
}

/** The files of the capsule in a directory. Reading the journal shows its progress. */
export async function readCapsule(path: string, io: Io): Promise<CapsuleEvidence> {
  const directory = directoryAt(path);
  return {
    journal: await readWithProgress(directory, FILES.journal, io),
    metadata: await readFileInput(directory, FILES.metadata),
    projection: await readFileInput(directory, FILES.projection),
  };
}

/** A file of a directory, of any size. */
export async function readWithProgress(
  directory: Directory,
  name: string,
  io: Io,
): Promise<FileInput> {
  const input = await readFileInput(directory, name);
  const info = await directory.inspect(name, true).catch(() => null); // whether it can be read, the input says
  return withProgress(input, info?.size ?? 0, io.stderr);
}

/**
 * A gate receipt. What counts as none in a receipt (`null`, `false`, `0`, an empty text) is refused: whoever names a file
 * wants it compared.
 *
 * @throws {IoError} with the system's code. @throws {ReceiptError} `receipt.schema_invalid`.
 */
export async function readGateReceipt(path: string | undefined): Promise<unknown> {
  if (path === undefined) return undefined;
  const bytes = await readReceiptAt(path);
  if (bytes.length > MAX_TEXT_BYTES) throw invalid(`it is larger than ${MAX_TEXT_BYTES} bytes`);
  const text = decodeUtf8(bytes);
  if (text === undefined) throw invalid("it is not valid UTF-8");
  const parsed = parseJson(text);
  if (!parsed.ok) {
    throw invalid(parsed.code === "json.syntax" ? "it is not JSON" : "it is nested too deep");
  }
  if (!parsed.value) throw invalid("it is JSON that holds nothing");
  return parsed.value;
}

/** An artifact, where one is named. */
export async function readArtifact(path: string | undefined): Promise<{ artifact?: FileInput }> {
  return path === undefined ? {} : { artifact: await fileAt(path) };
}

/**
 * A signer with the private key in a file, where one is named.
 *
 * @throws {RefusedError} a code of keys. @throws {IoError} with the system's code.
 */
export async function readSigner(path: string | undefined): Promise<{ signer?: Signer }> {
  if (path === undefined) return {};
  return { signer: ed25519Signer(await readSeed(path)) };
}

/** The 32 bytes of the private key in a file. Errors as of {@linkcode readSigner}. */
export async function readSeed(path: string): Promise<Uint8Array> {
  return takeKey(readPrivateKey(await readFileAt(path, MAX_KEY_BYTES)));
}

/** A pinned key: what verifies with it, and its 32 bytes in hexadecimal. */
export interface PinnedKey {
  readonly verifier: Verifier;
  readonly public_key: string;
}

/** The public key in a file, where one is named. Errors as of {@linkcode readSigner}. */
export async function readPinnedKey(path: string | undefined): Promise<PinnedKey | undefined> {
  if (path === undefined) return undefined;
  const key = takeKey(readPublicKey(await readFileAt(path, MAX_KEY_BYTES)));
  return { verifier: ed25519Verifier(key), public_key: encodeHex(key) };
}

/** Larger than any key file: 64 KiB. */
const MAX_KEY_BYTES = 65_536;

function takeKey(key: Result<Uint8Array, KeyCode>): Uint8Array {
  if (key.ok) return key.value;
  throw new RefusedError(key.code, key.reason);
}

function invalid(why: string): ReceiptError {
  return new ReceiptError("receipt.schema_invalid", `Reading the gate receipt: ${why}`);
}
