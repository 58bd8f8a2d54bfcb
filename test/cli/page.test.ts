import { readdir, readFile, writeFile } from "node:fs/promises";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { nativeSha256 } from "../../src/node/mod.ts";
import { inDirectory, type } from "./terminal.ts";

const page = suite("affidavit page");

page("in a clone the page is built and written, and its digest is printed", async () => {
  await inDirectory(async (at) => {
    const { exit, stdout, stderr } = await type(["page", "--out", at("verify.html"), "--json"]);
    assert.equal([exit, stderr], [0, ""]);
    const bytes = await readFile(at("verify.html"));
    assert.match(bytes.toString("utf8"), /^<!doctype html>\n[^]*<\/html>\n$/);
    assert.equal(JSON.parse(stdout), {
      file: at("verify.html"),
      bytes: bytes.length,
      sha256: nativeSha256().digest(bytes),
    });
    assert.equal(await readdir(at("")), ["verify.html"]);
  });
});

page("a place that cannot be written is refused with the system's code", async () => {
  await inDirectory(async (at) => {
    await writeFile(at("file"), "");
    const { exit, stdout, stderr } = await type(["page", "--out", at("file/verify.html")]);
    assert.equal([exit, stdout], [1, ""]);
    assert.match(stderr, /^affidavit: E[A-Z]+: /);
  });
});

page.run();
