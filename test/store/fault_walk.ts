/**
 * Walks through every operation of the store and every call of the port in it, lets the call fail in every way, and looks
 * at what is left.
 *
 * @module
 */
import * as assert from "uvu/assert";
import { EvidenceError } from "../../src/core/mod.ts";
import { formatEntry } from "../../src/capsule/mod.ts";
import type { CapsuleVerdict, Entry } from "../../src/capsule/mod.ts";
import type { Directory } from "../../src/ports/mod.ts";
import {
  buildReceiptFor,
  type Capsule,
  createCapsule,
  exportBundle,
  openCapsule,
  openSession,
  projectDirectory,
  saveProjection,
  type StoreEnvironment,
  verifyDirectory,
} from "../../src/store/mod.ts";
import { type Fault, FAULTS, Trap } from "./faulty.ts";
import {
  expectBundle,
  expectCapsule,
  expectDocumentedNames,
  IDENTITY,
  type Place,
  type Survivors,
} from "./survivors.ts";

export type { Place };

/** What a scenario works with. */
interface Stage extends Survivors {
  /** The place that an export goes to. */
  readonly target: Place;
  /** Both again, through the trap. */
  readonly trapped: Directory;
  readonly trappedTarget: Directory;
}

/** An operation to walk through. */
export interface Scenario {
  readonly name: string;
  /** Operations that do not occur in it, so that faults of them cannot strike. */
  readonly lacks?: readonly string[];
  /** How many entries may be there that were not acknowledged as durable; 1 unless told. */
  readonly batch?: number;
  /** Sets the scene without faults and returns the step to walk through. */
  prepare(stage: Stage): Promise<() => Promise<unknown>>;
  /** Looks at what is particular to it: the step's outcome, or what it threw. */
  inspect(
    stage: Stage,
    outcome: { value?: unknown; error?: unknown },
    fault: Fault,
  ): Promise<unknown>;
}

/** Longer than a reading window, so that verifying takes several reads. */
const LONG = "x".repeat(270_000);

/** Every operation of the store. */
export const SCENARIOS: readonly Scenario[] = [
  {
    name: "create",
    lacks: ["read"],
    prepare: ({ trapped, environment }) =>
      Promise.resolve(() => createCapsule(trapped, IDENTITY, environment)),
    inspect: expectCapsule,
  },
  {
    name: "create over an empty journal",
    lacks: ["read"],
    async prepare({ source, trapped, environment }) {
      await source.directory.make();
      await (await source.directory.openNew("journal.ndjson", 0o644)).close();
      return () => createCapsule(trapped, IDENTITY, environment);
    },
    inspect: expectCapsule,
  },
  {
    name: "append to an empty journal",
    prepare: (stage) => appending(stage, []),
    inspect: expectCapsule,
  },
  {
    name: "append to a longer journal",
    prepare: (stage) => appending(stage, ["a", "b", "c"]),
    inspect: expectCapsule,
  },
  {
    name: "a session that syncs every entry",
    prepare: (stage) => inSession(stage, 2, 1),
    inspect: expectCapsule,
  },
  {
    name: "a session that syncs every third entry",
    batch: 3,
    prepare: (stage) => inSession(stage, 5, 3),
    inspect: expectCapsule,
  },
  {
    name: "project and save",
    async prepare(stage) {
      await fill(stage, ["a"]);
      const { sha256, randomBytes } = stage.environment;
      return async () =>
        saveProjection(stage.trapped, await projectDirectory(stage.trapped, sha256), randomBytes);
    },
    inspect: expectCapsule,
  },
  {
    name: "export",
    prepare: (stage) => exporting(stage),
    inspect: (stage, _outcome, { lasts = false }) => expectBundle(stage, stage.target, lasts),
  },
  {
    name: "export over an older bundle",
    async prepare(stage) {
      await exporting(stage);
      await exportBundle(stage.source.directory, stage.target.directory, stage.environment);
      await append(stage, await openCapsule(stage.source.directory, stage.environment), "b");
      return () => exportBundle(stage.trapped, stage.trappedTarget, stage.environment);
    },
    inspect: (stage, _outcome, { lasts = false }) => expectBundle(stage, stage.target, lasts),
  },
  {
    name: "build a receipt",
    async prepare(stage) {
      await fill(stage, ["a"]);
      return () => buildReceiptFor(stage.trapped, stage.environment);
    },
    inspect: expectCapsule,
  },
  {
    name: "verify",
    lacks: ["write", "fsync", "sync"],
    async prepare(stage) {
      await fill(stage, ["a", "b", "c"]);
      return () => verifyDirectory(stage.trapped, stage.environment.sha256);
    },
    async inspect(stage, { value, error }) {
      assert.is(error, undefined);
      const { code } = value as CapsuleVerdict;
      const codes = ["ok", "capsule.unreadable_journal", "capsule.metadata_invalid"];
      assert.ok(codes.includes(code), code);
      await expectCapsule(stage);
    },
  },
  {
    name: "read the entries",
    lacks: ["write", "fsync", "sync"],
    async prepare(stage) {
      await fill(stage, ["a", LONG]);
      const capsule = await openCapsule(stage.trapped, stage.environment);
      return async () => {
        const read: string[] = [];
        for await (const entry of capsule.entries()) read.push(formatEntry(entry));
        return read;
      };
    },
    async inspect(stage, { value, error }) {
      if (error === undefined) assert.equal(value, stage.acknowledged.map(formatEntry));
      await expectCapsule(stage);
    },
  },
];

