import { suite } from "uvu";
import * as assert from "uvu/assert";
import { MemoryDirectory } from "../../src/store/mod.ts";
import { canStrike, type Place, SCENARIOS, walk } from "./fault_walk.ts";
import { FAULTS } from "./faulty.ts";
import { testEnvironment } from "./environment.ts";

const faults = suite("faults in memory");

function makePlace(): Place {
  const directory = new MemoryDirectory();
  return { directory, list: () => Promise.resolve([...directory.nodes.keys()]) };
}

for (const scenario of SCENARIOS) {
  faults(`${scenario.name}: evidence survives every fault at every call`, async () => {
    const struck = await walk(scenario, await testEnvironment(), makePlace);
    for (const fault of FAULTS) {
      assert.is((struck.get(fault) ?? 0) > 0, canStrike(fault, scenario), fault.name);
    }
  });
}

faults.run();
