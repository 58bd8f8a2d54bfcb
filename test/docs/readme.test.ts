/**
 * What README.md shows of the command's output is what the command prints, and its table of areas is
 * the package's.
 *
 * @module
 */
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { readDenoConfig, root, runFile } from "../house/project.ts";
import { readText } from "../read.ts";
import { section } from "./page.ts";

const readme = suite("README.md");

readme("every line of output that it quotes is told by the example", async () => {
  const quoted = /^```text\n([^]*?)^```$/m.exec(await readText("README.md"))?.[1] ?? "";
  const lines = quoted.split("\n").filter((line) => line !== "");
  const { status, stdout } = await runFile(`${root}src/cli/main.ts`, ["example"]);
  const told = new Set(stdout.split("\n").map((line) => line.trim()));
  assert.is(status, 0);
  assert.ok(lines.length > 0, "README.md quotes nothing");
  assert.equal(lines.filter((line) => !told.has(line)), []);
});

readme("the table of areas names every subpath that can be imported", async () => {
  const named = [...section(await readText("README.md"), "Areas").matchAll(/`affidavit\/(\w+)`/g)]
    .map(([, name]) => `./${name}`);
  const { exports } = await readDenoConfig();
  assert.equal(named.sort(), Object.keys(exports).filter((name) => name !== ".").sort());
});

readme.run();
