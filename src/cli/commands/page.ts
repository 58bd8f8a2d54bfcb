/**
 * `affidavit page`: writes the page that verifies a receipt in a browser.
 *
 * The package carries the page ready-made. In a clone there is none, or an old one, so there it is built from the sources
 * by the script that the build uses too; that needs esbuild, which a clone has and the package does not.
 *
 * @module
 */
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { decodeUtf8, encodeUtf8, MAX_TEXT_BYTES } from "../../core/mod.ts";
import { nativeSha256, readFileAt, writeFileAt } from "../../node/mod.ts";
import { parseArguments, takePositionals } from "../args.ts";
import { RefusedError } from "../errors.ts";
import { COMMON } from "../help.ts";
import type { Io } from "../io.ts";
import { linesOfFields, showResult } from "../output.ts";

const help = `affidavit page: writes verify.html, which verifies a receipt in a browser

It is one file that needs no network and no server: ship it beside a bundle, or
put it on a host. Whoever opens it drops the receipt and the bundle on it. A
page from the same source as the bundle proves no more than its source: a
careful reader brings a page of their own.

  --out FILE   where to write it; a file that is there is replaced
${COMMON}
Example: affidavit page --out verify.html
`;

/** Beside the compiled program. */
const SHIPPED: URL = new URL("../../../browser/verify.html", import.meta.url);

/** The top of a clone, seen from the sources, and the script there. */
const CLONE: URL = new URL("../../../", import.meta.url);
const BUILDER = "scripts/page.ts";

/** Writes the page and prints its digest. */
export async function page(args: readonly string[], io: Io): Promise<number> {
  const given = parseArguments(args, { help, flags: { out: "value" } });
  takePositionals(given);
  const out = given.value("out");
  if (out === undefined) throw given.usage("--out is missing");
  const html = await readPage();
  await writeFileAt(out, html);
  const bytes = encodeUtf8(html);
  const report = { file: out, bytes: bytes.length, sha256: nativeSha256().digest(bytes) };
  showResult(io, given.isJson, report, () => [
    [{ style: "good", text: "written" }, ` ${out}`],
    ...linesOfFields([["bytes", report.bytes], ["sha256", report.sha256]]),
  ]);
  return 0;
}

async function readPage(): Promise<string> {
  if (existsSync(SHIPPED)) {
    const html = decodeUtf8(await readFileAt(fileURLToPath(SHIPPED), MAX_TEXT_BYTES));
    if (html !== undefined) return html;
  }
  if (CLONE.protocol === "file:" && existsSync(new URL(BUILDER, CLONE))) return await buildPage();
  throw new RefusedError(
    "cli.page_missing",
    "Writing the page: this installation does not carry it; the npm package does",
  );
}

/** Always in Node, which a clone needs anyway: there its own tools are found. */
async function buildPage(): Promise<string> {
  const args = ["--import", "tsx", BUILDER];
  try {
    const options = { cwd: fileURLToPath(CLONE), maxBuffer: MAX_TEXT_BYTES };
    return (await promisify(execFile)("node", args, options)).stdout;
  } catch (cause) {
    const message = "Writing the page: building it from the sources of this clone failed";
    throw new RefusedError("cli.page_missing", message, { cause });
  }
}
