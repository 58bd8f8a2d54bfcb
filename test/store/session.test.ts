import { suite } from "uvu";
import * as assert from "uvu/assert";
import { formatEntry } from "../../src/capsule/mod.ts";
import { encodeUtf8 } from "../../src/core/mod.ts";
import {
  type Acknowledgement,
  createCapsule,
  MemoryDirectory,
  openCapsule,
  openSession,
  type Session,
  type StoreEnvironment,
  verifyDirectory,
} from "../../src/store/mod.ts";
import { describe, rejectionOf, type Thrown } from "../lib/thrown.ts";
import { testEnvironment } from "./environment.ts";
import { type Call, failure, intercept } from "./faulty.ts";

const [JOURNAL, LOCK] = ["journal.ndjson", ".append.lock"];
const IDENTITY = { run_id: "r", capsule_id: "c", harness_version: "h", task_family: "f" };

const sessions = suite("session");

/** What a test does to a call; `undefined` lets it pass. */
type Hook = (call: Call) => Promise<unknown> | undefined | void;

interface Scene {
  memory: MemoryDirectory;
  environment: StoreEnvironment;
  session: Session;
}

/** A session on a capsule with entries, whose calls go through a hook once it is open. */
async function sessionOf(entries: number, syncEvery?: number, hook?: Hook): Promise<Scene> {
  const { memory, environment } = await capsuleOf(entries);
  let isOpen = false;
  const directory = intercept(memory, (call) => (isOpen && hook?.(call)) || call.perform());
  const options = syncEvery === undefined ? {} : { syncEvery };
  const session = await openSession(directory, environment, options);
  isOpen = true;
  return { memory, environment, session };
}

async function capsuleOf(entries: number): Promise<Omit<Scene, "session">> {
  const memory = new MemoryDirectory();
  const environment = await testEnvironment();
  const capsule = await createCapsule(memory, IDENTITY, environment);
  for (let index = 0; index < entries; index++) await capsule.append("plan", "step");
  return { memory, environment };
}

const step = (session: Session): Promise<Acknowledgement> => session.append("plan", "step");

async function steps(session: Session, count: number): Promise<Acknowledgement[]> {
  const made: Acknowledgement[] = [];
  for (let index = 0; index < count; index++) made.push(await step(session));
  return made;
}

async function thrown(call: Promise<unknown>): Promise<Thrown> {
  return describe(await rejectionOf(call));
}

const codeOf = async (call: Promise<unknown>): Promise<string | undefined> =>
  (await thrown(call)).code;

function bytesOf(memory: MemoryDirectory): Uint8Array {
  const node = memory.nodes.get(JOURNAL);
  assert.ok(node?.kind === "file");
  return node.bytes.view().slice();
}

async function brief({ memory, environment }: Omit<Scene, "session">): Promise<unknown[]> {
  const { code, failed_at, entry_count } = await verifyDirectory(memory, environment.sha256);
  return [code, failed_at, entry_count];
}

/** Fails the Nth call of an operation. */
function failing(operation: string, nth: number, code: string): Hook {
  let calls = 0;
  return (call) =>
    call.operation === operation && ++calls === nth
      ? Promise.reject(failure(code, operation))
      : undefined;
}

const ENDED: Thrown = {
  name: "CapsuleError",
  code: "capsule.session_ended",
  message:
    "Using a session: it was closed, or a write failed and only a verification can tell what was written",
};
const CHANGED: Thrown = {
  name: "CapsuleError",
  code: "capsule.changed",
  message: "Using journal.ndjson: it changed after it was verified; nothing was written",
};

for (
  const [syncEvery, statuses, syncs] of [
    [undefined, ["durable", "durable", "durable", "durable"], 4],
    [1, ["durable", "durable", "durable", "durable"], 4],
    [3, ["buffered", "buffered", "durable", "buffered"], 1],
  ] as const
) {
  sessions(`append() with syncEvery ${syncEvery}: durable is said after a sync only`, async () => {
    const seen: string[] = [];
    const { session } = await sessionOf(1, syncEvery, ({ operation, name }) => {
      if (name === JOURNAL && operation !== "inspect") seen.push(operation);
    });
    const made = await steps(session, 4);
    assert.equal(made.map(({ status }) => status), statuses);
    assert.equal(made.map(({ entry }) => entry.seq), [1, 2, 3, 4]);
    assert.is(session.entryCount, 5);
    assert.is(seen.filter((operation) => operation === "fsync").length, syncs);
    assert.is(seen.filter((operation) => operation === "write").length, 4);
    await session.close();
  });
}

