/**
 * Records what a store does to its files, and enumerates what a loss of power may leave of it.
 *
 * The model is what POSIX promises and no more. What a file's `sync` covered stays. Of later writes each may be there or
 * not, in whole or in part, and where bytes are missing the file may be shorter or have zeros. Names that were made,
 * renamed or removed since the directory's `sync` may each have come about or not, independently of each other.
 *
 * @module
 */
import type { OpenFile } from "../../src/ports/mod.ts";
import { MemoryDirectory, type MemoryNode } from "../../src/store/mod.ts";

/** How far apart a write is cut; no divisor of it is the length of a character. */
const STRIDE = 19;

/** Gives a text of its own for each content. */
const latin1 = new TextDecoder("latin1");

/** A file, whatever its names. */
type File = MemoryNode;

type Step<E> =
  | { kind: "name"; name: string; file: File | undefined }
  | { kind: "write"; file: File; bytes: Uint8Array }
  | { kind: "fsync"; file: File }
  | { kind: "sync" }
  | { kind: "event"; event: E };

/** What is on the disk for certain, and what may be on top. */
interface Disk {
  /** Bytes of each file at its last sync. */
  readonly synced: Map<File, Uint8Array>;
  /** Writes of each file since. */
  readonly unsynced: Map<File, Uint8Array[]>;
  /** What each name stood for at the directory's last sync, and after every change since. */
  readonly names: Map<string, (File | undefined)[]>;
}

/** A directory that records what is done to it, and events of the caller's own between. */
export class Recorder<E> extends MemoryDirectory {
  readonly #steps: Step<E>[] = [];
  readonly #start: { name: string; file: File; bytes: Uint8Array }[] = [];

  /** What is in that directory counts as synced. */
  constructor(memory: MemoryDirectory) {
    super(memory.label, { exists: memory.exists });
    for (const [name, node] of memory.nodes) {
      if (node.kind !== "file") throw new Error(`Recording: "${name}" is no file`);
      const bytes = node.bytes.view().slice();
      this.plant(name, bytes);
      this.#start.push({ name, file: this.#at(name), bytes });
    }
  }

  /** How many steps were recorded. */
  get length(): number {
    return this.#steps.length;
  }

  /** What every name holds now. */
  now(): ReadonlyMap<string, Uint8Array> {
    return new Map(
      [...this.nodes].map(([name, node]) => [
        name,
        node.kind === "file" ? node.bytes.view().slice() : new Uint8Array(),
      ]),
    );
  }

  /** Notes an event. */
  note(event: E): void {
    this.#steps.push({ kind: "event", event });
  }

  /** The events among the first steps. */
  eventsBefore(length: number): E[] {
    return this.#steps.slice(0, length).flatMap((step) => step.kind === "event" ? step.event : []);
  }

  /** Every state that a loss of power after the first steps may leave, each once: contents by name. */
  *statesAfter(length: number): Generator<ReadonlyMap<string, Uint8Array>> {
    const disk = this.#diskAfter(length);
    const seen = new Set<string>();
    for (const names of choices([...disk.names])) {
      const files = [...new Set(names.values())].filter((file) => file !== undefined);
      for (
        const contents of choices(files.map((file) => [file, contentsOf(file, disk)] as const))
      ) {
        const state = new Map<string, Uint8Array>();
        for (const [name, file] of names) {
          if (file !== undefined) state.set(name, contents.get(file) ?? new Uint8Array());
        }
        const key = JSON.stringify(
          [...state].map(([name, bytes]) => [name, latin1.decode(bytes)]).sort(),
        );
        if (!seen.has(key)) yield state;
        seen.add(key);
      }
    }
  }

  override async openNew(name: string, mode: number): Promise<OpenFile> {
    const file = await super.openNew(name, mode);
    this.#rename(name, this.#at(name));
    return this.#recording(file, this.#at(name));
  }

  override async openAppend(name: string): Promise<OpenFile> {
    return this.#recording(await super.openAppend(name), this.#at(name));
  }

  override async link(from: string, to: string): Promise<void> {
    await super.link(from, to);
    this.#rename(to, this.#at(to));
  }

  override async rename(from: string, to: string): Promise<void> {
    await super.rename(from, to);
    this.#rename(to, this.#at(to));
    this.#rename(from, undefined);
  }

