/**
 * What the page says of files that are dropped on it: every check of receipts, keys, capsules alone, folders, hostile files.
 *
 * @module
 */
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { RECEIPT_CHECKS } from "../../src/receipt/mod.ts";
import { derivePublicKey } from "../../src/signature/mod.ts";
import { nativeSha256 } from "../../src/node/mod.ts";
import type { Case } from "../../src/conformance/mod.ts";
import { chainOf, journalOf, sampleParts } from "../lib/sample.ts";
import { closeStage, drop, dropFolder, headline, linesOf, openPage, openStage } from "./browser.ts";
import type { OpenPage, Stage, TestFile } from "./browser.ts";
import { bundleOf, casesOf, receiptFor, replaced, SEED, signer } from "./samples.ts";

const verdicts = suite("verdicts of verify.html");
const state: { stage?: Stage } = {};

verdicts.before(async () => {
  state.stage = await openStage();
});

verdicts.after(async () => {
  if (state.stage !== undefined) await closeStage(state.stage);
});

/** Runs a test in a fresh page, which must end without errors and without having asked for anything. */
async function inPage(test: (opened: OpenPage, stage: Stage) => Promise<void>): Promise<void> {
  const { stage } = state;
  if (stage === undefined) throw new Error("There is no stage");
  const opened = await openPage(stage);
  await test(opened, stage);
  assert.equal(opened.faults, []);
  assert.equal(opened.requests, []);
  await opened.page.context().close();
}

const ARTIFACT: TestFile = { path: "totals.csv", content: "item,total\na,3\n" };

async function signedBundle(): Promise<{ files: TestFile[]; receipt: TestFile }> {
  const bundle = await bundleOf(sampleParts(5));
  const artifactDigest = nativeSha256().digest(new TextEncoder().encode(String(ARTIFACT.content)));
  return { files: bundle.files, receipt: await receiptFor(bundle, { artifactDigest, signer }) };
}

const HOLDING = {
  receipt: "holds schema receipt_hash",
  integrity: "holds journal_integrity",
  completeness: "holds truncation capsule_root stale_checkpoint",
  metadata: "holds metadata",
  projection: "holds projection",
  artifact: "holds artifact",
  signature: "not_checked signature",
  gate: "not_checked gate_receipt",
};

verdicts(
  "a good receipt with its artifact holds, and each line says what was checked",
  async () => {
    await inPage(async ({ page }) => {
      const { files, receipt } = await signedBundle();
      await drop(page, [receipt, ...files, ARTIFACT]);
      assert.is(await headline(page), "holds, 10 of 12 checks made");
      assert.is(
        await page.locator(".reason").textContent(),
        "consistent, 5 entries, tail checked by the receipt",
      );
      assert.equal(await linesOf(page), HOLDING);
      const open = await page.locator("[data-open]").evaluateAll((items) =>
        items.map((item) => item.getAttribute("data-open"))
      );
      assert.equal(open, ["origin", "truth"]);
      assert.is(await page.evaluate(() => document.activeElement?.id), "verdict-heading");
      const text = await page.locator("body").innerText();
      assert.not.match(text, /gate_verdict|\bOK\b/);
    });
  },
);

verdicts(
  "a signature is told from none: by the right key, a wrong one and a weak one",
  async () => {
    const weak = new Uint8Array(32);
    weak[0] = 1;
    const keys: [name: string, key: Uint8Array, headline: string, line: string][] = [
      ["right", await derivePublicKey(SEED), "holds, 11 of 12 checks made", "holds signature"],
      [
        "wrong",
        await derivePublicKey(new Uint8Array(32).fill(9)),
        "refused: check signature",
        "fails signature",
      ],
      ["weak", weak, "refused: signature.weak_key", "fails signature.weak_key"],
      [
        "private",
        new TextEncoder().encode("-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n"),
        "refused: signature.key_wrong_kind",
        "fails signature.key_wrong_kind",
      ],
    ];
    const { files, receipt } = await signedBundle();
    for (const [name, content, first, line] of keys) {
      await inPage(async ({ page }) => {
        await drop(page, [receipt, ...files, ARTIFACT, { path: `${name}.key`, content }]);
        assert.is(await headline(page), first, name);
        assert.is((await linesOf(page))["signature"], line, name);
        if (name !== "right") return;
        const hex = Buffer.from(content).toString("hex");
        assert.is(await page.locator(".signer code").textContent(), hex);
      });
    }
  },
);

