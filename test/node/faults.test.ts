import { readdir } from "node:fs/promises";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { directoryAt, nativeSha256 } from "../../src/node/mod.ts";
import { testEnvironment } from "../store/environment.ts";
import { canStrike, type Place, SCENARIOS, walk } from "../store/fault_walk.ts";
import { FAULTS } from "../store/faulty.ts";
import { makeDisk } from "./disk.ts";

const disk = makeDisk(true);
const faults = suite("faults on disk");

function makePlace(): Place {
  const path = disk.path();
  return { directory: directoryAt(path), list: () => readdir(path).catch(() => []) };
}

/** Codes make no difference to the adapter, so one stands for all that fail before anything is done. */
const onDisk = FAULTS.filter(({ name }) => !/^(ENOSPC|EPERM|EACCES),/.test(name));

for (const scenario of SCENARIOS) {
  faults(`${scenario.name}: evidence survives every fault at every call`, async () => {
    const environment = { ...await testEnvironment(), sha256: nativeSha256() };
    const struck = await walk(scenario, environment, makePlace, onDisk);
    for (const fault of onDisk) {
      assert.is((struck.get(fault) ?? 0) > 0, canStrike(fault, scenario), fault.name);
    }
  });
}

faults.after(disk.clear);

faults.run();
