/**
 * Who may import whom, and which names pure code may not utter: time, randomness, timers, files
 * and output reach it as arguments or through a port.
 *
 * @module
 */
import { posix } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { importsOf, scan } from "../harness/scan.ts";
import { readText } from "../read.ts";
import { filesBelow } from "./project.ts";

const foundation = ["core", "hash", "canonical", "ports"];
const records = ["record", "deliverable", "evaluation", "score", "identity", "reader"];
const pure = [
  ...foundation,
  ...records,
  "signature",
  "capsule",
  "receipt",
  "gate",
  "retrospective",
  "store",
  "replay",
  "mcp",
  "recording",
  "conformance",
];

/** The areas that each area may import, besides itself. A new area needs its line here. */
const mayImport: Record<string, string[]> = {
  core: [],
  hash: ["core"],
  ports: ["core", "hash"],
  canonical: ["core", "hash"],
  capsule: foundation,
  signature: ["core", "hash", "canonical"],
  receipt: [...foundation, "capsule", "signature"],
  record: foundation,
  deliverable: [...foundation, "record"],
  evaluation: [...foundation, "signature", "record", "deliverable"],
  score: [...foundation, "record", "evaluation"],
  identity: [...foundation, "record"],
  reader: [...foundation, "record", "identity"],
  gate: [...foundation, "capsule"],
  retrospective: [...foundation, "capsule"],
  store: [...foundation, "capsule", "receipt"],
  replay: [...foundation, "capsule", "store"],
  mcp: foundation,
  recording: [...foundation, "capsule", "store", "replay", "mcp"],
  conformance: pure,
  schema: [...foundation, "capsule", "receipt", "conformance"],
  "mod.ts": pure,
  node: pure,
  web: pure,
  cli: [...pure, "node"],
};

/** Where a package may be imported: a file, or a folder with a final slash. */
const packages: Record<string, string> = {
  "hash-wasm": "src/hash/wasm.ts",
  "valibot": "src/schema/",
  "yaml": "src/core/yaml.ts",
};

const globals = [
  ...["process", "Deno", "Bun", "Buffer", "console", "performance", "fetch"],
  ...["setTimeout", "setInterval", "setImmediate", "queueMicrotask", "require"],
].join("|");

const forbidden: Record<string, RegExp> = {
  "a global of some runtime": new RegExp(
    `(?<![.\\w$#]|globalThis\\.\\w*)(?:${globals})(?![\\w$]|\\??:)|globalThis\\.(?:${globals})\\b`,
    "g",
  ),
  "the current time": /(?<![.\w$])Date\s*\.\s*now\b|\bnew\s+Date\s*(?:\(\s*\)|(?![\s(\w]))/g,
  "randomness": /\bMath\s*\.\s*random\b|\bcrypto\s*\.\s*(?:getRandomValues|randomUUID)\b/g,
};

interface Source {
  file: string;
  area: string;
  text: string;
}

async function sources(): Promise<Source[]> {
  const files = ["mod.ts", ...await filesBelow("src", ".ts")];
  return await Promise.all(files.map(async (file) => {
    return { file, area: areaOf(file), text: await readText(file) };
  }));
}

function areaOf(file: string): string {
  return file === "mod.ts" ? file : file.split("/")[1] ?? "";
}

async function faults(rule: (source: Source) => string[]): Promise<string[]> {
  const found = (await sources()).map((source) =>
    rule(source).map((fault) => `${source.file}: ${fault}`)
  );
  return found.flat();
}

const isRelative = (specifier: string): boolean => specifier.startsWith(".");
const isPure = (area: string): boolean => !["node", "web", "cli"].includes(area);

function badRelative({ file, area, text }: Source): string[] {
  return importsOf(text).filter(isRelative).flatMap((specifier) => {
    const target = posix.join(posix.dirname(file), specifier);
    const to = areaOf(target);
    if (!specifier.endsWith(".ts")) return [`"${specifier}" does not end in .ts`];
    if (to === area) return [];
    if (!mayImport[area]?.includes(to)) return [`"${specifier}": ${area} may not import ${to}`];
    return target === `src/${to}/mod.ts` ? [] : [`"${specifier}" is not the area's mod.ts`];
  });
}

function badPackages({ file, area, text }: Source): string[] {
  return importsOf(text).filter((specifier) => !isRelative(specifier)).filter((specifier) => {
    if (specifier.startsWith("node:")) return isPure(area) || area === "web";
    const place = packages[specifier];
    return place === undefined || !(place.endsWith("/") ? file.startsWith(place) : file === place);
  }).map((specifier) => `may not import "${specifier}"`);
}

function badNames(text: string): string[] {
  const { code } = scan(text);
  return Object.entries(forbidden).flatMap(([what, pattern]) =>
    [...code.matchAll(pattern)].map((found) => {
      const line = code.slice(0, found.index).split("\n").length;
      return `line ${line}: ${what}, "${found[0].trim()}"`;
    })
  );
}

const boundaries = suite("boundaries");

boundaries("imports keep the direction of areas, enter by mod.ts and end in .ts", async () => {
  assert.equal(await faults(badRelative), []);
});

boundaries("packages and node: modules are imported only where they may be", async () => {
  assert.equal(await faults(badPackages), []);
});

boundaries("pure code names no runtime, clock, timer, randomness or console", async () => {
  assert.equal(await faults(({ area, text }) => isPure(area) ? badNames(text) : []), []);
});

boundaries("nothing is hashed as JSON.stringify spells it, outside canonical/", async () => {
  const spelled = /\b(?:digest|update|commit)\w*\s*\([^;{}]*\bJSON\s*\.\s*stringify\b/;
  const rule = ({ area, text }: Source): string[] =>
    area !== "canonical" && spelled.test(scan(text).code) ? ["serialises and hashes"] : [];
  assert.equal(await faults(rule), []);
});

boundaries("every area of the table that exists has a mod.ts", async () => {
  const files = (await sources()).map(({ file }) => file);
  const areas = new Set(files.map(areaOf).filter((area) => area !== "mod.ts" && area !== "web"));
  const without = [...areas].filter((area) => !files.includes(`src/${area}/mod.ts`));
  assert.equal(without, []);
});

boundaries("the names rule finds what it is meant to find", () => {
  const guilty = ["process.exit()", "new Date()", "x = new Date;", "Date.now()", "Math.random()"];
  guilty.push("setTimeout(f)", "globalThis.Deno", "[Buffer]", "fetch (x)", "crypto.randomUUID()");
  for (const line of guilty) assert.is(badNames(line).length, 1, line);
  const innocent = [
    "new Date(value)",
    "x.process",
    "// console",
    "'Deno'",
    "ByteBuffer",
    "#fetch()",
  ];
  innocent.push(
    "{ performance: 1 }",
    "f(x: Date)",
    "interface A { process?: string }",
    "preprocess",
  );
  for (const line of innocent) assert.equal(badNames(line), [], line);
});

boundaries.run();
