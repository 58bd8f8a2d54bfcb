/**
 * The timeline: counts, filters, search, and what it holds of 100,000 entries.
 *
 * @module
 */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { buildEntry, formatEntry, LINEAGES } from "../../src/capsule/mod.ts";
import { GENESIS } from "../../src/hash/mod.ts";
import { nativeSha256 } from "../../src/node/mod.ts";
import { METADATA, sampleParts } from "../lib/sample.ts";
import { closeStage, drop, headline, openPage, openStage } from "./browser.ts";
import type { Stage } from "./browser.ts";
import { bundleOf } from "./samples.ts";

const timeline = suite("timeline of verify.html");
const state: { stage?: Stage } = {};

timeline.before(async () => {
  state.stage = await openStage();
});

timeline.after(async () => {
  if (state.stage !== undefined) await closeStage(state.stage);
});

function stage(): Stage {
  if (state.stage === undefined) throw new Error("There is no stage");
  return state.stage;
}

const shown = async (page: Page): Promise<string | null> =>
  await page.locator(".shown").textContent();

/** Numbers of the entries whose rows are drawn. */
async function rowsOf(page: Page): Promise<string[]> {
  return await page.locator(".row .seq").allTextContents();
}

timeline(
  "counts by lineage and effect class, filters and search agree with each other",
  async () => {
    const { files } = await bundleOf(sampleParts(25));
    const { page, faults } = await openPage(stage());
    await drop(page, files);
    await headline(page);
    assert.equal(await page.locator(".lanes .count").allTextContents(), ["5", "10", "0", "5", "5"]);
    assert.equal(await page.locator(".classes .count").allTextContents(), [
      "10",
      "5",
      "5",
      "5",
      "0",
    ]);
    assert.is(await shown(page), "25 entries");

    await page.getByRole("checkbox", { name: "attempt" }).uncheck();
    await page.getByRole("checkbox", { name: "SE2" }).uncheck();
    assert.is(await shown(page), "10 of 25 entries");
    assert.equal(await rowsOf(page), ["0", "4", "5", "9", "10", "14", "15", "19", "20", "24"]);

    await page.getByLabel("Search the entries").fill("PASSED");
    await page.locator(".shown").getByText("5 of 25 entries").waitFor();
    assert.equal(await rowsOf(page), ["4", "9", "14", "19", "24"]);
    await page.getByLabel("Search the entries").fill('a "b" \\ /');
    await page.locator(".shown").getByText("0 of 25 entries").waitFor();
    assert.ok(await page.getByText("No entry passes the filter.").isVisible());
    await page.getByRole("checkbox", { name: "attempt" }).check();
    assert.equal(await rowsOf(page), ["2", "7", "12", "17", "22"]);
    assert.equal(faults, []);
  },
);

timeline("keys move through the list, Enter opens an entry and Escape leads back", async () => {
  const { files } = await bundleOf(sampleParts(100));
  const { page } = await openPage(stage());
  await drop(page, files);
  await headline(page);
  const list = page.getByRole("listbox", { name: "Entries" });
  await list.focus();
  const active = async (): Promise<string | null> => {
    const id = await list.getAttribute("aria-activedescendant");
    return await page.locator(`#${id}`).getAttribute("aria-posinset");
  };
  const moves: [key: string, position: string][] = [
    ["ArrowDown", "2"],
    ["End", "100"],
    ["ArrowUp", "99"],
    ["Home", "1"],
    ["ArrowDown", "2"],
  ];
  for (const [key, position] of moves) {
    await page.keyboard.press(key);
    assert.is(await active(), position, key);
    assert.is(await page.locator("[aria-selected=true]").count(), 1);
  }
  await page.keyboard.press("Enter");
  await page.locator(".detail h3:focus").waitFor();
  assert.is(await page.locator(".detail h3").textContent(), "Entry 1");
  assert.ok((await page.locator(".detail").textContent() ?? "").includes("grep"));
  await page.keyboard.press("Escape");
  assert.is(await page.evaluate(() => document.activeElement?.getAttribute("role")), "listbox");
});

timeline(
  "of 100,000 entries only the rows in sight are drawn, from the first to the last",
  async () => {
    const sha256 = nativeSha256();
    const chain = { metadata: METADATA, entry_count: 0, root_hash: GENESIS, journal_bytes: 0 };
    const lines: string[] = [];
    while (chain.entry_count < 100_000) {
      const lineage = LINEAGES[chain.entry_count % 5];
      const payload = { tool: "add", total: chain.entry_count };
      const now = (): Date => new Date(Date.UTC(2026, 8, 2));
      const kind = chain.entry_count === 77_777 ? "needle" : "tool.call";
      const entry = buildEntry(chain, { lineage, kind, payload }, now, sha256);
      lines.push(`${formatEntry(entry)}\n`);
      chain.root_hash = entry.entry_hash;
      chain.entry_count++;
    }
    const path = join(stage().folder, "journal.ndjson");
    await writeFile(path, lines.join(""));
    const { page, faults } = await openPage(stage());
    await page.locator("input[type=file]").first().setInputFiles(path);
    assert.is(await headline(page), "consistent, 100,000 entries, tail not checked");
    const list = page.getByRole("listbox", { name: "Entries" });
    assert.ok(await page.locator(".row").count() < 40);
    await list.focus();
    await page.keyboard.press("End");
    await page.locator(".row").getByText("total: 99999", { exact: false }).waitFor();
    await list.evaluate((element) => element.scrollTop = element.scrollHeight / 2);
    await page.locator(".row").getByText("total: 50000", { exact: false }).waitFor();
    await page.getByLabel("Search the entries").fill("Needle");
    await page.locator(".shown").getByText("1 of 100,000 entries").waitFor();
    assert.equal(await rowsOf(page), ["77,777"]);
    assert.ok(await page.locator("*").count() < 1000, "the page holds few elements");
    assert.equal(faults, []);
  },
);

timeline.run();
