/**
 * What tests on disk share: a temporary directory of their own, and things to trip over in it.
 *
 * @module
 */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { directoryAt } from "../../src/node/mod.ts";
import type { StoreHost } from "../../src/store/mod.ts";

/** Temporary directories of one test file; call `clear` after its last test. */
export interface Disk {
  /** The path of a directory that does not exist yet; its parent is new and holds nothing else. */
  path(): string;
  /** Such a directory for the store suite. */
  host(): Promise<StoreHost>;
  /** Removes everything that was made. */
  clear(): void;
}

/** Makes temporary directories; told so, in memory where the system has a place for that, as fsync costs nothing there. */
export function makeDisk(inMemory = false): Disk {
  const place = inMemory && existsSync("/dev/shm") ? "/dev/shm" : tmpdir();
  const root = mkdtempSync(join(place, "affidavit-test-"));
  const path = (): string => join(mkdtempSync(join(root, "d-")), "capsule");
  return {
    path,
    host(): Promise<StoreHost> {
      const directory = directoryAt(path());
      const plant: StoreHost["plant"] = (name, what, target = "") => {
        plantAt(directory.locate(name), what, target);
        return Promise.resolve(true);
      };
      return Promise.resolve({ directory, plant });
    },
    clear: () => rmSync(root, { recursive: true, force: true }),
  };
}

/** Makes a directory, a symbolic link or a FIFO. */
export function plantAt(path: string, what: "directory" | "link" | "other", target = ""): void {
  if (what === "directory") mkdirSync(path);
  else if (what === "link") symlinkSync(target, path);
  else execFileSync("mkfifo", [path]);
}