  override async remove(name: string): Promise<void> {
    await super.remove(name);
    this.#rename(name, undefined);
  }

  override async sync(): Promise<void> {
    await super.sync();
    this.#steps.push({ kind: "sync" });
  }

  #at(name: string): File {
    const node = this.nodes.get(name);
    if (node?.kind !== "file") throw new Error(`Recording: "${name}" is no file`);
    return node;
  }

  #rename(name: string, file: File | undefined): void {
    this.#steps.push({ kind: "name", name, file });
  }

  #recording(open: OpenFile, file: File): OpenFile {
    return {
      inspect: () => open.inspect(),
      read: (into) => open.read(into),
      write: async (bytes) => {
        const count = await open.write(bytes);
        this.#steps.push({ kind: "write", file, bytes: bytes.slice(0, count) });
        return count;
      },
      sync: async () => {
        await open.sync();
        this.#steps.push({ kind: "fsync", file });
      },
      close: () => open.close(),
    };
  }

  #diskAfter(length: number): Disk {
    const disk: Disk = { synced: new Map(), unsynced: new Map(), names: new Map() };
    for (const { name, file, bytes } of this.#start) {
      disk.names.set(name, [file]);
      disk.synced.set(file, bytes);
    }
    for (const step of this.#steps.slice(0, length)) {
      if (step.kind === "name") {
        disk.names.set(step.name, [...disk.names.get(step.name) ?? [undefined], step.file]);
      } else if (step.kind === "write") {
        disk.unsynced.set(step.file, [...disk.unsynced.get(step.file) ?? [], step.bytes]);
      } else if (step.kind === "fsync") {
        const writes = disk.unsynced.get(step.file) ?? [];
        disk.synced.set(
          step.file,
          join([disk.synced.get(step.file) ?? new Uint8Array(), ...writes]),
        );
        disk.unsynced.delete(step.file);
      } else if (step.kind === "sync") {
        for (const [name, files] of disk.names) disk.names.set(name, files.slice(-1));
      }
    }
    return disk;
  }
}

/** A directory in that state. */
export function directoryIn(state: ReadonlyMap<string, Uint8Array>): MemoryDirectory {
  const directory = new MemoryDirectory("memory:", { exists: true });
  for (const [name, bytes] of state) directory.plant(name, bytes);
  return directory;
}

/** What a file may hold: its synced bytes, and of what was written since, any part. */
function contentsOf(file: File, { synced, unsynced }: Disk): Uint8Array[] {
  const sure = synced.get(file) ?? new Uint8Array();
  const writes = unsynced.get(file) ?? [];
  const parts = writes.map((bytes, index) => partsOf(bytes, index === writes.length - 1));
  const holes = choices([...parts.entries()]);
  const tails = [...holes].map((parts) => join([...parts.values()]));
  return tails.flatMap((tail) =>
    lengthsOf(tail, writes).map((end) => join([sure, tail.subarray(0, end)]))
  );
}

/** What may be left of one write, zeros for the rest: all or nothing, and of the last one its first or second half. */
function partsOf(bytes: Uint8Array, isLast: boolean): Uint8Array[] {
  const half = bytes.length >> 1;
  const from = (start: number, end: number): Uint8Array =>
    bytes.map((byte, index) => index >= start && index < end ? byte : 0);
  const halves = isLast ? [from(0, half), from(half, bytes.length)] : [];
  return [bytes, from(0, 0), ...halves];
}

/** How long the file may be: in each write nothing, one byte more and so on in strides, all but the last byte, and all. */
function lengthsOf(tail: Uint8Array, writes: readonly Uint8Array[]): number[] {
  const ends = [0];
  let start = 0;
  for (const { length } of writes) {
    for (let end = 1; end < length - 1; end += STRIDE) ends.push(start + end);
    ends.push(start + length - 1, start + length);
    start += length;
  }
  return ends.filter((end) => end <= tail.length);
}

/** Every way to choose one of each list. */
function* choices<K, V>(lists: readonly (readonly [K, readonly V[]])[]): Generator<Map<K, V>> {
  const [first, ...rest] = lists;
  if (first === undefined) return yield new Map();
  for (const chosen of choices(rest)) {
    for (const value of first[1]) yield new Map([[first[0], value], ...chosen]);
  }
}

function join(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