for (const syncEvery of [0, -1, 1.5, NaN, Infinity, "3"]) {
  sessions(
    `openSession() with syncEvery ${syncEvery} is misuse, and nothing is locked`,
    async () => {
      const { memory, environment } = await capsuleOf(0);
      const call = openSession(memory, environment, { syncEvery: syncEvery as number });
      assert.equal(await thrown(call), {
        name: "RangeError",
        message: "Opening a session: syncEvery must be a whole number from 1",
      });
      assert.not(memory.nodes.has(LOCK));
    },
  );
}

sessions(
  "flush() syncs what is buffered, once, and the count to the next sync begins anew",
  async () => {
    let syncs = 0;
    const { session } = await sessionOf(0, 3, ({ operation }) => {
      if (operation === "fsync") syncs++;
    });
    await session.flush();
    assert.is(syncs, 0);
    await steps(session, 2);
    await session.flush();
    await session.flush();
    assert.is(syncs, 1);
    const statuses = (await steps(session, 3)).map(({ status }) => status);
    assert.equal([statuses, syncs], [["buffered", "buffered", "durable"], 2]);
    await session.close();
    assert.is(syncs, 2);
  },
);

sessions(
  "close() syncs what is buffered, closes the journal, then gives the lock back",
  async () => {
    const seen: string[] = [];
    const scene = await sessionOf(0, 3, ({ operation, name }) => {
      seen.push(`${operation} ${name}`);
    });
    await steps(scene.session, 2);
    seen.length = 0;
    await scene.session.close();
    assert.equal(seen, [
      `fsync ${JOURNAL}`,
      `close ${JOURNAL}`,
      `fstat ${LOCK}`,
      `inspect ${LOCK}`,
      `remove ${LOCK}`,
      `close ${LOCK}`,
    ]);
    assert.equal(await brief(scene), ["ok", null, 2]);
  },
);

sessions("a closed session refuses, and closing it again does nothing", async () => {
  let calls = 0;
  const { session } = await sessionOf(0, 3, () => void calls++);
  await step(session);
  await session.close();
  calls = 0;
  await session.close();
  assert.equal(await thrown(step(session)), ENDED);
  assert.equal(await thrown(session.flush()), ENDED);
  assert.equal([calls, session.entryCount], [0, 1]);
});

sessions("calls that are not awaited take their turns, close() the last", async () => {
  const { session } = await sessionOf(0, 2);
  const made = [step(session), step(session), step(session)];
  const closed = session.close();
  const late = codeOf(step(session));
  assert.equal((await Promise.all(made)).map(({ entry, status }) => [entry.seq, status]), [
    [0, "buffered"],
    [1, "durable"],
    [2, "buffered"],
  ]);
  await closed;
  assert.is(await late, "capsule.session_ended");
});

sessions("a refused entry leaves the journal and the session as they were", async () => {
  const scene = await sessionOf(1, 1);
  const { memory, session } = scene;
  const before = bytesOf(memory);
  const refused = [
    session.append("no lineage" as "plan", "step"),
    session.append("plan", "step", { total: "1" }),
    session.append("plan", "step", { note: "API_KEY=hunter2hunter2" }),
    session.append("plan", "step", { nobody: 1 }),
    session.append("plan", "Not A Kind"),
    session.append("plan", "step", {}, { allowlist: "tool" as unknown as string[] }),
  ];
  const found = await Promise.all(refused.map(thrown));
  assert.equal(found.map(({ name, code }) => code ?? name), [
    "capsule.bad_lineage",
    "capsule.payload_invalid",
    "capsule.secret_canary",
    "capsule.payload_denied",
    "capsule.invalid_entry",
    "TypeError",
  ]);
  assert.equal([bytesOf(memory), session.entryCount], [before, 1]);
  const { entry, status } = await step(session);
  assert.equal([entry.seq, status], [1, "durable"]);
  await session.close();
  assert.equal(await brief(scene), ["ok", null, 2]);
});