/** The files that a case describes, as they would be dropped; `undefined` when it needs what no file can hold. */
function droppable({ input }: Case): TestFile[] | undefined {
  const { verifier, artifact, artifact_digest, gate_receipt, receipt_json } = input;
  if (verifier || artifact_digest) return undefined;
  const described = [...input["files"] as Record<string, unknown>[]];
  if (artifact) described.push({ path: "artifact.bin", ...artifact });
  const files: TestFile[] = [{ path: "receipt.json", content: String(receipt_json) }];
  for (const { path, utf8, base64, absent } of described) {
    if (absent === true) continue;
    if (typeof utf8 !== "string" && typeof base64 !== "string") return undefined;
    const content = typeof utf8 === "string" ? utf8 : Buffer.from(String(base64), "base64");
    files.push({ path: String(path), content });
  }
  if (gate_receipt) files.push({ path: "gate.json", content: JSON.stringify(gate_receipt) });
  return files;
}

for (const check of RECEIPT_CHECKS.filter((name) => name !== "signature")) {
  verdicts(`a receipt that fails check ${check} is refused by that name`, async () => {
    await inPage(async ({ page }) => {
      const cases = await casesOf("capsule/receipt-check.json");
      const files = cases.filter(({ expectations }) => expectations[0]?.["check"] === check)
        .map(droppable).find((one) => one !== undefined);
      if (files === undefined) throw new Error(`No case fails ${check}`);
      await drop(page, files);
      if (files.some(({ path }) => path === "gate.json")) {
        await page.locator(".files summary").click();
        await page.getByLabel("What is gate.json?").selectOption("gate");
      }
      await page.locator("h2").getByText(`refused: check ${check}`, { exact: true }).waitFor();
      const failing = Object.entries(await linesOf(page)).filter(([, line]) =>
        line.startsWith("fails")
      );
      assert.is(failing.length, 1);
    });
  });
}

verdicts(
  "a capsule alone is consistent, its tail is not checked, and a receipt is asked for",
  async () => {
    await inPage(async ({ page }) => {
      const { files } = await bundleOf(sampleParts(5));
      await drop(page, files);
      assert.is(await headline(page), "consistent, 5 entries, tail not checked");
      assert.match(
        await page.locator(".reason").textContent() ?? "",
        /^A receipt from the producer/,
      );
      assert.equal(await linesOf(page), {
        integrity: "holds ok",
        completeness: "not_checked tail",
        metadata: "holds metadata",
        projection: "holds projection",
        artifact: "not_checked artifact",
        signature: "not_checked signature",
        gate: "not_checked gate_receipt",
      });
    });
  },
);

verdicts("an empty capsule holds nothing, and a journal by itself is nobody's", async () => {
  const empty = await bundleOf([]);
  await inPage(async ({ page }) => {
    await drop(page, empty.files);
    assert.is(await headline(page), "consistent, 0 entries (it holds nothing), tail not checked");
  });
  const { files } = await bundleOf(sampleParts(3));
  await inPage(async ({ page }) => {
    await drop(page, files.filter(({ path }) => path === "journal.ndjson"));
    assert.is(await headline(page), "consistent, 3 entries, tail not checked");
    assert.is((await linesOf(page))["metadata"], "not_checked metadata");
  });
});

verdicts("files may come one after the other, and each is taken for what it is", async () => {
  await inPage(async ({ page }) => {
    const { files, receipt } = await signedBundle();
    await drop(page, [ARTIFACT]);
    await page.getByText("Nothing to verify yet").first().waitFor();
    await drop(page, [receipt]);
    assert.is(await headline(page), "refused: check journal_present");
    await drop(page, files);
    await page.getByText("holds, 10 of 12 checks made").first().waitFor();
    await page.locator("details.files summary").click();
    await page.getByLabel("What is totals.csv?").selectOption("Not used");
    await page.getByText("holds, 9 of 12 checks made").first().waitFor();
    await page.getByRole("button", { name: "Start over" }).click();
    assert.is(await page.locator(".verdict, .files").count(), 0);
  });
});

verdicts(
  "the first failing entry is shown in its place, with what was expected and found",
  async () => {
    const { files } = await bundleOf(sampleParts(9));
    const swapped = replaced(files, "journal.ndjson", (text) => {
      const lines = text.split("\n");
      [lines[3], lines[4]] = [lines[4] ?? "", lines[3] ?? ""];
      return lines.join("\n");
    });
    await inPage(async ({ page }) => {
      await drop(page, swapped);
      assert.is(await headline(page), "refused: capsule.reordered at entry 3");
      assert.equal(await page.locator(".pair dd").allTextContents(), ["3", "4"]);
      const numbers = await page.locator(".raw .number").allTextContents();
      assert.equal(numbers, ["1", "2", "3 fails", "4", "5"]);
      assert.match(await page.locator(".raw .fault code").textContent() ?? "", /"seq":4,/);
      assert.is(await page.locator(".row").count(), 3, "entries before it are listed");
    });
  },
);

