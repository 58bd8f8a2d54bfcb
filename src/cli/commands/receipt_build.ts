/**
 * `affidavit receipt build`.
 *
 * @module
 */
import { join } from "node:path";
import { FILES } from "../../capsule/mod.ts";
import { buildReceipt, writeReceipt } from "../../node/mod.ts";
import type { Receipt } from "../../receipt/mod.ts";
import { takePositionals } from "../args.ts";
import type { Arguments } from "../args.ts";
import { readGateReceipt, readSigner } from "../evidence.ts";
import { COMMON } from "../help.ts";
import type { Io } from "../io.ts";
import { linesOfFields, showResult } from "../output.ts";
import type { Line } from "../output.ts";
import { truePath } from "../places.ts";

/** Help of the action. */
export const help: string = `affidavit receipt build DIR: makes a receipt for a capsule

Verifies the capsule, writes its projection.json and prints a receipt: how many
entries there are, where they end, and which artifact came of the run. Hand it
over apart from the capsule. Whoever has your public key from elsewhere can see
that a signed one is yours.

  --artifact FILE   what the run delivered; its digest is stated
  --gate FILE       a gate receipt (JSON); its digest is stated, its verdict is
                    copied as data
  --out FILE        also write the receipt there
  --sign-key FILE   sign it with this Ed25519 private key: PEM (PKCS#8), JWK or 32
                    raw bytes; it is read and not kept
Flags come after DIR.
${COMMON}
Example: affidavit receipt build run --artifact totals.csv --out receipt.json
`;

/** Builds a receipt and prints it. */
export async function action(given: Arguments, io: Io): Promise<number> {
  const [path] = takePositionals(given, "DIR");
  const [artifact, out] = [given.value("artifact"), given.value("out")];
  if (given.has("public-key")) throw given.usage("--public-key goes with verify");
  if (out !== undefined) await refuseOverwriting(out, path, given);
  const gateReceipt = await readGateReceipt(given.value("gate"));
  const receipt = await buildReceipt(path, {
    ...await readSigner(given.value("sign-key")),
    ...(artifact !== undefined && { artifact }),
    ...(gateReceipt !== undefined && { gateReceipt }),
  });
  if (out !== undefined) await writeReceipt(out, receipt);
  showResult(io, given.isJson, receipt, () => linesOf(receipt, out));
  return 0;
}

/** `--out` in the place of what the receipt is made from would destroy the evidence, also by way of links. */
async function refuseOverwriting(out: string, path: string, given: Arguments): Promise<void> {
  const flags = ["artifact", "gate", "sign-key"].map((name) => given.value(name));
  const inputs = [
    ...Object.values(FILES).map((name) => join(path, name)),
    ...flags.filter((input) => input !== undefined),
  ];
  const target = await truePath(out);
  for (const input of inputs) {
    if (await truePath(input) === target) {
      throw given.usage("--out names a file that the receipt is made from");
    }
  }
}

/** The gate verdict is not among them: it is data that others put there, and would read like a result. */
function linesOf(receipt: Receipt, out: string | undefined): Line[] {
  return [
    [{ style: "good", text: "built" }, ` ${out ?? "a receipt; --out FILE would write it"}`],
    ...linesOfFields([
      ["run", receipt.run_id],
      ["capsule", receipt.capsule_id],
      ["entries", receipt.entry_count],
      ["root", receipt.capsule_root],
      ["journal", receipt.journal_sha256],
      ["projection", receipt.projection_hash],
      ["artifact", receipt.artifact_digest ?? "none"],
      ["gate receipt", receipt.gate_receipt_digest ?? "none"],
      ["signature", receipt.signature === null ? "none" : String(receipt.signature)],
      ["receipt hash", receipt.receipt_hash],
    ]),
  ];
}