sessions("a clock without an instant is misuse, and the session goes on", async () => {
  const { memory, environment } = await capsuleOf(0);
  let now = NaN;
  const clock = (): Date => new Date(now);
  const session = await openSession(memory, { ...environment, clock });
  assert.is((await thrown(step(session))).name, "RangeError");
  now = 0;
  assert.is((await step(session)).entry.ts, "1970-01-01T00:00:00.000Z");
  await session.close();
});

/** Ways in which writing fails: what is thrown, and what the journal then is, whose first entry is not the session's. */
const FAILURES: Record<string, { hook: () => Hook; code: string; left: unknown[] }> = {
  "a failed write": {
    hook: () => failing("write", 2, "ENOSPC"),
    code: "ENOSPC",
    left: ["ok", null, 2],
  },
  "a write that takes nothing": {
    hook: () => whenSecond("write", () => Promise.resolve(0)),
    code: "capsule.write_failed",
    left: ["ok", null, 2],
  },
  "half a write, then ENOSPC": {
    hook: () =>
      whenSecond("write", async ({ perform, bytes }) => {
        await perform(bytes?.subarray(0, 9));
        throw failure("ENOSPC", "write");
      }),
    code: "ENOSPC",
    left: ["capsule.truncated_tail", 2, 0],
  },
  "a failed sync": { hook: () => failing("fsync", 2, "EIO"), code: "EIO", left: ["ok", null, 3] },
  "a failed look at the journal": {
    hook: () => failing("inspect", 2, "EACCES"),
    code: "EACCES",
    left: ["ok", null, 2],
  },
};

function whenSecond(operation: string, answer: (call: Call) => Promise<unknown>): Hook {
  let calls = 0;
  return (call) => call.operation === operation && ++calls === 2 ? answer(call) : undefined;
}

for (const [name, { hook, code, left }] of Object.entries(FAILURES)) {
  sessions(`${name} ends the session, and close() still gives the lock back`, async () => {
    const scene = await sessionOf(1, 1, hook());
    const { memory, session } = scene;
    await step(session);
    assert.is(await codeOf(step(session)), code);
    const after = bytesOf(memory);
    assert.equal(await thrown(step(session)), ENDED);
    assert.equal(await thrown(session.flush()), ENDED);
    assert.equal([bytesOf(memory), session.entryCount >= 2], [after, true]);
    assert.is(memory.nodes.has(LOCK), true);
    await session.close();
    assert.is(memory.nodes.has(LOCK), false);
    assert.equal(await brief(scene), left);
  });
}

sessions("short writes are continued until the entry is written", async () => {
  const scene = await sessionOf(
    0,
    1,
    ({ operation, bytes, perform }) =>
      operation === "write" && bytes !== undefined && bytes.length > 7
        ? perform(bytes.subarray(0, 7))
        : undefined,
  );
  assert.is((await step(scene.session)).status, "durable");
  await scene.session.close();
  assert.equal(await brief(scene), ["ok", null, 1]);
});

sessions("a flush() that fails ends the session, and nothing is synced at close()", async () => {
  let syncs = 0;
  const { memory, session } = await sessionOf(
    0,
    3,
    ({ operation }) =>
      operation === "fsync" ? Promise.reject(failure("EIO", `fsync ${++syncs}`)) : undefined,
  );
  await step(session);
  assert.is(await codeOf(session.flush()), "EIO");
  assert.equal(await thrown(step(session)), ENDED);
  await session.close();
  assert.equal([syncs, memory.nodes.has(LOCK)], [1, false]);
});

