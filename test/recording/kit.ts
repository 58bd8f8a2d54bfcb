/**
 * What the tests of recording share.
 *
 * @module
 */
import { encodeUtf8 } from "../../src/core/mod.ts";
import { loadSha256, type Sha256 } from "../../src/hash/mod.ts";
import type { Directory, FixtureStore, Timers } from "../../src/ports/mod.ts";
import {
  capsuleJournal,
  type EffectPolicy,
  type Journal,
  readPolicy,
  Recorder,
  type RecorderOptions,
  type Traffic,
} from "../../src/recording/mod.ts";
import { hashCall, memoryFixtures } from "../../src/replay/mod.ts";
import { type Capsule, createCapsule, MemoryDirectory } from "../../src/store/mod.ts";
import { FakeTimers } from "../lib/timers.ts";

export const sha256: Sha256 = await loadSha256();

/** A key of the kind that a canary finds. */
export const SECRET: string = `AKIA${"Q7".repeat(8)}`;

/** Timers on which every wait is over as soon as everybody else has had a turn. */
export function eagerTimers(): Timers & { waits: number[] } {
  let now = 0;
  const waits: number[] = [];
  const after = (ms: number, fire: () => void): () => void => {
    waits.push(ms);
    void Promise.resolve().then(() => {
      now += ms;
      fire();
    });
    return () => undefined;
  };
  return { waits, now: () => now, after };
}

/** An entry in short: its kind, its class, and what it carries. */
export type Short = Readonly<Record<string, unknown>>;

/** A capsule and a store of fixtures in memory. */
export interface Place {
  readonly capsule: Capsule;
  readonly capsuleDirectory: MemoryDirectory;
  readonly fixtures: MemoryDirectory;
  readonly store: FixtureStore;
}

export async function makePlace(
  around: (directory: Directory) => Directory = (directory) => directory,
): Promise<Place> {
  const capsuleDirectory = new MemoryDirectory();
  const fixtures = new MemoryDirectory("memory:", { exists: true });
  let count = 0;
  const environment = {
    sha256,
    clock: () => new Date(Date.UTC(2026, 8, 2)),
    randomBytes: (length: number) => new Uint8Array(length).fill(count++),
  };
  const identity = { run_id: "r1", capsule_id: "c1" };
  const capsule = await createCapsule(around(capsuleDirectory), identity, environment);
  return { capsule, capsuleDirectory, fixtures, store: memoryFixtures(fixtures) };
}

/** A recorder with everything around it. */
export interface Scene extends Place {
  readonly recorder: Recorder;
  readonly timers: FakeTimers;
  /** What the recorder said of its own accord. */
  readonly delivered: Told[];
}

/** A recorder over a new place, unless one is given. */
export async function makeScene(
  options: Partial<RecorderOptions> & { place?: Place; allow?: Record<string, string> } = {},
): Promise<Scene> {
  const { place = await makePlace(), allow = { echo: "SE0" }, ...rest } = options;
  const timers = new FakeTimers();
  const delivered: Told[] = [];
  const recorder = new Recorder({
    journal: capsuleJournal(place.capsule, timers),
    store: place.store,
    sha256,
    timers,
    randomId: "0a0b0c0d",
    policy: policyOf({ tools: allow }),
    maxFrameBytes: 1 << 20,
    deliver: (traffic) => void delivered.push(tell(traffic)),
    ...rest,
  });
  return { ...place, recorder, timers, delivered };
}

export function policyOf(members: object): EffectPolicy {
  const policy = readPolicy(lineOf({ schema: "effect-policy/v1", ...members }));
  if (!policy.ok) throw new Error(policy.reason);
  return policy.value;
}

/** A line: a text as it is, anything else as JSON. */
export function lineOf(message: unknown): Uint8Array {
  return encodeUtf8(typeof message === "string" ? message : JSON.stringify(message));
}

/** Traffic in texts. */
export interface Told {
  readonly toServer?: string[];
  readonly toClient?: string[];
  readonly stop?: string;
}

export function tell({ toServer, toClient, stop }: Traffic): Told {
  return {
    ...(toServer && { toServer: toServer.map(textOfBytes) }),
    ...(toClient && { toClient: toClient.map(textOfBytes) }),
    ...(stop && { stop: stop.code }),
  };
}

/** What becomes of a line of the client, and of the server. */
export async function fromClient({ recorder }: Scene, message: unknown): Promise<Told> {
  return tell(await recorder.fromClient(lineOf(message)));
}

export async function fromServer({ recorder }: Scene, message: unknown): Promise<Told> {
  return tell(await recorder.fromServer(lineOf(message)));
}

export function request(id: unknown, method: string, params?: unknown): Short {
  return { jsonrpc: "2.0", id, method, ...(params !== undefined && { params }) };
}

export function call(id: unknown, name: unknown, args?: unknown): Short {
  return request(id, "tools/call", { name, ...(args !== undefined && { arguments: args }) });
}

export function result(id: unknown, value: unknown): Short {
  return { jsonrpc: "2.0", id, result: value };
}

export function content(text: string): Short {
  return { content: [{ type: "text", text }] };
}

/** The text of an error reply. */
export function errorText(id: unknown, code: number, message: string, data?: unknown): string {
  return JSON.stringify({
    jsonrpc: "2.0",
    id,
    error: { code, message, ...(data ? { data } : {}) },
  });
}

/** The entries of a capsule in short. */
export function entriesOf({ capsuleDirectory }: Place): Short[] {
  const lines = filesOf(capsuleDirectory)["journal.ndjson"]!.split("\n").slice(0, -1);
  return lines.map((line) => {
    const { kind, lineage, effect_class, payload } = JSON.parse(line);
    if (lineage !== "interaction") throw new Error(`The lineage is ${lineage}`);
    return { kind, effect_class, ...payload };
  });
}

/** Kinds and statuses of the entries. */
export function statusesOf(place: Place): string[] {
  return entriesOf(place).map(({ kind, status }) => `${kind} ${status}`);
}

/** The texts of all files in a directory, by name. */
export function filesOf(directory: MemoryDirectory): Record<string, string> {
  const files: Record<string, string> = {};
  for (const [name, node] of directory.nodes) {
    if (node.kind === "file") files[name] = textOfBytes(node.bytes.view());
  }
  return files;
}

/** The hashes of a call as its entries carry them. */
export function hashesOf(tool: string, args: unknown): { args_hash: string; fixture_key: string } {
  const { args_hash, key } = hashCall(tool, args, sha256);
  return { args_hash, fixture_key: key };
}

export function hashOf(text: string): string {
  return sha256.digest(encodeUtf8(text));
}

/** A journal in a list, whose every append with entries waits until the test lets it go on. */
export function heldJournal(): Journal & { entries: unknown[]; held: (() => void)[] } {
  const entries: unknown[] = [];
  const held: (() => void)[] = [];
  return {
    entries,
    held,
    append: async (more) => {
      if (more.length > 0) await new Promise<void>((resolve) => held.push(resolve));
      entries.push(...more);
    },
  };
}

function textOfBytes(bytes: Uint8Array): string {
  return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
}
