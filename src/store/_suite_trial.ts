/**
 * What the cases of the suite share: saying what was expected and found, and short forms of the port's calls.
 *
 * @module
 */
import { decodeUtf8, encodeUtf8, EvidenceError } from "../core/mod.ts";
import type { Directory, OpenFile } from "../ports/mod.ts";
import { closing, readFilePieces } from "./files.ts";
import type { StoreHost } from "./suite.ts";

/** @throws {Error} unless both are the same plain data. */
export function expect(what: string, found: unknown, expected: unknown): void {
  const [f, e] = [JSON.stringify(found), JSON.stringify(expected)];
  if (f !== e) throw new Error(`Trying a directory: ${what}: expected ${e}, found ${f}`);
}

/** @throws {Error} unless it is a system's code, whichever: systems differ in it here. */
export function expectSystemCode(what: string, code: string): void {
  expect(what, /^E[A-Z]+$/.test(code) ? "a system code" : code, "a system code");
}

/** How a call failed: its code, provided that it failed as the port demands, without the place. */
export async function failureOf(host: StoreHost, call: Promise<unknown>): Promise<string> {
  try {
    await call;
  } catch (error) {
    if (!(error instanceof EvidenceError)) return `an error of another class: ${String(error)}`;
    const isPrivate = error.message.includes(host.directory.label);
    return isPrivate ? `a message with the directory's label: ${error.message}` : error.code;
  }
  return "no failure";
}

/** Makes a file with a text in it. */
export async function put(directory: Directory, name: string, text: string): Promise<void> {
  await closing(await directory.openNew(name, 0o644), (file) => writeText(file, text));
}

/** Adds a text to the end of a file. */
export async function add(directory: Directory, name: string, text: string): Promise<void> {
  await closing(await directory.openAppend(name), (file) => writeText(file, text));
}

/** Writes a text to an open file, in as many calls as it takes. */
export async function writeText(file: OpenFile, text: string): Promise<void> {
  const bytes = encodeUtf8(text);
  for (let at = 0; at < bytes.length;) {
    const count = await file.write(bytes.subarray(at));
    if (!(count > 0 && count <= bytes.length - at)) {
      throw new Error(
        `Trying a directory: write: expected 1 to ${bytes.length - at}, found ${count}`,
      );
    }
    at += count;
  }
}

/** The text of a file. */
export async function get(directory: Directory, name: string): Promise<string | undefined> {
  const bytes: number[] = [];
  for await (const piece of readFilePieces(directory, name)) bytes.push(...piece);
  return decodeUtf8(new Uint8Array(bytes));
}

/** The kind and size of what a name stands for. */
export async function look(
  directory: Directory,
  name: string,
  follow: boolean,
): Promise<{ kind: string; size?: number } | null> {
  const info = await directory.inspect(name, follow);
  if (info === null) return null;
  return info.kind === "file" ? { kind: "file", size: info.size } : { kind: info.kind };
}
