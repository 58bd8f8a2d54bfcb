import { suite } from "uvu";
import * as assert from "uvu/assert";
import { VERIFY_CODES, WRITE_CODES } from "../../src/capsule/mod.ts";
import { openMemoryWorkspace, OPERATIONS } from "../../src/conformance/mod.ts";
import { GATE_CODES } from "../../src/gate/mod.ts";
import { RECEIPT_CHECKS, RECEIPT_CODES } from "../../src/receipt/mod.ts";
import { RECORDING_CODES } from "../../src/recording/mod.ts";
import { RETROSPECTIVE_CODES } from "../../src/retrospective/mod.ts";
import { readText } from "../read.ts";
import { readIndex, readSuite, registerSuites } from "./suites.ts";

const coverage = suite("vectors as a whole");

/** Every value of a member of this name that some expectation holds. */
async function expectedValues(name: string): Promise<Set<unknown>> {
  const found = new Set<unknown>();
  const visit = (value: unknown): void => {
    if (typeof value !== "object" || value === null) return;
    for (const [member, inner] of Object.entries(value)) {
      if (member === name) found.add(inner);
      visit(inner);
    }
  };
  for (const row of await readIndex()) {
    for (const { expectations } of (await readSuite(row)).cases) visit(expectations);
  }
  return found;
}

coverage("every code has a case, but for those that take a failing file system", async () => {
  const expected = await expectedValues("code");
  const ofCapsules = [VERIFY_CODES, WRITE_CODES, RECEIPT_CODES, RETROSPECTIVE_CODES, GATE_CODES];
  const codes = [...ofCapsules, RECORDING_CODES].flat();
  const without = codes.filter((code) => !expected.has(code));
  assert.equal(without, [
    ...["capsule.write_failed", "capsule.changed", "capsule.lock_lost", "capsule.session_ended"],
    "recording.write_failed",
  ]);
});

coverage("every check of a receipt has a case that fails it", async () => {
  const expected = await expectedValues("check");
  assert.equal(RECEIPT_CHECKS.filter((check) => !expected.has(check)), []);
});

coverage("every operation has a suite, and every suite an operation", async () => {
  const used = new Set((await readIndex()).map(({ op }) => op));
  assert.equal([...used].sort(), [...OPERATIONS.keys()].sort());
});

coverage("vectors/README.md tells of every suite and every operation", async () => {
  const text = await readText("vectors/README.md");
  const names = (await readIndex()).flatMap(({ suite, op }) => [suite, op]);
  assert.equal(names.filter((name) => !text.includes(`\`${name}\``)), []);
});

coverage.run();

await registerSuites(openMemoryWorkspace);