for (const operation of ["fsync", "close"]) {
  sessions(`a failed ${operation} at close() is thrown once the lock is given back`, async () => {
    let closed = 0;
    const { memory, session } = await sessionOf(0, 3, (call) => {
      if (call.name === JOURNAL && call.operation === "close") closed++;
      if (call.name !== JOURNAL || call.operation !== operation) return;
      return Promise.reject(failure("EIO", operation));
    });
    await step(session);
    assert.is(await codeOf(session.close()), "EIO");
    assert.equal([closed, memory.nodes.has(LOCK)], [1, false]);
    await session.close();
    assert.equal(await thrown(step(session)), ENDED);
  });
}

/** What another program does to the journal meanwhile. */
const INTRUSIONS: Record<string, (memory: MemoryDirectory) => Promise<void> | void> = {
  "appends to": async (memory) => {
    const file = await memory.openAppend(JOURNAL);
    await file.write(encodeUtf8("x"));
    await file.close();
  },
  "cuts": (memory) => cutInPlace(memory, 1),
  "empties": (memory) => cutInPlace(memory, bytesOf(memory).length),
  "replaces, by the same bytes,": (memory) => memory.plant(JOURNAL, bytesOf(memory)),
  "removes": (memory) => memory.remove(JOURNAL),
  "puts a FIFO in the place of": (memory) => memory.plant(JOURNAL, { kind: "other" }),
};

/** Takes bytes from the end of the file itself, as `truncate` does. */
function cutInPlace(memory: MemoryDirectory, count: number): void {
  const node = memory.nodes.get(JOURNAL);
  assert.ok(node?.kind === "file");
  const rest = node.bytes.view().slice(0, node.bytes.length - count);
  node.bytes.clear();
  node.bytes.append(rest);
}

for (const [what, intrude] of Object.entries(INTRUSIONS)) {
  sessions(`a program that ${what} the journal meanwhile ends the session unwritten`, async () => {
    const { memory, session } = await sessionOf(2, 1);
    await step(session);
    await intrude(memory);
    const before = memory.nodes.get(JOURNAL);
    const length = before?.kind === "file" ? before.bytes.length : undefined;
    assert.equal(await thrown(step(session)), CHANGED);
    assert.equal(await thrown(step(session)), ENDED);
    const after = memory.nodes.get(JOURNAL);
    assert.is(after, before);
    assert.is(after?.kind === "file" ? after.bytes.length : undefined, length);
    await session.close();
    assert.is(memory.nodes.has(LOCK), false);
  });
}

sessions("a byte that another program changes shows at the next verification only", async () => {
  const scene = await sessionOf(2, 1);
  const node = scene.memory.nodes.get(JOURNAL);
  assert.ok(node?.kind === "file");
  const view = node.bytes.view();
  view[20] = view[20]! ^ 1;
  assert.is((await step(scene.session)).status, "durable");
  await scene.session.close();
  assert.equal(await brief(scene), ["capsule.invalid_entry", 0, 0]);
});

sessions("while a session is open every other writer is told capsule.busy", async () => {
  const { memory, environment, session } = await sessionOf(1, 1);
  const handle = await openCapsule(memory, environment);
  const message =
    "Locking the capsule: .append.lock exists, so another writer is at work or one was killed; " +
    "if no writer runs, verify the capsule and remove that file";
  const busy: Thrown = { name: "CapsuleError", code: "capsule.busy", message };
  assert.equal(await thrown(handle.append("plan", "step")), busy);
  assert.equal(await thrown(openSession(memory, environment)), busy);
  await step(session);
  await session.close();
  assert.is((await handle.append("plan", "step")).seq, 2);
  const next = await openSession(memory, environment);
  assert.is((await step(next)).entry.seq, 3);
  await next.close();
});

for (
  const [what, tamper] of Object.entries<(memory: MemoryDirectory) => Promise<void> | void>({
    "removed": (memory) => memory.remove(LOCK),
    "replaced": async (memory) => {
      await memory.remove(LOCK);
      memory.plant(LOCK, new Uint8Array());
    },
  })
) {
  sessions(`close() says that the lock was ${what}; what was acknowledged is there`, async () => {
    const scene = await sessionOf(0, 3);
    await steps(scene.session, 2);
    await tamper(scene.memory);
    const planted = scene.memory.nodes.get(LOCK);
    assert.is(await codeOf(scene.session.close()), "capsule.lock_lost");
    assert.is(scene.memory.nodes.get(LOCK), planted);
    await scene.session.close();
    assert.equal(await brief(scene), ["ok", null, 2]);
  });
}

