import { suite } from "uvu";
import * as assert from "uvu/assert";
import { CapsuleError } from "../../src/capsule/mod.ts";
import { IoError } from "../../src/core/mod.ts";
import type { Directory } from "../../src/ports/mod.ts";
import {
  type Capsule,
  createCapsule,
  MemoryDirectory,
  type MemoryNode,
  openCapsule,
} from "../../src/store/mod.ts";
import { testEnvironment } from "./environment.ts";
import { type Call, failure, intercept } from "./faulty.ts";

const LOCK = ".append.lock";

const lock = suite("append lock");

/** What a test does to a call; `undefined` lets it pass. */
type Hook = (call: Call, memory: MemoryDirectory) => Promise<unknown> | undefined | void;

/** A handle on a new capsule whose calls go through a hook. */
async function hooked(hook: Hook): Promise<{ memory: MemoryDirectory; capsule: Capsule }> {
  const memory = new MemoryDirectory();
  const environment = await testEnvironment();
  await createCapsule(memory, { run_id: "r", capsule_id: "c" }, environment);
  const directory: Directory = intercept(
    memory,
    (call) => hook(call, memory) ?? call.perform(),
  );
  return { memory, capsule: await openCapsule(directory, environment) };
}

/** A hook that does something else once the lock is held and the entry is about to be written. */
function whileHeld(action: (memory: MemoryDirectory) => Promise<void> | void): Hook {
  return async (call, memory) => {
    if (call.operation === "openAppend") await action(memory);
    return call.perform();
  };
}

async function failureOf(call: Promise<unknown>): Promise<CapsuleError | IoError> {
  const error = await call.then(() => undefined, (thrown: unknown) => thrown);
  assert.ok(error instanceof CapsuleError || error instanceof IoError, String(error));
  return error;
}

async function countEntries(memory: MemoryDirectory): Promise<number> {
  return (await openCapsule(memory, await testEnvironment())).nextSeq;
}

const step = (capsule: Capsule): Promise<unknown> => capsule.append("plan", "step");
const fails = (code: string, { operation }: Call): Promise<never> =>
  Promise.reject(failure(code, operation));

lock("the lock is an empty file of mode 0600 and is gone afterwards", async () => {
  const seen: unknown[] = [];
  const { memory, capsule } = await hooked(whileHeld(async () => {
    const { kind, size } = await memory.inspect(LOCK, false) ?? {};
    seen.push({ kind, size });
  }));
  const openNew = memory.openNew.bind(memory);
  memory.openNew = (name, mode): ReturnType<typeof openNew> => {
    seen.push(name, mode);
    return openNew(name, mode);
  };
  await step(capsule);
  assert.equal(seen, [LOCK, 0o600, { kind: "file", size: 0 }]);
  assert.is(await memory.inspect(LOCK, false), null);
});

lock("a busy lock says what an operator has to do", async () => {
  const { memory, capsule } = await hooked(() => undefined);
  memory.plant(LOCK, new Uint8Array());
  const { code, message, cause } = await failureOf(step(capsule));
  assert.equal({ code, message, cause: (cause as IoError).code }, {
    code: "capsule.busy",
    message:
      "Locking the capsule: .append.lock exists, so another writer is at work or one was killed; " +
      "if no writer runs, verify the capsule and remove that file",
    cause: "EEXIST",
  });
});

lock("a lock that was removed while held is lost, and the entry may be there", async () => {
  const { memory, capsule } = await hooked(whileHeld((there) => there.remove(LOCK)));
  assert.is((await failureOf(step(capsule))).code, "capsule.lock_lost");
  assert.is(await countEntries(memory), 1);
});

