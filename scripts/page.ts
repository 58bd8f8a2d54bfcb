/**
 * Builds verify.html: one file with everything in it, which runs from a disk and may use no network. The same sources give
 * the same bytes.
 *
 *     node --import tsx scripts/page.ts > verify.html
 *
 * @module
 */
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { WORDS } from "../src/web/words.ts";
import { root } from "./child.ts";

/** The most bytes that the page may have after gzip. */
export const MAX_GZIP_BYTES = 60_000;

/** What the page may do: run its own script and style, WebAssembly where it is allowed, and a worker made of itself. */
function policyFor(script: string, style: string): string {
  return [
    "default-src 'none'",
    `script-src ${hashOf(script)} 'wasm-unsafe-eval'`,
    `style-src ${hashOf(style)}`,
    "worker-src blob:",
    "img-src data:",
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
}

/** The text of verify.html. */
export async function buildPage(): Promise<string> {
  const { version } = JSON.parse(await readFile(`${root}package.json`, "utf8"));
  const script = await bundle("src/web/main.ts", { AFFIDAVIT_VERSION: JSON.stringify(version) });
  const style = await bundle("src/web/page.css", {});
  if (/<\/(?:script|style)|<!--/i.test(script + style)) {
    throw new Error("Building the page: a text in it would end its own element");
  }
  return [
    "<!doctype html>",
    '<html lang="en">',
    '<meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="${policyFor(script, style)}">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="referrer" content="no-referrer">',
    `<title>${WORDS.title}</title>`,
    '<link rel="icon" href="data:,">',
    `<style>${style}</style>`,
    `<body><noscript>${WORDS.noScript}</noscript>`,
    `<script>${script}</script>`,
    "</html>",
    "",
  ].join("\n");
}

async function bundle(entry: string, define: Record<string, string>): Promise<string> {
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: [entry],
    bundle: true,
    write: false,
    minify: true,
    format: "iife",
    globalName: "affidavit",
    platform: "browser",
    target: "es2022",
    legalComments: "eof",
    charset: "utf8",
    define,
    logLevel: "silent",
  });
  return (outputFiles?.[0]?.text ?? "").trim();
}

function hashOf(text: string): string {
  return `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) process.stdout.write(await buildPage());
