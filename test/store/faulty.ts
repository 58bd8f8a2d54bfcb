/**
 * A directory that fails at the Nth call of the port, so that tests can walk through every point where a write may break.
 *
 * @module
 */
import { IoError } from "../../src/core/mod.ts";
import type { Directory, OpenFile } from "../../src/ports/mod.ts";

/** A call of the port on its way: what it does, and the bytes it does it with. */
export interface Call {
  readonly operation: string;
  /** The name it is about; empty when it is about the directory. */
  readonly name: string;
  readonly bytes: Uint8Array | undefined;
  perform(bytes?: Uint8Array): Promise<unknown>;
}

/** A way to fail. */
export interface Fault {
  readonly name: string;
  /** The operations it can strike; all unless told. */
  readonly operations?: readonly string[];
  /** Strikes every call from the Nth on, as if the process had died. */
  readonly lasts?: boolean;
  strike(call: Call): Promise<unknown>;
}

/** The ways to fail that are tried at every call. */
export const FAULTS: readonly Fault[] = [
  ...["EIO", "ENOSPC", "EPERM", "EACCES"].map((code): Fault => ({
    name: `${code}, nothing done`,
    strike: ({ operation }) => Promise.reject(failure(code, operation)),
  })),
  { name: "EIO, although it was done", strike: failAfterwards },
  {
    name: "a crash",
    lasts: true,
    strike: ({ operation }) => Promise.reject(failure("EIO", operation)),
  },
  {
    name: "a write that takes one byte",
    operations: ["write"],
    strike: ({ perform, bytes }) => perform(bytes?.subarray(0, 1)),
  },
  {
    name: "a write that takes nothing",
    operations: ["write"],
    strike: () => Promise.resolve(0),
  },
  {
    name: "half a write, then ENOSPC",
    operations: ["write"],
    async strike({ operation, perform, bytes }) {
      await perform(bytes?.subarray(0, bytes.length >> 1));
      throw failure("ENOSPC", operation);
    },
  },
  {
    name: "a read that takes one byte",
    operations: ["read"],
    strike: ({ perform, bytes }) => perform(bytes?.subarray(0, 1)),
  },
  { name: "a failed fsync, bytes written", operations: ["fsync", "sync"], strike: failAfterwards },
  { name: "a failed close, closed", operations: ["close"], strike: failAfterwards },
];

/** The failure of a call, as an adapter throws it. */
export function failure(code: string, operation: string): IoError {
  return new IoError(code, operation, `${operation}: ${code}`);
}

async function failAfterwards({ operation, perform }: Call): Promise<never> {
  await perform();
  throw failure("EIO", operation);
}

/** Counts calls of any number of directories and lets one of them, or all from one on, fail. */
export class Trap {
  /** Calls seen since the trap was set, of the operations that the fault can strike. */
  calls = 0;
  /** Calls that were struck. */
  struck = 0;
  #fault: Fault | undefined;
  #nth = 0;
  readonly #open = new Set<OpenFile>();

  /** Lets the Nth call from now on fail. */
  set(fault: Fault, nth: number): void {
    [this.#fault, this.#nth, this.calls, this.struck] = [fault, nth, 0, 0];
  }

  /** Lets everything pass again and closes what was left open, as the end of a process does. */
  async release(): Promise<void> {
    this.#fault = undefined;
    for (const file of this.#open) await file.close().catch(() => undefined);
    this.#open.clear();
  }

  /** A directory whose calls go through this trap. */
  around(directory: Directory): Directory {
    return intercept(directory, (call) => {
      const fault = this.#fault;
      if (fault === undefined || fault.operations?.includes(call.operation) === false) {
        return this.#perform(call);
      }
      this.calls++;
      const isDue = fault.lasts ? this.calls >= this.#nth : this.calls === this.#nth;
      if (!isDue) return this.#perform(call);
      this.struck++;
      return fault.strike({ ...call, perform: (bytes) => this.#perform(call, bytes) });
    });
  }

  async #perform(call: Call, bytes?: Uint8Array): Promise<unknown> {
    const result = await call.perform(bytes);
    if (call.operation.startsWith("open")) this.#open.add(result as OpenFile);
    return result;
  }
}

/**
 * A directory whose calls go through a function. The operations are the methods' names; those of open files are `read`,
 * `write`, `fsync`, `fstat` and `close`.
 */
export function intercept(
  directory: Directory,
  through: (call: Call) => Promise<unknown>,
): Directory {
  const pass = <T>(
    operation: string,
    name: string,
    perform: (bytes?: Uint8Array) => Promise<T>,
    bytes?: Uint8Array,
  ): Promise<T> => through({ operation, name, bytes, perform }) as Promise<T>;
  const opening = async (
    operation: string,
    name: string,
    open: () => Promise<OpenFile>,
  ): Promise<OpenFile> => {
    const file = await pass(operation, name, open);
    return {
      inspect: () => pass("fstat", name, () => file.inspect()),
      read: (into) => pass("read", name, (part = into) => file.read(part), into),
      write: (bytes) => pass("write", name, (part = bytes) => file.write(part), bytes),
      sync: () => pass("fsync", name, () => file.sync()),
      close: () => pass("close", name, () => file.close()),
    };
  };
  return {
    label: directory.label,
    locate: (name) => directory.locate(name),
    make: () => pass("make", "", () => directory.make()),
    inspect: (name, follow) => pass("inspect", name, () => directory.inspect(name, follow)),
    openRead: (name) => opening("openRead", name, () => directory.openRead(name)),
    openAppend: (name) => opening("openAppend", name, () => directory.openAppend(name)),
    openNew: (name, mode) => opening("openNew", name, () => directory.openNew(name, mode)),
    link: (from, to) => pass("link", to, () => directory.link(from, to)),
    rename: (from, to) => pass("rename", to, () => directory.rename(from, to)),
    remove: (name) => pass("remove", name, () => directory.remove(name)),
    sync: () => pass("sync", "", () => directory.sync()),
  };
}
