/**
 * The file itself: small, the same each time, with nothing from elsewhere; and the list of these tests.
 *
 * @module
 */
import { readdir, readFile } from "node:fs/promises";
import { gzipSync } from "node:zlib";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { root } from "../../scripts/child.ts";
import { buildPage, MAX_GZIP_BYTES } from "../../scripts/page.ts";
import { faultsOf } from "../harness/lint.ts";

const file = suite("the file verify.html");

file("it is at most 60 kB after gzip, and the same sources give the same bytes", async () => {
  const html = await buildPage();
  const { length } = gzipSync(html, { level: 9 });
  console.log(`\nverify.html: ${html.length} bytes, ${length} after gzip`);
  assert.ok(length <= MAX_GZIP_BYTES, `${length} bytes`);
  assert.is(await buildPage(), html);
});

file(
  "it has everything in it: no address, no yaml, no markup parser, one script and one style",
  async () => {
    const html = await buildPage();
    const notice = "https://www.npmjs.com/package/hash-wasm"; // of a licence, which goes with the code
    assert.equal(html.match(/https?:[^\s)"'`]+/g), [notice]);
    assert.not.match(html, /\bsrc=|yaml|innerHTML|outerHTML|insertAdjacentHTML|document\.write/i);
    assert.equal(html.match(/<script|<style|<link/g), ["<link", "<style", "<script"]);
    const policy = /<meta http-equiv="Content-Security-Policy" content="([^"]+)">/.exec(html)?.[1];
    const names = policy?.split("; ").map((part) => part.replace(/sha256-[\w+/=]+/, "sha256"));
    assert.equal(names, [
      "default-src 'none'",
      "script-src 'sha256' 'wasm-unsafe-eval'",
      "style-src 'sha256'",
      "worker-src blob:",
      "img-src data:",
      "base-uri 'none'",
      "form-action 'none'",
    ]);
  },
);

file("every word of the page is in one table", async () => {
  const spoken: string[] = [];
  for (const name of await readdir(`${root}src/web`)) {
    if (!name.endsWith(".ts") || name === "words.ts") continue;
    const source = await readFile(`${root}src/web/${name}`, "utf8");
    const code = source.replace(/\/\*\*[^]*?\*\/|\/\/.*|new Error\([^)]*\)|super\([^)]*\)/g, "");
    for (const [text] of code.matchAll(/"[A-Z][a-z]+ [^"]*"/g)) spoken.push(`${name}: ${text}`);
  }
  assert.equal(spoken, []);
});

file("every end-to-end test on disk is in the list, and none is left out in silence", async () => {
  const index = await readFile(`${root}test/web/index.ts`, "utf8");
  const listed = [...index.matchAll(/"web\/(.+?)": \(\) => import\("\.\/(.+?)"\)/g)];
  for (const [, key, path] of listed) assert.is(path, key);
  const onDisk = (await readdir(`${root}test/web`)).filter((name) => name.endsWith(".e2e.ts"));
  assert.equal(listed.map(([, key]) => key), onDisk.sort());
  for (const name of onDisk) {
    assert.equal(faultsOf(await readFile(`${root}test/web/${name}`, "utf8")), [], name);
  }
});

file.run();
