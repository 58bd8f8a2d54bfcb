/**
 * The documents tell the truth: snippets in README.md and docs/guide/ run, examples in the comments of
 * the sources too, and docs/errors.md has one row for every code and none besides.
 *
 * A fence ` ```ts ` or ` ```js ` is a whole program, run in a fresh folder with `affidavit` mapped
 * to the sources. ` ```ts ignore ` is left out and needs `<!-- not run: REASON -->` on the line
 * before it. Fences of other languages, ` ```sh ` among them, are not run.
 *
 * @module
 */
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { scan } from "../harness/scan.ts";
import { RECORD_CODES } from "../../src/record/codes.ts";
import { readText } from "../read.ts";
import { filesBelow, readDenoConfig, root, runFile } from "./project.ts";

interface Fence {
  /** Document and line, for messages. */
  place: string;
  /** What stands after the backticks. */
  info: string;
  /** The line before the fence. */
  before: string;
  body: string;
}

async function fences(): Promise<Fence[]> {
  const found: Fence[] = [];
  for (const file of ["README.md", ...await filesBelow("docs/guide", ".md")]) {
    found.push(...fencesOf(file, await readText(file)));
  }
  return found.filter(({ info }) => /^(?:ts|js|typescript|javascript)\b/.test(info));
}

function fencesOf(file: string, text: string): Fence[] {
  const found: Fence[] = [];
  let open: Fence | undefined;
  let before = "";
  for (const [index, line] of text.split("\n").entries()) {
    if (open === undefined && line.startsWith("```")) {
      open = { place: `${file}:${index + 1}`, info: line.slice(3), before, body: "" };
    } else if (open !== undefined && line === "```") {
      found.push(open);
      open = undefined;
    } else if (open !== undefined) open.body += `${line}\n`;
    before = line;
  }
  if (open !== undefined) throw new Error(`${open.place}: the fence is never closed`);
  return found;
}

const isIgnored = ({ info }: Fence): boolean => /\bignore\b/.test(info);

