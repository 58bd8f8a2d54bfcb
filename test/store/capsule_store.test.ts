import { suite } from "uvu";
import * as assert from "uvu/assert";
import { CapsuleError, type Entry, formatEntry } from "../../src/capsule/mod.ts";
import { encodeUtf8, IoError } from "../../src/core/mod.ts";
import {
  type Capsule,
  createCapsule,
  exportBundle,
  MemoryDirectory,
  openCapsule,
  saveProjection,
  type StoreEnvironment,
  verifyDirectory,
} from "../../src/store/mod.ts";
import { testEnvironment } from "./environment.ts";
import { type Call, failure, intercept } from "./faulty.ts";

const [METADATA, JOURNAL] = ["capsule.json", "journal.ndjson"];
const IDENTITY = { run_id: "r", capsule_id: "c", harness_version: "h", task_family: "f" };

const store = suite("capsule store");

type Hook = (call: Call) => Promise<unknown> | undefined | void;

/** A capsule with entries, and a handle on it whose calls go through a hook. */
async function capsuleOf(
  entries: number,
  hook: Hook = () => undefined,
): Promise<{ memory: MemoryDirectory; capsule: Capsule; environment: StoreEnvironment }> {
  const memory = new MemoryDirectory("memory:source");
  const environment = await testEnvironment();
  const first = await createCapsule(memory, IDENTITY, environment);
  for (let index = 0; index < entries; index++) await step(first);
  const directory = intercept(memory, (call) => hook(call) ?? call.perform());
  return { memory, environment, capsule: await openCapsule(directory, environment) };
}

const step = (capsule: Capsule): Promise<Entry> => capsule.append("plan", "step");

async function failureOf(call: Promise<unknown>): Promise<string> {
  const error = await call.then(() => undefined, (thrown: unknown) => thrown);
  assert.ok(error instanceof CapsuleError || error instanceof IoError, String(error));
  return error.code;
}

function bytesOf(memory: MemoryDirectory, name: string): Uint8Array {
  const node = memory.nodes.get(name);
  assert.ok(node?.kind === "file", name);
  return node.bytes.view().slice();
}

async function readAll(capsule: Capsule): Promise<string[]> {
  const read: string[] = [];
  for await (const entry of capsule.entries()) read.push(formatEntry(entry));
  return read;
}

/** Lets an action happen just before the Nth call of an operation on the journal. */
function before(operation: string, nth: number, action: () => Promise<void> | void): Hook {
  let calls = 0;
  return (call) => {
    if (call.operation !== operation || call.name !== JOURNAL || ++calls !== nth) return;
    return Promise.resolve(action()).then(() => call.perform());
  };
}

store("createCapsule() gives defaults only for what is undefined", async () => {
  const environment = await testEnvironment();
  const { meta } = await createCapsule(new MemoryDirectory(), {}, environment);
  assert.equal(meta, {
    schema: "capsule-envelope/v1",
    run_id: "run-0001020304050607",
    capsule_id: "capsule-0101020304050607",
    harness_version: "unknown",
    task_family: "unspecified",
    created_at: "2026-09-02T00:00:00.000Z",
  });
  for (const field of ["run_id", "capsule_id", "harness_version", "task_family"]) {
    const memory = new MemoryDirectory();
    const options = { [field]: null } as object;
    const code = await failureOf(createCapsule(memory, options, environment));
    assert.equal([code, memory.exists], ["capsule.metadata_invalid", false], field);
  }
});

store("createCapsule() looks for a capsule before it looks at options or the clock", async () => {
  const { memory, environment } = await capsuleOf(0);
  const clock = (): Date => assert.unreachable() as never;
  const call = createCapsule(memory, { run_id: "" }, { ...environment, clock });
  assert.is(await failureOf(call), "capsule.exists");
});

store("createCapsule() writes nothing when the clock gives no instant", async () => {
  const memory = new MemoryDirectory();
  const environment = { ...await testEnvironment(), clock: () => new Date(NaN) };
  const error = await createCapsule(memory, {}, environment).catch((thrown: unknown) => thrown);
  assert.instance(error, RangeError);
  assert.is(memory.exists, false);
});

