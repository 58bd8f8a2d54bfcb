/**
 * Takes files from what was dropped or chosen, folders included.
 *
 * @module
 */
import { BUNDLE_FILES, FILES } from "../capsule/mod.ts";
import type { Offered } from "./recognise.ts";

/** The most files that are taken from what is offered at once, and how deep folders are opened. */
export const MOST_FILES = 200;
const MOST_DEPTH = 6;

/** What was offered. */
export interface Collected {
  readonly files: readonly Offered[];
  /** Were there more files than are taken? */
  readonly isCut: boolean;
}

/** What was chosen with a file or folder dialog. */
export function collectChosen(list: FileList): Collected {
  const files = [...list].filter(({ name }) => name !== FILES.lock).map((file) => ({
    path: file.webkitRelativePath || file.name,
    file,
    isFromFolder: file.webkitRelativePath !== "",
  }));
  return { files: files.slice(0, MOST_FILES), isCut: files.length > MOST_FILES };
}

/** What was dropped. It must be called in the event: afterwards the browser forgets what was dropped. */
export async function collectDropped(transfer: DataTransfer): Promise<Collected> {
  const items = [...transfer.items].filter(({ kind }) => kind === "file");
  const taken = items.map((item) => ({ entry: item.webkitGetAsEntry(), file: item.getAsFile() }));
  const files: Offered[] = [];
  for (const { entry, file } of taken) {
    if (entry?.isDirectory === true) await walk(entry as FileSystemDirectoryEntry, files, 1);
    else if (file !== null) files.push({ path: file.name, file, isFromFolder: false });
  }
  return { files: files.slice(0, MOST_FILES), isCut: files.length > MOST_FILES };
}

async function walk(
  folder: FileSystemDirectoryEntry,
  files: Offered[],
  depth: number,
): Promise<void> {
  const entries = await listFolder(folder);
  const isFolder = ({ isDirectory }: FileSystemEntry): number => isDirectory ? 1 : 0;
  for (const entry of entries.sort((a, b) => isFolder(a) - isFolder(b))) { // its own files come first
    if (files.length > MOST_FILES) return;
    await take(entry, files, depth);
  }
}

async function listFolder(folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = folder.createReader();
  const entries: FileSystemEntry[] = [];
  for (;;) {
    const batch = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject)
    ).catch(() => []); // a folder that may not be listed holds nothing for us
    if (batch.length === 0) return entries;
    entries.push(...batch);
  }
}

async function take(entry: FileSystemEntry, files: Offered[], depth: number): Promise<void> {
  const path = entry.fullPath.replace(/^\//, "");
  const isFromFolder = true;
  if (!entry.isDirectory) {
    if (entry.name === FILES.lock) return;
    const file = await new Promise<File>((resolve, reject) =>
      (entry as FileSystemFileEntry).file(resolve, reject)
    ).catch(() => ({ unreadable: "it could not be opened" }));
    files.push({ path, file, isFromFolder });
  } else if ((BUNDLE_FILES as readonly string[]).includes(entry.name)) {
    files.push({ path, file: { unreadable: "it is no regular file" }, isFromFolder });
  } else if (depth < MOST_DEPTH) {
    await walk(entry as FileSystemDirectoryEntry, files, depth + 1);
  }
}
