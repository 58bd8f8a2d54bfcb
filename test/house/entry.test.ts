import { suite } from "uvu";
import * as assert from "uvu/assert";
import { type Ended, root, runFile } from "./project.ts";

const entry = suite("the test entry");

const run = (fixture: string): Promise<Ended> =>
  runFile(`${root}test/house/fixtures/run.ts`, [fixture], { timeoutMs: 20_000 });

entry("passes a sound file and names its skip", async () => {
  const { status, stdout, stderr } = await run("sound");
  assert.is(status, 0, stderr);
  const skipped = [{ name: "is left out", reason: "a fixture" }];
  assert.is(
    stdout.trimEnd().split("\n").at(-1),
    `result: ${JSON.stringify({ passed: 1, failed: 0, skipped })}`,
  );
});

const broken: Record<string, RegExp> = {
  failing_test: /"failed":1/,
  before_throws: /a hook threw/,
  after_each_throws: /a hook threw/,
  after_throws: /a hook threw|a fixture/,
  no_run: /\.run\(\) is missing/,
  second_without_run: /suite "second" is never run/,
  only: /an \.only is left over/,
  nameless_skip: /skipped without skip\(\)/,
  empty_suite: /a suite holds no test/,
  broken_import: /a fixture/,
  hanging: /a suite ran longer than 500 ms/,
  early_exit: /ended before the tests did/,
  stray_rejection: /a fixture/,
  no_such_fixture: /no test ran/,
};

for (const [fixture, message] of Object.entries(broken)) {
  entry(`fails on ${fixture.replaceAll("_", " ")} and says why`, async () => {
    const { status, stdout, stderr } = await run(fixture);
    assert.is.not(status, 0, stdout);
    assert.match(stdout + stderr, message);
  });
}

entry.run();
