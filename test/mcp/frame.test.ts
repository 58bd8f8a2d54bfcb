import { suite } from "uvu";
import * as assert from "uvu/assert";
import { Framer, withLineFeed } from "../../src/mcp/mod.ts";

const encoder = new TextEncoder();

/** The lines of some bytes, fed in pieces of a size, and how the last push went. */
function split(bytes: Uint8Array, size: number, maxBytes = 64): { lines: string[]; ok: boolean } {
  const lines: string[] = [];
  const framer = new Framer(maxBytes, (line) => {
    lines.push(new TextDecoder().decode(line));
    return true;
  });
  let ok = true;
  for (let at = 0; at < bytes.length && ok; at += size) {
    ok = framer.push(bytes.slice(at, at + size));
  }
  return { lines, ok };
}

function thrown(message: string): never {
  throw new Error(message);
}

const frame = suite("Framer");

frame("gives the same lines however the bytes are cut, characters and line ends too", () => {
  const text = 'one\r\n\n\r\nzwölf \u2028 "€"\n\rtwo\r\r\n  \nrest';
  const bytes = encoder.encode(text);
  const expected = { lines: ["one", 'zwölf \u2028 "€"', "\rtwo\r", "  "], ok: true };
  for (let size = 1; size <= bytes.length; size++) {
    assert.equal(split(bytes, size), expected, `${size}`);
  }
});

frame("takes a line of exactly the bound and refuses one byte more, finished or not", () => {
  const most = encoder.encode(`${"x".repeat(64)}\n`);
  const over = encoder.encode("y".repeat(65));
  for (const size of [1, 7, 64, 65, 1000]) {
    assert.equal(split(most, size), { lines: ["x".repeat(64)], ok: true }, `${size}`);
    assert.equal(split(over, size), { lines: [], ok: false }, `${size}`);
    const both = new Uint8Array([...most, ...over, 0x0a]);
    assert.equal(split(both, size), { lines: ["x".repeat(64)], ok: false }, `${size}`);
  }
});

frame("gives the line with its carriage return besides", () => {
  const lines: string[][] = [];
  const framer = new Framer(64, (...parts) => {
    lines.push(parts.map((part) => new TextDecoder().decode(part)));
    return true;
  });
  for (const text of ["a\r\nb", "b\n\r\nc\r", "\r\n"]) framer.push(encoder.encode(text));
  assert.equal(lines, [["a", "a\r"], ["bb", "bb"], ["c\r", "c\r\r"]]);
});

frame("counts a carriage return towards the bound", () => {
  const bytes = encoder.encode(`${"x".repeat(64)}\r\n`);
  for (const size of [1, 65, 100]) assert.equal(split(bytes, size), { lines: [], ok: false });
});

frame("takes nothing more once its user or the bound has stopped it", () => {
  const lines: number[] = [];
  const once = new Framer(8, (line) => {
    lines.push(line.length);
    return false;
  });
  assert.is(once.push(encoder.encode("a\nbb\n")), true);
  assert.is(once.push(encoder.encode("ccc\n")), true);
  assert.equal(lines, [1]);
  const stopped = new Framer(8, () => thrown("a line came"));
  assert.is(stopped.push(encoder.encode("123456789")), false);
  assert.is(stopped.pending, 0);
  stopped.push(encoder.encode("\nx\n"));
  const told = new Framer(8, () => thrown("a line came"));
  told.push(encoder.encode("12"));
  assert.is(told.pending, 2);
  told.stop();
  told.push(encoder.encode("3\n"));
  assert.is(told.pending, 0);
});

frame("may be stopped by the very line it gives", () => {
  const lines: number[] = [];
  const framer: Framer = new Framer(8, (line) => {
    lines.push(line.length);
    framer.stop();
    return true;
  });
  framer.push(encoder.encode("a\nbb\n"));
  assert.equal(lines, [1]);
});

frame("withLineFeed() gives the bytes of a line and its end", () => {
  assert.equal([...withLineFeed(encoder.encode("a\r"))], [0x61, 0x0d, 0x0a]);
});

frame.run();
