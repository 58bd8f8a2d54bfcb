/**
 * Drives verify.html in headless Chromium: over http, with a policy of the server's own, or from a file.
 *
 * @module
 */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { findChromium, flags } from "../../scripts/chromium.ts";
import { buildPage } from "../../scripts/page.ts";

/** A file to drop: its name or path, and what it holds. */
export interface TestFile {
  path: string;
  content: string | Uint8Array;
}

/** A browser, the page that it opens, and a folder for files. */
export interface Stage {
  browser: Browser;
  html: string;
  folder: string;
  server: Server;
  /** Text of the header `content-security-policy` of further answers; none unless set. */
  policy: string | undefined;
}

/** A host that is this machine and that browsers do not trust as they trust localhost, like one in a local network. */
export const LAN = "verify.test";

/** Opens a stage. Close it with {@linkcode closeStage}. */
export async function openStage(): Promise<Stage> {
  const executablePath = findChromium();
  if (executablePath === undefined) throw new Error("There is no Chromium");
  const html = await buildPage();
  const folder = await mkdtemp(join(tmpdir(), "affidavit-page-"));
  await writeFile(join(folder, "verify.html"), html);
  const stage = { html, folder, policy: undefined } as unknown as Stage;
  stage.server = createServer((_, response) => {
    const headers: Record<string, string> = { "content-type": "text/html; charset=utf-8" };
    if (stage.policy !== undefined) headers["content-security-policy"] = stage.policy;
    response.writeHead(200, headers).end(stage.html);
  });
  await new Promise<void>((resolve) => stage.server.listen(0, resolve)); // on every address of this machine
  const args = [...flags, `--host-resolver-rules=MAP ${LAN} 127.0.0.1`];
  stage.browser = await chromium.launch({ executablePath, args, headless: true });
  return stage;
}

/** The policy of the page itself, changed by whoever serves it. A page must obey both. */
export function policyOf({ html }: Stage, change: (policy: string) => string): string {
  return change(/content="(default-src [^"]+)"/.exec(html)?.[1] ?? "");
}

/** Ends everything that a stage started. */
export async function closeStage(stage: Stage): Promise<void> {
  await stage.browser.close();
  stage.server.closeAllConnections();
  stage.server.close();
  await rm(stage.folder, { recursive: true, force: true });
}

/** An open page, and everything that went wrong in it. */
export interface OpenPage {
  page: Page;
  /** Errors of scripts, and refusals by the policy. */
  faults: string[];
  /** Addresses asked for, but for the page's own. */
  requests: string[];
}

/** Opens the page: by http on localhost, on another host name of this machine, or from the file. */
export async function openPage(
  stage: Stage,
  place: { host?: string; isFile?: boolean } & BrowserContextOptions = {},
): Promise<OpenPage> {
  const { host = "localhost", isFile = false, ...options } = place;
  const context = await stage.browser.newContext(options);
  await context.addInitScript("globalThis.__name = (named) => named"); // tsx wraps the functions that are sent
  const page = await context.newPage();
  const faults: string[] = [];
  const requests: string[] = [];
  page.on("pageerror", (error) => faults.push(error.message));
  page.on("console", (message) => {
    if (message.type() === "error") faults.push(message.text());
  });
  const { port } = stage.server.address() as AddressInfo;
  const address = isFile
    ? pathToFileURL(join(stage.folder, "verify.html")).href
    : `http://${host}:${port}/verify.html`;
  page.on("request", (request) => {
    const isOwn = request.url() === address || /^(?:blob|data):/.test(request.url());
    if (!isOwn) requests.push(request.url());
  });
  await page.goto(address);
  return { page, faults, requests };
}

/** Drops files on the page, as from a file manager. */
export async function drop(page: Page, files: readonly TestFile[]): Promise<void> {
  const sent = files.map(({ path, content }) => ({
    path,
    base64: Buffer.from(content).toString("base64"),
  }));
  const dataTransfer = await page.evaluateHandle(async (list) => {
    const transfer = new DataTransfer();
    for (const { path, base64 } of list) {
      const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
      transfer.items.add(new File([bytes], path));
    }
    return await Promise.resolve(transfer);
  }, sent);
  await page.dispatchEvent("body", "drop", { dataTransfer });
}

/** Drops a folder of the disk on the page: a real one, which only the browser itself can hand over. */
export async function dropFolder(page: Page, path: string): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const data = { items: [], files: [path], dragOperationsMask: 1 };
  for (const type of ["dragEnter", "dragOver", "drop"] as const) {
    await session.send("Input.dispatchDragEvent", { type, x: 200, y: 300, data });
  }
}

/** Waits for the verdict and gives its first line. */
export async function headline(page: Page): Promise<string> {
  return await page.locator("#verdict-heading").textContent() ?? "";
}

/** The lines of a verdict: name, status and codes. */
export async function linesOf(page: Page): Promise<Record<string, string>> {
  await page.locator("#verdict-heading").waitFor();
  const lines = await page.locator(".line").evaluateAll((elements) =>
    elements.map((element) => [
      element.getAttribute("data-line"),
      element.getAttribute("data-status"),
      ...[...element.querySelectorAll(".codes code")].map((code) => code.textContent),
    ])
  );
  return Object.fromEntries(lines.map(([name, ...rest]) => [name, rest.join(" ")]));
}
