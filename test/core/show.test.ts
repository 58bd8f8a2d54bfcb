import { suite } from "uvu";
import * as assert from "uvu/assert";
import { escapeText } from "../../src/core/mod.ts";

const show = suite("escapeText()");

const hostile = "a\x1b[31m\r\n\x07\x7f\x9b\u202e\u2066\u200b\ufeff\u2028\ud800b";
const harmless = "é 漢 😀 \\ \" '";

show("escapeText() leaves nothing that steers a terminal or reorders a line", () => {
  assert.is(
    escapeText(hostile),
    "a\\u{1b}[31m\\u{d}\\u{a}\\u{7}\\u{7f}\\u{9b}\\u{202e}\\u{2066}\\u{200b}\\u{feff}\\u{2028}\\u{d800}b",
  );
  assert.is(escapeText(harmless), harmless);
});

show.run();
