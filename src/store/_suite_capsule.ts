/**
 * Capsules in a directory under trial: what a store is for.
 *
 * @module
 */
import {
  BUNDLE_FILES,
  FILES,
  formatEntry,
  formatMetadata,
  formatProjection,
  project,
} from "../capsule/mod.ts";
import type { Entry } from "../capsule/mod.ts";
import { loadSha256 } from "../hash/mod.ts";
import type { Directory } from "../ports/mod.ts";
import { expect, expectSystemCode, failureOf, get, look, put } from "./_suite_trial.ts";
import { exportBundle } from "./bundle.ts";
import { createCapsule, openCapsule, projectDirectory, saveProjection } from "./capsule_store.ts";
import type { Capsule } from "./capsule_store.ts";
import type { StoreEnvironment } from "./environment.ts";
import { requireVerified, verifyDirectory } from "./verified.ts";
import { buildReceiptFor, checkReceiptFor } from "./receipt_store.ts";
import type { StoreCase, StoreHost } from "./suite.ts";

/** The cases. */
export const capsuleCases: readonly StoreCase[] = [
  trial("a capsule that is created is empty and verifies", async (host, environment) => {
    const { directory } = host;
    const capsule = await createCapsule(directory, IDENTITY, environment);
    expect("metadata", await get(directory, FILES.metadata), formatMetadata(capsule.meta));
    expect("journal", await get(directory, FILES.journal), "");
    const { ok, entry_count } = await verifyDirectory(directory, environment.sha256);
    expect("verdict", { ok, entry_count }, { ok: true, entry_count: 0 });
    await expectSettled(directory);
  }),
  trial("entries appended by two handles in turn form one chain", async (host, environment) => {
    const { directory } = host;
    const one = await createCapsule(directory, IDENTITY, environment);
    const two = await openCapsule(directory, environment);
    const entries: Entry[] = [];
    for (const handle of [one, two, two, one]) entries.push(await step(handle));
    const text = entries.map((entry) => `${formatEntry(entry)}\n`).join("");
    expect("journal", await get(directory, FILES.journal), text);
    const state = await requireVerified(directory, environment.sha256);
    expect("root", [state.root_hash, state.entry_count], [entries.at(-1)?.entry_hash, 4]);
    const read: Entry[] = [];
    for await (const entry of two.entries()) read.push(entry);
    expect("entries()", read.map(formatEntry), entries.map(formatEntry));
    await expectSettled(directory);
  }),
  trial("appends on one handle queue up", async (host, environment) => {
    const capsule = await createCapsule(host.directory, IDENTITY, environment);
    const entries = await Promise.all([step(capsule), step(capsule), step(capsule)]);
    expect("sequence", entries.map(({ seq }) => seq), [0, 1, 2]);
  }),
  inEveryForm(
    FILES.metadata,
    "refuses a new capsule, and nothing is written",
    async (host, environment) => {
      await host.directory.make();
      return createCapsule.bind(null, host.directory, IDENTITY, environment);
    },
    async (host, failure) => {
      expect("create", failure, "capsule.exists");
      expect("journal", await look(host.directory, FILES.journal, false), null);
    },
  ),
  inEveryForm(
    FILES.journal,
    "refuses a new capsule, and nothing is written",
    async (host, environment) => {
      await host.directory.make();
      return createCapsule.bind(null, host.directory, IDENTITY, environment);
    },
    async (host, failure) => {
      expect("create", failure, "capsule.exists");
      expect("metadata", await look(host.directory, FILES.metadata, false), null);
    },
  ),
  inEveryForm(
    FILES.lock,
    "refuses an append and is left in place",
    async (host, environment) => {
      const capsule = await createCapsule(host.directory, IDENTITY, environment);
      return () => step(capsule);
    },
    async (host, failure) => {
      expect("append", failure, "capsule.busy");
      expect("journal", await get(host.directory, FILES.journal), "");
    },
  ),
  trial("a capsule is created over an empty journal", async (host, environment) => {
    const { directory } = host;
    await directory.make();
    await put(directory, FILES.journal, "");
    await createCapsule(directory, IDENTITY, environment);
    expect("verdict", (await verifyDirectory(directory, environment.sha256)).code, "ok");
    await expectSettled(directory);
  }),
  trial("a refused append leaves the journal as it was and no lock", async (host, environment) => {
    const { directory } = host;
    const capsule = await createCapsule(directory, IDENTITY, environment);
    await step(capsule);
    const before = await get(directory, FILES.journal);
    const refused = capsule.append("plan", "Not A Kind");
    expect("the refusal", await failureOf(host, refused), "capsule.invalid_entry");
    expect("journal", await get(directory, FILES.journal), before);
    await expectSettled(directory);
  }),
  {
    name:
      "a journal or metadata that is no regular file is unreadable, absent where a link dangles",
    async run(makeHost) {
      const environment = await trialEnvironment();
      for (const what of ["directory", "other", "link"] as const) {
        const expected = {
          [FILES.journal]: what === "link"
            ? "capsule.missing_journal"
            : "capsule.unreadable_journal",
          [FILES.metadata]: "capsule.metadata_invalid",
        };
        for (const [name, code] of Object.entries(expected)) {
          const host = await makeHost();
          await createCapsule(host.directory, IDENTITY, environment);
          await host.directory.remove(name);
          if (!await host.plant(name, what, "nothing")) continue;
          const verdict = await verifyDirectory(host.directory, environment.sha256);
          expect(`${name} as ${what}`, verdict.code, code);
        }
      }
    },
  },
  trial("a capsule whose files are links works like any other", async (host, environment) => {
    const { directory } = host;
    await createCapsule(directory, IDENTITY, environment);
    for (const name of [FILES.journal, FILES.metadata]) {
      await directory.rename(name, `real-${name}`);
      await host.plant(name, "link", `real-${name}`);
    }
    await step(await openCapsule(directory, environment));
    const { entry_count } = await requireVerified(directory, environment.sha256);
    expect("entries", entry_count, 1);
    expect("the journal itself", await look(directory, FILES.journal, false), { kind: "link" });
  }),
  trial(
    "a projection is saved in the place of an older one, not of a directory",
    async (host, environment) => {
      const { directory } = host;
      const { sha256, randomBytes } = environment;
      await step(await createCapsule(directory, IDENTITY, environment));
      await put(directory, FILES.projection, "old and longer than what follows".repeat(100));
      const projection = await projectDirectory(directory, sha256);
      await saveProjection(directory, projection, randomBytes);
      expect("projection", await get(directory, FILES.projection), formatProjection(projection));
      await directory.remove(FILES.projection);
      await host.plant(FILES.projection, "directory");
      const code = await failureOf(host, saveProjection(directory, projection, randomBytes));
      expectSystemCode("saving in the place of a directory", code);
      expect("the directory", await look(directory, FILES.projection, false), {
        kind: "directory",
      });
      await expectSettled(directory);
    },
  ),
  {
    name: "a bundle holds the three files, also over an older one",
    async run(makeHost) {
      const environment = await trialEnvironment();
      const [{ directory }, target] = [await makeHost(), await makeHost()];
      const capsule = await createCapsule(directory, IDENTITY, environment);
      for (let round = 0; round < 2; round++) {
        await step(capsule);
        const bundle = await exportBundle(directory, target.directory, environment);
        expect("answer", bundle, { dir: target.directory.label, files: BUNDLE_FILES });
        for (const name of BUNDLE_FILES) {
          expect(name, await get(target.directory, name), await get(directory, name));
        }
        await expectSettled(target.directory);
      }
    },
  },
  {
    name: "a capsule that does not verify is not exported; the target is made and empty",
    async run(makeHost) {
      const environment = await trialEnvironment();
      const [source, target] = [await makeHost(), await makeHost()];
      const failure = failureOf(
        source,
        exportBundle(source.directory, target.directory, environment),
      );
      expect("the refusal", await failure, "capsule.missing_journal");
      await target.directory.sync(); // fails when it was not made
      for (const name of BUNDLE_FILES) {
        expect(name, await look(target.directory, name, false), null);
      }
    },
  },
  trial(
    "a bundle exported onto its own capsule changes nothing in it",
    async (host, environment) => {
      const { directory } = host;
      await step(await createCapsule(directory, IDENTITY, environment));
      const journal = await directory.inspect(FILES.journal, true);
      await exportBundle(directory, directory, environment);
      const after = await directory.inspect(FILES.journal, true);
      expect("the same journal", journal?.identity === after?.identity, true);
      expect("verdict", (await verifyDirectory(directory, environment.sha256)).code, "ok");
      await expectSettled(directory);
    },
  ),
  trial("a receipt holds for its capsule until an entry is added", async (host, environment) => {
    const { directory } = host;
    const { sha256 } = environment;
    const capsule = await createCapsule(directory, IDENTITY, environment);
    await step(capsule);
    const receipt = await buildReceiptFor(directory, environment);
    const state = await requireVerified(directory, sha256);
    const projection = formatProjection(project(state, sha256));
    expect("the projection beside it", await get(directory, FILES.projection), projection);
    const check = async () => (await checkReceiptFor(receipt, directory, sha256)).check;
    expect("the receipt", await check(), null);
    await step(capsule);
    expect("the receipt, one entry later", await check(), "stale_checkpoint");
    await directory.remove(FILES.journal);
    expect("the receipt without a journal", await check(), "journal_present");
  }),
];

