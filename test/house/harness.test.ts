import { suite } from "uvu";
import * as assert from "uvu/assert";
import { faultsOf } from "../harness/lint.ts";
import { importsOf, scan } from "../harness/scan.ts";
import { readBytes, readText } from "../read.ts";

const read = suite("readText() and readBytes()");

read("readText() reads a project file by its path from the top folder", async () => {
  assert.is(JSON.parse(await readText("package.json")).name, "affidavit");
});

read("readBytes() throws for a file that is not there", async () => {
  let thrown: unknown;
  await readBytes("vectors/no-such-file").catch((error) => thrown = error);
  assert.instance(thrown, Error);
});

read.run();

const scanning = suite("scan()");

const names = (source: string): string[] => scan(source).code.match(/\w+/g) ?? [];

scanning("scan() blanks comments, strings and regular expressions", () => {
  assert.equal(names('a // b\n/* c\n */ \'d\' "e\\"f" g(/h"[/i]/u) + j / k / l'), [
    ..."agjkl",
  ]);
});

scanning("scan() keeps the expressions inside templates and blanks their text", () => {
  assert.equal(names("x`a ${b + `c ${d} e`} f $ g` + { h: 1 }.h"), ["x", "b", "d", "h", "1", "h"]);
});

scanning("scan() keeps length and lines", () => {
  const source = "a /* b\nc */ `d\n${e}` // f\n";
  const { code, uncommented } = scan(source);
  assert.is(code.length, source.length);
  assert.is(uncommented.length, source.length);
  assert.is(code.split("\n").length, source.split("\n").length);
});

scanning("importsOf() finds imports, re-exports and dynamic imports, not comments", () => {
  const source = `import a from "a";\nimport "b";\nexport * from "./c.ts";\n// from "d"\n` +
    `const e = await import("e");\nimport {\n  f,\n} from "f";`;
  assert.equal(importsOf(source), ["a", "b", "./c.ts", "e", "f"]);
});

scanning("importsOf() does not take a string for an import", () => {
  assert.equal(importsOf('const [a, b] = [read("from"), read("to")];'), []);
});

scanning.run();

const lint = suite("faultsOf()");
const sound = `import { suite } from "uvu";\nconst a = suite("a");\na("b", () => {});\na.run();\n`;

lint("faultsOf() finds nothing in a sound file", () => {
  assert.equal(faultsOf(sound), []);
});

lint("faultsOf() finds a second suite without .run()", () => {
  const second = `${sound}const late = suite("late");\nlate("c", () => {}); // late.run()\n`;
  assert.equal(faultsOf(second), ['suite "late" is never run: .run() is missing']);
});

lint("faultsOf() finds a test that comes after .run()", () => {
  assert.equal(faultsOf(`${sound}a("late", () => {});`), ['suite "a" has a test after its .run()']);
});

lint("faultsOf() finds the default suite without .run()", () => {
  const source = `import { test } from "uvu";\ntest("a", () => {});\n`;
  assert.equal(faultsOf(source), ['suite "test" is never run: .run() is missing']);
});

lint("faultsOf() finds .only and a nameless .skip, but not in strings", () => {
  assert.equal(faultsOf(`${sound}a.only("c", () => {});`), ["an .only is left over"]);
  assert.is(faultsOf(`${sound}a.skip("c", () => {});`).length, 1);
  assert.equal(faultsOf(`${sound}const text = "a.only(";`), []);
});

lint.run();
