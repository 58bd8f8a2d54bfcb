import { suite } from "uvu";
import * as assert from "uvu/assert";
import { encodeUtf8 } from "../../src/core/mod.ts";
import { caseFolder, readTable } from "../../src/deliverable/fold.ts";
import { sha256 } from "./sample.ts";

const folding = suite("caseFolder()");
const fold = caseFolder();

const hex = (text: string): string =>
  Array.from(text, (character) => character.codePointAt(0)!.toString(16)).join(" ");

folding("has exactly the C and F rows of CaseFolding.txt, Unicode 16.0.0", () => {
  const rows = [...readTable()].map(([from, to]): [number, string] => {
    return [from.codePointAt(0)!, `${hex(from)}; ${hex(to)}\n`];
  });
  const text = rows.sort(([a], [b]) => a - b).map(([, row]) => row).join("");
  assert.is(rows.length, 1453 + 104);
  // Taken of the rows of the published file, in the same form, by another program.
  const published = "8acb2b3c10f9633751afbbf920d401bff0a9cd4ba2d752183a62932ba3ecba42";
  assert.is(sha256.digest(encodeUtf8(text)), published);
});

folding("folds texts fully, and leaves what no row names", () => {
  const rows: [text: string, folded: string][] = [
    ["Straße/ſK\u212a\u00b5ς", "strasse/skk\u03bcσ"],
    ["\ufb03\u1e9e", "ffiss"],
    ["\u0130\u0131iI", "i\u0307\u0131ii"],
    ["\uab70\u13a0\u13f8", "\u13a0\u13a0\u13f0"],
    ["\u{10d50}\u{10d70}\u1c89", "\u{10d70}\u{10d70}\u1c8a"],
    ["A\ud800Z\0", "a\ud800z\0"],
    ["", ""],
  ];
  for (const [text, folded] of rows) assert.is(fold(text), folded);
});

folding(
  "makes each letter of the table the same as its upper and then lower case in the engine",
  () => {
    const differing: string[] = [];
    for (let point = 0; point <= 0x10ffff; point++) {
      if (point >= 0xd800 && point < 0xe000) continue;
      const text = String.fromCodePoint(point);
      const bare = text.toUpperCase().toLowerCase();
      // A letter that came after 16.0.0 has no row, and the engine may know it.
      if (fold(bare) !== fold(text) && fold(text) !== text) differing.push(hex(text));
    }
    assert.equal(differing, []);
    assert.is(fold("\u0131"), "\u0131");
  },
);

folding("gives a text that folds to itself", () => {
  for (const [from, to] of readTable()) assert.is(fold(to), to, hex(from));
});

folding.run();
