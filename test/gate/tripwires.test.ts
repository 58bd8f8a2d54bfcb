import { suite } from "uvu";
import * as assert from "uvu/assert";
import { scanTripwires, TRIPWIRES } from "../../src/gate/mod.ts";
import type { Tripwire } from "../../src/gate/mod.ts";
import { seeded } from "../lib/random.ts";
import { file, variantOf } from "./files.ts";

const tripwires = suite("scanTripwires()");

/** The hits of a text as `rule line`. */
async function hitsOf(text: string, options?: Parameters<typeof scanTripwires>[1]) {
  const hits = scanTripwires(await variantOf(file("run.js", text)), options);
  return hits.map(({ rule, line }) => `${rule} ${line}`);
}

tripwires("lists a hit for each rule entry and line, by file, line and rule", async () => {
  const text = "taskset; fetch(require('net'))\nfetch(1); fetch(2)\n";
  const variant = await variantOf(file("run.js", text), file("a.sh", "--no-sandbox"));
  const hit = (file: string, line: number, rule: string) => ({ variant: "v", rule, file, line });
  assert.equal(scanTripwires(variant), [
    hit("a.sh", 1, "sandbox_weakening"),
    hit("run.js", 1, "hidden_network"),
    hit("run.js", 1, "hidden_network"),
    hit("run.js", 1, "checker_probe"),
    hit("run.js", 2, "hidden_network"),
  ]);
});

tripwires("lines end at LF and CR LF, and nowhere else", async () => {
  assert.equal(await hitsOf("..\r\n'../x\r../y\u2028fetch(\n\r\r\n\nfetch("), [
    ...["hidden_network 2", "parent_escape 2", "hidden_network 5"],
  ]);
  const rows: string[] = [];
  const pattern = { test: (line: string) => rows.push(line) > 0 };
  await hitsOf("a\r\n\r\r\nb\rc\n", { tripwires: [{ rule: "all", pattern }] });
  assert.equal(rows.slice(0, 4), ["a", "\r", "b\rc", ""]);
});

tripwires("lines are those of a split for 2,000 random texts", async () => {
  const random = seeded(3);
  const empty = await variantOf(file("run.js"));
  for (let run = 0; run < 2000; run++) {
    const text = Array.from({ length: random.below(9) }, () => random.pick("\r\n\nab")).join("");
    const lines: string[] = [];
    const pattern = { test: (line: string) => lines.push(line) < 0 };
    const variant = { ...empty, files: [file("run.js", text)] };
    scanTripwires(variant, { tripwires: [{ rule: "all", pattern }] });
    if (lines.join("|") !== text.split(/\r?\n/).join("|")) {
      assert.equal(lines, text.split(/\r?\n/), JSON.stringify(text));
    }
  }
});

tripwires(
  "only names that end in .js .cjs .mjs .json .sh are scanned, whatever their case",
  async () => {
    const names = [
      "x.js",
      "x.cjs",
      "x.mjs",
      "x.json",
      "x.sh",
      ".js",
      "x.JS",
      "x.ts",
      "js",
      "x.jsx",
    ];
    const variant = await variantOf(...names.map((name) => file(name, "fetch(")));
    assert.equal(scanTripwires(variant).map(({ file }) => file).sort(), [
      ...[".js", "x.cjs", "x.js", "x.json", "x.mjs", "x.sh"],
    ]);
  },
);

tripwires("a class above the ceiling is told first, and every ceiling below it", async () => {
  const variant = { ...await variantOf(file("run.js", "fetch(")), effect_class: "SE2" as const };
  const expansion = (ceiling: string) => ({
    variant: "v",
    rule: "effect_class_expansion",
    file: "variant.json",
    line: 1,
    detail: `SE2 exceeds ${ceiling}`,
  });
  const network = { variant: "v", rule: "hidden_network", file: "run.js", line: 1 };
  assert.equal(scanTripwires(variant), [expansion("SE1"), network]);
  assert.equal(scanTripwires(variant, { maxEffectClass: "SE2" }), [network]);
  const options = { maxEffectClass: "SE0", tripwires: [] } as const;
  assert.equal(scanTripwires(variant, options), [expansion("SE0")]);
});

/** The rules of the page, written down a second time. */
const RULES: [rule: string, hits: string[], misses: string[]][] = [
  [
    "hidden_network",
    ["http", "https", "net", "tls", "dgram", "dns", "http2"].flatMap((name) => [
      `require('${name}')`,
      `require( \u00a0"node:${name}"\t)`,
    ]),
    ["require('fs')", "require(`net`)", "require('net'", "require ('net')", "require('net ')"],
  ],
  ["hidden_network", ["fetch(", "a.fetch \u3000("], ["prefetch(", "fetch", "fetch.(", "Fetch("]],
  [
    "process_spawn",
    ["require('child_process')", 'require("node:child_process" )'],
    ["import 'child_process'", "require('child_process/x')"],
  ],
  [
    "sandbox_weakening",
    ["Module._load", "--no-sandbox", "NODE_OPTIONS", "effect-fence", "ECC_EFFECT_FENCE_X"],
    ["Module_load", "Module-_load", "no-sandbox", "node_options"],
  ],
  [
    "checker_probe",
    ["tasksets", "expected_output", ".gate-marker", "gate-receipt", "ECC_GATE_X"],
    ["gate-marker", "expected", "ECC_GAT"],
  ],
  [
    "parent_escape",
    ["../", "..\\", "'..'", '(".."', "`..`", "-../x"],
    ["a../", "_../", ".../", "..", "..x"],
  ],
];

tripwires("each rule entry finds its texts, and not those next to them", () => {
  assert.equal(TRIPWIRES.map(({ rule }) => rule), RULES.map(([rule]) => rule));
  for (const [index, [, hits, misses]] of RULES.entries()) {
    const { pattern } = TRIPWIRES[index] as Tripwire;
    assert.equal(hits.filter((text) => !pattern.test(text)), []);
    assert.equal(misses.filter((text) => pattern.test(text)), []);
  }
});

const LONG = 1 << 20;
const filled = (start: string, part: string, end = ""): string =>
  start + part.repeat(Math.ceil(LONG / part.length)) + end;

/** A line of a mebibyte each, on which a pattern that starts over again and again would take minutes. */
const HOSTILE: Record<string, string> = {
  "require(": filled("", "require("),
  "require( and blanks": filled("require(", " "),
  "require( and blanks again": filled("", `require(${" ".repeat(999)}`),
  "a module and blanks": filled("require('net'", " "),
  "a module and blanks again": filled("", `require('child_process'${" ".repeat(999)}`),
  "a module without an end": filled("", "require('net' "),
  "node: again": filled("", "require('node:"),
  "fetch": filled("", "fetch"),
  "fetch and blanks": filled("fetch", " "),
  "fetch and blanks again": filled("", `fetch${" ".repeat(999)}`),
  "dots": filled("", "."),
  "two dots": filled("", "x.."),
  "dashes": filled("", "--no-sandbo"),
  "carriage returns": filled("", "\r"),
  "halves of words": filled("", "tasksexpected_outpugate-receipECC_GATENODE_OPTION"),
  "blanks": filled("", " "),
};

tripwires("scanTripwires() comes to an end on a mebibyte of every hostile shape", async () => {
  for (const [name, text] of Object.entries(HOSTILE)) {
    assert.equal(await hitsOf(text), [], name);
    assert.equal(await hitsOf(`${text}\n`.repeat(2)), [], name);
  }
  assert.equal(await hitsOf(filled("", "\n", "fetch(")), [`hidden_network ${LONG + 1}`]);
});

tripwires.run();
