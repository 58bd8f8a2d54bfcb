/**
 * `npm run test:public -- DIR`: runs the public suites in a folder (JSONTestSuite, JCS, Wycheproof, CCTV) in Node, Deno,
 * Bun and Chromium and compares every verdict with the committed table test/public/verdicts.json. `--write` writes the
 * table from Node's verdicts, to be read before it is committed.
 *
 * @module
 */
import { spawn } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { build } from "esbuild";
import { chromium } from "playwright-core";
import type { Files, Table } from "../test/public/judge.ts";
import { root } from "./child.ts";
import { findChromium } from "./chromium.ts";

type Verdicts = Record<string, Table>;

const tablePath = `${root}test/public/verdicts.json`;
const folders = [
  "json-test-suite/test_parsing",
  "json-test-suite/test_transform",
  "jcs",
  "wycheproof",
  "cctv",
];
const commands: Record<string, string[]> = {
  node: [process.execPath, "--import", "tsx", "test/public/main.ts"],
  deno: [`${root}node_modules/.bin/deno`, "run", "-A", "test/public/main.ts"],
  bun: [`${root}node_modules/.bin/bun`, "test/public/main.ts"],
};

const [directory, option] = process.argv.slice(2);
if (directory === undefined || (option !== undefined && option !== "--write")) {
  console.error("usage: npm run test:public -- DIR [--write]");
  process.exit(2);
}
const files = readFiles(directory);
if (option === "--write") {
  const verdicts = await judgeInProcess(commands["node"] ?? [], files);
  writeFileSync(tablePath, `${JSON.stringify(verdicts, null, 1)}\n`);
}
const expected = JSON.parse(readFileSync(tablePath, "utf8")) as Verdicts;
const totals = { passed: 0, failed: 0, skipped: 0 };
report("table", demands(expected));
for (const [runtime, command] of Object.entries(commands)) {
  report(runtime, differences(expected, await judgeInProcess(command, files)), count(expected));
}
const executablePath = findChromium();
if (executablePath === undefined) {
  console.log("chromium: missing");
  totals[process.env["CI"] ? "failed" : "skipped"]++;
} else {
  report(
    "chromium",
    differences(expected, await judgeInChromium(executablePath, files)),
    count(expected),
  );
}
console.log(`${totals.passed} passed, ${totals.failed} failed, ${totals.skipped} skipped`);
process.exitCode = totals.failed > 0 ? 1 : 0;

function readFiles(folder: string): Files {
  const paths = folders.flatMap((name) =>
    readdirSync(join(folder, name), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  );
  return Object.fromEntries(
    paths.map((
      path,
    ) => [path.slice(join(folder, "/").length), readFileSync(path).toString("base64")]),
  );
}

/** What the suites themselves demand of the table, whatever we decided elsewhere. */
function demands(table: Verdicts): string[] {
  const each = (suite: string, demand: (name: string, verdict: string) => boolean): string[] =>
    Object.entries(table[suite] ?? {}).filter(([name, verdict]) => !demand(name, verdict))
      .map(([name, verdict]) => `${suite} ${name}: ${verdict}`);
  const numbers = "49415fee2c56c77864931bd3624faad425c3c577d6d74e89a83bc725506dad16"; // published with the suite
  return [
    ...each(
      "json-parsing",
      (name, verdict) =>
        name.startsWith("i_") || verdict.startsWith("accepted") === name.startsWith("y_"),
    ),
    ...each("jcs-pairs", (_, verdict) => verdict === "equal"),
    ...each("jcs-numbers", (name, verdict) => name !== "1000000 lines" || verdict === numbers),
    ...each("wycheproof", (_, verdict) => verdict === "valid" || verdict === "invalid"),
    ...each("cctv", (_, verdict) => verdict !== "weak key, valid"),
  ];
}

function differences(wanted: Verdicts, found: Verdicts): string[] {
  const suites = [...new Set([...Object.keys(wanted), ...Object.keys(found)])];
  return suites.flatMap((suite) => {
    const [a, b] = [wanted[suite] ?? {}, found[suite] ?? {}];
    return [...new Set([...Object.keys(a), ...Object.keys(b)])].filter((name) =>
      a[name] !== b[name]
    )
      .map((name) => `${suite} ${name}: expected ${a[name]}, found ${b[name]}`);
  });
}

function count(table: Verdicts): number {
  return Object.values(table).reduce((sum, suite) => sum + Object.keys(suite).length, 0);
}

function report(what: string, faults: readonly string[], total = 1): void {
  for (const fault of faults) console.log(`  ${fault}`);
  console.log(
    `${what}: ${
      faults.length === 0 ? `${total} as expected` : `${faults.length} of ${total} differ`
    }`,
  );
  totals.failed += Math.min(faults.length, total);
  totals.passed += Math.max(total - faults.length, 0);
}

async function judgeInProcess(
  [command = "", ...args]: readonly string[],
  input: Files,
): Promise<Verdicts> {
  const child = spawn(command, args, { cwd: root, stdio: ["pipe", "pipe", "inherit"] });
  child.stdin.on("error", () => undefined); // a child that died shows in its exit code
  child.stdin.end(JSON.stringify(input));
  let output = "";
  for await (const piece of child.stdout.setEncoding("utf8")) output += String(piece);
  return JSON.parse(output) as Verdicts;
}

async function judgeInChromium(path: string, input: Files): Promise<Verdicts> {
  const { outputFiles } = await build({
    absWorkingDir: root,
    stdin: {
      contents: 'import { judge } from "./test/public/judge.ts"; globalThis.judge = judge;',
      resolveDir: root,
    },
    bundle: true,
    write: false,
    format: "iife",
    platform: "browser",
  });
  const browser = await chromium.launch({
    executablePath: path,
    args: ["--no-sandbox", "--disable-gpu"],
  });
  try {
    const page = await browser.newPage();
    // WebCrypto wants a secure context, which localhost is; nothing listens there: the answer is made here.
    await page.route(
      "**/*",
      (route) => route.fulfill({ contentType: "text/html", body: "<!doctype html>" }),
    );
    await page.goto("http://localhost/");
    await page.addScriptTag({ content: outputFiles[0]?.text ?? "" });
    return await page.evaluate(
      (data) =>
        (globalThis as unknown as { judge: (files: Files) => Promise<Verdicts> }).judge(data),
      input,
    );
  } finally {
    await browser.close();
  }
}
