/**
 * Whatever fails while a call is recorded, its fixture is whole or absent, or the one from before.
 *
 * @module
 */
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { EvidenceError } from "../../src/core/mod.ts";
import { loadSha256 } from "../../src/hash/mod.ts";
import { createReplayer, fixturesIn, hashCall } from "../../src/replay/mod.ts";
import { MemoryDirectory } from "../../src/store/mod.ts";
import { FAULTS, Trap } from "../store/faulty.ts";
import { counting, textOf } from "./kit.ts";

const sha256 = await loadSha256();
const faults = suite("faults while recording");
const name = `${hashCall("read", {}, sha256).key}.json`;
/** What goes on from the fault as if nothing had happened. */
const HARMLESS = /takes one byte$/;

async function record(directory: MemoryDirectory, trap: Trap, answer: unknown): Promise<unknown> {
  let counter = 0;
  const list = () => Promise.resolve([...directory.nodes.keys()]);
  const random = (count: number) => new Uint8Array(count).fill(counter++);
  const store = fixturesIn(trap.around(directory), list, random);
  const { tools } = counting(() => answer);
  const recorder = createReplayer(tools, { store, sha256, mode: "record" });
  return await recorder.call("read").catch((error: unknown) => error);
}

for (const isFirst of [true, false]) {
  const before = isFirst ? "no fixture" : "the fixture of before";
  faults(`at every call leave ${before} or the new one, whole`, async () => {
    let struck = 0;
    for (const fault of FAULTS) {
      for (let nth = 1;; nth++) {
        const directory = new MemoryDirectory("memory:", { exists: true });
        const trap = new Trap();
        if (!isFirst) await record(directory, trap, "old");
        const old = isFirst ? undefined : textOf(directory, name);
        trap.set(fault, nth);
        const ended = await record(directory, trap, "new");
        const wasStruck = trap.struck > 0;
        await trap.release();
        const found = directory.nodes.has(name) ? textOf(directory, name) : undefined;
        const fresh = new MemoryDirectory("memory:", { exists: true });
        await record(fresh, new Trap(), "new");
        const whole = textOf(fresh, name);
        assert.ok(found === old || found === whole, `${fault.name}, call ${nth}`);
        if (ended === "new") assert.is(found, whole);
        else assert.instance(ended, EvidenceError);
        const others = [...directory.nodes.keys()].filter((file) => file !== name);
        assert.equal(
          others.filter((file) => !/^\.[0-9a-f]{64}\.json\.[0-9a-f]{16}\.tmp$/.test(file)),
          [],
        );
        if (!wasStruck) break;
        assert.is(ended === "new", HARMLESS.test(fault.name), `${fault.name}, call ${nth}`);
        struck++;
      }
    }
    assert.ok(struck > 20, String(struck));
  });
}

faults.run();
