/**
 * The pure lane in a real browser: bundles test/page.ts, serves it beside the project's files on
 * 127.0.0.1, opens it in headless Chromium and reads the console until the result line.
 *
 * @module
 */
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import process from "node:process";
import { stripVTControlCharacters } from "node:util";
import { build, type Plugin } from "esbuild";
import { chromium, type Page } from "playwright-core";
import { type Ended, root } from "./child.ts";

const bundlePath = "/test/page.bundle.js";
const served = /^\/(?:mod\.ts|package\.json|(?:src|test|vectors|schemas|docs|examples)\/.+)$/;
const types: Record<string, string> = { html: "text/html", js: "text/javascript" };
/** What keeps a headless browser quiet and to itself. */
export const flags: readonly string[] = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--no-first-run",
];

/** A page can carry `await import("node:…")` on a path that it does not take, and no other import. */
const nodeModulesOnDemand: Plugin = {
  name: "node: modules on demand",
  setup: ({ onResolve }) => {
    onResolve({ filter: /^node:/ }, ({ kind, path }) => {
      if (kind === "dynamic-import") return { path, external: true };
      return { errors: [{ text: `A file of the pure lane imports "${path}"` }] };
    });
  },
};

/** The browser to use, by CHROMIUM_PATH or in its usual places; undefined when there is none. */
export function findChromium(): string | undefined {
  const names = ["chromium", "chromium-browser", "google-chrome"];
  const places = [process.env["CHROMIUM_PATH"] ?? "", ...names.map((name) => `/usr/bin/${name}`)];
  return places.find((place) => place !== "" && existsSync(place));
}

/** Runs the page and returns its console as output; ok when a result line came in time. */
export async function runInChromium(executablePath: string, timeoutMs: number): Promise<Ended> {
  const server = await serve(await bundle());
  const { port } = server.address() as AddressInfo;
  let browser;
  try {
    browser = await chromium.launch({ executablePath, args: [...flags], headless: true });
    return await watch(await browser.newPage(), `http://127.0.0.1:${port}/`, timeoutMs);
  } catch (error) {
    return { ok: false, stdout: "", output: `Running Chromium: ${String(error)}\n` };
  } finally {
    await browser?.close();
    server.closeAllConnections();
    server.close();
  }
}

async function bundle(): Promise<Uint8Array> {
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: ["test/page.ts"],
    bundle: true,
    write: false,
    format: "esm",
    platform: "browser",
    target: "es2022",
    plugins: [nodeModulesOnDemand],
    sourcemap: "inline",
    logLevel: "silent",
  });
  return outputFiles[0]?.contents ?? new Uint8Array();
}

async function watch(page: Page, address: string, timeoutMs: number): Promise<Ended> {
  const lines: string[] = [];
  let ok = false;
  const end = new Promise<void>((resolve) => {
    const timer = setTimeout(() => {
      lines.push(`The page was closed after ${timeoutMs / 1000} s`);
      resolve();
    }, timeoutMs);
    const finish = (): void => {
      clearTimeout(timer);
      resolve();
    };
    page.on("console", (message) => {
      lines.push(stripVTControlCharacters(message.text()));
      if (!message.text().startsWith("result: ")) return;
      ok = true;
      finish();
    });
    page.on("pageerror", (error) => lines.push(error.stack ?? error.message));
    page.on("crash", () => {
      lines.push("The page crashed");
      finish();
    });
  });
  await page.goto(address);
  await end;
  const text = `${lines.join("\n")}\n`;
  return { ok, stdout: text, output: text };
}

async function serve(script: Uint8Array): Promise<Server> {
  const html = `<!doctype html><title>tests</title><link rel="icon" href="data:,">` +
    `<script type="module" src="${bundlePath}"></script>`;
  const content = async (path: string): Promise<Uint8Array | string> => {
    if (path === "/") return html;
    if (path === bundlePath) return script;
    const file = decodeURIComponent(path);
    if (!served.test(file) || file.includes("/..")) throw new Error("not served");
    return await readFile(root + file.slice(1));
  };
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? "/", "http://127.0.0.1").pathname;
    const type = path === "/" ? types["html"] : types[path.split(".").at(-1) ?? ""];
    content(path).then((body) => {
      response.writeHead(200, { "content-type": type ?? "application/octet-stream" }).end(body);
    }, () => response.writeHead(404).end());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return server;
}