store("createCapsule() that another writer overtakes refuses and leaves nothing", async () => {
  const memory = new MemoryDirectory();
  const environment = await testEnvironment();
  const directory = intercept(memory, async (call) => {
    if (call.operation === "link") await createCapsule(memory, IDENTITY, environment);
    return call.perform();
  });
  assert.is(await failureOf(createCapsule(directory, {}, environment)), "capsule.exists");
  assert.equal([...memory.nodes.keys()].sort(), [METADATA, JOURNAL]);
  assert.is((await openCapsule(memory, environment)).meta.run_id, "r");
});

store("append() onto a file that took the journal's place writes nothing", async () => {
  const { memory, capsule } = await capsuleOf(
    1,
    before("openAppend", 1, () => memory.plant(JOURNAL, copy)),
  );
  const copy = bytesOf(memory, JOURNAL); // the same bytes, so that only its identity tells
  assert.is(await failureOf(step(capsule)), "capsule.changed");
  assert.equal(bytesOf(memory, JOURNAL), copy);
  assert.is(memory.nodes.has(".append.lock"), false);
});

store("append() onto a journal that grew since it was read writes nothing", async () => {
  const { memory, capsule } = await capsuleOf(
    1,
    before("openAppend", 1, async () => {
      const file = await memory.openAppend(JOURNAL);
      await file.write(encodeUtf8("more\n"));
      await file.close();
    }),
  );
  const length = bytesOf(memory, JOURNAL).length;
  assert.is(await failureOf(step(capsule)), "capsule.changed");
  assert.is(bytesOf(memory, JOURNAL).length, length + 5);
});

store("append() keeps the verified journal open until the entry is written", async () => {
  const seen: string[] = [];
  const { capsule } = await capsuleOf(0, ({ operation, name }) => {
    if (name === JOURNAL && operation !== "read" && operation !== "fstat") seen.push(operation);
  });
  seen.length = 0;
  await step(capsule);
  assert.equal(seen, ["openRead", "openAppend", "write", "fsync", "close", "close"]);
});

store("append() to a read-only journal fails with the system's code, unlocked", async () => {
  const { memory, capsule } = await capsuleOf(
    1,
    (call) =>
      call.operation === "openAppend" ? Promise.reject(failure("EACCES", "open")) : undefined,
  );
  assert.is(await failureOf(step(capsule)), "EACCES");
  assert.is(memory.nodes.has(".append.lock"), false);
});

store("append() refuses a file that claims to have taken what it was not given", async () => {
  for (const count of [0, -1, NaN, 1e9]) {
    const { capsule } = await capsuleOf(
      0,
      (call) => call.operation === "write" ? Promise.resolve(count) : undefined,
    );
    assert.is(await failureOf(step(capsule)), "capsule.write_failed", String(count));
  }
});

store("append() verifies before it looks at what is asked for", async () => {
  const { memory, capsule } = await capsuleOf(1);
  memory.plant(JOURNAL, encodeUtf8("torn"));
  const call = capsule.append("no lineage" as "plan", "Not A Kind");
  assert.is(await failureOf(call), "capsule.truncated_tail");
});

store("append() goes on after a refusal and reports what the handle last saw", async () => {
  const { capsule } = await capsuleOf(0);
  const refused = failureOf(capsule.append("plan", "Not A Kind"));
  const entry = await step(capsule);
  assert.is(await refused, "capsule.invalid_entry");
  assert.equal([capsule.nextSeq, capsule.lastHash], [1, entry.entry_hash]);
  assert.equal([capsule.dir, capsule.journalPath], [
    "memory:source",
    "memory:source/journal.ndjson",
  ]);
});

store("entries() gives nothing of a journal that fails further on", async () => {
  const { memory, capsule } = await capsuleOf(2);
  memory.plant(JOURNAL, bytesOf(memory, JOURNAL).slice(0, -1));
  const read: Entry[] = [];
  const reading = (async (): Promise<void> => {
    for await (const entry of capsule.entries()) read.push(entry);
  })();
  assert.is(await failureOf(reading), "capsule.truncated_tail");
  assert.equal(read, []);
});

store("entries() of a journal that grows meanwhile gives what was verified", async () => {
  for (const entries of [0, 2]) {
    const { memory, capsule, environment } = await capsuleOf(
      entries,
      before("openRead", 3, async () => void await step(await openCapsule(memory, environment))),
    );
    assert.is((await readAll(capsule)).length, entries);
  }
});

