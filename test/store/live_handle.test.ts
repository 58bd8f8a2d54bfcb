import { suite } from "uvu";
import * as assert from "uvu/assert";
import { buildEntry, CapsuleError, formatEntry, formatMetadata } from "../../src/capsule/mod.ts";
import type { Entry, Metadata } from "../../src/capsule/mod.ts";
import { encodeUtf8, EvidenceError } from "../../src/core/mod.ts";
import { GENESIS, type Sha256 } from "../../src/hash/mod.ts";
import {
  appendEntry,
  type Capsule,
  createCapsule,
  MemoryDirectory,
  type MemoryNode,
  type NewEntry,
  openCapsule,
  openSession,
  type StoreEnvironment,
  verifyDirectory,
} from "../../src/store/mod.ts";
import { type Random, seeded } from "../lib/random.ts";
import { testEnvironment } from "./environment.ts";

const [METADATA, JOURNAL, LOCK] = ["capsule.json", "journal.ndjson", ".append.lock"];
const LF = 0x0a;
const STEPS = 2500;

const ONE: Metadata = {
  schema: "capsule-envelope/v1",
  run_id: "r",
  capsule_id: "c",
  harness_version: "h",
  task_family: "f",
  created_at: "2026-09-02T00:00:00.000Z",
};
const OTHER: Metadata = { ...ONE, run_id: "o" };

const live = suite("live handle");

/** A capsule that is tampered with, and two handles that know earlier states of it. */
interface World {
  readonly random: Random;
  readonly memory: MemoryDirectory;
  readonly environment: StoreEnvironment;
  readonly handles: readonly Capsule[];
  /** The files when the capsule last held. */
  good: ReadonlyMap<string, Uint8Array>;
}

/** A journal of so many entries; those of one count and identity have one length, whatever the letter. */
function chainOf(count: number, letter: string, metadata: Metadata, sha256: Sha256): Uint8Array {
  const head = { metadata, entry_count: 0, root_hash: GENESIS, journal_bytes: 0 };
  let text = "";
  for (; head.entry_count < count; head.entry_count++) {
    const entry = buildEntry(
      head,
      { lineage: "plan", kind: "step", payload: { note: letter } },
      () => new Date(Date.UTC(2026, 8, 2)),
      sha256,
    );
    head.root_hash = entry.entry_hash;
    text += `${formatEntry(entry)}\n`;
  }
  return encodeUtf8(text);
}

function bytesOf(memory: MemoryDirectory, name: string): Uint8Array {
  const node = memory.nodes.get(name);
  return node?.kind === "file" ? node.bytes.view().slice() : new Uint8Array();
}

/** Every name and what it stands for. */
function contentOf(memory: MemoryDirectory): unknown {
  return [...memory.nodes].sort().map(([name, node]) => [
    name,
    node.kind === "file" ? node.bytes.view().slice() : node,
  ]);
}

function copyOf(memory: MemoryDirectory): MemoryDirectory {
  const copy = new MemoryDirectory(memory.label, { exists: true });
  for (const [name, node] of memory.nodes) {
    copy.plant(name, node.kind === "file" ? node.bytes.view().slice() : node);
  }
  return copy;
}

/** What came of a call, in everything that a caller may rely on. */
async function outcomeOf(call: Promise<Entry>): Promise<Record<string, unknown>> {
  try {
    return { code: "ok", text: formatEntry(await call) };
  } catch (error) {
    assert.instance(error, EvidenceError);
    const { code, message } = error as EvidenceError;
    return {
      code,
      message,
      failed_at: error instanceof CapsuleError ? error.failed_at : undefined,
    };
  }
}

function plainAppend(
  { environment }: World,
  memory: MemoryDirectory,
  entry: NewEntry,
): Promise<Entry> {
  return appendEntry(memory, entry, environment).then(({ entry }) => entry);
}

