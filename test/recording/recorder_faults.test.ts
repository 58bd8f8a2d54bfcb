/**
 * Whatever fails while calls are recorded, no call reaches the server unrecorded and no answer reaches the client so.
 *
 * @module
 */
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { capsuleJournal, listAnswers, Recorder, RecordingError } from "../../src/recording/mod.ts";
import type { Traffic } from "../../src/recording/mod.ts";
import { fixturesIn } from "../../src/replay/mod.ts";
import { openCapsule } from "../../src/store/mod.ts";
import { type Fault, FAULTS, Trap } from "../store/faulty.ts";
import {
  call,
  content,
  eagerTimers,
  entriesOf,
  errorText,
  filesOf,
  fromClient,
  fromServer,
  hashesOf,
  heldJournal,
  lineOf,
  makePlace,
  makeScene,
  type Place,
  policyOf,
  request,
  result,
  sha256,
  tell,
} from "./kit.ts";

const faults = suite("Recorder when writing fails");
const POLICY = policyOf({ tools: { echo: "SE0" }, max_effect: "SE0" });
const NOT_RECORDED = "The call could not be recorded";

/** What passes, line by line; a line of the server comes only if the call that it answers reached it. */
const SCRIPT: readonly (readonly [from: "client" | "server" | "end", message?: unknown])[] = [
  ["client", request(1, "tools/list")],
  ["server", result(1, { tools: [] })],
  ["client", call(2, "echo", { n: 2 })],
  ["client", call(3, "echo", { n: 2 })],
  ["server", result(3, content("three"))],
  ["server", { jsonrpc: "2.0", id: 2, error: { code: 1, message: "no" } }],
  ["client", call(4, "pay")],
  ["client", call(5, "echo")],
  ["client", {
    jsonrpc: "2.0",
    method: "notifications/cancelled",
    params: { requestId: 5 },
  }],
  ["client", call(6, "echo", { n: 6 })],
  ["end"],
];

interface Run {
  readonly place: Place;
  readonly stops: unknown[];
}

/** Plays the script under a fault and checks each line that comes out of it against the journal as it is then. */
async function play(fault: Fault | undefined, nth: number, trap: Trap): Promise<Run> {
  const place = await makePlace((directory) => trap.around(directory));
  let count = 0;
  const store = fixturesIn(
    trap.around(place.fixtures),
    () => Promise.resolve([...place.fixtures.nodes.keys()]),
    (length) => new Uint8Array(length).fill(count++),
  );
  const timers = eagerTimers();
  const recorder = new Recorder({
    journal: capsuleJournal(place.capsule, timers, { maxWaitMs: 50 }),
    ...{ store, sha256, timers, policy: POLICY, randomId: "r", maxFrameBytes: 1 << 20 },
  });
  const numbers = new Map<unknown, number>();
  const reached = new Set<unknown>();
  const stops: unknown[] = [];
  if (fault !== undefined) trap.set(fault, nth);
  for (const [from, message] of SCRIPT) {
    const { id, method } = (message ?? {}) as { id?: unknown; method?: unknown };
    if (from === "server" && !reached.has(id)) continue;
    if (method === "tools/call" && stops.length === 0) numbers.set(id, numbers.size + 1);
    const traffic = await (from === "end"
      ? recorder.serverEnded()
      : from === "client"
      ? recorder.fromClient(lineOf(message))
      : recorder.fromServer(lineOf(message)));
    expectRecorded(traffic, place, numbers, reached, stops.length > 0);
    if (traffic.stop !== undefined) {
      stops.push(traffic.stop);
    }
  }
  return { place, stops };
}

function expectRecorded(
  traffic: Traffic,
  place: Place,
  numbers: ReadonlyMap<unknown, number>,
  reached: Set<unknown>,
  isStopped: boolean,
): void {
  const lines = filesOf(place.capsuleDirectory)["journal.ndjson"]!.split("\n").slice(0, -1);
  const entries = lines.map((line) => JSON.parse(line)); // a torn last line is no entry
  const has = (kind: string, id: unknown): boolean =>
    entries.some((entry) =>
      entry.kind === kind && entry.payload.tool_call_id === `r.${numbers.get(id)}`
    );
  const { toServer = [], toClient = [] } = tell(traffic);
  for (const { id, method } of toServer.map((text) => JSON.parse(text))) {
    reached.add(id);
    if (method !== "tools/call") continue;
    assert.is(isStopped, false, "a call passed after the recorder stopped");
    assert.ok(has("tool.call", id), `call ${id} reached the server unrecorded`);
  }
  for (const { id, error } of toClient.map((text) => JSON.parse(text))) {
    if (id === 1 || error?.code === -32603) continue;
    assert.ok(has("tool.result", id), `the answer to ${id} passed unrecorded`);
  }
}

