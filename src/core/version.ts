/**
 * The version that `--version` prints and that the MCP client gives: a constant, so that no file has to be found and
 * read. A test holds it against `package.json`.
 *
 * @module
 */

/** The version of this package. */
export const VERSION = "0.1.0";