/** What another program does, by name. */
const MUTATIONS: Record<string, (world: World) => Promise<unknown> | void> = {
  "changes a byte in place": ({ random, memory }) => {
    const node = memory.nodes.get(JOURNAL);
    if (node?.kind !== "file" || node.bytes.length === 0) return;
    node.bytes.view()[random.below(node.bytes.length)]! ^= 1 << random.below(8);
  },
  "puts another chain of the same length there": (world) => {
    const { random, memory, environment: { sha256 } } = world;
    memory.plant(JOURNAL, chainOf(linesOf(memory).length, random.pick("xyz"), ONE, sha256));
  },
  "puts another chain under the first entries": (world) => {
    const { random, memory, environment: { sha256 } } = world;
    const lines = linesOf(memory);
    const under = random.below(lines.length + 1);
    const rest = lines.slice(under);
    memory.plant(JOURNAL, concat(chainOf(under, random.pick("xyz"), ONE, sha256), ...rest));
  },
  "cuts bytes": ({ random, memory }) => {
    const bytes = bytesOf(memory, JOURNAL);
    memory.plant(JOURNAL, bytes.subarray(0, random.below(bytes.length + 1)));
  },
  "cuts entries": ({ random, memory }) => {
    const lines = linesOf(memory);
    memory.plant(JOURNAL, concat(...lines.slice(0, random.below(lines.length + 1))));
  },
  "swaps two entries": ({ random, memory }) => {
    const lines = linesOf(memory);
    if (lines.length < 2) return;
    const at = random.below(lines.length - 1);
    memory.plant(
      JOURNAL,
      concat(...lines.slice(0, at), ...lines.slice(at, at + 2).reverse(), ...lines.slice(at + 2)),
    );
  },
  "appends an entry": (world) =>
    plainAppend(world, world.memory, { lineage: "plan", kind: "step", payload: { note: "m" } })
      .catch(() => undefined),
  "appends what is no entry": ({ random, memory }) => {
    const more = random.pick(["{}\n", "\n", "no JSON\n", '{"torn":', "\ufeff\n", " \n"]);
    memory.plant(JOURNAL, concat(bytesOf(memory, JOURNAL), encodeUtf8(more)));
  },
  "appends the last entry once more": ({ memory }) => {
    memory.plant(JOURNAL, concat(...linesOf(memory), ...linesOf(memory).slice(-1)));
  },
  "appends an entry of another run": (world) => {
    const { memory, environment: { sha256 } } = world;
    memory.plant(JOURNAL, foreignTail(memory, sha256));
  },
  "goes on under another run's name": ({ memory, environment: { sha256 } }) => {
    memory.plant(JOURNAL, foreignTail(memory, sha256));
    memory.plant(METADATA, metadataBytes(OTHER));
  },
  "appends bytes that are no UTF-8": ({ random, memory }) => {
    const more = random.pick([[0xff, LF], [0xc3], [0xe2, 0x82, LF]]);
    memory.plant(JOURNAL, concat(bytesOf(memory, JOURNAL), Uint8Array.from(more)));
  },
  "replaces the journal by the same bytes": ({ memory }) =>
    memory.plant(JOURNAL, bytesOf(memory, JOURNAL)),
  "says another identity": ({ memory }) => memory.plant(METADATA, metadataBytes(OTHER)),
  "says the first identity again": ({ memory }) => memory.plant(METADATA, metadataBytes(ONE)),
  "says another time of creation": ({ random, memory }) => {
    const created_at = `2026-09-0${random.below(9) + 1}T00:00:00.000Z`;
    memory.plant(METADATA, metadataBytes({ ...ONE, created_at }));
  },
  "makes the metadata invalid": ({ random, memory }) => {
    memory.plant(METADATA, encodeUtf8(random.pick(["", "{}", "no JSON", "\ufeff{}"])));
  },
  "puts another capsule there": ({ random, memory, environment: { sha256 } }) => {
    const metadata = random.pick([ONE, OTHER]);
    memory.plant(METADATA, metadataBytes(metadata));
    memory.plant(JOURNAL, chainOf(random.below(5), random.pick("op"), metadata, sha256));
  },
  "puts something that is no file there": ({ random, memory }) => {
    memory.plant(random.pick([METADATA, JOURNAL]), random.pick(NO_FILES));
  },
  "removes a file": ({ random, memory }) =>
    memory.remove(random.pick([METADATA, JOURNAL])).catch(() => undefined),
  "takes the lock": ({ memory }) => memory.plant(LOCK, new Uint8Array()),
};