for (const name of ["EIO, nothing done", "EIO, although it was done", "a crash"]) {
  faults(
    `by ${name} lets nothing pass that is not in the journal, wherever it strikes`,
    async () => {
      const fault = FAULTS.find((other) => other.name === name)!;
      let stopped = 0;
      for (let nth = 1;; nth++) {
        const trap = new Trap();
        const { stops } = await play(fault, nth, trap);
        const wasStruck = trap.struck > 0;
        await trap.release();
        for (const stop of stops) {
          assert.instance(stop, RecordingError);
          assert.is((stop as RecordingError).code, "recording.write_failed");
          assert.is(stop, stops[0]);
        }
        if (!wasStruck) {
          assert.equal(stops, []);
          break;
        }
        stopped += Math.min(stops.length, 1);
      }
      assert.ok(stopped > 100, String(stopped));
    },
  );
}

faults("plays the whole script when nothing fails", async () => {
  const { place, stops } = await play(undefined, 0, new Trap());
  assert.equal(stops, []);
  const statuses = entriesOf(place).map(({ tool_call_id, kind, status }) =>
    `${tool_call_id} ${kind} ${status}`
  );
  assert.equal(statuses, [
    "r.1 tool.call forwarded",
    "r.2 tool.call forwarded",
    "r.2 tool.result ok",
    "r.1 tool.result rpc_error",
    "r.3 tool.call denied",
    "r.3 tool.result denied",
    "r.4 tool.call forwarded",
    "r.4 tool.result cancelled",
    "r.5 tool.call forwarded",
    "r.5 tool.result unanswered",
  ]);
});

faults("answers a call that could not be written with an error, and every later one", async () => {
  const scene = await makeScene({
    journal: { append: () => Promise.reject(new Error("full: a private path")) },
  });
  const refused = (id: unknown) => ({
    toClient: [errorText(id, -32603, NOT_RECORDED)],
    stop: "recording.write_failed",
  });
  assert.equal(await fromClient(scene, call(1, "echo")), refused(1));
  assert.equal(await fromClient(scene, call(2, "echo")), refused(2));
  assert.equal(await fromClient(scene, request(3, "ping")), refused(3));
  const { stop } = await scene.recorder.serverEnded();
  assert.is(stop?.message, "Recording: the journal or the store could not be written");
  assert.equal(stop?.cause, new Error("full: a private path"));
});

faults("says by its code what kept it from writing", async () => {
  const cause = Object.assign(new Error("a private path"), { code: "ENOSPC" });
  const scene = await makeScene({ journal: { append: () => Promise.reject(cause) } });
  const { stop } = await scene.recorder.fromClient(lineOf(call(1, "echo")));
  assert.is(stop?.message, "Recording: the journal or the store could not be written, ENOSPC");
});

faults("waits at the end for what is being written, also once it failed", async () => {
  const entered: (() => void)[] = [];
  let isWritten = false;
  const journal = {
    append: async (entries: readonly unknown[]) => {
      if (entries.length > 0 && entered.length === 0) return void entered.push(() => undefined);
      if (entries.length > 0) await new Promise<void>((resolve) => entered.push(resolve));
      else while (!isWritten) await Promise.resolve();
    },
  };
  const place = await makePlace();
  const store = { ...place.store, create: () => Promise.reject(new Error("full")) };
  const scene = await makeScene({ journal, place, store });
  await fromClient(scene, call(1, "echo"));
  const second = fromClient(scene, call(2, "echo"));
  while (entered.length < 2) await Promise.resolve();
  await fromServer(scene, result(1, {}));
  let hasEnded = false;
  const ended = scene.recorder.serverEnded().then(() => void (hasEnded = true));
  for (let turn = 0; turn < 50; turn++) await Promise.resolve();
  assert.is(hasEnded, false);
  isWritten = true;
  entered[1]!();
  await Promise.all([second, ended]);
});

faults("answers what was out with errors instead of answers once it failed", async () => {
  let isBroken = false;
  const scene = await makeScene({
    journal: { append: () => isBroken ? Promise.reject(new Error("full")) : Promise.resolve() },
    callTimeoutMs: 50,
  });
  for (const id of [1, 2, 3, 4]) await fromClient(scene, call(id, "echo"));
  isBroken = true;
  const refused = (...ids: unknown[]) => ({
    toClient: ids.map((id) => errorText(id, -32603, NOT_RECORDED)),
    stop: "recording.write_failed",
  });
  assert.equal(await fromServer(scene, result(1, content("x"))), refused(1));
  assert.equal(await fromServer(scene, [result(2, {}), 7]), {
    toClient: [`[${errorText(2, -32603, NOT_RECORDED)},7]`],
    stop: "recording.write_failed",
  });
  const cancel = { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 3 } };
  assert.equal(await fromClient(scene, cancel), {
    toServer: [JSON.stringify(cancel)],
    stop: "recording.write_failed",
  });
  assert.equal(await fromServer(scene, result(3, content("late"))), {
    stop: "recording.write_failed",
  });
  assert.equal(tell(await scene.recorder.serverEnded()), refused(4));
  scene.timers.advance(50);
  assert.equal(scene.delivered, []);
});

