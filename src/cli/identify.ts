/**
 * Finds out what a path is: by what it holds, or by one of the names that files of a capsule have.
 *
 * @module
 */
import { basename, dirname } from "node:path";
import { codeOf, decodeUtf8, MAX_TEXT_BYTES, readWhole } from "../core/mod.ts";
import type { FileInput } from "../core/mod.ts";
import { parseJson } from "../canonical/mod.ts";
import { ENVELOPE_SCHEMA, FILES } from "../capsule/mod.ts";
import { directoryAt, fileAt } from "../node/mod.ts";
import { RECEIPT_SCHEMA } from "../receipt/mod.ts";
import { readLines } from "./lines.ts";

/** What can be verified. */
export type Kind = "capsule" | "receipt" | "journal" | "metadata" | "projection";

/** What a path is, or why it is nothing of that sort. */
export type Found =
  | { readonly path: string; readonly kind: Kind }
  | { readonly path: string; readonly kind: null; readonly code: string; readonly reason: string };

/** Looks at a path; what cannot be looked at is a finding too. */
export async function identify(path: string): Promise<Found> {
  const nothing = (code: string, reason: string): Found => ({ path, kind: null, code, reason });
  try {
    const info = await directoryAt(dirname(path)).inspect(basename(path), true);
    if (info === null) return nothing("ENOENT", "there is no such file or directory");
    const kind = info.kind === "directory"
      ? await identifyDirectory(path)
      : info.kind === "file"
      ? identifyName(basename(path)) ?? await identifyContent(path)
      : { why: "it is neither a regular file nor a directory" };
    return typeof kind === "string" ? { path, kind } : nothing("cli.not_evidence", kind.why);
  } catch (error) {
    const code = codeOf(error);
    if (code === undefined) throw error;
    return nothing(code, "it cannot be read");
  }
}

async function identifyDirectory(path: string): Promise<Kind | { why: string }> {
  for (const name of [FILES.metadata, FILES.journal]) {
    if (await directoryAt(path).inspect(name, true) !== null) return "capsule";
  }
  return { why: `it is a directory with neither ${FILES.metadata} nor ${FILES.journal}` };
}

/** A file with such a name is verified as what its name says, so that damage to it is named. */
function identifyName(name: string): Kind | undefined {
  if (name === FILES.metadata) return "metadata";
  if (name === FILES.projection) return "projection";
  return name.endsWith(".ndjson") ? "journal" : undefined;
}

async function identifyContent(path: string): Promise<Kind | { why: string }> {
  const first = await readFirstLine(await fileAt(path));
  if (first === undefined) return { why: `its first line is longer than ${MAX_TEXT_BYTES} bytes` };
  const line = parseBytes(first);
  if (line !== undefined) return identifyValue(line);
  const whole = await readWhole(await fileAt(path), MAX_TEXT_BYTES); // laid out over several lines
  if (!whole.ok) return { why: `it is ${whole.reason}` };
  const value = parseBytes(whole.value);
  return value === undefined ? { why: `it is not JSON; ${WANTED}` } : identifyValue(value);
}

const WANTED = "a receipt, a journal, capsule.json or projection.json was wanted";

function identifyValue(value: unknown): Kind | { why: string } {
  const document = typeof value === "object" && value !== null ? value : {};
  const schema = "schema" in document ? document.schema : undefined;
  if (schema === RECEIPT_SCHEMA) return "receipt";
  if (schema === ENVELOPE_SCHEMA) {
    if ("entry_hash" in document) return "journal";
    if ("projection_hash" in document) return "projection";
    if ("created_at" in document) return "metadata";
  }
  return { why: `it is JSON of another kind; ${WANTED}` };
}

/** The first line of a file; `undefined` when it is longer than any text may be. */
async function readFirstLine(input: FileInput): Promise<Uint8Array | undefined> {
  if (input === null || "unreadable" in input) return new Uint8Array();
  try {
    for await (const [line] of readLines(input, MAX_TEXT_BYTES)) {
      if (line !== undefined) return line;
    }
  } catch (error) {
    if (codeOf(error) === "cli.line_invalid") return undefined;
    throw error;
  }
  return new Uint8Array();
}

function parseBytes(bytes: Uint8Array): unknown {
  const text = decodeUtf8(bytes);
  const parsed = text === undefined ? undefined : parseJson(text);
  return parsed?.ok === true ? parsed.value : undefined;
}
