import { suite } from "uvu";
import * as assert from "uvu/assert";
import { encodeUtf8 } from "../../src/core/mod.ts";
import { capsuleJournal } from "../../src/recording/mod.ts";
import { type NewEntry, openCapsule } from "../../src/store/mod.ts";
import { describe, rejectionOf } from "../lib/thrown.ts";
import { FakeTimers } from "../lib/timers.ts";
import { intercept } from "../store/faulty.ts";
import { eagerTimers, entriesOf, makePlace, sha256 } from "./kit.ts";

const journals = suite("capsuleJournal()");

const ENVIRONMENT = {
  sha256,
  clock: () => new Date(0),
  randomBytes: (count: number) => new Uint8Array(count),
};

function entry(total: number): NewEntry {
  return { lineage: "interaction", kind: "step", payload: { total } };
}

function totalsOf(place: Awaited<ReturnType<typeof makePlace>>): unknown[] {
  return entriesOf(place).map(({ total }) => total);
}

journals("appends entries in order, and returns once they are there", async () => {
  const place = await makePlace();
  const journal = capsuleJournal(place.capsule, new FakeTimers());
  await journal.append([entry(0), entry(1)]);
  await journal.append([]);
  await journal.append([{ ...entry(2), options: { effect_class: "SE3" } }]);
  assert.equal(entriesOf(place), [
    { kind: "step", effect_class: "SE0", total: 0 },
    { kind: "step", effect_class: "SE0", total: 1 },
    { kind: "step", effect_class: "SE3", total: 2 },
  ]);
  assert.is((await place.capsule.verify()).ok, true);
  assert.is(place.capsuleDirectory.nodes.has(".append.lock"), false);
});

journals("writes calls that come together under one lock with one sync", async () => {
  const operations: string[] = [];
  const place = await makePlace((directory) =>
    intercept(directory, ({ operation, name, perform }) => {
      operations.push(`${operation} ${name}`);
      return perform();
    })
  );
  operations.length = 0;
  const journal = capsuleJournal(place.capsule, new FakeTimers());
  await Promise.all([journal.append([entry(0)]), journal.append([entry(1), entry(2)])]);
  assert.equal(totalsOf(place), [0, 1, 2]);
  const count = (operation: string): number =>
    operations.filter((other) => other === operation).length;
  assert.equal([count("openNew .append.lock"), count("fsync journal.ndjson")], [1, 1]);
});

journals("waits for another writer, longer each time, and then writes", async () => {
  const place = await makePlace();
  const timers = eagerTimers();
  const journal = capsuleJournal(place.capsule, timers);
  place.capsuleDirectory.plant(".append.lock", encodeUtf8(""));
  const appended = journal.append([entry(0)]);
  while (timers.waits.length < 7) await Promise.resolve();
  await place.capsuleDirectory.remove(".append.lock");
  await appended;
  assert.equal(timers.waits.slice(0, 7), [5, 10, 20, 25, 25, 25, 25]);
  assert.equal(totalsOf(place), [0]);
});

journals("gives up after the longest wait, and works again later", async () => {
  const place = await makePlace();
  const timers = eagerTimers();
  const journal = capsuleJournal(place.capsule, timers, { maxWaitMs: 50 });
  place.capsuleDirectory.plant(".append.lock", encodeUtf8(""));
  const failure = describe(await rejectionOf(journal.append([entry(0)])));
  assert.equal([failure.name, failure.code], ["CapsuleError", "capsule.busy"]);
  assert.equal(timers.waits, [5, 10, 20]);
  await place.capsuleDirectory.remove(".append.lock");
  await journal.append([entry(1)]);
  assert.equal(totalsOf(place), [1]);
});

journals(
  "of six that keep the lock while entries keep coming, none waits for five seconds",
  async () => {
    const place = await makePlace();
    const timers = new FakeTimers();
    let written = 0;
    let running = 6;
    const codes: unknown[] = [];
    const write = async (which: number): Promise<void> => {
      const capsule = await openCapsule(place.capsuleDirectory, ENVIRONMENT);
      const journal = capsuleJournal(capsule, timers, { holdMs: 250, maxWaitMs: 5000 });
      for (; timers.now() < 20_000; written++) {
        await journal.append([entry(which)]);
        await new Promise<void>((resolve) => void timers.after(7 + which, resolve));
      }
      await journal.close();
    };
    for (let which = 0; which < 6; which++) {
      void write(which).catch((failure) => codes.push(describe(failure).code)).finally(() =>
        running--
      );
    }
    while (running > 0) await timers.pass(5);
    assert.equal(codes, []);
    assert.is(totalsOf(place).length, written);
    assert.is((await place.capsule.verify()).ok, true);
  },
);

journals("throws any other refusal at once and gives the lock back", async () => {
  const place = await makePlace();
  const timers = eagerTimers();
  const journal = capsuleJournal(place.capsule, timers);
  const refused = journal.append([{ ...entry(0), payload: { prompt: "x" } }]);
  assert.is(describe(await rejectionOf(refused)).code, "capsule.payload_denied");
  assert.equal([timers.waits, totalsOf(place)], [[], []]);
  await journal.append([entry(1)]);
  assert.equal(totalsOf(place), [1]);
});

