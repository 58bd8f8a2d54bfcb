import { suite } from "uvu";
import * as assert from "uvu/assert";
import { ADAPTERS } from "../adapters.ts";
import { faultsOf } from "../harness/lint.ts";
import { PURE } from "../pure.ts";
import { readText } from "../read.ts";
import { filesBelow } from "./project.ts";

const lists = suite("lists of test files");

lists("every test file on disk is in exactly one list", async () => {
  const listed = [...Object.keys(PURE), ...Object.keys(ADAPTERS)].sort();
  const onDisk = await filesBelow("test", ".test.ts");
  assert.equal(listed.map((file) => `test/${file}`), onDisk);
});

lists("every line imports the file that its key names", async () => {
  for (const list of ["test/pure.ts", "test/adapters.ts"]) {
    const lines = (await readText(list)).matchAll(/"(.+?)":\s*\(\)\s*=>\s*import\("\.\/(.+?)"\)/g);
    for (const [, key, path] of lines) assert.is(path, key, list);
  }
});

lists("no test file holds an .only, a nameless skip or a suite without .run()", async () => {
  const faults: string[] = [];
  for (const file of await filesBelow("test", ".test.ts")) {
    for (const fault of faultsOf(await readText(file))) faults.push(`${file}: ${fault}`);
  }
  assert.equal(faults, []);
});

lists.run();
