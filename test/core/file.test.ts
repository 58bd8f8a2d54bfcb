import { suite } from "uvu";
import * as assert from "uvu/assert";
import { type ByteSource, type FileInput, isUnreadable, readWhole } from "../../src/core/mod.ts";
import { bytesOf, sourcesOf } from "../lib/sample.ts";
import { describe, rejectionOf } from "../lib/thrown.ts";

const files = suite("readWhole()");

files("isUnreadable() knows the stand-in from bytes and from an absent file", () => {
  assert.is(isUnreadable({ unreadable: "it is a directory" }), true);
  for (const input of [null, new Uint8Array(), new Blob([]), [], undefined as unknown]) {
    assert.is(isUnreadable(input as FileInput), false);
  }
});

files("readWhole() gives all bytes of every shape of source", async () => {
  const bytes = bytesOf("some text");
  for (const [name, open] of Object.entries(sourcesOf(bytes, 2))) {
    const read = await readWhole(open(), 9);
    assert.is(read.ok, true, name);
    assert.equal(read.ok && [...read.value], [...bytes], name);
  }
});

files("readWhole() names what is absent, unreadable or too large", async () => {
  assert.equal(await readWhole(null, 5), { ok: false, code: "absent", reason: "absent" });
  assert.equal(await readWhole({ unreadable: "it is a directory" }, 5), {
    ok: false,
    code: "unreadable",
    reason: "unreadable: it is a directory",
  });
  for (const [name, open] of Object.entries(sourcesOf(bytesOf("some text"), 2))) {
    const expected = { ok: false, code: "too_large", reason: "larger than 8 bytes" };
    assert.equal(await readWhole(open(), 8), expected, name);
  }
});

files("readWhole() turns the failure of a source into a result, and throws misuse", async () => {
  const broken = (function* (): Generator<Uint8Array> {
    yield bytesOf("a");
    throw new Error("secret path");
  })();
  assert.equal(await readWhole(broken, 5), {
    ok: false,
    code: "unreadable",
    reason: "unreadable: reading failed",
  });
  const error = await rejectionOf(readWhole([1] as unknown as ByteSource, 5));
  const message = "A byte source must yield Uint8Array pieces";
  assert.equal(describe(error), { name: "TypeError", message });
});

files.run();