for (
  const [form, node] of Object.entries<MemoryNode | Uint8Array>({
    "another file": new Uint8Array(),
    "a directory": { kind: "directory" },
    "a FIFO": { kind: "other" },
    "a dangling link": { kind: "link", target: "nothing" },
    "a link to the old lock": { kind: "link", target: "old" },
  })
) {
  lock(`a lock that was replaced by ${form} is lost, and what is there stays`, async () => {
    const { memory, capsule } = await hooked(whileHeld(async (there) => {
      await there.rename(LOCK, "old");
      there.plant(LOCK, node);
    }));
    assert.is((await failureOf(step(capsule))).code, "capsule.lock_lost");
    const planted = memory.nodes.get(LOCK);
    assert.is(planted?.kind, node instanceof Uint8Array ? "file" : node.kind);
    assert.is((await failureOf(step(capsule))).code, "capsule.busy");
    assert.is(memory.nodes.get(LOCK), planted);
  });
}

for (const look of ["inspect", "fstat"]) {
  const isLook = ({ operation, name }: Call): boolean => operation === look && name === LOCK;

  lock(`EPERM at ${look}, and the lock is gone once closed: it was lost`, async () => {
    let looks = 0;
    const { capsule } = await hooked((call, memory) => {
      if (!isLook(call) || looks++ > 0) return;
      return memory.remove(LOCK).then(() => fails("EPERM", call));
    });
    assert.is((await failureOf(step(capsule))).code, "capsule.lock_lost");
  });

  lock(`EPERM at ${look}, and the lock is still there: EPERM, and it stays`, async () => {
    let looks = 0;
    const { memory, capsule } = await hooked((call) =>
      isLook(call) && looks++ === 0 ? fails("EPERM", call) : undefined
    );
    assert.is((await failureOf(step(capsule))).code, "EPERM");
    assert.is(memory.nodes.get(LOCK)?.kind, "file");
  });

  lock(`a failure at ${look} other than EPERM escapes, even when the lock is gone`, async () => {
    const { capsule } = await hooked((call, memory) =>
      isLook(call) ? memory.remove(LOCK).then(() => fails("EIO", call)) : undefined
    );
    assert.is((await failureOf(step(capsule))).code, "EIO");
  });
}

lock("EPERM at both looks is EPERM, whatever the second says", async () => {
  let looks = 0;
  const { capsule } = await hooked((call) => {
    if (call.operation !== "inspect" || call.name !== LOCK) return;
    return fails(looks++ === 0 ? "EPERM" : "EIO", call);
  });
  assert.is((await failureOf(step(capsule))).code, "EPERM");
});

lock("nothing is removed after the lock's file was closed", async () => {
  const seen: string[] = [];
  const { capsule } = await hooked(({ operation, name }) => {
    if (name === LOCK) seen.push(operation);
  });
  await step(capsule);
  assert.equal(seen, ["openNew", "fstat", "inspect", "remove", "close"]);
});

lock("a lock that cannot be removed is a failure and keeps later writers out", async () => {
  const { memory, capsule } = await hooked((call) =>
    call.operation === "remove" && call.name === LOCK ? fails("EACCES", call) : undefined
  );
  assert.is((await failureOf(step(capsule))).code, "EACCES");
  assert.is((await failureOf(step(capsule))).code, "capsule.busy");
  assert.is(await countEntries(memory), 1);
});

lock("a lock that cannot be closed is a failure, and the lock is gone", async () => {
  const { memory, capsule } = await hooked((call) =>
    call.operation === "close" && call.name === LOCK ? fails("EIO", call) : undefined
  );
  assert.is((await failureOf(step(capsule))).code, "EIO");
  assert.is(await memory.inspect(LOCK, false), null);
});

lock("a refusal that meets a failure to release is its cause", async () => {
  const { capsule } = await hooked((call) =>
    call.operation === "remove" && call.name === LOCK ? fails("EIO", call) : undefined
  );
  const error = await failureOf(capsule.append("plan", "Not A Kind"));
  assert.is(error.code, "EIO");
  assert.is((error.cause as CapsuleError).code, "capsule.invalid_entry");
});

lock("a failure to lock that is no EEXIST escapes as it is", async () => {
  const { memory, capsule } = await hooked((call) =>
    call.operation === "openNew" ? fails("ENOENT", call) : undefined
  );
  const error = await failureOf(step(capsule));
  assert.equal([error.constructor, error.code], [IoError, "ENOENT"]);
  assert.is(await countEntries(memory), 0);
});

lock.run();
