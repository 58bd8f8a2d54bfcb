/**
 * `affidavit receipt verify`.
 *
 * @module
 */
import { nativeSha256, readReceiptAt } from "../../node/mod.ts";
import { checkReceipt } from "../../receipt/mod.ts";
import { takePositionals } from "../args.ts";
import type { Arguments } from "../args.ts";
import { readArtifact, readCapsule, readGateReceipt, readPinnedKey } from "../evidence.ts";
import { COMMON } from "../help.ts";
import type { Io } from "../io.ts";
import { showResult } from "../output.ts";
import { linesOfReceipt, withSigner } from "../verdict.ts";

/** Help of the action. */
export const help: string =
  `affidavit receipt verify RECEIPT DIR: checks a receipt against a capsule

Makes twelve checks in a fixed order and names the first that fails: that the
receipt is unchanged, that the capsule in DIR verifies and is the one stated, to
its last entry, and that artifact and gate receipt are those stated, where given.
Nothing is written. Without a public key that you had beforehand a signature is
not checked, and nothing says who made the receipt.

  --artifact FILE   what the run delivered
  --gate FILE       the gate receipt (JSON)
  --public-key FILE the Ed25519 key whose signature it must carry: PEM (SPKI), JWK
                    or 32 raw bytes
  --out FILE        taken as with "build", and not written to
Flags come after RECEIPT and DIR.
${COMMON}
Example: affidavit receipt verify receipt.json bundle --artifact totals.csv
`;

/** Checks a receipt and prints every check. */
export async function action(given: Arguments, io: Io): Promise<number> {
  const [path, directory] = takePositionals(given, "RECEIPT", "DIR");
  if (given.has("sign-key")) throw given.usage("--sign-key goes with build");
  const key = await readPinnedKey(given.value("public-key"));
  const receipt = await readReceiptAt(path);
  const verdict = await checkReceipt(
    receipt,
    {
      gateReceipt: await readGateReceipt(given.value("gate")),
      ...await readArtifact(given.value("artifact")),
      ...await readCapsule(directory, io),
    },
    nativeSha256(),
    { ...key },
  );
  const signed = withSigner(verdict, key);
  showResult(io, given.isJson, signed, () => linesOfReceipt(signed));
  return verdict.ok ? 0 : 1;
}
