/**
 * Finds out what each file is: by the names that files of a bundle have, else by what they hold. What cannot be told is
 * left to the person in front of the page.
 *
 * @module
 */
import { decodeUtf8 } from "../core/mod.ts";
import type { Unreadable } from "../core/mod.ts";
import { parseJson } from "../canonical/mod.ts";
import { ENVELOPE_SCHEMA, FILES } from "../capsule/mod.ts";
import { RECEIPT_SCHEMA } from "../receipt/mod.ts";
import { readRange } from "./blob.ts";
import type { Evidence } from "./verify.ts";

/** What a file can be taken for. */
export const ROLES = [
  "receipt",
  "metadata",
  "journal",
  "projection",
  "artifact",
  "key",
  "gate",
] as const;

/** What a file is taken for. */
export type Role = typeof ROLES[number];

/** A file as it was offered. */
export interface Offered {
  /** Its name, below the folder that was offered. */
  readonly path: string;
  /** The file, or why it is none. */
  readonly file: File | Unreadable;
  /** Did it come as part of a folder? Strays of a folder are not taken for the artifact. */
  readonly isFromFolder: boolean;
}

/** An offered file and what it looks like; `null` when it looks like nothing in particular. */
export interface Recognised extends Offered {
  readonly looksLike: Role | null;
  /** What the person says it is, `null` for nothing; left out when they said nothing. */
  readonly choice?: Role | null;
}

/** Which file has which role. */
export type Cast = Partial<Record<Role, Recognised>>;

const GATE_SCHEMA = "gate-receipt/v1";
const RAW_KEY_BYTES = 32;
const MAX_KEY_BYTES = 65_536;
const MAX_PARSED_BYTES = 4 << 20; // what the page parses at once, without a pause that is felt

/** Looks at a file. */
export async function recognise(offered: Offered): Promise<Recognised> {
  const name = offered.path.split("/").at(-1) ?? "";
  const looksLike = roleOfName(name) ??
    (offered.file instanceof File ? await roleOfContent(offered.file, name) : null);
  return { ...offered, looksLike };
}

function roleOfName(name: string): Role | null {
  if (name === FILES.metadata) return "metadata";
  if (name === FILES.projection) return "projection";
  return name.endsWith(".ndjson") ? "journal" : null;
}

async function roleOfContent(file: File, name: string): Promise<Role | null> {
  try {
    return await roleOfBytes(file) ?? roleOfReceiptName(name);
  } catch {
    return roleOfReceiptName(name); // the verification says that it cannot be read
  }
}

/** A receipt that is damaged is known by its name only. */
function roleOfReceiptName(name: string): Role | null {
  return /receipt[^/]*\.json$/i.test(name) ? "receipt" : null;
}

async function roleOfBytes(file: File): Promise<Role | null> {
  if (file.size === RAW_KEY_BYTES) return "key";
  const start = await readRange(file, 0, MAX_KEY_BYTES);
  const text = new TextDecoder().decode(start).trimStart();
  if (text.startsWith("-----BEGIN ") && file.size <= MAX_KEY_BYTES) return "key";
  if (!text.startsWith("{")) return null;
  const end = start.indexOf(0x0a);
  const first = end < 0 ? undefined : parseObject(start.subarray(0, end));
  if (first !== undefined) return roleOfDocument(first);
  if (file.size > MAX_PARSED_BYTES) return null;
  return roleOfDocument(parseObject(await readRange(file, 0, file.size)) ?? {});
}

function roleOfDocument(document: Readonly<Record<string, unknown>>): Role | null {
  const { schema } = document;
  if (schema === RECEIPT_SCHEMA) return "receipt";
  if (schema === GATE_SCHEMA) return "gate";
  if (schema === ENVELOPE_SCHEMA) {
    if ("entry_hash" in document) return "journal";
    if ("projection_hash" in document) return "projection";
    if ("created_at" in document) return "metadata";
  }
  return document["kty"] === "OKP" ? "key" : null;
}

function parseObject(bytes: Uint8Array): Readonly<Record<string, unknown>> | undefined {
  const text = decodeUtf8(bytes);
  const parsed = text === undefined ? undefined : parseJson(text);
  const isObject = parsed?.ok === true && typeof parsed.value === "object" &&
    parsed.value !== null && !Array.isArray(parsed.value);
  return isObject ? parsed.value as Record<string, unknown> : undefined;
}

/**
 * Gives each role to the file that was chosen for it, else to the first that looks like it, those of the least deep folder
 * first. A single file that looks like nothing and was offered by itself is the artifact. A key that came in a folder is
 * none until a person says so: whoever made the bundle could have put it there, and a signature by it shows nothing.
 */
export function castFiles(files: readonly Recognised[]): Cast {
  const rank = ({ path, choice }: Recognised): number =>
    choice === undefined ? path.split("/").length : 0;
  const cast: Cast = {};
  for (const file of [...files].sort((a, b) => rank(a) - rank(b))) {
    const role = isUnpinnedKey(file)
      ? null
      : file.choice === undefined
      ? file.looksLike
      : file.choice;
    if (role !== null) cast[role] ??= file;
  }
  const strays = files.filter(({ looksLike, isFromFolder, choice }) =>
    looksLike === null && !isFromFolder && choice === undefined
  );
  if (strays.length === 1 && strays[0] !== undefined) cast.artifact ??= strays[0];
  return cast;
}

/** Is this a key that came with a bundle, and that nobody vouched for? */
export function isUnpinnedKey({ looksLike, isFromFolder, choice }: Recognised): boolean {
  return looksLike === "key" && isFromFolder && choice === undefined;
}

/** The same files after a person said what one of them is; no two are chosen for one role. */
export function chooseRole(
  files: readonly Recognised[],
  chosen: Recognised,
  choice: Role | null,
): Recognised[] {
  return files.map((file) => {
    if (file === chosen) return { ...file, choice };
    return choice !== null && file.choice === choice ? { ...file, choice: null } : file;
  });
}

/** The evidence that a cast makes; `null` when there is nothing in it that could be verified. */
export function evidenceOf(cast: Cast): Evidence | null {
  const { journal, metadata, projection, receipt, artifact, key, gate } = cast;
  if ([journal, metadata, projection, receipt].every((file) => file === undefined)) return null;
  return {
    journal: journal?.file ?? null,
    metadata: metadata?.file ?? null,
    projection: projection?.file ?? null,
    isJournalAlone: journal !== undefined && metadata === undefined && projection === undefined &&
      !journal.isFromFolder,
    ...(receipt !== undefined && { receipt: receipt.file }),
    ...(artifact !== undefined && { artifact: artifact.file }),
    ...(key !== undefined && { key: key.file }),
    ...(gate !== undefined && { gate: gate.file }),
  };
}