store("entries() of a journal that changes meanwhile throws before it ends", async () => {
  const other = await capsuleOf(0);
  for (let index = 0; index < 2; index++) await other.capsule.append("attempt", "other");
  const chain = bytesOf(other.memory, JOURNAL); // a chain that holds, but not the one that was verified
  for (const replacement of [chain, new Uint8Array(), encodeUtf8("no chain\n")]) {
    const { memory, capsule } = await capsuleOf(
      2,
      before("openRead", 3, () => memory.plant(JOURNAL, replacement)),
    );
    assert.is(await failureOf(readAll(capsule)), "capsule.changed");
  }
});

store("entries() closes the journal when the reader stops early", async () => {
  let open = 0;
  const { capsule } = await capsuleOf(2, ({ operation }) => {
    if (operation === "openRead") open++;
    if (operation === "close") open--;
  });
  assert.is(open, 0);
  for await (const entry of capsule.entries()) {
    assert.equal([entry.seq, open], [0, 1]);
    break;
  }
  assert.is(open, 0);
});

store("verifyDirectory() closes what it read, also when the verdict comes early", async () => {
  let open = 0;
  const { memory, environment } = await capsuleOf(1);
  const directory = intercept(memory, (call) => {
    if (call.operation === "openRead") open++;
    if (call.operation === "close" && --open >= 0) return Promise.reject(failure("EIO", "close"));
    return call.perform();
  });
  for (const bytes of [bytesOf(memory, JOURNAL), new Uint8Array([0xff, 0x0a])]) {
    memory.plant(JOURNAL, bytes);
    const verdict = await verifyDirectory(directory, environment.sha256);
    assert.is(verdict.code, bytes[0] === 0xff ? "capsule.non_canonical" : "ok");
    assert.is(open, 0);
  }
});

store("exportBundle() copies the verified bytes though a writer appends meanwhile", async () => {
  const { memory, environment } = await capsuleOf(2);
  const target = new MemoryDirectory("memory:target");
  const verified = bytesOf(memory, JOURNAL);
  let calls = 0;
  const source = intercept(memory, async (call) => {
    if (call.operation === "openRead" && call.name === JOURNAL && ++calls === 2) {
      await step(await openCapsule(memory, environment));
    }
    return call.perform();
  });
  await exportBundle(source, target, environment);
  assert.is(calls, 2);
  assert.ok(bytesOf(memory, JOURNAL).length > verified.length);
  assert.equal(bytesOf(target, JOURNAL), verified);
  assert.is((await verifyDirectory(target, environment.sha256)).entry_count, 2);
});

store("exportBundle() of a source that changes meanwhile leaves the target empty", async () => {
  const { memory, environment } = await capsuleOf(2);
  const files = { [METADATA]: bytesOf(memory, METADATA), [JOURNAL]: bytesOf(memory, JOURNAL) };
  const metadata = new TextDecoder().decode(files[METADATA]);
  const changes = {
    [METADATA]: [
      encodeUtf8(metadata.replace('"task_family":"f"', '"task_family":"g"')),
      new Uint8Array(),
    ],
    [JOURNAL]: [files[JOURNAL]!.slice(0, -2), files[JOURNAL]!.map((byte) => byte ^ 1)],
  };
  for (const [name, replacements] of Object.entries(changes)) {
    for (const bytes of replacements) {
      for (const [there, original] of Object.entries(files)) memory.plant(there, original);
      const target = new MemoryDirectory("memory:target");
      const source = intercept(memory, (call) => {
        if (call.operation === "rename") memory.plant(name, bytes); // once verified, as the projection is saved
        return call.perform();
      });
      assert.is(await failureOf(exportBundle(source, target, environment)), "capsule.changed");
      assert.equal([target.exists, target.nodes.size], [true, 0]);
    }
  }
});

store("saveProjection() over a directory fails and leaves no temporary file", async () => {
  const { memory, environment } = await capsuleOf(0);
  memory.plant("projection.json", { kind: "directory" });
  const call = saveProjection(memory, {} as never, environment.randomBytes);
  assert.is(await failureOf(call), "EISDIR");
  assert.equal([...memory.nodes.keys()].sort(), [METADATA, JOURNAL, "projection.json"]);
});

store.run();
