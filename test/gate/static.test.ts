/**
 * The gate is static: neither its sources nor the adapters and commands beside it hold a way to run anything.
 *
 * @module
 */
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { importsOf, scan } from "../harness/scan.ts";
import { filesBelow } from "../house/project.ts";
import { readText } from "../read.ts";

const gate = suite("the gate is static");

const running = new RegExp(
  [
    String
      .raw`\b(?:child_process|spawn\w*|fork|exec|execFile\w*|execSync|eval|Function|Worker)\s*\(`,
    String.raw`\b(?:vm|child_process|worker_threads|createRequire|process|Deno|Bun)\b`,
  ].join("|"),
  "g",
);
const modules = /^(?:node:)?(?:child_process|cluster|module|process|repl|vm|worker_threads)$/;

function waysToRun(source: string): string[] {
  const { code, uncommented } = scan(source);
  const named = [...code.matchAll(running)].map(([found]) => found);
  const unnamed = uncommented.match(/\bimport\s*\(\s*[^"'\s]/g) ?? [];
  return [
    ...named,
    ...unnamed,
    ...importsOf(source).filter((specifier) => modules.test(specifier)),
  ];
}

gate("no source of it spawns, evaluates or imports what it does not name", async () => {
  const files = (await filesBelow("src", ".ts")).filter((file) =>
    file.startsWith("src/gate/") || /\/(?:gate|gate_\w+|listing)\.ts$/.test(file)
  );
  assert.ok(files.includes("src/gate/refuse.ts") && files.includes("src/node/listing.ts"));
  const found = await Promise.all(
    files.map(async (file) => [file, waysToRun(await readText(file))]),
  );
  assert.equal(found.filter(([, ways]) => ways?.length !== 0), []);
});

gate("there is no file of a child, a fence or a preload", async () => {
  const files = await filesBelow("src", ".ts");
  assert.equal(files.filter((file) => /preload|fence|gate[-_]child/.test(file)), []);
});

gate("the rule finds what it is meant to find", () => {
  const guilty = [
    'import { spawnSync } from "node:child_process";',
    'import vm from "vm";',
    "spawnSync (command)",
    "new Function(text)",
    "await import(path)",
    "eval(text)",
    "new Worker(url)",
    "Deno.Command",
  ];
  for (const line of guilty) assert.ok(waysToRun(line).length > 0, line);
  const innocent = [
    '{ rule: "process_spawn", pattern: /child_process/ }',
    'await import("./a.ts")',
  ];
  for (const line of innocent) assert.equal(waysToRun(line), [], line);
});

gate.run();
