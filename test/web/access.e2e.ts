/**
 * For everybody: axe finds nothing in any state, light and dark, wide and narrow; the keyboard is enough; a phone is wide
 * enough.
 *
 * @module
 */
import axe from "axe-core";
import type { Page } from "playwright-core";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { derivePublicKey } from "../../src/signature/mod.ts";
import { sampleParts } from "../lib/sample.ts";
import { closeStage, drop, headline, openPage, openStage } from "./browser.ts";
import type { Stage, TestFile } from "./browser.ts";
import { bundleOf, receiptFor, replaced, SEED, signer } from "./samples.ts";

const access = suite("verify.html for everybody");
const state: { stage?: Stage; files: TestFile[]; receipt?: TestFile } = { files: [] };

access.before(async () => {
  state.stage = await openStage();
  const bundle = await bundleOf(sampleParts(40));
  state.files = bundle.files;
  state.receipt = await receiptFor(bundle, { signer });
});

access.after(async () => {
  if (state.stage !== undefined) await closeStage(state.stage);
});

function requireStage(): { stage: Stage; receipt: TestFile } {
  const { stage, receipt } = state;
  if (stage === undefined || receipt === undefined) throw new Error("There is no stage");
  return { stage, receipt };
}

async function violationsIn(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  const found = await page.evaluate(async () => {
    const { violations } = await (globalThis as unknown as { axe: typeof axe }).axe.run(document, {
      resultTypes: ["violations"],
    });
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`);
  });
  const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  return over > 0 ? [...found, `the page is ${over} pixels wider than the window`] : found;
}

/** The states of the page: what is dropped, and what is done then. */
async function statesOf(): Promise<
  Record<string, { files: TestFile[]; then?: (page: Page) => Promise<void> }>
> {
  const { files, receipt } = { files: state.files, receipt: requireStage().receipt };
  const key = { path: "producer.pub", content: await derivePublicKey(SEED) };
  const changed = replaced(files, "journal.ndjson", (text) => text.replace('"note"', '"tool"'));
  const cut = replaced(
    files,
    "journal.ndjson",
    (text) => `${text.split("\n").slice(0, 30).join("\n")}\n`,
  );
  return {
    "nothing yet": { files: [] },
    "only a key": { files: [key] },
    "a good receipt": { files: [receipt, ...files, key] },
    "a capsule alone with an open entry": {
      files,
      then: async (page) => {
        await page.locator(".row").nth(1).click();
        await page.locator(".detail details summary").click();
      },
    },
    "a changed entry": { files: changed },
    "a cut tail": { files: [receipt, ...cut] },
    "files in doubt": {
      files: [receipt, { ...receipt, path: "receipt-2.json" }, ...files, {
        path: "a",
        content: "a",
      }, { path: "b", content: "b" }],
    },
    "nothing found": {
      files,
      then: async (page) => {
        await page.getByLabel("Search the entries").fill("no such text");
        await page.getByText("No entry passes the filter.").waitFor();
      },
    },
  };
}

for (const colorScheme of ["light", "dark"] as const) {
  for (const [name, width] of [["wide", 1280], ["narrow", 360]] as const) {
    access(`axe finds no violation in any state, ${name} and ${colorScheme}`, async () => {
      const { stage } = requireStage();
      const faults: Record<string, string[]> = {};
      for (const [what, { files, then }] of Object.entries(await statesOf())) {
        const { page } = await openPage(stage, { colorScheme, viewport: { width, height: 800 } });
        if (files.length > 0) await drop(page, files);
        if (files.length > 1) await headline(page);
        await then?.(page);
        const found = await violationsIn(page);
        if (found.length > 0) faults[what] = found;
        await page.context().close();
      }
      assert.equal(faults, {});
    });
  }
}

access(
  "everything that can be done can be reached by Tab, in an order that makes sense",
  async () => {
    const { stage, receipt } = requireStage();
    const { page } = await openPage(stage);
    await drop(page, [receipt, ...state.files]);
    await headline(page);
    await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
    await page.evaluate(() => document.querySelector("h1")?.setAttribute("tabindex", "-1"));
    await page.locator("h1").focus();
    const reached: string[] = [];
    for (let step = 0; step < 24; step++) {
      await page.keyboard.press("Tab");
      const name = await page.evaluate(() => {
        const { activeElement } = document;
        const label = activeElement?.getAttribute("aria-label") ??
          activeElement?.closest("label")?.querySelector(".name, .title")?.textContent ??
          activeElement?.textContent;
        return activeElement === document.body ? "" : label ?? "";
      });
      if (name === "") break;
      reached.push(name);
    }
    assert.equal(reached, [
      ...["Choose files", "Choose a folder", "Start over", "4 files"],
      ...["plan", "attempt", "interaction", "environment", "strategy"],
      ...["SE0", "SE1", "SE2", "SE3", "SE4", "Search the entries", "Entries"],
    ]);
  },
);

access(
  "the verdict is announced and its heading has the focus; a choice in the list keeps it",
  async () => {
    const { stage, receipt } = requireStage();
    const { page } = await openPage(stage);
    await drop(page, [receipt, ...state.files]);
    const first = await headline(page);
    assert.is(await page.locator(".unseen[role=status]").textContent(), first);
    assert.is(await page.evaluate(() => document.activeElement?.id), "verdict-heading");
    await page.locator(".files summary").click();
    await page.getByLabel("What is receipt.json?").focus();
    await page.getByLabel("What is receipt.json?").selectOption("Not used");
    await page.locator("h2").getByText("consistent, 40 entries, tail not checked").waitFor();
    assert.is(await page.evaluate(() => document.activeElement?.id), "role-0");
  },
);

access.run();