/** What keeps a session from being opened. */
const BROKEN: Record<string, { hook?: Hook; spoil?: (memory: MemoryDirectory) => void }> = {
  "capsule.truncated_tail": { spoil: (memory) => memory.plant(JOURNAL, encodeUtf8("torn")) },
  "capsule.metadata_invalid": {
    spoil: (memory) => memory.plant("capsule.json", encodeUtf8("{}")),
  },
  "capsule.unreadable_journal": { spoil: (memory) => memory.plant(JOURNAL, { kind: "other" }) },
  "EACCES": { hook: failing("openAppend", 1, "EACCES") },
};

for (const [code, { hook, spoil }] of Object.entries(BROKEN)) {
  sessions(`openSession() that meets ${code} holds no lock afterwards`, async () => {
    const { memory, environment } = await capsuleOf(1);
    spoil?.(memory);
    let open = 0;
    const directory = intercept(memory, async (call) => {
      const result = await (hook?.(call) ?? call.perform());
      if (call.operation.startsWith("open")) open++;
      if (call.operation === "close") open--;
      return result;
    });
    assert.is(await codeOf(openSession(directory, environment)), code);
    assert.equal([memory.nodes.has(LOCK), open], [false, 0]);
  });
}

sessions("openSession() refuses a journal that another takes the place of meanwhile", async () => {
  const { memory, environment } = await capsuleOf(1);
  const directory = intercept(memory, (call) => {
    if (call.operation === "openAppend") memory.plant(JOURNAL, bytesOf(memory));
    return call.perform();
  });
  assert.equal(await thrown(openSession(directory, environment)), CHANGED);
  assert.is(memory.nodes.has(LOCK), false);
});

sessions("the bytes that a session writes are those of single appends", async () => {
  const asked: Parameters<Session["append"]>[] = [
    ["plan", "start", { task_id: "é 漢 😀" }],
    ["interaction", "tool.call", { tool: "add", exit_code: null }, { effect_class: "SE3" }],
    ["attempt", "finish", { total: 1e21, nobody: 1 }, { strict: false }],
  ];
  const single = await capsuleOf(0);
  const capsule = await openCapsule(single.memory, single.environment);
  const returned: string[] = [];
  for (const entry of asked) returned.push(formatEntry(await capsule.append(...entry)));
  for (const syncEvery of [1, 2, 64]) {
    const scene = await sessionOf(0, syncEvery);
    const made: string[] = [];
    for (const entry of asked) {
      made.push(formatEntry((await scene.session.append(...entry)).entry));
    }
    await scene.session.close();
    assert.equal(made, returned);
    assert.equal(bytesOf(scene.memory), bytesOf(single.memory));
  }
});

sessions(
  "an append costs the same calls, bytes and digests however long the journal is",
  async () => {
    const costs: unknown[] = [];
    for (const entries of [0, 3, 300]) {
      const { memory, environment } = await capsuleOf(entries);
      const seen: string[] = [];
      let hashed = 0;
      const { sha256 } = environment;
      const counting: StoreEnvironment["sha256"] = {
        implementation: sha256.implementation,
        digest(bytes) {
          hashed++;
          return sha256.digest(bytes);
        },
        start: () => sha256.start(),
      };
      const directory = intercept(memory, ({ operation, name, perform }) => {
        seen.push(`${operation} ${name}`);
        return perform();
      });
      const session = await openSession(directory, { ...environment, sha256: counting });
      for (let index = 0; index < 3; index++) {
        [seen.length, hashed] = [0, 0];
        await step(session);
        costs.push([hashed, ...seen]);
      }
      await session.close();
    }
    const cost = [1, `inspect ${JOURNAL}`, `write ${JOURNAL}`, `fsync ${JOURNAL}`];
    assert.equal(costs, Array.from({ length: 9 }, () => cost));
  },
);

sessions.run();
