/**
 * The shape of a receipt.
 *
 * Rule: `docs/spec/receipt.md`.
 *
 * @module
 */
import * as v from "valibot";
import { ENVELOPE_SCHEMA } from "../capsule/mod.ts";
import { RECEIPT_SCHEMA } from "../receipt/mod.ts";
import type { Receipt } from "../receipt/mod.ts";
import { count, digest, id, publish } from "./parts.ts";
import type { Agrees } from "./parts.ts";
import type { DocumentSchema } from "./standard.ts";

/** A receipt as far as its shape is checked: three members may be absent or anything, as no check reads their form. */
export interface ReceiptShape extends Omit<Receipt, "gate_verdict" | "created_at" | "signature"> {
  /** The verdict of a gate receipt: data, not a result. */
  readonly gate_verdict?: unknown;
  /** When the receipt was made, as its builder says. */
  readonly created_at?: unknown;
  /** What a signer returned. */
  readonly signature?: unknown;
}

const fields = {
  schema: v.pipe(v.literal(RECEIPT_SCHEMA), v.description("Format and version.")),
  envelope_schema: v.pipe(
    v.literal(ENVELOPE_SCHEMA),
    v.description("Format of the capsule that it is about."),
  ),
  capsule_id: v.pipe(id, v.description("Which record of the run.")),
  run_id: v.pipe(id, v.description("Which run.")),
  capsule_root: v.pipe(
    digest,
    v.description("entry_hash of the last entry; 64 zeros when there is none."),
  ),
  entry_count: v.pipe(count, v.description("Number of entries.")),
  journal_sha256: v.pipe(digest, v.description("Digest of the journal's raw bytes.")),
  projection_hash: v.pipe(digest, v.description("projection_hash of the projection.")),
  artifact_digest: v.pipe(
    v.nullable(digest),
    v.description("Digest of what the run delivered; null when it is about no artifact."),
  ),
  gate_receipt_digest: v.pipe(
    v.nullable(digest),
    v.description("Hash of a gate receipt; null when there is none."),
  ),
  gate_verdict: v.exactOptional(
    v.pipe(v.unknown(), v.description("The verdict of that gate receipt: data, not a result.")),
  ),
  created_at: v.exactOptional(
    v.pipe(v.unknown(), v.description("When it was made. Builders write an instant in UTC.")),
  ),
  signature: v.exactOptional(
    v.pipe(v.unknown(), v.description("What the signer returned; null when it is not signed.")),
  ),
  receipt_hash: v.pipe(
    digest,
    v.description("Hash of all other members, with signature as null."),
  ),
};
const known = v.object(fields);
true satisfies Agrees<typeof known, ReceiptShape>;

const receipt = v.pipe(
  v.looseObject(fields),
  v.title("Capsule receipt"),
  v.description(
    "A receipt, as parsed JSON: where a journal stood. Further members are allowed and hashed. Not said here: " +
      "receipt_hash is the hash of the other members; the signature is one of a pinned key; journal, metadata, " +
      "projection, artifact and gate receipt are those that it states; it is bounded in size and depth.",
  ),
);

/** The shape of a receipt. */
export const ReceiptSchema: DocumentSchema<ReceiptShape> = publish(receipt);
