/**
 * One directory of files, as the capsule store needs it. Adapters exist for real file systems (`affidavit/node`) and in
 * memory (`affidavit/store`); a test may wrap one and let the Nth call fail.
 *
 * Duties of an implementer, for every operation: a failure is thrown as an `IoError` whose `code` is the POSIX name
 * (`ENOENT`, `EEXIST`, `EPERM`, `ENOSPC`, …); nothing is retried, cached or repaired; a name is one path component.
 * `storeSuite` of `affidavit/store` tries these duties out.
 *
 * @module
 */

/** What a name stands for. */
export interface FileInfo {
  /** `link` is a symbolic link, which is never followed. */
  readonly kind: "file" | "directory" | "link" | "other";
  /** The same (`===`) for two looks exactly when they saw the same file, such as a text of device and inode number. */
  readonly identity: unknown;
  /** In bytes. */
  readonly size: number;
}

/** An open file. */
export interface OpenFile {
  /** What the open descriptor stands for, whatever its name has become. */
  inspect(): Promise<FileInfo>;
  /** Fills the array from the current position as far as bytes are at hand; 0 at the end of the file. */
  read(into: Uint8Array): Promise<number>;
  /** Writes at the position the file was opened for and says how many bytes were taken, which may be fewer than given. */
  write(bytes: Uint8Array): Promise<number>;
  /** Returns once the bytes written are on stable storage. */
  sync(): Promise<void>;
  /** Gives the descriptor back; nothing else is called afterwards. */
  close(): Promise<void>;
}

/** A directory; it need not exist yet. */
export interface Directory {
  /** What the directory is called in results and messages for its owner, such as an absolute path. */
  readonly label: string;
  /** The label of a file in it. */
  locate(name: string): string;
  /** Makes the directory and its parents, on stable storage; no failure when it is there. */
  make(): Promise<void>;
  /** What a name stands for, following links or not; `null` when it is absent. A dangling link is absent when followed. */
  inspect(name: string, follow: boolean): Promise<FileInfo | null>;
  /**
   * Opens a regular file for reading from its start; `ENOENT` when absent, `EINVAL` for what is no regular file. That is
   * never opened, as opening a FIFO or device can have effects, and does not block even when it takes the file's place.
   */
  openRead(name: string): Promise<OpenFile>;
  /** Opens a regular file so that writes go to its end; `ENOENT`, `EINVAL` and not blocking as for `openRead`. */
  openAppend(name: string): Promise<OpenFile>;
  /** Creates an empty file and opens it for writing; `EEXIST` when the name exists in any form, also as a dangling link. */
  openNew(name: string, mode: number): Promise<OpenFile>;
  /** Gives a file a second name; `EEXIST` when that name exists in any form. */
  link(from: string, to: string): Promise<void>;
  /** Renames a file over whatever file stands at the new name, in one step. */
  rename(from: string, to: string): Promise<void>;
  /** Removes a name that is no directory. */
  remove(name: string): Promise<void>;
  /** Returns once names made, renamed and removed are on stable storage. */
  sync(): Promise<void>;
}
