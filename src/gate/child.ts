/**
 * What a candidate's process left behind, read as untrusted data. Nothing here starts one.
 *
 * Rule: `docs/spec/gate.md`, "Results of a child" and "Baselines".
 *
 * @module
 */
import { encodeUtf8, isPlainObject } from "../core/mod.ts";
import { parseJson } from "../canonical/mod.ts";
import { decodeTolerantly } from "./text.ts";

/** What can be wrong with the result of a child, in the order in which it is looked for. */
export const CHILD_FAILURES = [
  "missing",
  "timeout",
  "process_error",
  "unsuccessful_exit",
  "protocol",
  "reported",
] as const;

/** A name of {@linkcode CHILD_FAILURES}. */
export type ChildFailure = typeof CHILD_FAILURES[number];

/** Why a child's result counts for nothing. */
export interface ChildFatal {
  /** What kind of failure. */
  readonly kind: ChildFailure;
  /** In words of ours. */
  readonly reason: string;
  /** Of `reported`: the child's own words, which are not to be trusted or shown unescaped. */
  readonly reported?: string;
}

/** A row of a child's result: its id, either `output` or `error`, and whatever else it wrote. */
export type ChildRow = Readonly<Record<string, unknown>>;

/** The result of a child. */
export interface ChildResult {
  /** Rows by task id, in the child's order; empty after any failure. */
  readonly outputs: ReadonlyMap<unknown, ChildRow>;
  /** Why there are none. */
  readonly fatal: ChildFatal | null;
}

/** The result of a synchronous spawn, as far as it is read. */
interface ChildLike {
  readonly error?: unknown;
  readonly status?: unknown;
  readonly signal?: unknown;
  readonly stdout?: unknown;
}

/** Most that a child may write to its standard output, in bytes: 1 MiB. */
export const MAX_CHILD_OUTPUT_BYTES = 1_048_576;

/**
 * Reads what a child left behind. Content never makes it throw.
 *
 * @param child the result of a synchronous spawn.
 * @param tasks what it was given; there must be exactly one row for each.
 */
export function parseChildResult(
  child: unknown,
  tasks: readonly { readonly id: unknown }[],
): ChildResult {
  if (typeof child !== "object" || child === null) return failed("missing", "there is none");
  const { error, status, signal, stdout } = child as ChildLike;
  if (error) {
    const isTimeout = (error as { code?: unknown }).code === "ETIMEDOUT";
    return isTimeout
      ? failed("timeout", "it took too long")
      : failed("process_error", "it could not be run");
  }
  if (status !== 0 || signal) return failed("unsuccessful_exit", "it did not end with status 0");
  const document = readLastLine(stdout);
  if (typeof document === "string") return failed("protocol", document);
  const hasResults = Object.hasOwn(document, "results");
  if (Object.hasOwn(document, "fatal")) {
    const { fatal } = document;
    return typeof fatal === "string" && fatal !== "" && !hasResults
      ? failed("reported", "it says that it failed", fatal)
      : failed("protocol", 'its "fatal" is no text, or stands beside "results"');
  }
  const rows = hasResults ? readRows(document["results"], tasks) : 'it has no "results"';
  return typeof rows === "string" ? failed("protocol", rows) : { outputs: rows, fatal: null };
}

function failed(kind: ChildFailure, why: string, reported?: string): ChildResult {
  const reason = `Reading the result of a child: ${why}`;
  const fatal = { kind, reason, ...(reported !== undefined && { reported }) };
  return { outputs: new Map(), fatal };
}

/** The object on the last line of an output, or what is wrong with it. */
function readLastLine(stdout: unknown): ChildRow | string {
  const text = textOf(stdout);
  if (text === undefined) return `it wrote more than ${MAX_CHILD_OUTPUT_BYTES} bytes, or no text`;
  const trimmed = text.trim(); // so the last line is not empty, unless all of it is
  const parsed = parseJson(trimmed.slice(trimmed.lastIndexOf("\n") + 1));
  if (!parsed.ok) return "its last line is not JSON, or nested too deep";
  return isPlainObject(parsed.value) ? parsed.value as ChildRow : "its last line is no object";
}

function textOf(stdout: unknown): string | undefined {
  const isBytes = stdout instanceof Uint8Array;
  if (isBytes && stdout.length > MAX_CHILD_OUTPUT_BYTES) return undefined;
  const text = isBytes ? decodeTolerantly(stdout) : stdout || "";
  // No text has fewer bytes than code units, so a long one is not encoded.
  if (typeof text !== "string" || text.length > MAX_CHILD_OUTPUT_BYTES) return undefined;
  return encodeUtf8(text).length > MAX_CHILD_OUTPUT_BYTES ? undefined : text;
}

/** The rows by their ids, or what is wrong with them. */
function readRows(
  results: unknown,
  tasks: readonly { readonly id: unknown }[],
): ReadonlyMap<unknown, ChildRow> | string {
  const wanted = new Set(tasks.map((task) => task.id));
  if (wanted.size !== tasks.length) return "the tasks have not all different ids";
  if (!Array.isArray(results) || results.length !== tasks.length) {
    return 'its "results" are no list of one row for each task';
  }
  const rows = new Map<unknown, ChildRow>();
  for (const [index, row] of (results as unknown[]).entries()) {
    if (!isPlainObject(row)) return `row ${index} is no object`;
    const { id } = row as ChildRow;
    if (!wanted.has(id) || rows.has(id)) return `row ${index} is for no task, or for one again`;
    if (Object.hasOwn(row, "output") === Object.hasOwn(row, "error")) {
      return `row ${index} has not exactly one of "output" and "error"`;
    }
    rows.set(id, row as ChildRow);
  }
  return rows;
}
