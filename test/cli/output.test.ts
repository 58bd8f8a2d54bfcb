import { writeFile } from "node:fs/promises";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { Output } from "../../src/cli/mod.ts";
import { formatJson } from "../../src/cli/output.ts";
import { withProgress } from "../../src/cli/progress.ts";
import { readPieces } from "../../src/core/mod.ts";
import { systemEnvironment } from "../../src/node/mod.ts";
import { createCapsule } from "../../src/node/mod.ts";
import { inDirectory, recordRun, type } from "./terminal.ts";

const output = suite("output");

const hostile = "a\x1b[31m\r\n\x07\x7f\x9b\u202e\u2066\u200b\ufeff\u2028\ud800b";
const harmless = "é 漢 😀 \\ \" '";

output("formatJson() is as safe, and parses to the same value", () => {
  const value = { [hostile]: [hostile, harmless, "\u{e0041}"] };
  const text = formatJson(value);
  assert.not.match(text.replaceAll("\n", ""), /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u);
  assert.equal(JSON.parse(text), value);
});

output("names from a capsule are shown escaped, to people and in JSON", async () => {
  await inDirectory(async (at) => {
    const options = { harness_version: "h\x1b[2J", task_family: "\u202etxt" };
    await createCapsule(at("run"), options, systemEnvironment());
    const argv = ["capsule", "project", at("run")];
    const { stdout } = await type(argv, { terminal: true });
    assert.match(stdout, /^harness +h\\u\{1b\}\[2J$/m);
    assert.match(stdout, /^task family +\\u\{202e\}txt$/m);
    const json = await type([...argv, "--json"], { terminal: true });
    assert.match(json.stdout, /"harness_version": "h\\u001b\[2J"/);
    assert.match(json.stdout, /"task_family": "\\u202etxt"/);
  });
});

output("colour is used only where it is welcome", async () => {
  await inDirectory(async (at) => {
    await recordRun(at("run"));
    const argv = ["capsule", "verify", at("run")];
    const coloured = await type(argv, { terminal: true, colour: true });
    const first = "\x1b[32mconsistent\x1b[0m, 3 entries, \x1b[33mtail not checked\x1b[0m";
    assert.is(coloured.stdout.split("\n")[0], first);
    const plain = await type(argv, { terminal: true });
    const withoutColour = coloured.stdout.split("\x1b").map((part) => part.replace(/^\[\d+m/, ""));
    assert.is(withoutColour.join(""), plain.stdout);
    assert.not((await type([...argv, "--json"], { colour: true })).stdout.includes("\x1b"));
  });
});

output("--json prints on a terminal what is printed to a pipe without it", async () => {
  await inDirectory(async (at) => {
    await recordRun(at("run"));
    const argv = ["capsule", "verify", at("run")];
    assert.equal(await type([...argv, "--json"], { terminal: true }), await type(argv));
  });
});

output("an error without a code is shown without one", async () => {
  const next = (): Promise<never> => Promise.reject(new Error("no input"));
  const failing = { [Symbol.asyncIterator]: () => ({ next }) };
  await inDirectory(async (at) => {
    await recordRun(at("run"));
    const argv = ["capsule", "append", at("run"), "-"];
    const { exit, stderr } = await type(argv, { stdin: failing });
    const message =
      "Line 1: The byte source failed while it was read; 0 entries before it were appended";
    assert.equal([exit, stderr], [1, `affidavit: ${message}\n`]);
  });
});

output.run();

const progress = suite("progress");

/** Reads a file of three pieces with a clock that goes on by 60 ms a look. */
async function draw(isTerminal: boolean, longBytes: number, stopAfter = 3): Promise<string[]> {
  const drawn: string[] = [];
  const stderr: Output = { write: (text) => void drawn.push(text), isTerminal };
  let time = 0;
  const options = { longBytes, now: () => time += 60 };
  const file = [new Uint8Array(1e6), new Uint8Array(2e6), new Uint8Array(1e6)];
  const input = withProgress(file, 4e6, stderr, options);
  if (input === null || "unreadable" in input) throw new Error("the file is gone");
  let seen = 0;
  for await (const piece of readPieces(input)) {
    assert.ok(piece.length > 0);
    if (++seen === stopAfter) break;
  }
  return drawn;
}

progress(
  "withProgress() draws on a terminal, not at every piece, and clears the line",
  async () => {
    assert.equal(await draw(true, 4e6), ["\r\x1b[Kreading: 3.0 of 4.0 MB", "\r\x1b[K"]);
  },
);

progress("withProgress() clears the line when reading stops early", async () => {
  assert.equal(await draw(true, 4e6, 2), ["\r\x1b[Kreading: 3.0 of 4.0 MB", "\r\x1b[K"]);
});

progress("withProgress() draws nothing without a terminal or for a small file", async () => {
  assert.equal(await draw(false, 4e6), []);
  assert.equal(await draw(true, 4e6 + 1), []);
});

progress("withProgress() hands on what cannot be read as it is", () => {
  const stderr: Output = { write: () => assert.unreachable(), isTerminal: true };
  const unreadable = { unreadable: "EACCES" };
  assert.is(withProgress(null, 0, stderr, { longBytes: 0 }), null);
  assert.is(withProgress(unreadable, 0, stderr, { longBytes: 0 }), unreadable);
});

progress(
  "verify of a large journal on a terminal leaves a clean line and the same verdict",
  async () => {
    await inDirectory(async (at) => {
      await recordRun(at("run"));
      await writeFile(at("run/journal.ndjson"), "\n".repeat(17 * 1024 * 1024));
      const { exit, stdout, stderr } = await type(["capsule", "verify", at("run")], {
        terminal: true,
      });
      assert.equal([exit, stdout], [
        ...[
          1,
          "refused: capsule.corrupt_entry at entry 0\n  Verifying the capsule: entry 0: it is not JSON\n",
        ],
      ]);
      const drawn = stderr.split("\r\x1b[K"); // how often is a matter of the machine's speed
      assert.ok(stderr === "" || drawn.length > 2);
      assert.equal([drawn.at(0), drawn.at(-1)], ["", ""]);
      for (const line of drawn.slice(1, -1)) assert.match(line, /^reading: [\d.]+ of 17\.8 MB$/);
    });
  },
);

progress.run();
