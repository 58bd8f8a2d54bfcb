/**
 * Every word that the page says, in one table. Reasons of refusals come from the library and are English too.
 *
 * @module
 */
import type { PairName } from "./context.ts";
import type { Role } from "./recognise.ts";
import { formatBytes, formatCount } from "./text.ts";

/** The lines of a verdict, in their order. */
export type LineName =
  | "receipt"
  | "integrity"
  | "completeness"
  | "metadata"
  | "projection"
  | "artifact"
  | "signature"
  | "gate";

interface LineWords {
  readonly title: string;
  readonly holds: string;
  readonly fails: string;
  /** Why it was not checked though there is a receipt. */
  readonly notGiven: string;
}

const LINES: Readonly<Record<LineName, LineWords>> = {
  receipt: {
    title: "Receipt",
    holds: "It is a receipt, and nothing in it was changed since it was hashed.",
    fails: "It is no receipt, or something in it was changed.",
    notGiven: "No receipt was given.",
  },
  integrity: {
    title: "Integrity of the journal",
    holds: "The bytes are those that the receipt states.",
    fails: "The journal does not hold.",
    notGiven: "No journal was given.",
  },
  completeness: {
    title: "Completeness",
    holds: "Nothing was cut from the end or added to it since the receipt was made.",
    fails: "The journal does not end where the receipt saw it end.",
    notGiven: "No receipt was given.",
  },
  metadata: {
    title: "Metadata",
    holds: "Every entry names the run and capsule of capsule.json, and the receipt is about them.",
    fails: "The files are not about the same run.",
    notGiven: "No capsule.json was given.",
  },
  projection: {
    title: "Projection",
    holds: "projection.json is the one that the journal gives and the receipt states.",
    fails: "projection.json is not the summary that the journal gives.",
    notGiven: "No projection.json was given.",
  },
  artifact: {
    title: "Artifact",
    holds: "The file is the one that the receipt states.",
    fails: "The file is not the one that the receipt states.",
    notGiven: "The receipt states one. Add the file to compare it.",
  },
  signature: {
    title: "Signature",
    holds: "The receipt is signed by the key that you gave.",
    fails: "The receipt is not signed by the key that you gave.",
    notGiven:
      "The receipt carries a signature. Add the public key that you had beforehand to check it.",
  },
  gate: {
    title: "Gate receipt",
    holds: "The file is the gate receipt that the receipt states.",
    fails: "The file is not the gate receipt that the receipt states.",
    notGiven: "The receipt states one. Add the file to compare it.",
  },
};

/** What no check of the files at hand shows, by its stable name. */
export type NeverShown = "content" | "origin" | "truth";

interface NeverWords {
  readonly title: string;
  readonly why: string;
}

const NEVER: Readonly<Record<NeverShown, NeverWords>> = {
  content: {
    title: "Anything about a run",
    why: "The journal is empty: it holds nothing that could be checked.",
  },
  origin: {
    title: "Who made these files",
    why:
      "Whoever has the files can write all of them anew. A receipt that is signed with a key that you had beforehand would show it.",
  },
  truth: {
    title: "Whether the run happened so",
    why: "That it happened as recorded, and that nothing was left out while recording.",
  },
};

const ROLE_NAMES: Readonly<Record<Role, string>> = {
  receipt: "Receipt",
  metadata: "Metadata (capsule.json)",
  journal: "Journal (journal.ndjson)",
  projection: "Projection (projection.json)",
  artifact: "Artifact",
  key: "Public key",
  gate: "Gate receipt",
};

interface PairWords {
  readonly title: string;
  readonly expected: string;
  readonly found: string;
}