verdicts(
  "a folder that is dropped is opened, and what is no file in it counts as unreadable",
  async () => {
    const { files, receipt } = await signedBundle();
    await inPage(async ({ page }, stage) => {
      const folder = join(stage.folder, "handed-over");
      await mkdir(join(folder, "bundle"), { recursive: true });
      for (const { path, content } of files) await writeFile(join(folder, "bundle", path), content);
      await writeFile(join(folder, receipt.path), receipt.content);
      await writeFile(join(folder, "stray.txt"), "not taken for the artifact");
      await dropFolder(page, folder);
      assert.is(await headline(page), "holds, 9 of 12 checks made");
      assert.match(await page.locator(".doubt").textContent() ?? "", /^One file is not used/);
    });
    await inPage(async ({ page }, stage) => {
      const folder = join(stage.folder, "odd");
      await mkdir(join(folder, "journal.ndjson"), { recursive: true });
      await writeFile(join(folder, "capsule.json"), files[0]?.content ?? "");
      await dropFolder(page, folder);
      assert.is(await headline(page), "refused: capsule.unreadable_journal");
    });
  },
);

verdicts(
  "a key that comes in a folder with its bundle is pinned by nobody until somebody says so",
  async () => {
    const { files, receipt } = await signedBundle();
    await inPage(async ({ page }, stage) => {
      const folder = join(stage.folder, "with-key");
      await mkdir(folder);
      for (const { path, content } of [...files, receipt]) {
        await writeFile(join(folder, path), content);
      }
      await writeFile(join(folder, "producer.pub"), await derivePublicKey(SEED));
      await dropFolder(page, folder);
      assert.is(await headline(page), "holds, 9 of 12 checks made");
      assert.is((await linesOf(page))["signature"], "not_checked signature");
      assert.match(
        await page.locator(".doubt").textContent() ?? "",
        /^What looks like a public key came in the folder and is not used/,
      );
      await page.getByLabel("What is with-key/producer.pub?").selectOption("key");
      await page.locator("h2").getByText("holds, 10 of 12 checks made", { exact: true }).waitFor();
      assert.is((await linesOf(page))["signature"], "holds signature");
    });
  },
);

verdicts("a folder may be chosen too", async () => {
  const { files } = await bundleOf(sampleParts(5));
  await inPage(async ({ page }, stage) => {
    const folder = join(stage.folder, "chosen");
    await mkdir(folder);
    for (const { path, content } of files) await writeFile(join(folder, path), content);
    await page.locator("input[type=file]").nth(1).setInputFiles(folder);
    assert.is(await headline(page), "consistent, 5 entries, tail not checked");
  });
});

verdicts(
  "hostile texts stay texts: markup, directions, control characters, a megabyte",
  async () => {
    const markup = `<img src=x onerror="document.title='owned'"><b>bold</b>`;
    const marks = "\u202eabc\u2066 \u0000 \u200f";
    const { files } = await bundleOf([]);
    const journal = journalOf(chainOf([
      { lineage: "plan", kind: "start", effect_class: "SE0", payload: { note: markup } },
      { lineage: "plan", kind: "k", effect_class: "SE4", payload: { message: marks } },
      {
        lineage: "attempt",
        kind: "k",
        effect_class: "SE1",
        payload: { message: "x".repeat(1 << 20) },
      },
      {
        lineage: "attempt",
        kind: "k",
        effect_class: "SE1",
        payload: {},
        task_family: markup + marks,
      },
    ], nativeSha256()));
    await inPage(async ({ page }) => {
      const evil = { path: `${markup.replaceAll("/", "")}\u202e.txt`, content: "x" };
      const hostile = files.map((file) =>
        file.path === "journal.ndjson" ? { ...file, content: journal } : file
      );
      await drop(page, [...hostile, evil, { ...evil, path: "second.txt" }]);
      assert.is(await headline(page), "refused: capsule.metadata_mismatch at entry 3");
      await page.getByText("a line of 1.05 MB").waitFor();
      for (const row of [0, 1, 2, 3]) {
        await page.locator(".row").nth(row).click();
        await page.locator(".detail h3").getByText(`Entry ${row}`, { exact: true }).waitFor();
        assert.is(await page.locator("img, b, .detail script").count(), 0);
      }
      await page.locator(".row").nth(1).click();
      await page.getByText("Entry 1", { exact: true }).waitFor();
      const shown = await page.locator(".detail").textContent() ?? "";
      assert.ok(shown.includes("\\u{202e}abc\\u{2066} \\u{0} \\u{200f}"), shown);
      const text = await page.locator("body").innerText();
      assert.not.match(text, /[\u202a-\u202e\u2066-\u2069\u200e\u200f]/);
      assert.ok(text.length < 20_000, `the page holds ${text.length} characters`);
      assert.is(await page.title(), "Affidavit: verify a receipt");
    });
  },
);

verdicts.run();