/** The snippet with `affidavit` and its subpaths pointing at the sources. */
async function mapped(body: string): Promise<string> {
  const { exports } = await readDenoConfig();
  return body.replace(
    /((?:\bfrom|\bimport)\s*\(?\s*)["'](?:@affidavit\/)?affidavit(\/[\w-]+)?["']/g,
    (_, start: string, subpath = "") => {
      const source = exports[`.${subpath}`];
      if (source === undefined) throw new Error(`affidavit${subpath} is not exported`);
      return `${start}"${pathToFileURL(join(root, source))}"`;
    },
  );
}

/** What went wrong in a snippet, empty when it ran. */
async function problemOf({ place, body }: Fence): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "affidavit-docs-"));
  try {
    const file = join(folder, "snippet.mts");
    await writeFile(file, await mapped(body));
    const { status, stderr } = await runFile(file, [], { cwd: folder });
    return status === 0 ? "" : `${place}: exit status ${status}\n${stderr}`;
  } catch (error) {
    return `${place}: ${String(error)}`;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const snippets = suite("snippets in the documents");

snippets("every program in README.md and docs/guide/ runs", async () => {
  const programs = (await fences()).filter((fence) => !isIgnored(fence));
  const problems: string[] = [];
  for (const fence of programs) problems.push(await problemOf(fence));
  assert.equal(problems.filter((problem) => problem !== ""), []);
  assert.ok(programs.some(({ place }) => place.startsWith("README.md")), "README.md has none");
});

snippets("a snippet that is not run says why", async () => {
  const silent = (await fences()).filter(isIgnored).filter(({ before }) =>
    !/^<!-- not run: \S.* -->$/.test(before)
  );
  assert.equal(silent.map(({ place }) => place), []);
});

snippets("every example in the comments of the sources runs", async () => {
  const folder = await mkdtemp(join(tmpdir(), "affidavit-examples-"));
  try {
    const steps: string[] = [];
    for (const [index, { place, body }] of (await examples()).entries()) {
      const own = join(folder, String(index));
      await mkdir(own);
      await writeFile(join(own, "example.mts"), await mapped(body));
      steps.push(`place = ${JSON.stringify(place)};`, `process.chdir(${JSON.stringify(own)});`);
      steps.push(`await import(${JSON.stringify(pathToFileURL(join(own, "example.mts")).href)});`);
    }
    assert.ok(steps.length > 3 * 20, `${steps.length / 3} examples`);
    const program = `import process from "node:process";
let place = "";
process.on("exit", (status) => status === 0 || console.error(place));
${steps.join("\n")}
`;
    await writeFile(join(folder, "all.mts"), program);
    const { status, stderr } = await runFile(join(folder, "all.mts"), [], { cwd: folder });
    assert.equal({ status, stderr }, { status: 0, stderr: "" });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

/** Programs in comments of the sources. */
async function examples(): Promise<Fence[]> {
  const found: Fence[] = [];
  for (const file of await filesBelow("src", ".ts")) {
    const comments = (await readText(file)).split("\n").map((line) =>
      /^\s*\*(?: |$)(.*)$/.exec(line)?.[1] ?? ""
    );
    found.push(...fencesOf(file, comments.join("\n")));
  }
  return found.filter(({ info }) => info === "ts");
}

snippets.run();

const codes = suite("codes in docs/errors.md");

/** Codes of every `codes.ts`: exported lists of codes, and records whose keys are codes. */
async function listedCodes(): Promise<string[]> {
  const found: string[] = [];
  for (const file of await filesBelow("src", "/codes.ts")) {
    const module: Record<string, unknown> = await import(pathToFileURL(root + file).href);
    for (const value of Object.values(module)) {
      if (Array.isArray(value)) found.push(...value);
      else if (typeof value === "object" && value !== null) found.push(...Object.keys(value));
    }
  }
  return found;
}

/** Codes of exported unions that are spelled out: `export type JsonCode = "json.syntax" | …;`. */
async function unionCodes(): Promise<string[]> {
  const found: string[] = [];
  for (const file of await filesBelow("src", ".ts")) {
    for (
      const [, union = ""] of scan(await readText(file)).uncommented.matchAll(
        /\btype \w*Code =([^;]*);/g,
      )
    ) {
      for (const [, code = ""] of union.matchAll(/"([^"]+)"/g)) found.push(code);
    }
  }
  return found;
}

/** Codes that an error is made with: `new EvidenceError("canonical.no_text", …)`. */
async function thrownCodes(): Promise<string[]> {
  const found: string[] = [];
  for (const file of await filesBelow("src", ".ts")) {
    const made = scan(await readText(file)).uncommented.matchAll(/Error\(\s*"(\w+\.\w+)"/g);
    for (const [, code = ""] of made) found.push(code);
  }
  return found;
}

codes("every code of the sources has one row, and every row is a code", async () => {
  const rows = (await readText("docs/errors.md")).matchAll(/^\|\s*`([^`]+)`\s*\|/gm);
  const documented = [...rows].map(([, code]) => code ?? "").sort();
  const found = await Promise.all([listedCodes(), unionCodes(), thrownCodes()]);
  const wanted = new Set(found.flat());
  assert.equal(documented, [...wanted].sort());
});

codes("the rows of records say what the library says", async () => {
  const rows = (await readText("docs/errors.md")).matchAll(/^\| `(record\.[a-z_]+)` \| (.+) \|$/gm);
  const documented = [...rows].map(([, code, row = ""]) => [code, row.replaceAll("`", "")]);
  const said = Object.entries(RECORD_CODES);
  assert.equal(documented.map(String).sort(), said.map(String).sort());
});

codes("every code is in one area only", async () => {
  const all = await listedCodes();
  const twice = all.filter((code, index) => all.indexOf(code) !== index);
  assert.equal(twice, []);
});

codes.run();
