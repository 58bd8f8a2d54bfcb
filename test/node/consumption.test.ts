import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { consumptionStoreAt, openConsumptionStore } from "../../src/node/mod.ts";
import type { Consumption } from "../../src/ports/mod.ts";
import { MemoryDirectory } from "../../src/store/mod.ts";
import { runFile } from "../house/project.ts";
import { describe, rejectionOf } from "../lib/thrown.ts";
import { makeDisk } from "./disk.ts";

const disk = makeDisk(true);
const consumer = fileURLToPath(new URL("child_consume.ts", import.meta.url));
const SPEC = `sha256:${"0".repeat(64)}`;

const wanted = (other: Partial<Consumption> = {}): Consumption => ({
  measurement_id: "m-1",
  attempt_nonce: "n-1",
  repeat_slot: [SPEC, 1n],
  ...other,
});

const stores = suite("consumption stores");

stores("consume() gives all three or nothing, and names what was used up before", async () => {
  const path = disk.path();
  for (const open of [() => consumptionStoreAt(path), memoryStores()]) {
    const store = open();
    assert.equal(await store.read(), {
      seen_measurement_ids: [],
      seen_attempt_nonces: [],
      occupied_repeat_slots: [],
    });
    assert.is(await store.consume(wanted()), null);
    const other = { measurement_id: "m-2", attempt_nonce: "n-2" };
    assert.is(await open().consume(wanted()), "measurement_id");
    assert.is(await open().consume(wanted({ measurement_id: "m-2" })), "attempt_nonce");
    assert.is(await open().consume(wanted(other)), "repeat_slot");
    assert.is(await open().consume(wanted({ ...other, repeat_slot: [SPEC, 10n ** 30n] })), null);
    const state = {
      seen_measurement_ids: ["m-1", "m-2"],
      seen_attempt_nonces: ["n-1", "n-2"],
      occupied_repeat_slots: [[SPEC, 1n], [SPEC, 10n ** 30n]],
    };
    assert.equal(await store.read(), state);
    assert.equal(await open().read(), state);
  }
  assert.equal(readdirSync(path).sort(), ["00000001.json", "00000002.json"]);
  assert.is(
    readFileSync(join(path, "00000001.json"), "utf8"),
    `{"attempt_nonce":"n-1","measurement_id":"m-1","repeat_slot":["${SPEC}",1]}\n`,
  );
});

function memoryStores(): () => ReturnType<typeof openConsumptionStore> {
  const directory = new MemoryDirectory();
  let count = 0;
  return () =>
    openConsumptionStore(directory, (length) => new Uint8Array(length).fill(count++ % 256));
}

stores("consume() gives one measurement to exactly one of many callers at once", async () => {
  const path = disk.path();
  const shared = consumptionStoreAt(path);
  const callers = Array.from({ length: 20 }, (_, at) => at % 2 ? shared : consumptionStoreAt(path));
  const outcomes = await Promise.all(callers.map((store) => store.consume(wanted())));
  assert.equal(outcomes.filter((taken) => taken === null).length, 1);
  assert.equal(outcomes.filter((taken) => taken === "measurement_id").length, 19);
  const apart = await Promise.all(callers.map((store, at) =>
    store.consume({
      measurement_id: `other-${at}`,
      attempt_nonce: `other-${at}`,
      repeat_slot: [SPEC, BigInt(at + 2)],
    })
  ));
  assert.equal(apart, callers.map(() => null));
  const { seen_measurement_ids } = await consumptionStoreAt(path).read();
  assert.is(new Set(seen_measurement_ids).size, 21);
});

stores("of two processes that race for 40 receipts each is given to exactly one", async () => {
  const path = disk.path();
  const ended = await Promise.all(["a", "b"].map(() => runFile(consumer, [path, "40"])));
  assert.equal(ended.map(({ status, stderr }) => [status, stderr]), [[0, ""], [0, ""]]);
  const given = ended.flatMap(({ stdout }) => JSON.parse(stdout) as number[]);
  assert.equal(
    given.sort((a, b) => a - b),
    Array.from({ length: 40 }, (_, index) => index + 1),
  );
  assert.is(readdirSync(path).length, 40);
});

stores("a claim that a killed process left behind means nothing", async () => {
  const path = disk.path();
  mkdirSync(path);
  const claim = `{"attempt_nonce":"n-1","measurement_id":"m-1","repeat_slot":["${SPEC}",1]}\n`;
  writeFileSync(join(path, ".claim.0000000000000000"), claim);
  writeFileSync(join(path, "..claim.0000000000000000.0.tmp"), claim.slice(0, 9));
  assert.is(await consumptionStoreAt(path).consume(wanted()), null);
});

stores("a file that no store writes ends every call, and nothing is consumed", async () => {
  const good = `{"attempt_nonce":"n","measurement_id":"m","repeat_slot":["${SPEC}",1]}`;
  const contents = [
    ...["", good, `${good}\n\n`, ` ${good}\n`, `${good.replace("1]", "1.0]")}\n`],
    ...[`${good.replace('"m"', "1")}\n`, `[${good}]\n`, `${good.replace("{", '{"a":1,')}\n`],
    ...[`${good.replace(",1]", "]")}\n`, `${good.replace('"repeat_slot":', '"slot":')}\n`],
    `${good}\n${" ".repeat(20_000)}`,
  ];
  const plants = [
    ...contents.map((content) => (file: string) => writeFileSync(file, content)),
    (file: string) => mkdirSync(file),
    (file: string) => symlinkSync("nowhere", file),
  ];
  for (const plant of plants) {
    const path = disk.path();
    mkdirSync(path);
    plant(join(path, "00000001.json"));
    const store = consumptionStoreAt(path);
    for (const call of [() => store.consume(wanted()), () => store.read()]) {
      assert.equal(describe(await rejectionOf(call())), {
        name: "EvidenceError",
        code: "consumption.entry_damaged",
        message: 'Reading what was consumed: "00000001.json" is no file that a store writes',
      });
    }
    assert.equal(readdirSync(path), ["00000001.json"]);
  }
});

stores(
  "a directory that fails is an I/O error, and the next call tells what became of it",
  async () => {
    const directory = new MemoryDirectory();
    let syncs = 0;
    const failing = new Proxy(directory, {
      get(target, name) {
        const value: unknown = Reflect.get(target, name);
        if (name === "sync") {
          return async () => {
            if (++syncs === 2) throw Object.assign(new Error("no space"), { code: "ENOSPC" });
            await target.sync();
          };
        }
        return typeof value === "function" ? value.bind(target) : value;
      },
    });
    const store = openConsumptionStore(failing, (count) => new Uint8Array(count));
    assert.is(describe(await rejectionOf(store.consume(wanted()))).code, "ENOSPC");
    assert.is(await store.consume(wanted()), "measurement_id");
  },
);

stores.after(disk.clear);

stores.run();