const NO_FILES: readonly MemoryNode[] = [
  { kind: "other" },
  { kind: "directory" },
  { kind: "link", target: "nothing" },
  { kind: "link", target: JOURNAL },
];

function metadataBytes(metadata: Metadata): Uint8Array {
  return encodeUtf8(formatMetadata(metadata));
}

/** The lines of the journal, each with its line feed. */
function linesOf(memory: MemoryDirectory): Uint8Array[] {
  const bytes = bytesOf(memory, JOURNAL);
  const lines: Uint8Array[] = [];
  for (let start = 0, end; (end = bytes.indexOf(LF, start)) >= 0; start = end + 1) {
    lines.push(bytes.subarray(start, end + 1));
  }
  return lines;
}

function concat(...parts: Uint8Array[]): Uint8Array {
  return Uint8Array.from(parts.flatMap((part) => [...part]));
}

/** The journal and an entry that continues its chain under another run's name. */
function foreignTail(memory: MemoryDirectory, sha256: Sha256): Uint8Array {
  const lines = linesOf(memory);
  const last = /"entry_hash":"(\w{64})"/.exec(new TextDecoder().decode(lines.at(-1)))?.[1];
  const head = {
    metadata: OTHER,
    entry_count: lines.length,
    root_hash: (last ?? GENESIS) as typeof GENESIS,
    journal_bytes: 0,
  };
  const entry = buildEntry(head, { lineage: "plan", kind: "step" }, () => new Date(0), sha256);
  return concat(...lines, encodeUtf8(`${formatEntry(entry)}\n`));
}

function restore({ memory, good }: World): void {
  for (const [name, { kind }] of memory.nodes) {
    if (kind === "directory") memory.plant(name, new Uint8Array());
  }
  void memory.remove(LOCK).catch(() => undefined);
  for (const [name, bytes] of good) memory.plant(name, bytes);
}

/** Appends by a handle, or opens a session and appends, and does the same plainly on a copy. */
async function tryWriter(world: World): Promise<string> {
  const { random, memory, environment, handles } = world;
  const copy = copyOf(memory);
  const kind = random.below(10) === 0 ? "Not A Kind" : "step";
  const entry = { lineage: "plan", kind, payload: { note: random.pick("abc") } } as const;
  const expected = await outcomeOf(plainAppend(world, copy, entry));
  const writer = random.below(3);
  const found = await outcomeOf(
    handles[writer]?.append(entry.lineage, entry.kind, entry.payload) ??
      openSession(memory, environment).then(async (session) => {
        try {
          return (await session.append(entry.lineage, entry.kind, entry.payload)).entry;
        } finally {
          await session.close();
        }
      }),
  );
  assert.equal(found, expected, writer === 2 ? "a session" : `handle ${writer}`);
  assert.equal(contentOf(memory), contentOf(copy));
  return String(expected["code"]);
}

async function makeWorld(seed: number): Promise<World> {
  const memory = new MemoryDirectory();
  const environment = await testEnvironment();
  const handles = [
    await createCapsule(memory, ONE, environment),
    await openCapsule(memory, environment),
  ];
  const world = { random: seeded(seed), memory, environment, handles, good: new Map() };
  keep(world);
  return world;
}

function keep(world: World): void {
  const { memory } = world;
  world.good = new Map([METADATA, JOURNAL].map((name) => [name, bytesOf(memory, name)]));
}

