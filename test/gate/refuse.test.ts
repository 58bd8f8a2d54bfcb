import { suite } from "uvu";
import * as assert from "uvu/assert";
import { EvidenceError } from "../../src/core/mod.ts";
import {
  GATE_CODES,
  GateError,
  requireSupportedIsolation,
  runGate,
  runVariant,
} from "../../src/gate/mod.ts";
import { describe, thrownBy } from "../lib/thrown.ts";

const gate = suite("the gate");

gate("every execution entry refuses before it looks at an argument", () => {
  const trap = new Proxy({}, {
    get: () => {
      throw new Error("was looked at");
    },
    ownKeys: () => {
      throw new Error("was looked at");
    },
  });
  for (const run of [runGate, runVariant, requireSupportedIsolation]) {
    for (const given of [[], [trap], [trap, trap, trap], [undefined], [null]]) {
      const error = thrownBy(() => run(...given));
      assert.instance(error, GateError);
      assert.instance(error, EvidenceError);
      assert.equal(describe(error), {
        name: "GateError",
        code: GATE_CODES[0],
        message: "Running a candidate: no supported isolation is at hand, so nothing is executed",
      });
    }
  }
  assert.is(GATE_CODES[0], "gate.isolation_required");
});

gate.run();
