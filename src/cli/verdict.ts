/**
 * Verdicts over capsules and journals as they are printed: never a bare OK.
 *
 * @module
 */
import { checkExpectation, listUnchecked } from "../capsule/mod.ts";
import type {
  CapsuleVerdict,
  Expectation,
  ExpectationCode,
  JournalVerdict,
  NotChecked,
  VerifyCode,
} from "../capsule/mod.ts";
import type { CheckLine, ReceiptVerdict } from "../receipt/mod.ts";
import type { PinnedKey } from "./evidence.ts";
import { count, linesOfFields, linesOfUnchecked } from "./output.ts";
import type { Line, Style } from "./output.ts";

/** The verdict of verification, held against what is known from elsewhere. */
export interface CapsuleReport {
  readonly ok: boolean;
  readonly code: "ok" | VerifyCode | ExpectationCode;
  readonly reason: string | null;
  readonly failed_at: number | null;
  readonly entry_count: number;
  readonly root_hash: string | null;
  /** What stays open though the capsule holds; nothing is claimed of one that does not. */
  readonly not_checked: readonly NotChecked[];
}

/** Makes the report of a verdict. */
export function reportOf(
  verdict: CapsuleVerdict | JournalVerdict,
  expected: Expectation,
): CapsuleReport {
  const { ok, code, reason, failed_at, entry_count, root_hash } = verdict;
  if (!verdict.ok) return { ok, code, reason, failed_at, entry_count, root_hash, not_checked: [] };
  const met = checkExpectation(verdict.state, expected);
  if (!met.ok) {
    const differs = { ok: false, code: met.code, reason: met.reason, root_hash: null };
    return { ...differs, failed_at, entry_count, not_checked: [] };
  }
  const not_checked = listUnchecked(verdict.state, expected);
  return { ok, code, reason, failed_at, entry_count, root_hash, not_checked };
}

/**
 * The lines of a report.
 *
 * @param tailCheckedBy what showed that the tail is there, where the capsule alone does not.
 */
export function linesOfReport(report: CapsuleReport, tailCheckedBy = "the root given"): Line[] {
  if (!report.ok) {
    const where = report.failed_at === null ? "" : ` at entry ${report.failed_at}`;
    return [
      [{ style: "bad", text: `refused: ${report.code}` }, where],
      `  ${report.reason}`,
    ];
  }
  const isOpen = report.not_checked.some(({ what }) => what === "tail");
  const tail: { style: Style; text: string } = isOpen
    ? { style: "open", text: "tail not checked" }
    : { style: "good", text: `tail checked by ${tailCheckedBy}` };
  const nothing = report.entry_count === 0 ? " (it holds nothing)" : "";
  return [
    [
      { style: "good", text: "consistent" },
      `, ${count(report.entry_count, "entry")}${nothing}, `,
      tail,
    ],
    ...linesOfFields([["root", report.root_hash ?? ""]]),
    ...linesOfUnchecked(report.not_checked),
  ];
}

/** A verdict over a receipt, and whose signature it carries. */
export interface SignedVerdict extends ReceiptVerdict {
  /** The pinned public key in hexadecimal, when the signature is one of it; `null` when that was not checked or fails. */
  readonly signed_by: string | null;
}

/** Says of a verdict which pinned key signed the receipt. */
export function withSigner(verdict: ReceiptVerdict, key: PinnedKey | undefined): SignedVerdict {
  const isSigned = verdict.checks.some(({ check, status }) =>
    check === "signature" && status === "holds"
  );
  return { ...verdict, signed_by: isSigned && key !== undefined ? key.public_key : null };
}

const STATUS: Readonly<Record<CheckLine["status"], { style: Style; text: string }>> = {
  holds: { style: "good", text: "holds" },
  fails: { style: "bad", text: "fails" },
  not_checked: { style: "open", text: "not checked" },
  not_reached: { style: "dim", text: "not reached" },
};

/** The lines of a verdict over a receipt: one for each check, then what one that holds does not show. */
export function linesOfReceipt(verdict: SignedVerdict): Line[] {
  const { ok, check, reason, checks, not_checked, signed_by } = verdict;
  const held = checks.filter(({ status }) => status === "holds").length;
  const headline: Line = ok
    ? [{ style: "good", text: "holds" }, `, ${held} of ${count(checks.length, "check")} made`]
    : [{ style: "bad", text: `refused: check ${check}` }];
  return [
    headline,
    ...(reason === null ? [] : [`  ${reason}`]),
    ...(signed_by === null
      ? []
      : [[{ style: "good" as const, text: "signed" }, ` by the pinned key ${signed_by}`]]),
    ...checks.map(({ check: name, status }): Line => {
      const { style, text } = STATUS[status];
      return ["  ", { style, text: text.padEnd(11) }, `  ${name}`];
    }),
    ...(ok ? linesOfUnchecked(not_checked) : []),
  ];
}
