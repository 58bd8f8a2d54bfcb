/**
 * Where the page works: over http without trust, from a file, under strict policies, without a worker; and how it is ended.
 *
 * @module
 */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { derivePublicKey } from "../../src/signature/mod.ts";
import { sampleParts } from "../lib/sample.ts";
import {
  closeStage,
  drop,
  headline,
  LAN,
  linesOf,
  openPage,
  openStage,
  policyOf,
} from "./browser.ts";
import type { Stage, TestFile } from "./browser.ts";
import { bundleOf, receiptFor, SEED, signer } from "./samples.ts";

const places = suite("places of verify.html");
const state: { stage?: Stage; files: TestFile[] } = { files: [] };

places.before(async () => {
  state.stage = await openStage();
  const bundle = await bundleOf(sampleParts(50));
  const key = { path: "producer.pub", content: await derivePublicKey(SEED) };
  state.files = [await receiptFor(bundle, { signer }), ...bundle.files, key];
});

places.after(async () => {
  if (state.stage !== undefined) await closeStage(state.stage);
});

function stageOf(policy?: (policy: string) => string): Stage {
  const { stage } = state;
  if (stage === undefined) throw new Error("There is no stage");
  stage.policy = policy === undefined ? undefined : policyOf(stage, policy);
  return stage;
}

const ran = async (page: Page): Promise<string | null> => await page.locator(".ran").textContent();
const noWasm = (policy: string): string => policy.replace(" 'wasm-unsafe-eval'", "");
const noWorker = (policy: string): string =>
  policy.replace("worker-src blob:", "worker-src 'none'");
const HOLDS = "holds, 10 of 12 checks made";

places("from a file everything works, signatures included", async () => {
  const { page, faults, requests } = await openPage(stageOf(), { isFile: true });
  await drop(page, state.files);
  assert.is(await headline(page), HOLDS);
  assert.is(await ran(page), "Verified in a worker, SHA-256 in WebAssembly.");
  assert.equal([faults, requests], [[], []]);
});

places("without WebAssembly and without a worker the verdict is the same", async () => {
  const both = (policy: string): string => noWorker(noWasm(policy));
  const expected: [(policy: string) => string, string][] = [
    [noWasm, "Verified in a worker, SHA-256 in plain TypeScript."],
    [noWorker, "Verified in the page itself, SHA-256 in WebAssembly."],
    [both, "Verified in the page itself, SHA-256 in plain TypeScript."],
  ];
  for (const [policy, how] of expected) {
    const { page, requests } = await openPage(stageOf(policy));
    await drop(page, state.files);
    assert.is(await headline(page), HOLDS, how);
    assert.is(await ran(page), how);
    assert.equal(requests, []);
    await page.context().close();
  }
});

places("over plain http a signature cannot be checked, and all else is", async () => {
  const { page, faults } = await openPage(stageOf(), { host: LAN });
  assert.is(await page.evaluate(() => isSecureContext), false);
  await drop(page, state.files);
  assert.is(await headline(page), "holds, 9 of 12 checks made");
  const lines = await linesOf(page);
  assert.is(lines["signature"], "not_checked signature.unavailable");
  assert.is(lines["completeness"], "holds truncation capsule_root stale_checkpoint");
  assert.match(
    await page.locator("[data-line=signature]").textContent() ?? "",
    /Signatures cannot be checked here/,
  );
  assert.equal(faults, []);
});

places("the page may not use the network, whatever runs in it", async () => {
  const { page } = await openPage(stageOf());
  const answer = await page.evaluate(async () => {
    return await fetch(location.href).then(() => "answered", (error) => String(error));
  });
  assert.is(answer, "TypeError: Failed to fetch");
});

/** Clicks Cancel as soon as it is there: nothing is faster, and so no verification is over before. */
async function cancelAtOnce(page: Page): Promise<void> {
  await page.evaluate(() => {
    new MutationObserver(() => {
      const cancel = document.querySelector<HTMLButtonElement>(".progress button");
      const text = document.querySelector(".progress .hint")?.textContent ?? "";
      if (/ of /.test(text)) cancel?.click();
    }).observe(document.body, { subtree: true, childList: true, characterData: true });
  });
}

for (const [where, policy] of [["a worker", undefined], ["the page itself", noWorker]] as const) {
  places(`Cancel ends a verification in ${where}, and it can be done again`, async () => {
    const stage = stageOf(policy);
    const { files } = await bundleOf(sampleParts(12_000));
    for (const { path, content } of files) await writeFile(join(stage.folder, path), content);
    const { page } = await openPage(stage);
    await cancelAtOnce(page);
    await page.locator("input[type=file]").first().setInputFiles(
      files.map(({ path }) => join(stage.folder, path)),
    );
    await page.getByText("Cancelled: nothing is known about these files.").first().waitFor();
    assert.is(await page.locator(".verdict").count(), 0);
    const focused = page.locator(":focus");
    assert.is(await focused.textContent(), "Verify again");
    await page.evaluate(() => {
      Object.defineProperty(HTMLButtonElement.prototype, "click", { value: () => {} }); // of the observer
    });
    await page.keyboard.press("Enter");
    assert.is(await headline(page), "consistent, 12,000 entries, tail not checked");
  });
}

places.run();