/**
 * Walks through one scenario.
 *
 * @returns by fault, at how many calls it struck.
 */
export async function walk(
  scenario: Scenario,
  environment: StoreEnvironment,
  makePlace: () => Place,
  faults: readonly Fault[] = FAULTS,
): Promise<Map<Fault, number>> {
  const struck = new Map<Fault, number>();
  for (const fault of faults) {
    let nth = 1;
    while (await tryOnce(scenario, environment, makePlace, fault, nth)) nth++;
    struck.set(fault, nth - 1);
  }
  return struck;
}

/** Can this fault strike in that scenario? */
export function canStrike({ operations }: Fault, { lacks = [] }: Scenario): boolean {
  return operations?.every((name) => lacks.includes(name)) !== true;
}

async function tryOnce(
  scenario: Scenario,
  environment: StoreEnvironment,
  makePlace: () => Place,
  fault: Fault,
  nth: number,
): Promise<boolean> {
  const trap = new Trap();
  const [source, target] = [makePlace(), makePlace()];
  const stage: Stage = {
    environment,
    source,
    target,
    trapped: trap.around(source.directory),
    trappedTarget: trap.around(target.directory),
    acknowledged: [],
    batch: scenario.batch ?? 1,
  };
  const step = await scenario.prepare(stage);
  trap.set(fault, nth);
  let outcome: { value?: unknown; error?: unknown };
  try {
    outcome = { value: await step() };
  } catch (error) {
    outcome = { error };
  }
  await trap.release();
  try {
    const { error } = outcome;
    if (error !== undefined) assert.instance(error, EvidenceError);
    if (trap.struck === 0) assert.is(error, undefined);
    await scenario.inspect(stage, outcome, fault);
    for (const place of [source, target]) expectDocumentedNames(await place.list());
  } catch (error) {
    throw new Error(`${scenario.name}, call ${nth}: ${fault.name}`, { cause: error });
  }
  return trap.struck > 0;
}

async function fill(stage: Stage, messages: readonly string[]): Promise<void> {
  const capsule = await createCapsule(stage.source.directory, IDENTITY, stage.environment);
  for (const message of messages) await append(stage, capsule, message);
}

async function append(stage: Stage, capsule: Capsule, message: string): Promise<void> {
  stage.acknowledged.push(await capsule.append("plan", "step", { message }));
}

async function appending(
  stage: Stage,
  messages: readonly string[],
): Promise<() => Promise<unknown>> {
  await fill(stage, messages);
  const capsule = await openCapsule(stage.trapped, stage.environment);
  return () => append(stage, capsule, "the one");
}

/** A session that appends and is closed whatever happens. */
async function inSession(
  stage: Stage,
  count: number,
  syncEvery: number,
): Promise<() => Promise<unknown>> {
  await fill(stage, ["a"]);
  return async () => {
    const session = await openSession(stage.trapped, stage.environment, { syncEvery });
    const buffered: Entry[] = [];
    try {
      for (let index = 0; index < count; index++) {
        const { entry, status } = await session.append("attempt", "step", { total: index });
        buffered.push(entry);
        if (status === "durable") stage.acknowledged.push(...buffered.splice(0));
      }
    } finally {
      await session.close();
    }
    stage.acknowledged.push(...buffered);
  };
}

async function exporting(stage: Stage): Promise<() => Promise<unknown>> {
  await fill(stage, ["a", "b"]);
  return () => exportBundle(stage.trapped, stage.trappedTarget, stage.environment);
}