journals("keeps the lock while entries keep coming, and gives it back when none does", async () => {
  const operations: string[] = [];
  const place = await makePlace((directory) =>
    intercept(directory, ({ operation, name, perform }) => {
      if (name === ".append.lock") operations.push(operation);
      return perform();
    })
  );
  const timers = new FakeTimers();
  const journal = capsuleJournal(place.capsule, timers, { holdMs: 100 });
  const isLocked = (): boolean => place.capsuleDirectory.nodes.has(".append.lock");
  await journal.append([entry(0)]);
  timers.advance(15);
  await journal.append([entry(1)]);
  timers.advance(15);
  await journal.append([]);
  assert.is(isLocked(), true);
  timers.advance(5); // 20 since the last entry
  await journal.append([]); // behind whatever is going on
  assert.is(isLocked(), false);
  assert.equal(operations.filter((operation) => operation === "openNew").length, 1);
  await journal.append([entry(2)]);
  assert.is(isLocked(), true);
  await journal.close();
  assert.equal([isLocked(), timers.waiting], [false, 0]);
  assert.equal(totalsOf(place), [0, 1, 2]);
});

journals("gives others their turn when it has kept the lock for long enough", async () => {
  const place = await makePlace();
  const timers = new FakeTimers();
  const journal = capsuleJournal(place.capsule, timers, { holdMs: 100 });
  const isLocked = (): boolean => place.capsuleDirectory.nodes.has(".append.lock");
  await journal.append([entry(0)]);
  for (let waited = 0; waited < 90; waited += 15) {
    timers.advance(15);
    await journal.append([entry(waited)]);
  }
  assert.is(isLocked(), true);
  timers.advance(15);
  await journal.append([entry(1)]);
  assert.is(isLocked(), false);
  let isWritten = false;
  const next = journal.append([entry(2)]).then(() => isWritten = true);
  timers.advance(29);
  for (let turn = 0; turn < 50; turn++) await Promise.resolve();
  assert.equal([isWritten, isLocked()], [false, false]);
  timers.advance(1);
  await next;
  await journal.close();
  assert.equal(totalsOf(place).slice(-2), [1, 2]);
});

journals("open() finds out whether the capsule can be written to", async () => {
  const place = await makePlace();
  const journal = capsuleJournal(place.capsule, eagerTimers(), { maxWaitMs: 50 });
  await journal.open();
  assert.is(place.capsuleDirectory.nodes.has(".append.lock"), false);
  place.capsuleDirectory.plant(".append.lock", encodeUtf8(""));
  assert.is(describe(await rejectionOf(journal.open())).code, "capsule.busy");
});

journals("open() waits no longer for another writer when its signal aborts", async () => {
  const place = await makePlace();
  const timers = new FakeTimers();
  const journal = capsuleJournal(place.capsule, timers);
  place.capsuleDirectory.plant(".append.lock", encodeUtf8(""));
  const control = new AbortController();
  const opened = rejectionOf(journal.open(control.signal));
  await timers.pass(100);
  control.abort();
  await timers.pass(25);
  assert.is(timers.waiting, 0);
  assert.is(describe(await opened).code, "capsule.busy");
  await place.capsuleDirectory.remove(".append.lock");
  await journal.append([entry(0)]);
  assert.equal(totalsOf(place), [0]);
});

journals(
  "says at the next call, or when it is closed, that the lock was lost meanwhile",
  async () => {
    const place = await makePlace();
    const timers = new FakeTimers();
    const journal = capsuleJournal(place.capsule, timers, { holdMs: 100 });
    for (const next of [() => journal.append([entry(9)]), () => journal.close()]) {
      await journal.append([entry(0)]);
      await place.capsuleDirectory.remove(".append.lock");
      timers.advance(20);
      assert.is(describe(await rejectionOf(next())).code, "capsule.lock_lost");
    }
    await journal.append([entry(1)]);
    await journal.close();
    assert.equal(totalsOf(place), [0, 0, 1]);
  },
);

journals("of two recorders loses and swaps nothing", async () => {
  const place = await makePlace();
  const other = await openCapsule(place.capsuleDirectory, ENVIRONMENT);
  const journals = [place.capsule, other].map((capsule) =>
    capsuleJournal(capsule, eagerTimers(), { maxWaitMs: 1e9 })
  );
  await Promise.all(journals.map(async (journal, which) => {
    for (let at = 0; at < 20; at++) await journal.append([entry(1000 * which + at)]);
  }));
  const totals = totalsOf(place) as number[];
  const wanted = Array.from({ length: 20 }, (_, at) => at);
  assert.equal(totals.filter((total) => total < 1000), wanted);
  assert.equal(totals.filter((total) => total >= 1000), wanted.map((at) => 1000 + at));
  assert.is((await place.capsule.verify()).ok, true);
});

journals.run();
