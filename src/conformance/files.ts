/**
 * Files as vector files describe them, to be built, and as answers list them.
 *
 * Rule: `docs/spec/conformance.md`, "Files".
 *
 * @module
 */
import { compareCodeUnits, decodeUtf8, encodeUtf8 } from "../core/mod.ts";
import { InputError, isObject, readObjects, readText } from "./input.ts";
import type { Input } from "./input.ts";

/** What shall be at a path. */
export type Content =
  | { readonly kind: "file"; readonly bytes: Uint8Array }
  | { readonly kind: "absent" | "directory" | "fifo" }
  /** A link with this target, as it is written. */
  | { readonly kind: "symlink"; readonly target: string }
  /** A second name of the file at another path of the same tree. */
  | { readonly kind: "hardlink"; readonly path: string }
  /** A file of this many zero bytes that takes no space where the file system can do that. */
  | { readonly kind: "sparse"; readonly size: number };

/** One thing to build. */
export interface FileSpec {
  /** Relative, with `/` between its parts. */
  readonly path: string;
  /** What stands there. */
  readonly content: Content;
  /** Permission bits, where they matter. */
  readonly mode?: number;
}

/** One thing found. */
export type ListedFile =
  & { readonly path: string }
  & (
    | { readonly utf8: string }
    | { readonly base64: string }
    | { readonly dir: true }
    | { readonly symlink: string }
    | { readonly fifo: true }
  );

/** The member of an input that lists files. @throws {InputError} for other shapes, and paths that leave the tree. */
export function readFiles(input: Input, name: string): FileSpec[] {
  return readObjects(input, name).map((file) => {
    const path = safePath(readText(file, "path"));
    const { mode } = file;
    if (mode === undefined) return { path, content: readContent(file) };
    if (typeof mode !== "string" || !/^[0-7]{3,4}$/.test(mode)) {
      throw new InputError("mode", "octal digits");
    }
    return { path, content: readContent(file), mode: parseInt(mode, 8) };
  });
}

/** What one object of `{utf8}`, `{base64}`, `{absent}`, … describes. */
export function readContent(value: unknown): Content {
  if (!isObject(value)) throw new InputError("content", "an object");
  const { utf8, base64, symlink, hardlink, sparse } = value;
  if (typeof utf8 === "string") return { kind: "file", bytes: encodeUtf8(utf8) };
  if (typeof base64 === "string") return { kind: "file", bytes: decodeBase64(base64) };
  if (typeof symlink === "string") return { kind: "symlink", target: symlink };
  if (typeof hardlink === "string") return { kind: "hardlink", path: safePath(hardlink) };
  if (Number.isSafeInteger(sparse)) return { kind: "sparse", size: sparse as number };
  if (value["absent"] === true) return { kind: "absent" };
  if (value["dir"] === true) return { kind: "directory" };
  if (value["fifo"] === true) return { kind: "fifo" };
  throw new InputError(
    "content",
    "one of utf8, base64, absent, dir, symlink, hardlink, fifo, sparse",
  );
}

/** A file found, as text where its bytes are UTF-8. */
export function listFile(path: string, bytes: Uint8Array): ListedFile {
  const utf8 = decodeUtf8(bytes);
  return utf8 === undefined ? { path, base64: encodeBase64(bytes) } : { path, utf8 };
}

/** Puts a listing in the order of answers: by path, in code units. */
export function sortListing(files: ListedFile[]): ListedFile[] {
  return files.sort((a, b) => compareCodeUnits(a.path, b.path));
}

/** A path that stays in its tree whatever stands there; a vector file is somebody else's. */
export function safePath(path: string): string {
  const parts = path.split("/");
  if (parts.some((part) => part === "" || part === "." || part === "..") || /[\\\0]/.test(path)) {
    throw new InputError("path", "relative, without empty, . and .. parts");
  }
  return path;
}

function decodeBase64(text: string): Uint8Array {
  const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  if (encodeBase64(bytes) !== text) throw new InputError("base64", "standard base64 with padding");
  return bytes;
}

function encodeBase64(bytes: Uint8Array): string {
  const step = 0x8000; // as many arguments as a call may have everywhere
  let binary = "";
  for (let at = 0; at < bytes.length; at += step) {
    binary += String.fromCharCode(...bytes.subarray(at, at + step));
  }
  return btoa(binary);
}
