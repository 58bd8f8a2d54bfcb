/**
 * Reads a file of the project in Node, Deno, Bun and a page alike, so that one test file can use
 * vectors everywhere. Paths are relative to the project's top folder: `readText("vectors/…")`.
 *
 * @module
 */

const root: URL = new URL("../", import.meta.url);

/** The bytes of a project file. Throws when there is none. */
export async function readBytes(path: string): Promise<Uint8Array> {
  const url = new URL(path, root);
  if (url.protocol === "file:") {
    const { readFile } = await import("node:fs/promises");
    return new Uint8Array(await readFile(url));
  }
  const response = await fetch(url);
  if (!response.ok) throw new Error(`Reading "${path}": the server answered ${response.status}`);
  return new Uint8Array(await response.arrayBuffer());
}

/** A project file as text; refuses bytes that are not UTF-8, and keeps a byte order mark. */
export async function readText(path: string): Promise<string> {
  const bytes = await readBytes(path);
  return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
}