faults("passes no answer once it failed, even if writing works again", async () => {
  let isBroken = false;
  const scene = await makeScene({
    journal: { append: () => isBroken ? Promise.reject(new Error("full")) : Promise.resolve() },
  });
  for (const id of [1, 2]) await fromClient(scene, call(id, "echo"));
  isBroken = true;
  await fromServer(scene, result(1, {}));
  isBroken = false;
  assert.equal(await fromServer(scene, result(2, {})), {
    toClient: [errorText(2, -32603, NOT_RECORDED)],
    stop: "recording.write_failed",
  });
});

faults("passes no call on that was being written when it failed", async () => {
  const journal = heldJournal();
  const place = await makePlace();
  const store = { ...place.store, create: () => Promise.reject(new Error("full")) };
  const scene = await makeScene({ journal, place, store });
  const first = fromClient(scene, call(1, "echo"));
  while (journal.held.length === 0) await Promise.resolve();
  journal.held.shift()!();
  assert.equal(Object.keys(await first), ["toServer"]);
  const second = fromClient(scene, call(2, "echo"));
  while (journal.held.length === 0) await Promise.resolve();
  await fromServer(scene, result(1, {}));
  journal.held.shift()!();
  assert.equal(await second, {
    toClient: [errorText(2, -32603, NOT_RECORDED)],
    stop: "recording.write_failed",
  });
});

faults("tells of a failure to note a call that it gave up", async () => {
  let isBroken = false;
  const scene = await makeScene({
    journal: { append: () => isBroken ? Promise.reject(new Error("full")) : Promise.resolve() },
    callTimeoutMs: 50,
  });
  await fromClient(scene, call(1, "echo"));
  isBroken = true;
  scene.timers.advance(50);
  while (scene.delivered.length === 0) await Promise.resolve();
  const { toClient, stop } = scene.delivered[0]!;
  assert.equal([toClient, stop], [
    [errorText(1, -32001, "The call took too long")],
    "recording.write_failed",
  ]);
});

faults.run();

const together = suite("two recorders at once");

together("append to one capsule and one store, and lose nothing of each other", async () => {
  const place = await makePlace();
  const clock = () => new Date(0);
  const makeRecorder = async (which: number): Promise<Recorder> => {
    let count = 0;
    const randomBytes = (length: number) => new Uint8Array(length).fill(which).fill(count++, 1);
    const capsule = await openCapsule(place.capsuleDirectory, { sha256, clock, randomBytes });
    const timers = eagerTimers();
    const store = fixturesIn(
      place.fixtures,
      () => Promise.resolve([...place.fixtures.nodes.keys()]),
      randomBytes,
    );
    return new Recorder({
      journal: capsuleJournal(capsule, timers, { maxWaitMs: 1e9 }),
      ...{ store, sha256, timers, policy: POLICY, randomId: `r${which}`, maxFrameBytes: 1 << 20 },
    });
  };
  const recorders = await Promise.all([1, 2].map(makeRecorder));
  await Promise.all(recorders.map(async (recorder, which) => {
    for (let id = 0; id < 8; id++) {
      await recorder.fromClient(lineOf(call(id, "echo")));
      await recorder.fromServer(lineOf(result(id, { which, id })));
    }
  }));
  assert.is((await place.capsule.verify()).ok, true);
  const results = entriesOf(place).filter(({ kind }) => kind === "tool.result");
  assert.is(entriesOf(place).length, 32);
  const files = filesOf(place.fixtures);
  const { fixture_key } = hashesOf("echo", {});
  const told = results.map(({ path, tool_call_id }) => {
    const { which, id } = JSON.parse(JSON.parse(files[path as string]!).text);
    return tool_call_id === `r${which + 1}.${id + 1}`;
  });
  assert.equal(told, Array.from({ length: 16 }, () => true), "each entry names its own answer");
  assert.is(new Set(results.map(({ path }) => path)).size, 16);
  assert.is((await listAnswers(place.store)).get(fixture_key as never)?.length, 16);
});

together.run();
