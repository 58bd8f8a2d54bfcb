import { suite } from "uvu";
import * as assert from "uvu/assert";
import { type Entry, formatProjection } from "../../src/capsule/mod.ts";
import { decodeUtf8, encodeUtf8 } from "../../src/core/mod.ts";
import { formatReceipt } from "../../src/receipt/mod.ts";
import {
  buildReceiptFor,
  checkReceiptFor,
  createCapsule,
  exportBundle,
  MemoryDirectory,
  openCapsule,
  openSession,
  projectDirectory,
  replaceFile,
  saveProjection,
  type StoreEnvironment,
} from "../../src/store/mod.ts";
import { directoryIn, Recorder } from "./crash.ts";
import { testEnvironment } from "./environment.ts";
import {
  expectBundle,
  expectCapsule,
  expectDocumentedNames,
  IDENTITY,
  type Place,
} from "./survivors.ts";

const [JOURNAL, PROJECTION, RECEIPT] = ["journal.ndjson", "projection.json", "receipt.json"];

/** What entries say; a loss of power may cut inside of a character. */
const NOTES = ["a", "漢".repeat(12), "c", "😀".repeat(9), "é".repeat(20)];

/** Where a scenario happens; events are the entries that are durable from then on. */
interface Stage {
  readonly recorder: Recorder<readonly Entry[]>;
  readonly environment: StoreEnvironment;
}

/** An operation on a capsule, and what a loss of power in it may leave. */
interface Scenario {
  /** Entries that the capsule has before; no capsule unless told. */
  readonly before?: number;
  /** Entries that may be there without having been acknowledged as durable; 0 unless told. */
  readonly batch?: number;
  /** Every verdict that occurs, sorted. */
  readonly verdicts: readonly string[];
  /** How many different states there are at least. */
  readonly atLeast: number;
  run(stage: Stage): Promise<unknown>;
}

const AS_APPENDING = [
  "capsule.corrupt_entry",
  "capsule.non_canonical",
  "capsule.truncated_tail",
  "ok",
];

const SCENARIOS: Readonly<Record<string, Scenario>> = {
  "create": {
    verdicts: ["capsule.metadata_invalid", "capsule.missing_journal", "ok"],
    atLeast: 50,
    run: ({ recorder, environment }) => createCapsule(recorder, IDENTITY, environment),
  },
  "create and append": {
    batch: 1,
    verdicts: ["capsule.metadata_invalid", "capsule.missing_journal", ...AS_APPENDING].sort(),
    atLeast: 200,
    async run({ recorder, environment }) {
      const capsule = await createCapsule(recorder, IDENTITY, environment);
      recorder.note([await capsule.append("plan", "step", { note: NOTES[1] })]);
    },
  },
  "append": {
    before: 2,
    batch: 1,
    verdicts: AS_APPENDING,
    atLeast: 600,
    async run({ recorder, environment }) {
      const capsule = await openCapsule(recorder, environment);
      for (const note of NOTES) recorder.note([await capsule.append("plan", "step", { note })]);
    },
  },
  "a session that syncs every entry": {
    before: 1,
    batch: 1,
    verdicts: AS_APPENDING,
    atLeast: 600,
    run: (stage) => inSession(stage, 1),
  },
  "a session that syncs every third entry": {
    before: 1,
    batch: 3,
    verdicts: AS_APPENDING,
    atLeast: 1500,
    run: (stage) => inSession(stage, 3),
  },
  "project over an older projection, and build a receipt": {
    before: 2,
    verdicts: ["ok"],
    atLeast: 300,
    async run({ recorder, environment }) {
      const { sha256, randomBytes } = environment;
      await saveProjection(recorder, await projectDirectory(recorder, sha256), randomBytes);
      const receipt = encodeUtf8(formatReceipt(await buildReceiptFor(recorder, environment)));
      await replaceFile(recorder, RECEIPT, receipt, randomBytes);
    },
  },
};

async function inSession({ recorder, environment }: Stage, syncEvery: number): Promise<void> {
  const session = await openSession(recorder, environment, { syncEvery });
  const buffered: Entry[] = [];
  for (const note of NOTES) {
    const { entry, status } = await session.append("plan", "step", { note });
    buffered.push(entry);
    if (status === "durable") recorder.note(buffered.splice(0));
  }
  await session.close();
  recorder.note(buffered);
}

/** A capsule with entries and the projection of an older state, all of it durable. */
async function capsuleOf(entries: number, environment: StoreEnvironment): Promise<MemoryDirectory> {
  const memory = new MemoryDirectory();
  const capsule = await createCapsule(memory, IDENTITY, environment);
  const projection = await projectDirectory(memory, environment.sha256);
  await saveProjection(memory, projection, environment.randomBytes);
  for (let index = 0; index < entries; index++) await capsule.append("plan", "step");
  return memory;
}

function placeOf(directory: MemoryDirectory): Place {
  return { directory, list: () => Promise.resolve([...directory.nodes.keys()]) };
}