const PAIRS: Readonly<Record<PairName, PairWords>> = {
  entries: { title: "Number of entries", expected: "The receipt states", found: "The journal has" },
  root: {
    title: "Root after as many entries",
    expected: "The receipt states",
    found: "The journal has",
  },
  journalDigest: {
    title: "Digest of the journal",
    expected: "The receipt states",
    found: "The journal has",
  },
  seq: { title: "Place of the entry (seq)", expected: "Expected", found: "Found" },
  parent: { title: "Hash of the entry before (parent_hash)", expected: "Expected", found: "Found" },
  entryHash: {
    title: "Hash of the entry",
    expected: "Its content hashes to",
    found: "entry_hash says",
  },
  spelling: { title: "Spelling of the line", expected: "Canonical", found: "Found" },
  run_id: { title: "Run", expected: "Expected", found: "Found" },
  capsule_id: { title: "Capsule", expected: "Expected", found: "Found" },
  harness_version: { title: "Harness", expected: "Expected", found: "Found" },
  task_family: { title: "Task family", expected: "Expected", found: "Found" },
  receiptHash: {
    title: "Hash of the receipt",
    expected: "Its content hashes to",
    found: "receipt_hash says",
  },
  projection: {
    title: "Hash of the projection",
    expected: "The receipt states",
    found: "The journal gives",
  },
  artifact: {
    title: "Digest of the artifact",
    expected: "The receipt states",
    found: "The file has",
  },
  gate: {
    title: "Digest of the gate receipt",
    expected: "The receipt states",
    found: "The file has",
  },
};

/** What is said of the line that is marked in a context. */
export type Mark = "fault" | "end" | "seen" | "unseen";

const MARKS: Readonly<Record<Mark, string>> = {
  fault: "fails",
  end: "the last one",
  seen: "last one stated",
  unseen: "not stated",
};

const entries = (count: number): string =>
  `${formatCount(count)} ${count === 1 ? "entry" : "entries"}`;

