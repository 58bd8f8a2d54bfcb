/**
 * Single files by path: an artifact, a receipt or a gate receipt, wherever it lies.
 *
 * @module
 */
import { basename, dirname } from "node:path";
import { ByteBuffer, encodeUtf8, IoError, MAX_TEXT_BYTES } from "../core/mod.ts";
import type { FileInput } from "../core/mod.ts";
import type { Digest, Sha256 } from "../hash/mod.ts";
import { formatReceipt } from "../receipt/mod.ts";
import type { Receipt } from "../receipt/mod.ts";
import { readFileInput, readFilePieces, replaceFile } from "../store/mod.ts";
import type { StoreEnvironment } from "../store/mod.ts";
import { directoryAt } from "./directory.ts";
import { systemEnvironment } from "./environment.ts";

/** A file as verifiers take it: absent, unreadable, or pieces that are read when they are asked for. */
export function fileAt(path: string): Promise<FileInput> {
  return readFileInput(directoryAt(dirname(path)), basename(path));
}

/**
 * The bytes of a file that is expected to be small.
 *
 * @throws {IoError} with the system's code, `ENOENT` when it is absent, `EINVAL` when it is no regular file, `EFBIG` when
 * it is larger than `maxBytes`.
 */
export async function readFileAt(
  path: string,
  maxBytes: number = MAX_TEXT_BYTES,
): Promise<Uint8Array> {
  const bytes = await readReceiptAt(path, maxBytes);
  if (bytes.length <= maxBytes) return bytes;
  const message = `read "${basename(path)}": it is larger than ${maxBytes} bytes`;
  throw new IoError("EFBIG", "read", message);
}

/**
 * The bytes of a receipt's file for `checkReceipt`; of one over the bound, a byte more than the bound and no further, so
 * that the check refuses it as too large.
 *
 * @throws {IoError} with the system's code.
 */
export async function readReceiptAt(
  path: string,
  maxBytes: number = MAX_TEXT_BYTES,
): Promise<Uint8Array> {
  const start = new ByteBuffer();
  for await (const piece of piecesAt(path)) {
    start.append(piece.subarray(0, maxBytes + 1 - start.length));
    if (start.length > maxBytes) break;
  }
  return start.view();
}

/** The digest of a file's bytes, however large. @throws {IoError} with the system's code. */
export async function digestFileAt(
  path: string,
  sha256: Sha256 = systemEnvironment().sha256,
): Promise<Digest> {
  const running = sha256.start();
  for await (const piece of piecesAt(path)) running.update(piece);
  return running.digest();
}

/** Writes a receipt's file, in the place of one that is there, and makes the directories above it. */
export async function writeReceipt(
  path: string,
  receipt: Receipt,
  environment: StoreEnvironment = systemEnvironment(),
): Promise<void> {
  await writeFileAt(path, formatReceipt(receipt), environment);
}

/** Writes a text as a file, in the place of one that is there, and makes the directories above it. */
export async function writeFileAt(
  path: string,
  text: string,
  environment: StoreEnvironment = systemEnvironment(),
): Promise<void> {
  const directory = directoryAt(dirname(path));
  await directory.make();
  await replaceFile(directory, basename(path), encodeUtf8(text), environment.randomBytes);
}

function piecesAt(path: string): AsyncGenerator<Uint8Array, void, undefined> {
  return readFilePieces(directoryAt(dirname(path)), basename(path));
}
