/**
 * Draws the files, the verdict and the context of a failure.
 *
 * @module
 */
import type { Context, ContextLine, Pair } from "./context.ts";
import { el, foreign } from "./dom.ts";
import type { Child } from "./dom.ts";
import { describeOutcome } from "./findings.ts";
import type { FindingLine, Findings } from "./findings.ts";
import { isUnpinnedKey, ROLES } from "./recognise.ts";
import type { Cast, Recognised, Role } from "./recognise.ts";
import { formatBytes, formatCount } from "./text.ts";
import type { Outcome } from "./verify.ts";
import { WORDS } from "./words.ts";
import type { Run } from "./worker.ts";

/** The table of files, in which a person can say what each of them is. It is closed while there is no doubt. */
export function renderFiles(
  files: readonly Recognised[],
  cast: Cast,
  isOpen: boolean,
  onChoice: (file: Recognised, role: Role | null) => void,
): HTMLElement {
  const roleOf = (file: Recognised): Role | null =>
    ROLES.find((role) => cast[role]?.path === file.path) ?? null;
  const rows = files.map((file, at) => renderFile(file, roleOf(file), at, onChoice));
  const heads = [WORDS.fileColumn, WORDS.sizeColumn, WORDS.roleColumn];
  const doubts = doubtsOf(files, roleOf);
  return el(
    "details",
    { class: "files panel", open: isOpen || doubts.length > 0 },
    el("summary", {}, el("h2", {}, WORDS.filesHeading(files.length))),
    ...doubts.map((doubt) => el("p", { class: "note doubt" }, doubt)),
    el(
      "table",
      {},
      el("thead", {}, el("tr", {}, ...heads.map((head) => el("th", { scope: "col" }, head)))),
      el("tbody", {}, ...rows),
    ),
  );
}

function renderFile(
  file: Recognised,
  role: Role | null,
  at: number,
  onChoice: (file: Recognised, role: Role | null) => void,
): HTMLElement {
  const options = [null, ...ROLES].map((one) =>
    el(
      "option",
      { value: one ?? "", selected: one === role },
      one === null ? WORDS.notUsed : WORDS.roles[one],
    )
  );
  const select = el(
    "select",
    { id: `role-${at}`, "aria-label": WORDS.roleOf(foreign(file.path).textContent) },
    ...options,
  );
  select.addEventListener("change", () => {
    onChoice(file, ROLES.find((one) => one === select.value) ?? null);
  });
  const size = file.file instanceof File ? formatBytes(file.file.size) : WORDS.unreadable;
  return el(
    "tr",
    role === null ? { class: "unused" } : {},
    el("th", { scope: "row" }, foreign(file.path)),
    el("td", { class: "size" }, size),
    el("td", {}, select),
  );
}

/** What a person should look at: roles that several files could have, and files that have none. */
function doubtsOf(
  files: readonly Recognised[],
  roleOf: (file: Recognised) => Role | null,
): string[] {
  const several = ROLES.flatMap((role) => {
    const candidates = files.filter(({ looksLike, choice }) =>
      looksLike === role && choice === undefined
    ).filter((file) => !isUnpinnedKey(file));
    const isChosen = files.some(({ choice }) => choice === role);
    return candidates.length > 1 && !isChosen
      ? [WORDS.several(WORDS.roles[role].toLowerCase(), candidates.length)]
      : [];
  });
  const unused = files.filter((file) =>
    roleOf(file) === null && file.looksLike === null && file.choice === undefined
  );
  return [
    ...several,
    ...(files.some(isUnpinnedKey) ? [WORDS.keyInFolder] : []),
    ...(unused.length > 0 ? [WORDS.ambiguous(unused.length)] : []),
  ];
}

/** The verdict. Its heading can be focused. */
export function renderVerdict({ outcome, place }: Run): HTMLElement {
  const findings = describeOutcome(outcome);
  const { tone, text, detail } = findings.headline;
  return el(
    "section",
    { class: `verdict panel ${tone}`, "aria-labelledby": "verdict-heading" },
    el(
      "div",
      { class: "headline" },
      el("p", { class: "eyebrow" }, WORDS.verdictHeading),
      el("h2", { id: "verdict-heading", tabindex: -1 }, text),
      el("p", { class: "reason" }, foreign(detail, 600)),
      ...hintsOf(outcome).map((hint) => el("p", { class: "note" }, hint)),
    ),
    renderFacts(outcome),
    el(
      "ul",
      { class: "lines", "aria-label": WORDS.linesLabel },
      ...findings.lines.map((line) => renderLine(line, outcome)),
    ),
    outcome.context !== null && renderContext(outcome.context),
    renderNever(findings),
    el("p", { class: "ran hint" }, WORDS.ranIn(place, outcome.implementation)),
  );
}

