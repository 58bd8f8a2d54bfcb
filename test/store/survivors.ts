/**
 * What must be left of evidence when something went wrong, whatever it was.
 *
 * @module
 */
import * as assert from "uvu/assert";
import { EvidenceError } from "../../src/core/mod.ts";
import type { Entry } from "../../src/capsule/mod.ts";
import type { Directory } from "../../src/ports/mod.ts";
import {
  type Capsule,
  createCapsule,
  exportBundle,
  openCapsule,
  type StoreEnvironment,
  verifyDirectory,
} from "../../src/store/mod.ts";

/** A directory under trial, and the names in it. */
export interface Place {
  readonly directory: Directory;
  list(): Promise<string[]>;
}

/** A capsule, and what its writer knows of it. */
export interface Survivors {
  readonly environment: StoreEnvironment;
  /** The capsule's place. */
  readonly source: Place;
  /** Entries that were acknowledged as durable. */
  readonly acknowledged: Entry[];
  /** How many more may be there. */
  readonly batch: number;
  /** The codes that its verification may end in; {@linkcode TORN} unless told. */
  readonly endings?: readonly string[];
}

/** The identity of the capsules under trial. */
export const IDENTITY = {
  run_id: "run-1",
  capsule_id: "capsule-1",
  harness_version: "h",
  task_family: "f",
};

/** What a journal may be found to be after a failure or the death of its writer. */
export const TORN: readonly string[] = ["ok", "capsule.truncated_tail"];

/**
 * The capsule holds, ends in one of the ways told, or can be created again; no acknowledged entry is lost; and whoever
 * goes on is told what to do.
 *
 * @returns the code of the verification and the entries found.
 */
export async function expectCapsule(
  { source: { directory }, environment, acknowledged, batch, endings = TORN }: Survivors,
): Promise<{ code: string; found: Entry[] }> {
  const found: Entry[] = [];
  const onEntry = (entry: Entry): void => void found.push(entry);
  const { code } = await verifyDirectory(directory, environment.sha256, { onEntry });
  assert.equal(found.slice(0, acknowledged.length), acknowledged);
  assert.ok(found.length <= acknowledged.length + batch, `${found.length} entries`);
  if (!endings.includes(code)) {
    assert.is(acknowledged.length, 0, code);
    await createCapsule(directory, IDENTITY, environment);
    return { code, found };
  }
  const tryAppend = async (): Promise<unknown> => {
    const handle = await openCapsule(directory, environment).catch((error: unknown) => error);
    if (handle instanceof EvidenceError) return handle;
    assert.is((handle as Capsule).meta.run_id, IDENTITY.run_id);
    return await (handle as Capsule).append("plan", "next").catch((error: unknown) => error);
  };
  if (await directory.inspect(".append.lock", false) !== null) {
    if (code === "ok") {
      const refusal = await tryAppend() as EvidenceError;
      assert.is(refusal.code, "capsule.busy");
      assert.match(refusal.message, "if no writer runs, verify the capsule and remove that file");
    }
    await directory.remove(".append.lock");
  }
  const next = await tryAppend();
  if (code === "ok") assert.is((next as Entry).seq, found.length);
  else assert.is((next as EvidenceError).code, code);
  return { code, found };
}

/** The target holds, or has no file of a bundle unless the process died; and a repeated export mends it. */
export async function expectBundle(
  survivors: Survivors,
  target: Place,
  isDead: boolean,
): Promise<string> {
  const { source, environment, acknowledged } = survivors;
  const { code, entry_count } = await verifyDirectory(target.directory, environment.sha256);
  if (code === "ok") assert.ok(entry_count >= 2, String(entry_count));
  else if (!isDead) {
    const names = await target.list();
    assert.equal(names.filter((name) => !name.startsWith(".")), []);
  }
  await exportBundle(source.directory, target.directory, environment);
  const again = await verifyDirectory(target.directory, environment.sha256);
  assert.equal([again.code, again.entry_count], ["ok", acknowledged.length]);
  await expectCapsule(survivors);
  return code;
}

/** Whatever happened, these are the only names. */
export function expectDocumentedNames(names: readonly string[]): void {
  const documented =
    /^(capsule\.json|journal\.ndjson|projection\.json|receipt\.json|\.append\.lock|\.(capsule\.json|journal\.ndjson|projection\.json|receipt\.json)\.[0-9a-f]{16}\.tmp)$/;
  assert.equal(names.filter((name) => !documented.test(name)), []);
}
