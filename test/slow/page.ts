/**
 * verify.html and a journal of 1 GB: it ends, in bounded memory, and the page answers meanwhile. Figures are printed; only
 * the memory is judged, and that each click had an effect.
 *
 * @module
 */
import { open, readFile } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import type { Page } from "playwright-core";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { buildEntry, formatEntry, LINEAGES } from "../../src/capsule/mod.ts";
import { GENESIS } from "../../src/hash/mod.ts";
import { nativeSha256 } from "../../src/node/mod.ts";
import { METADATA } from "../lib/sample.ts";
import { skip } from "../skip.ts";
import { closeStage, openPage, openStage, policyOf } from "../web/browser.ts";
import type { Stage } from "../web/browser.ts";

const MB = 1e6;
const SIZE = 1000 * MB;
const ALLOWED_MB = 300;

const large = suite("verify.html and a journal of 1 GB");
const state: { stage?: Stage; path: string; lines: number } = { path: "", lines: 0 };

large.before(async () => {
  const stage = state.stage = await openStage();
  state.path = join(stage.folder, "journal.ndjson");
  state.lines = await writeChain(state.path);
});

large.after(async () => {
  if (state.stage !== undefined) await closeStage(state.stage);
});

const places = { "a worker": "worker-src blob:", "the page itself": "worker-src 'none'" };
for (const [place, rule] of Object.entries(places)) {
  const title = `in ${place}: it ends within ${ALLOWED_MB} MB, and clicks are answered meanwhile`;
  if (process.platform !== "linux") {
    skip(large, title, "memory is read from /proc");
    continue;
  }
  large(title, async () => {
    const { stage, path, lines } = state;
    if (stage === undefined) throw new Error("There is no stage");
    stage.policy = policyOf(stage, (policy) => policy.replace("worker-src blob:", rule));
    const { page } = await openPage(stage);
    const pid = await rendererOf(page);
    const before = await residentMB(pid);
    const started = performance.now();
    await page.locator("input[type=file]").first().setInputFiles(path);
    const answers: number[] = [];
    const peaks = { resident: 0, heap: 0 };
    const verdict = page.locator("#verdict-heading");
    while (await verdict.count() === 0) {
      answers.push(await click(page));
      peaks.resident = Math.max(peaks.resident, await residentMB(pid));
      peaks.heap = Math.max(peaks.heap, await heapMB(page));
    }
    const seconds = (performance.now() - started) / 1000;
    const count = lines.toLocaleString("en");
    assert.is(await verdict.textContent(), `consistent, ${count} entries, tail not checked`);
    assert.match(
      await page.locator(".ran").textContent() ?? "",
      new RegExp(`^Verified in ${place}`),
    );
    await page.getByRole("listbox").focus();
    await page.keyboard.press("End");
    await page.locator(".row").getByText(`total: ${lines - 1}`).waitFor();
    peaks.resident = Math.max(peaks.resident, await residentMB(pid));
    answers.sort((a, b) => a - b);
    const slowest = Math.round(answers.at(-1) ?? 0);
    const median = Math.round(answers[answers.length >> 1] ?? 0);
    console.log(
      `\n${count} entries, ${place}: ${
        seconds.toFixed(1)
      } s; ${answers.length} clicks, median ${median} ms, ` +
        `slowest ${slowest} ms; memory of the page's process ${before} MB before, ` +
        `${peaks.resident} MB at most; heap of the page ${peaks.heap} MB at most`,
    );
    assert.ok(answers.length > 5, "hardly any click during the verification");
    assert.ok(peaks.resident < ALLOWED_MB, `${peaks.resident} MB`);
    await page.context().close();
  });
}

large.run();

/** Opens or closes the list of files, and waits until that is done; the milliseconds that it took. */
async function click(page: Page): Promise<number> {
  const details = page.locator("details.files");
  const isOpen = await details.evaluate((element) => (element as HTMLDetailsElement).open);
  const started = performance.now();
  await page.locator("details.files summary").click();
  await page.waitForFunction(
    (was) => document.querySelector<HTMLDetailsElement>("details.files")?.open !== was,
    isOpen,
  );
  return performance.now() - started;
}

/** The process that runs the page; this context has one page, so it is the youngest renderer. */
async function rendererOf(page: Page): Promise<number> {
  const session = await page.context().browser()?.newBrowserCDPSession();
  const { processInfo } = await session!.send("SystemInfo.getProcessInfo");
  const renderers = processInfo.filter(({ type }) => type === "renderer").map(({ id }) => id);
  return Math.max(...renderers);
}

/** Private memory of a process: what it shares with others, such as the program itself, is not the page's. */
async function residentMB(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, "utf8");
  return Math.round(Number(/RssAnon:\s*(\d+)/.exec(status)?.[1]) / 1000);
}

async function heapMB(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page);
  const { usedSize } = await session.send("Runtime.getHeapUsage");
  await session.detach();
  return Math.round(usedSize / MB);
}

async function writeChain(path: string): Promise<number> {
  const sha256 = nativeSha256();
  const message = "What the tool answered, in words. ".repeat(4);
  const chain = { metadata: METADATA, entry_count: 0, root_hash: GENESIS, journal_bytes: 0 };
  const now = (): Date => new Date(Date.UTC(2026, 8, 2));
  const file = await open(path, "w");
  let batch = "";
  for (let written = 0; written < SIZE;) {
    const lineage = LINEAGES[chain.entry_count % 5];
    const payload = { tool: "add", message, total: chain.entry_count };
    const effect_class = chain.entry_count % 7 === 0 ? "SE1" : "SE0";
    const entry = buildEntry(
      chain,
      { lineage, kind: "tool.call", payload, options: { effect_class } },
      now,
      sha256,
    );
    chain.root_hash = entry.entry_hash;
    chain.entry_count++;
    batch += `${formatEntry(entry)}\n`;
    if (batch.length < MB && written + batch.length < SIZE) continue;
    written += (await file.write(batch)).bytesWritten;
    batch = "";
  }
  await file.close();
  return chain.entry_count;
}