async function entriesOf(memory: MemoryDirectory, environment: StoreEnvironment): Promise<Entry[]> {
  const entries: Entry[] = [];
  for await (const entry of (await openCapsule(memory, environment)).entries()) entries.push(entry);
  return entries;
}

/** What verification must say of a journal that a loss of power cut; zeros may lie where bytes are missing. */
function endingsOf(journal: Uint8Array): string[] {
  if (journal.includes(0)) return AS_APPENDING.filter((code) => code !== "ok");
  const tail = journal.subarray(journal.lastIndexOf(0x0a) + 1);
  if (tail.length === 0) return ["ok"];
  return [decodeUtf8(tail) === undefined ? "capsule.non_canonical" : "capsule.truncated_tail"];
}

/** A projection is one that was or became durable, and a receipt holds. */
async function expectWhole(
  state: ReadonlyMap<string, Uint8Array>,
  projections: readonly (string | undefined)[],
  { sha256 }: StoreEnvironment,
): Promise<void> {
  const [projection, receipt] = [PROJECTION, RECEIPT].map((name) => textAt(state, name));
  assert.ok(projections.includes(projection), projection);
  if (receipt === undefined) return;
  const { check } = await checkReceiptFor(JSON.parse(receipt), directoryIn(state), sha256);
  assert.is(check, null);
}

function textAt(state: ReadonlyMap<string, Uint8Array>, name: string): string | undefined {
  const bytes = state.get(name);
  return bytes && decodeUtf8(bytes);
}

const crashes = suite("crash states");

for (const [name, scenario] of Object.entries(SCENARIOS)) {
  crashes(`${name}: a loss of power takes nothing that was acknowledged as durable`, async () => {
    const environment = await testEnvironment();
    const { before, batch = 0 } = scenario;
    const recorder = new Recorder<readonly Entry[]>(
      before === undefined ? new MemoryDirectory() : await capsuleOf(before, environment),
    );
    const start = before === undefined ? [] : await entriesOf(recorder, environment);
    const older = [...recorder.statesAfter(0)].map((state) => textAt(state, PROJECTION));
    await scenario.run({ recorder, environment });
    const all = await entriesOf(recorder, environment);
    const projections = [...older, textAt(recorder.now(), PROJECTION)];

    const verdicts = new Set<string>();
    let states = 0;
    for (let length = 0; length <= recorder.length; length++) {
      const acknowledged = [...start, ...recorder.eventsBefore(length).flat()];
      for (const state of recorder.statesAfter(length)) {
        states++;
        expectDocumentedNames([...state.keys()]);
        await expectWhole(state, projections, environment);
        const source = placeOf(directoryIn(state));
        const endings = endingsOf(state.get(JOURNAL) ?? new Uint8Array());
        const { code, found } = await expectCapsule({
          environment,
          source,
          acknowledged,
          batch,
          endings,
        });
        assert.equal(found, all.slice(0, found.length));
        verdicts.add(code);
      }
    }
    assert.equal([...verdicts].sort(), scenario.verdicts);
    assert.ok(states >= scenario.atLeast, String(states));
  });
}

crashes("export: the source is as it was, and a repeated export mends the target", async () => {
  const environment = await testEnvironment();
  const memory = await capsuleOf(2, environment);
  const old = new MemoryDirectory();
  await exportBundle(memory, old, environment);
  await (await openCapsule(memory, environment)).append("plan", "step");
  const acknowledged = await entriesOf(memory, environment);
  const projections = [
    textAt(new Recorder(memory).now(), PROJECTION),
    formatProjection(await projectDirectory(memory, environment.sha256)),
  ];
  for (
    const [target, verdicts] of [
      [new MemoryDirectory(), ["capsule.metadata_invalid", "capsule.missing_journal", "ok"]],
      [old, ["ok"]],
    ] as const
  ) {
    const [from, to] = [new Recorder<never>(memory), new Recorder<never>(target)];
    await exportBundle(from, to, environment);
    for (let length = 0; length <= from.length; length++) {
      for (const state of from.statesAfter(length)) {
        expectDocumentedNames([...state.keys()]);
        await expectWhole(state, projections, environment);
        const source = placeOf(directoryIn(state));
        await expectCapsule({ environment, source, acknowledged, batch: 0, endings: ["ok"] });
      }
    }
    const found = new Set<string>();
    let states = 0;
    for (let length = 0; length <= to.length; length++) {
      for (const state of to.statesAfter(length)) {
        states++;
        expectDocumentedNames([...state.keys()]);
        const source = placeOf(directoryIn(from.now()));
        const survivors = { environment, source, acknowledged, batch: 0 };
        found.add(await expectBundle(survivors, placeOf(directoryIn(state)), true));
      }
    }
    assert.equal([...found].sort(), verdicts);
    assert.ok(states >= 900, String(states));
  }
});

crashes.run();
