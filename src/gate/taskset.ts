/**
 * GateTask sets: the tasks that candidates would be tried on.
 *
 * Rule: `docs/spec/gate.md`, "GateTask sets".
 *
 * @module
 */
import { fail, formatPointer, isPlainObject, MAX_TEXT_BYTES, ok } from "../core/mod.ts";
import type { Fail, Result } from "../core/mod.ts";
import { parseJson } from "../canonical/mod.ts";
import type { Digest, Sha256 } from "../hash/mod.ts";
import { decodeTolerantly } from "./text.ts";

/** One task; what else is in it is kept. */
export interface GateTask {
  /** Tells it from the others of its set. */
  readonly id: string;
  /** What a candidate is given. */
  readonly input: unknown;
  /** What is expected of it. */
  readonly expected: unknown;
  /** Further members of the file are kept. */
  readonly [member: string]: unknown;
}

/** A task set: the members of its file, and where that came from. */
export interface Taskset {
  /** As in the file: anything but null, false, 0 and the empty text. */
  readonly version: unknown;
  /** As in the file: anything but null, false, 0 and the empty text. */
  readonly family: unknown;
  /** At least one, with different ids. */
  readonly tasks: readonly GateTask[];
  /** Where the file is; a member of the file with this name is not kept. */
  readonly path: string;
  /** Digest of the file's bytes; a member of the file with this name is not kept. */
  readonly digest: Digest;
  /** Further members of the file are kept. */
  readonly [member: string]: unknown;
}

/**
 * Reads a task set from the bytes of its file.
 *
 * @param path what the result says of where they came from.
 * @param options `maxBytes` is the largest file, 64 MiB unless given.
 */
export function parseTaskset(
  bytes: Uint8Array,
  path: string,
  sha256: Sha256,
  options: { readonly maxBytes?: number } = {},
): Result<Taskset, "gate.taskset_invalid"> {
  const maxBytes = options.maxBytes ?? MAX_TEXT_BYTES;
  if (bytes.length > maxBytes) return refuse(`it is larger than ${maxBytes} bytes`);
  const parsed = parseJson(decodeTolerantly(bytes));
  if (!parsed.ok) {
    return refuse(parsed.code === "json.syntax" ? "it is not JSON" : "it is too deep");
  }
  const { value } = parsed;
  if (!isPlainObject(value)) return refuse("it is no object");
  const { version, family, tasks } = value as Partial<Taskset>;
  if (!version) return refuse("it has no version", "version");
  if (!family) return refuse("it has no family", "family");
  if (!Array.isArray(tasks) || tasks.length === 0) return refuse("it has no tasks", "tasks");
  const fault = findRepeated(tasks) ?? findInvalid(tasks);
  if (fault !== undefined) return refuse(fault.why, "tasks", fault.index);
  return ok({ ...value, path, digest: sha256.digest(bytes) } as Taskset);
}

interface TaskFault {
  readonly index: number;
  readonly why: string;
}

function findRepeated(tasks: readonly unknown[]): TaskFault | undefined {
  const seen = new Set<unknown>();
  for (const [index, task] of tasks.entries()) {
    const id = (task as Partial<GateTask> | null)?.id;
    if (seen.has(id)) return { index, why: `task ${index} has the id of an earlier one` };
    seen.add(id);
  }
  return undefined;
}

function findInvalid(tasks: readonly unknown[]): TaskFault | undefined {
  for (const [index, task] of tasks.entries()) {
    if (!isPlainObject(task)) return { index, why: `task ${index} is no object` };
    const { id } = task as Partial<GateTask>;
    if (typeof id !== "string" || id === "") return { index, why: `task ${index} has no id` };
    for (const name of ["input", "expected"]) {
      if (!Object.hasOwn(task, name)) return { index, why: `task ${index} has no "${name}"` };
    }
  }
  return undefined;
}

function refuse(why: string, ...path: (string | number)[]): Fail<"gate.taskset_invalid"> {
  return fail("gate.taskset_invalid", `Reading a task set: ${why}`, {
    pointer: formatPointer(path),
  });
}
