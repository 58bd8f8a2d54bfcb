/**
 * `affidavit evaluation …`: signs an evaluation receipt, or accepts one.
 *
 * @module
 */
import {
  acceptByAuthority,
  acceptEvaluation,
  signEvaluationReceipt,
} from "../../evaluation/mod.ts";
import type { AcceptancePins, AuthorityPins } from "../../evaluation/mod.ts";
import { readFileAt, writeFileAt } from "../../node/mod.ts";
import { formatRecord } from "../../record/mod.ts";
import type { ScorePins } from "../../score/mod.ts";
import {
  ACCEPT_FLAGS,
  ACCEPT_HELP,
  consume,
  readPins,
  readReplay,
  takeContext,
  takeOut,
  takeStore,
} from "../acceptance.ts";
import { isHelp, parseArguments, takePositionals } from "../args.ts";
import type { Arguments } from "../args.ts";
import { HelpRequest } from "../errors.ts";
import { readSeed } from "../evidence.ts";
import { COMMON } from "../help.ts";
import type { Io } from "../io.ts";
import { linesOfFields, showResult } from "../output.ts";
import { readRecordFile, takeRecord } from "../record_files.ts";

const help = `affidavit evaluation ACTION: signs evaluation receipts, or accepts them

  sign FIELDS --sign-key FILE [--out FILE]
                    make and sign a receipt; FIELDS is a JSON object with all its
                    members but schema_version, receipt_sha256 and signature
  accept RECEIPT SPEC RAW --pins FILE
                    is this the receipt that you wait for, of the issuer you know?

  --sign-key FILE   the issuer's Ed25519 private key: PEM (PKCS#8), JWK or 32 raw
                    bytes; it is read and not kept
  --out FILE        write the receipt there
  --authority FILE  the record of who issues, in the place of the pins of issuer,
                    key and spec
${ACCEPT_HELP}
Flags come after the paths.
${COMMON}
Example: affidavit evaluation accept receipt.json spec.json raw.json \\
           --pins pins.json --state accepted
`;

/** Signs or accepts a receipt. */
export async function evaluation([action, ...rest]: readonly string[], io: Io): Promise<number> {
  if (isHelp(action)) throw new HelpRequest(help);
  const flags = { ...ACCEPT_FLAGS, authority: "value", "sign-key": "value" } as const;
  const given = parseArguments(rest, { help, flags });
  if (action === "sign") return await sign(given, io);
  if (action === "accept") return await accept(given, io);
  throw given.usage("The actions of evaluation are sign and accept");
}

async function sign(given: Arguments, io: Io): Promise<number> {
  const [path] = takePositionals(given, "FIELDS");
  refuseFlags(given, "accept", ["pins", "state", "archival", "authority"]);
  const [context, keyAt] = [takeContext(given), given.value("sign-key")];
  if (keyAt === undefined) throw given.usage("--sign-key FILE is missing");
  const out = await takeOut(given);
  const fields = await readRecordFile(path);
  const receipt = takeRecord(await signEvaluationReceipt(fields, await readSeed(keyAt), context));
  const receipt_json = formatRecord(receipt);
  if (out !== undefined) await writeFileAt(out, `${receipt_json}\n`);
  const { receipt_sha256, issuer_key_id } = receipt;
  showResult(io, given.isJson, { ok: true, receipt_sha256, receipt_json }, () => [
    [{ style: "good", text: "signed" }, ` ${out ?? "a receipt; --out FILE would write it"}`],
    ...linesOfFields([["receipt", receipt_sha256], ["key", issuer_key_id]]),
  ]);
  return 0;
}

async function accept(given: Arguments, io: Io): Promise<number> {
  const [receiptAt, specAt, rawAt] = takePositionals(given, "RECEIPT", "SPEC", "RAW");
  refuseFlags(given, "sign", ["sign-key", "out"]);
  const [context, store] = [takeContext(given), takeStore(given)];
  const authorityAt = given.value("authority");
  const evidence = {
    receipt: await readRecordFile(receiptAt),
    spec: await readRecordFile(specAt),
    raw: await readFileAt(rawAt),
  };
  const accepted = takeRecord(
    authorityAt === undefined
      ? await acceptEvaluation(
        evidence,
        await readPins<ScorePins>(given, PINS, [METRIC_PIN]), // one file serves both commands
        await readReplay(store),
        context,
      )
      : await acceptByAuthority(
        { ...evidence, authority: await readRecordFile(authorityAt) },
        await readPins<AuthorityPins>(given, AUTHORITY_PINS, SPEC_PINS),
        await readReplay(store),
        context,
      ),
  );
  await consume(store, accepted.consume);
  const { receipt_sha256, evaluation_spec_sha256, status } = accepted.receipt;
  const is_consumed = store !== null;
  const result = { ok: true, receipt_sha256, evaluation_spec_sha256, status, is_consumed };
  showResult(io, given.isJson, result, () => [
    [{ style: "good", text: "accepted" }, is_consumed ? " and consumed" : ", archival"],
    ...linesOfFields([
      ["receipt", receipt_sha256],
      ["spec", evaluation_spec_sha256],
      ["status", status],
    ]),
  ]);
  return 0;
}

function refuseFlags(given: Arguments, action: string, flags: readonly string[]): void {
  for (const flag of flags) {
    if (given.has(flag)) throw given.usage(`--${flag} goes with ${action}`);
  }
}

const AUTHORITY_PINS = [
  "expected_measurement_id",
  "expected_evaluation_attempt_id",
  "expected_attempt_nonce",
  "expected_repeat_index",
  "expected_media_type",
] as const;
const SPEC_PINS = [
  "expected_deliverable_manifest_sha256",
  "expected_runtime_policy_sha256",
] as const;

/** The one pin that scores need besides. */
export const METRIC_PIN = "expected_metric_definition_sha256";

/** The pins of an acceptance, by the names that a file of pins has. */
export const PINS: readonly (keyof AcceptancePins)[] = [
  "expected_spec_sha256",
  ...SPEC_PINS,
  "expected_issuer_policy_sha256",
  "expected_issuer_key_id",
  "issuer_public_key_base64",
  ...AUTHORITY_PINS,
];
