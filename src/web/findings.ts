/**
 * What an outcome says, line by line: the words of the command line, and never a bare OK.
 *
 * @module
 */
import { listUnchecked } from "../capsule/mod.ts";
import type { CheckLine, ReceiptCheck } from "../receipt/mod.ts";
import type { Outcome } from "./verify.ts";
import { WORDS } from "./words.ts";
import type { LineName, NeverShown } from "./words.ts";

/** How a line stands. */
export type Status = CheckLine["status"];

/** One line of the verdict. */
export interface FindingLine {
  readonly name: LineName;
  readonly status: Status;
  /** Stable codes and names of checks that it speaks of. */
  readonly codes: readonly string[];
  readonly text: string;
}

/** The first line, and how serious it is: `open` is a good verdict that leaves the tail unchecked. */
export interface Headline {
  readonly tone: "holds" | "open" | "fails";
  readonly text: string;
  readonly detail: string;
}

/** Everything that is said about an outcome. */
export interface Findings {
  readonly headline: Headline;
  readonly lines: readonly FindingLine[];
  /** What stays open though nothing fails, by stable names; what could be checked and was not is a line. */
  readonly neverShown: readonly NeverShown[];
}

/** The checks of a receipt behind each line, in order. */
const CHECKS_OF: Readonly<Record<LineName, readonly ReceiptCheck[]>> = {
  receipt: ["schema", "receipt_hash"],
  integrity: ["journal_present", "journal_integrity"],
  completeness: ["truncation", "capsule_root", "stale_checkpoint"],
  metadata: ["metadata"],
  projection: ["projection"],
  artifact: ["artifact"],
  signature: ["signature"],
  gate: ["gate_receipt"],
};

const NEVER_SHOWN: readonly NeverShown[] = ["content", "origin", "truth"];

/** Says what was found. */
export function describeOutcome(outcome: Outcome): Findings {
  const open = openOf(outcome);
  return {
    headline: headlineOf(outcome, open),
    lines: linesOf(outcome),
    neverShown: NEVER_SHOWN.filter((what) => open.includes(what)),
  };
}

function headlineOf(outcome: Outcome, open: readonly string[]): Headline {
  const { capsule, receipt, key, gate } = outcome;
  const refused = (what: string, detail: string): Headline => ({
    tone: "fails",
    text: WORDS.refused(what),
    detail,
  });
  if (key?.status === "refused") return refused(key.code, key.reason);
  if (gate?.ok === false) return refused("receipt.schema_invalid", gate.reason);
  if (receipt?.ok === false) return refused(WORDS.check(receipt.check ?? ""), receipt.reason ?? "");
  if (capsule?.ok === false) {
    return refused(WORDS.codeAt(capsule.code, capsule.failed_at), capsule.reason);
  }
  if (outcome.projection === "fails") {
    return refused(WORDS.check("projection"), WORDS.lines.projection.fails);
  }
  const entries = capsule?.entry_count ?? 0;
  if (receipt !== null) {
    const made = receipt.checks.filter(({ status }) => status === "holds").length;
    const text = WORDS.holds(made, receipt.checks.length);
    return { tone: "holds", text, detail: WORDS.consistent(entries, true) };
  }
  const isOpen = open.includes("tail");
  return {
    tone: isOpen ? "open" : "holds",
    text: WORDS.consistent(entries, !isOpen),
    detail: WORDS.receiptWouldAdd,
  };
}

function openOf({ capsule, receipt }: Outcome): string[] {
  const open = receipt !== null
    ? (receipt.ok ? receipt.not_checked : [])
    : capsule?.ok === true
    ? listUnchecked(capsule.state)
    : [];
  return open.map(({ what }) => what);
}

function linesOf(outcome: Outcome): FindingLine[] {
  const names = Object.keys(CHECKS_OF) as LineName[];
  return names.filter((name) => name !== "receipt" || outcome.receipt !== null)
    .map((name) => lineOf(name, outcome));
}

