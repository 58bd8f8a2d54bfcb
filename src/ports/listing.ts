/**
 * What lies below a directory, as data: pure code that looks at a tree of files is handed one of these.
 *
 * Duties of whoever makes one: no link is followed; each path occurs once; a file's bytes are those that lay at its path;
 * what cannot be read is an `IoError` and never left out. Paths are relative, with `/` between their parts, none of which
 * is empty, `.` or `..`. A directory need not be listed when something in it is.
 *
 * @module
 */

/** One thing in a tree. */
export type ListedNode =
  & { readonly path: string }
  & (
    | { readonly kind: "file"; readonly bytes: Uint8Array }
    /** `link` is a symbolic link, `other` a named pipe, a socket or a device. */
    | { readonly kind: "directory" | "link" | "other" }
  );

/** A tree of files, in any order. */
export type Listing = readonly ListedNode[];