/** The table. */
export const WORDS = {
  title: "Affidavit: verify a receipt",
  noScript: "This page verifies files with a script of its own, and scripts are switched off here.",
  heading: "Verify a receipt",
  intro:
    "Find out whether the record of an agent's run was changed or cut short after its receipt was made. Nothing leaves this page: it cannot use the network.",

  offerLabel: "Files to verify",
  dropHere: "Drop or choose a receipt and its bundle",
  dropMore: "Drop or choose more files",
  dropHint:
    "The bundle is a folder with capsule.json, journal.ndjson and projection.json. You may add the artifact that the run delivered, and a public key that you had beforehand.",
  chooseFiles: "Choose files",
  chooseFolder: "Choose a folder",
  clear: "Start over",
  tooMany: (most: number): string => `There are more files: only the first ${most} were taken.`,
  nothingOffered: "There was no file in what you dropped.",

  filesHeading: (count: number): string => count === 1 ? "1 file" : `${formatCount(count)} files`,
  fileColumn: "File",
  sizeColumn: "Size",
  roleColumn: "Taken for",
  roleOf: (path: string): string => `What is ${path}?`,
  notUsed: "Not used",
  roles: ROLE_NAMES as Readonly<Record<Role, string>>,
  unreadable: "cannot be read",
  ambiguous: (count: number): string =>
    count === 1
      ? "One file is not used. If it is the artifact or anything else to check, say so in the list."
      : `${count} files are not used. If one of them is the artifact or anything else to check, say so in the list.`,
  several: (role: string, count: number): string =>
    `${count} files could be the ${role}. The first is taken; choose another in the list.`,
  keyInFolder:
    "What looks like a public key came in the folder and is not used: whoever made the bundle may have put it there. If it is the key that you had beforehand, say so in the list.",
  waiting: "Nothing to verify yet: add a receipt, or the files of a bundle.",

  verifying: "Verifying",
  progress: (done: number, total: number, count: number): string =>
    `${formatBytes(done)} of ${formatBytes(total)}, ${entries(count)} so far`,
  starting: "Reading the files",
  cancel: "Cancel",
  cancelled: "Cancelled: nothing is known about these files.",
  again: "Verify again",
  broken:
    "The verification stopped because of a defect of this page or browser; nothing is known about these files.",

  verdictHeading: "Verdict",
  refused: (what: string): string => `refused: ${what}`,
  check: (name: string): string => `check ${name}`,
  codeAt: (code: string, entry: number | null): string =>
    entry === null ? code : `${code} at entry ${entry}`,
  holds: (made: number, all: number): string => `holds, ${made} of ${all} checks made`,
  consistent: (count: number, isTailChecked: boolean): string =>
    `consistent, ${entries(count)}${count === 0 ? " (it holds nothing)" : ""}, tail ${
      isTailChecked ? "checked by the receipt" : "not checked"
    }`,
  receiptWouldAdd:
    "A receipt from the producer would also show that nothing was cut from the end, which artifact came of the run, and, when it is signed, who says so.",
  addBundle:
    "A receipt shows nothing by itself. Add its bundle: capsule.json, journal.ndjson and projection.json.",
  addJournal: "Add journal.ndjson of the same bundle.",

  statuses: {
    holds: "holds",
    fails: "fails",
    not_checked: "not checked",
    not_reached: "not reached",
  },
  linesLabel: "What was checked",
  lines: LINES as Readonly<Record<LineName, LineWords>>,
  chainHolds: (count: number): string =>
    count === 0
      ? "There is no entry, so nothing in it can be wrong."
      : `${entries(count)}, each unchanged since it was hashed and bound to the one before.`,
  metadataHoldsAlone: "Every entry names the run and capsule of capsule.json.",
  projectionHoldsAlone: "projection.json is the summary that the journal gives.",
  noProjection: "No projection.json was given.",
  noReceipt: "No receipt was given.",
  notReached: (check: string): string => `Not looked at, because ${check} fails before.`,
  unsigned: "The receipt is not signed.",
  noArtifactStated: "The receipt is about no artifact.",
  noGateStated: "The receipt is about no gate receipt.",
  gateRefused: (why: string): string => `Reading the gate receipt: it is ${why}`,
  signatureUnavailable:
    "Signatures cannot be checked here: this browser offers that to pages over https, on localhost and from a file only. Everything else was checked.",
  signedBy: "Signed by",

  neverHeading: "What this does not show",
  never: NEVER as Readonly<Record<NeverShown, NeverWords>>,
  tailOpen:
    "Entries may be missing from the end: a chain whose tail was cut is still a chain. A receipt from the producer would show it.",
  metadataOpen: "The journal was verified by itself. Add its capsule.json to see whose run it is.",

  contextHeading: "Where it fails",
  entryPlace: (index: number): string => `entry ${formatCount(index)}`,
  entryNumber: (index: number): string => `Entry ${formatCount(index)}`,
  atByte: (byte: number): string =>
    `The byte at offset ${formatCount(byte)} begins no valid UTF-8 sequence.`,
  faultsHeading: "What is wrong with the entry",
  linesAround: "Lines of the journal",
  marks: MARKS as Readonly<Record<Mark, string>>,
  lineCut: "the rest is not shown",
  pairs: PAIRS as Readonly<Record<PairName, PairWords>>,
  nothingThere: "nothing",

  factsLabel: "What it is about",
  facts: {
    run: "Run",
    capsule: "Capsule",
    harness: "Harness",
    family: "Task family",
    entries: "Entries",
    root: "Root",
  },

  timelineHeading: "Timeline",
  timelineHeld:
    "Entries before the first failure. They hold by themselves; the journal as a whole does not.",
  timelineCut: (most: number): string =>
    `All entries were verified; the first ${formatCount(most)} are listed.`,
  lineageLegend: "Lineage",
  classLegend: "Effect class",
  stripLabel: (lineage: string, count: number): string =>
    `${lineage}: ${entries(count)} over the length of the journal`,
  searchLabel: "Search the entries",
  searchHint: "Kind, payload, time or hash",
  searching: (percent: number): string => `Searching, ${percent} %`,
  shown: (shown: number, all: number): string =>
    shown === all ? `${entries(all)}` : `${formatCount(shown)} of ${entries(all)}`,
  noneShown: "No entry passes the filter.",
  listLabel: "Entries",
  listHint: "Arrow keys move, Enter opens an entry, Escape leads back to the list.",
  manyKinds: "(kind not listed)",
  detailHint: "Choose an entry to see all of it.",
  payload: "Payload",
  envelope: "Envelope",
  rawLine: "The line as it is in the file",
  longLine: (size: number): string => `a line of ${formatBytes(size)}`,
  cutCharacters: (count: number): string => ` … ${formatCount(count)} more characters`,

  footer: (version: string): string =>
    `Affidavit ${version}. This page has everything in one file, may be kept, and works without a network.`,
  ranIn: (place: "worker" | "page", implementation: string): string =>
    `Verified ${place === "worker" ? "in a worker" : "in the page itself"}, SHA-256 in ${
      implementation === "wasm" ? "WebAssembly" : "plain TypeScript"
    }.`,
} as const;