function lineOf(name: LineName, outcome: Outcome): FindingLine {
  const line = (status: Status, codes: readonly string[], text: string): FindingLine => ({
    name,
    status,
    codes,
    text,
  });
  const special = SPECIAL[name]?.(outcome, line);
  if (special !== undefined) return special;
  const { receipt } = outcome;
  const words = WORDS.lines[name];
  if (receipt === null) {
    return name === "completeness"
      ? line("not_checked", ["tail"], WORDS.tailOpen)
      : line("not_checked", CHECKS_OF[name], WORDS.noReceipt);
  }
  const checks = receipt.checks.filter(({ check }) => CHECKS_OF[name].includes(check));
  const failing = checks.find(({ status }) => status === "fails");
  if (failing !== undefined) return line("fails", [failing.check], receipt.reason ?? words.fails);
  const status =
    (["not_reached", "not_checked", "holds"] as const).find((one) =>
      checks.some((check) => check.status === one)
    ) ?? "not_checked";
  const codes = checks.map(({ check }) => check);
  if (status === "not_reached") return line(status, codes, WORDS.notReached(receipt.check ?? ""));
  return line(status, codes, status === "holds" ? words.holds : notCheckedText(name, outcome));
}

/** Makes a line; its name is known already. */
type MakeLine = (status: Status, codes: readonly string[], text: string) => FindingLine;

/** Lines that are not only about checks of a receipt. What gives `undefined` is about nothing else this time. */
const SPECIAL: Partial<
  Record<LineName, (outcome: Outcome, line: MakeLine) => FindingLine | undefined>
> = {
  integrity: integrityLine,
  metadata: metadataLine,
  projection: projectionLine,
  signature: signatureLine,
  gate: gateLine,
};

function isAboutMetadata({ capsule }: Outcome): boolean {
  return capsule?.code.startsWith("capsule.metadata_") === true;
}

function integrityLine(outcome: Outcome, line: MakeLine): FindingLine | undefined {
  const { capsule, receipt } = outcome;
  if (capsule === null) return undefined;
  const isCheck = receipt?.check === "journal_integrity";
  if (!capsule.ok && !isAboutMetadata(outcome)) {
    const codes = isCheck ? ["journal_integrity", capsule.code] : [capsule.code];
    return line("fails", codes, capsule.reason);
  }
  if (isCheck) return undefined;
  const isCompared = receipt?.checks.some(({ check, status }) =>
    check === "journal_integrity" && status === "holds"
  );
  const chain = WORDS.chainHolds(capsule.entry_count);
  return isCompared
    ? line("holds", ["journal_integrity"], `${chain} ${WORDS.lines.integrity.holds}`)
    : line("holds", ["ok"], chain);
}

function metadataLine(outcome: Outcome, line: MakeLine): FindingLine | undefined {
  const { capsule, receipt, isJournalAlone } = outcome;
  if (isAboutMetadata(outcome) && capsule?.ok === false) {
    const codes = receipt?.check === "metadata" ? ["metadata", capsule.code] : [capsule.code];
    return line("fails", codes, capsule.reason);
  }
  if (receipt !== null) return undefined;
  if (isJournalAlone) return line("not_checked", ["metadata"], WORDS.metadataOpen);
  return capsule?.ok === true
    ? line("holds", ["metadata"], WORDS.metadataHoldsAlone)
    : line("not_reached", ["metadata"], WORDS.notReached(capsule?.code ?? ""));
}

function projectionLine(outcome: Outcome, line: MakeLine): FindingLine | undefined {
  const { capsule, receipt, projection } = outcome;
  if (receipt !== null) return undefined;
  return line(
    projection,
    ["projection"],
    {
      holds: WORDS.projectionHoldsAlone,
      fails: WORDS.lines.projection.fails,
      not_checked: WORDS.noProjection,
      not_reached: WORDS.notReached(capsule?.code ?? ""),
    }[projection],
  );
}

function signatureLine({ key }: Outcome, line: MakeLine): FindingLine | undefined {
  if (key?.status === "refused") return line("fails", [key.code], key.reason);
  return key?.status === "unavailable"
    ? line("not_checked", ["signature.unavailable"], WORDS.signatureUnavailable)
    : undefined;
}

function gateLine({ gate }: Outcome, line: MakeLine): FindingLine | undefined {
  return gate?.ok === false ? line("fails", ["receipt.schema_invalid"], gate.reason) : undefined;
}

/** Why a check of a receipt was not made. */
function notCheckedText(name: LineName, { stated, receipt }: Outcome): string {
  if (stated === null) return WORDS.notReached(receipt?.check ?? ""); // it is no receipt
  if (name === "signature" && stated?.isSigned === false) return WORDS.unsigned;
  if (name === "artifact" && stated?.artifact_digest === null) return WORDS.noArtifactStated;
  if (name === "gate" && stated?.gate_receipt_digest === null) return WORDS.noGateStated;
  return WORDS.lines[name].notGiven;
}
