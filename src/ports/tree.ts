/**
 * A tree of files that nobody vouches for, as sealing and checking need it. Adapters exist for real file systems
 * (`affidavit/node`) and in memory (`affidavit/deliverable`); a test may wrap one and change the tree at the Nth call.
 *
 * A path is relative to the tree's root, with `/` between its names; the empty one is the root itself.
 *
 * Duties of an implementer, for every operation: no link is followed below the directory that the root is in; a failure is
 * thrown as an `IoError` whose `code` is the POSIX name; nothing is retried, cached or repaired. What costs little may be
 * done at once, and what takes its time is best done later: callers await either.
 *
 * @module
 */

/** A value at once, or a promise of it. */
export type Awaitable<T> = T | Promise<T>;

/** What stands at a path. */
export interface TreeNode {
  /** `link` is a symbolic link, `other` a named pipe, a socket or a device. */
  readonly kind: "file" | "directory" | "link" | "other";
  /** The same (`===`) for two looks exactly when they saw the same thing, such as a text of device and inode number. */
  readonly identity: unknown;
  /** How many names it has. */
  readonly links: number;
  /** Permission bits. */
  readonly mode: number;
  /** In bytes. */
  readonly size: number;
  /** The same (`===`) for two looks unless it was written in between, as far as the system tells. */
  readonly modified: unknown;
}

/** An open file. */
export interface TreeFile {
  /** What is open, whatever its path leads to by now. */
  inspect(): Awaitable<TreeNode>;
  /** Fills the array from the current position as far as bytes are at hand; 0 at the end of the file. */
  read(into: Uint8Array): Awaitable<number>;
  /** Writes at the current position and says how many bytes were taken, which may be fewer than given. */
  write(bytes: Uint8Array): Awaitable<number>;
  /** Sets the permission bits of what is open. */
  setMode(mode: number): Awaitable<void>;
  /** Gives the descriptor back; nothing else is called afterwards. */
  close(): Awaitable<void>;
}

/** A tree; its root need not exist. */
export interface FileTree {
  /** The last name of the root's path, as it was given; `.` and `..` are not resolved. */
  readonly name: string;
  /** What the root is called in results and messages for its owner, such as an absolute path. */
  readonly label: string;
  /** Identities of all directories that the root is in, links to them followed; `null` when it would be in none. */
  above(): Awaitable<readonly unknown[] | null>;
  /** What stands at a path; `null` when nothing does, or when one of its parents is no directory. */
  inspect(path: string): Awaitable<TreeNode | null>;
  /** Names in a directory, in any order. It may stop once there are `most` of them. */
  list(path: string, most: number): Awaitable<readonly string[]>;
  /** Opens for reading, without blocking; `ELOOP` for a link. */
  openRead(path: string): Awaitable<TreeFile>;
  /** Creates an empty file and opens it for writing; `EEXIST` when the path exists in any form, also as a dangling link. */
  openNew(path: string, mode: number): Awaitable<TreeFile>;
  /** Makes a directory; `EEXIST` as for `openNew`. */
  makeDirectory(path: string, mode: number): Awaitable<void>;
  /** Sets the permission bits of a directory, never of what a link in its place leads to. */
  setDirectoryMode(path: string, mode: number): Awaitable<void>;
}