const IDENTITY = {
  run_id: "run-1",
  capsule_id: "capsule-1",
  harness_version: "h",
  task_family: "f",
};

/** A case that works with capsules in one directory. */
function trial(
  name: string,
  check: (host: StoreHost, environment: StoreEnvironment) => Promise<void>,
): StoreCase {
  return { name, run: async (makeHost) => check(await makeHost(), await trialEnvironment()) };
}

async function trialEnvironment(): Promise<StoreEnvironment> {
  let count = 0;
  return {
    sha256: await loadSha256(),
    clock: () => new Date(Date.UTC(2026, 8, 2)),
    randomBytes: (length) => new Uint8Array(length).fill(count++),
  };
}

function step(capsule: Capsule): Promise<Entry> {
  return capsule.append("plan", "step", { message: "é" });
}

/** A case that tries a call with a name taken by a file with bytes, a dangling link, a directory, or what is no file. */
function inEveryForm(
  name: string,
  consequence: string,
  prepare: (host: StoreHost, environment: StoreEnvironment) => Promise<() => Promise<unknown>>,
  check: (host: StoreHost, failure: string) => Promise<void>,
): StoreCase {
  return {
    name: `${name} in any form ${consequence}`,
    async run(makeHost) {
      const environment = await trialEnvironment();
      for (const form of ["file", "link", "directory", "other"] as const) {
        const host = await makeHost();
        const call = await prepare(host, environment);
        if (form === "file") await put(host.directory, name, "bytes");
        else if (!await host.plant(name, form, "nothing")) continue;
        const before = await look(host.directory, name, false);
        await check(host, await failureOf(host, call()));
        expect(`${name} afterwards`, await look(host.directory, name, false), before);
      }
    },
  };
}

/** Nothing is left locked. */
async function expectSettled(directory: Directory): Promise<void> {
  expect("the lock", await look(directory, FILES.lock, false), null);
}