/** What to add, where the reason alone does not say it. */
function hintsOf({ receipt, capsule }: Outcome): string[] {
  if (receipt?.check === "journal_present") return [WORDS.addBundle];
  return capsule?.code === "capsule.missing_journal" ? [WORDS.addJournal] : [];
}

function renderFacts({ metadata, stated, capsule }: Outcome): HTMLElement | null {
  const about = metadata ?? stated;
  const { facts } = WORDS;
  const values: readonly (readonly [string, string | undefined])[] = [
    [facts.run, about?.run_id],
    [facts.capsule, about?.capsule_id],
    [facts.harness, metadata?.harness_version],
    [facts.family, metadata?.task_family],
    [facts.entries, capsule?.ok === true ? formatCount(capsule.entry_count) : undefined],
    [facts.root, capsule?.root_hash ?? undefined],
  ];
  const parts = values.flatMap(([name, value]) =>
    value === undefined ? [] : [
      el(
        "div",
        name === facts.root ? { class: "whole" } : {},
        el("dt", {}, name),
        el("dd", {}, foreign(value, 200)),
      ),
    ]
  );
  return parts.length === 0
    ? null
    : el("dl", { class: "facts", "aria-label": WORDS.factsLabel }, ...parts);
}

function renderLine({ name, status, codes, text }: FindingLine, outcome: Outcome): HTMLElement {
  const { key } = outcome;
  const signer = name === "signature" && status === "holds" && key?.status === "usable"
    ? key.hex
    : null;
  return el(
    "li",
    { class: `line ${status}`, "data-line": name, "data-status": status },
    el(
      "span",
      { class: "status" },
      el("span", { class: "mark", "aria-hidden": "true" }),
      WORDS.statuses[status],
    ),
    el(
      "div",
      { class: "what" },
      el("h3", {}, WORDS.lines[name].title),
      el("p", {}, foreign(text, 600)),
      signer !== null &&
        el("p", { class: "signer" }, `${WORDS.signedBy} `, foreign(signer, 64, "code")),
    ),
    el("span", { class: "codes" }, ...codes.map((code) => el("code", {}, code))),
  );
}

function renderNever({ neverShown }: Findings): HTMLElement | null {
  if (neverShown.length === 0) return null;
  const items = neverShown.map((what) =>
    el(
      "li",
      { "data-open": what },
      el("div", {}, el("h4", {}, WORDS.never[what].title), el("p", {}, WORDS.never[what].why)),
      el("span", { class: "codes" }, el("code", {}, what)),
    )
  );
  return el("div", { class: "never" }, el("h3", {}, WORDS.neverHeading), el("ul", {}, ...items));
}

function renderContext({ entry, byte, pairs, faults, lines, mark }: Context): HTMLElement {
  return el(
    "div",
    { class: "context" },
    el("h3", {}, WORDS.contextHeading, entry !== null && `: ${WORDS.entryPlace(entry)}`),
    byte !== null && el("p", {}, WORDS.atByte(byte)),
    ...pairs.filter(({ expected, found }) => expected !== found).map(renderPair),
    faults.length > 1 && el("h4", {}, WORDS.faultsHeading), // a single one is the reason itself
    faults.length > 1 &&
      el("ul", { class: "faults" }, ...faults.map((fault) => el("li", {}, foreign(fault, 600)))),
    ...renderContextLines(lines, WORDS.marks[mark]),
  );
}

function renderPair({ what, expected, found }: Pair): HTMLElement {
  const words = WORDS.pairs[what];
  const side = (name: string, label: string, value: string): Child =>
    el("div", { class: name }, el("dt", {}, label), el("dd", {}, foreign(value, 400, "code")));
  return el(
    "div",
    { class: "pair" },
    el("h4", {}, words.title),
    el("dl", {}, side("expected", words.expected, expected), side("found", words.found, found)),
  );
}

const SHOWN_CHARACTERS = 600;

function renderContextLines(lines: readonly ContextLine[], mark: string): HTMLElement[] {
  if (lines.length === 0) return [];
  const items = lines.map(({ index, text, isCut, isFault }) =>
    el(
      "li",
      isFault ? { class: "fault" } : {},
      el(
        "span",
        { class: "number" },
        index === null ? "" : formatCount(index),
        isFault && el("span", { class: "here" }, ` ${mark}`),
      ),
      el(
        "code",
        { class: "foreign", dir: "ltr" },
        foreign(text, SHOWN_CHARACTERS),
        isCut && el("span", { class: "cut" }, ` … ${WORDS.lineCut}`),
      ),
    )
  );
  return [
    el("h4", { id: "lines-around" }, WORDS.linesAround),
    el(
      "ol",
      { class: "raw", role: "list", tabindex: 0, "aria-labelledby": "lines-around" },
      ...items,
    ),
  ];
}