live(
  `append() and sessions answer as a plain append does, over ${STEPS} random steps`,
  async () => {
    const world = await makeWorld(20260902);
    const { random, memory, environment } = world;
    const codes = new Set<string>();
    const mutations = Object.entries(MUTATIONS);
    let trail: string[] = [];
    for (let step = 0; step < STEPS; step++) {
      const [name, mutate] = random.pick(mutations);
      const isBroken = !(await verifyDirectory(memory, environment.sha256)).ok ||
        memory.nodes.has(LOCK);
      const turn = random.below(4);
      if (turn < 2) {
        const code = await tryWriter(world).catch((error: unknown) => {
          throw new Error(`step ${step}, after: ${trail.join("; ")}`, { cause: error });
        });
        codes.add(code);
        if (code === "ok") {
          keep(world);
          trail = [];
        }
      } else if (isBroken && turn === 2) {
        restore(world);
        trail.push("restored");
      } else if (linesOf(memory).length > 12) {
        memory.plant(JOURNAL, concat(...linesOf(memory).slice(0, 3)));
      } else {
        await mutate(world);
        trail.push(name);
      }
    }
    assert.equal([...codes].sort(), [
      "capsule.broken_link",
      "capsule.busy",
      "capsule.corrupt_entry",
      "capsule.invalid_entry",
      "capsule.metadata_invalid",
      "capsule.metadata_mismatch",
      "capsule.missing_journal",
      "capsule.non_canonical",
      "capsule.reordered",
      "capsule.truncated_tail",
      "capsule.unreadable_journal",
      "ok",
    ]);
  },
);

for (const [name, mutate] of Object.entries(MUTATIONS)) {
  live(`append() after another program ${name} answers as a plain append does`, async () => {
    for (let seed = 1; seed <= 8; seed++) {
      const world = await makeWorld(seed);
      for (let entry = 0; entry < 4; entry++) {
        for (const handle of world.handles) await handle.append("plan", "step", { note: "n" });
      }
      const newest = await openCapsule(world.memory, world.environment);
      await mutate(world);
      for (const [writer, handle] of [newest, ...world.handles].entries()) {
        const copy = copyOf(world.memory);
        const expected = await outcomeOf(
          plainAppend(world, copy, { lineage: "plan", kind: "next" }),
        );
        assert.equal(await outcomeOf(handle.append("plan", "next")), expected, String(writer));
        assert.equal(contentOf(world.memory), contentOf(copy));
      }
    }
  });
}

/** A hasher that counts: digests taken at once (one for each line that is parsed or built), and bytes of running ones. */
function counting(sha256: Sha256): { sha256: Sha256; taken(): [digests: number, bytes: number] } {
  let [digests, bytes] = [0, 0];
  return {
    sha256: {
      implementation: sha256.implementation,
      digest(whole) {
        digests++;
        return sha256.digest(whole);
      },
      start() {
        const running = sha256.start();
        return {
          update(piece) {
            bytes += piece.length;
            running.update(piece);
          },
          fork: () => running.fork(),
          digest: () => running.digest(),
        };
      },
    },
    taken() {
      const taken: [number, number] = [digests, bytes];
      [digests, bytes] = [0, 0];
      return taken;
    },
  };
}

live("append() hashes all that it knows again and parses only what is new", async () => {
  for (const count of [0, 3, 300]) {
    const environment = await testEnvironment();
    const { sha256, taken } = counting(environment.sha256);
    const memory = new MemoryDirectory();
    await createCapsule(memory, ONE, environment);
    memory.plant(JOURNAL, chainOf(count, "a", ONE, environment.sha256));
    const append = async (capsule: Capsule): Promise<[parsed: number, isAllHashed: boolean]> => {
      taken();
      const { length } = bytesOf(memory, JOURNAL);
      await capsule.append("plan", "step", { note: "a" });
      const [digests, bytes] = taken();
      return [digests - 1, bytes === length]; // the new entry takes one
    };
    const other = await openCapsule(memory, environment);
    const handle = await openCapsule(memory, { ...environment, sha256 });
    assert.equal(taken(), [count, bytesOf(memory, JOURNAL).length]);
    assert.equal(await append(handle), [0, true]);
    assert.equal(await append(handle), [1, true]); // the entry that it wrote itself
    for (let more = 0; more < 2; more++) await other.append("plan", "step", { note: "a" });
    assert.equal(await append(handle), [3, true]);
    memory.plant(JOURNAL, chainOf(count + 5, "b", ONE, environment.sha256));
    const [parsed, isOnlyOnce] = await append(handle);
    assert.equal([parsed, isOnlyOnce], [count + 5, false]);
    assert.equal(await append(handle), [1, true]);
  }
});

live.run();
