/**
 * Verifies a journal: line by line as its bytes arrive, in memory that does not grow with it.
 *
 * What a verdict says: these bytes are a chain of well-formed entries, each bound to the one before. What it does not:
 * that entries are missing from the end, that the run happened so, or who wrote them.
 *
 * Rule: `docs/spec/capsule.md`, "Verification". The order of precedence is part of the format: bytes that are no UTF-8
 * anywhere, then a last line without its line feed, then the first bad line.
 *
 * @module
 */
import {
  ByteBuffer,
  codeOf,
  decodeUtf8,
  isUnreadable,
  MAX_TEXT_BYTES,
  readPieces,
  SourceError,
  Utf8Checker,
} from "../core/mod.ts";
import type { At, FileInput } from "../core/mod.ts";
import { parseJson } from "../canonical/mod.ts";
import { GENESIS } from "../hash/mod.ts";
import type { Digest, RunningDigest, Sha256 } from "../hash/mod.ts";
import type { VerifyCode } from "./codes.ts";
import { formatEntry, validateEntry } from "./envelope.ts";
import type { Entry } from "./envelope.ts";
import { describeFault } from "./faults.ts";
import type { EntryFault } from "./faults.ts";
import { EFFECT_CLASSES, LINEAGES } from "./vocabulary.ts";
import type { EffectClass, Lineage } from "./vocabulary.ts";

/** What a journal that holds was found to contain. */
export interface JournalState {
  /** How many entries there are. */
  readonly entry_count: number;
  /** Hash of the last entry; 64 zeros when there is none. */
  readonly root_hash: Digest;
  /** Digest of the raw bytes. */
  readonly journal_sha256: Digest;
  /** Length of the journal in bytes. */
  readonly journal_bytes: number;
  /** How many entries of each lineage. */
  readonly by_lineage: Readonly<Record<Lineage, number>>;
  /** How many entries of each effect class. */
  readonly by_effect_class: Readonly<Record<EffectClass, number>>;
  /** Hash of the entry that ends the asked-for prefix (64 zeros for an empty one); `null` when there are fewer entries. */
  readonly prefix_root: Digest | null;
}

/** A verdict that something holds. */
export interface Holds<S> {
  /** Always `true`. */
  readonly ok: true;
  /** Always `ok`. */
  readonly code: "ok";
  /** There is nothing to explain. */
  readonly reason: null;
  /** No entry is at fault. */
  readonly failed_at: null;
  /** How many entries there are. */
  readonly entry_count: number;
  /** Hash of the last entry; 64 zeros when there is none. */
  readonly root_hash: Digest;
  /** What was found, for projections and receipts. */
  readonly state: S;
}

/** A verdict that something does not hold, named by the first rule that was broken. */
export interface Refused {
  /** Always `false`. */
  readonly ok: false;
  /** The first rule that was broken. */
  readonly code: VerifyCode;
  /** The same in words, for people. May change between versions. */
  readonly reason: string;
  /** Zero-based index of the entry at fault, where the rule names one. */
  readonly failed_at: number | null;
  /** Entries that held before the failure; 0 where the rule judges the file as a whole. */
  readonly entry_count: number;
  /** A journal that does not hold has no root. */
  readonly root_hash: null;
  /** `entry` as `failed_at`, and `byte`: where its line starts. */
  readonly at?: At;
  /** What is wrong with an entry on its own, in report order. */
  readonly faults?: readonly EntryFault[];
  /** What a link or sequence number was expected to be, and was. */
  readonly expected?: string;
  /** What it was instead. */
  readonly found?: string;
}

/** A verification to go on from. */
export interface JournalResume<S extends JournalState = JournalState> {
  /** What the bytes before were found to contain. */
  readonly state: S;
  /** A running digest that has taken exactly those bytes. */
  readonly digest: RunningDigest;
}

/** What the verification of a journal ends in. */
export type JournalVerdict = Holds<JournalState> | Refused;

/** Options of {@linkcode JournalVerifier}. */
export interface JournalOptions {
  /** Longest line in bytes, without its line feed. Default 64 MiB. */
  readonly maxLineBytes?: number;
  /** Also report the root after this many entries, as `prefix_root`. Default 0. */
  readonly prefix?: number;
  /** Go on after bytes that were verified before, instead of at the start. */
  readonly resume?: JournalResume;
  /** Called with each entry that holds so far; the journal as a whole may still fail. */
  readonly onEntry?: (entry: Entry, index: number) => void;
}

const LF = 0x0a;

/**
 * Verifies a journal whose bytes are handed over in pieces.
 *
 * @example
 * ```ts
 * import { JournalVerifier } from "affidavit/capsule";
 * import { loadSha256 } from "affidavit/hash";
 *
 * const verifier = new JournalVerifier(await loadSha256());
 * verifier.write(new TextEncoder().encode("not an entry\n"));
 * const verdict = verifier.end();
 * console.log(verdict.code, verdict.failed_at); // capsule.corrupt_entry 0
 * ```
 */
export class JournalVerifier {
  readonly #sha256: Sha256;
  readonly #maxLineBytes: number;
  readonly #prefix: number;
  readonly #onEntry: JournalOptions["onEntry"];
  readonly #digest: RunningDigest;
  readonly #byLineage: Record<Lineage, number>;
  readonly #byEffectClass: Record<EffectClass, number>;
  readonly #held = new ByteBuffer();
  /** For what is not parsed: all after the first bad line, and a last line without its line feed. */
  readonly #rest = new Utf8Checker();
  #bytes: number;
  #lastByte = LF;
  #lines: number;
  #lineStart: number;
  #head: Digest;
  #prefixRoot: Digest | null;
  #failure: Refused | undefined;
  #badUtf8 = false;

  /** A verifier of one journal, before its first byte. */
  constructor(sha256: Sha256, options: JournalOptions = {}) {
    this.#sha256 = sha256;
    this.#maxLineBytes = options.maxLineBytes ?? MAX_TEXT_BYTES;
    this.#prefix = options.prefix ?? 0;
    this.#onEntry = options.onEntry;
    const before = options.resume?.state;
    this.#digest = options.resume?.digest ?? sha256.start();
    this.#byLineage = { ...countersFor(LINEAGES), ...before?.by_lineage };
    this.#byEffectClass = { ...countersFor(EFFECT_CLASSES), ...before?.by_effect_class };
    this.#bytes = this.#lineStart = before?.journal_bytes ?? 0;
    this.#lines = before?.entry_count ?? 0;
    this.#head = before?.root_hash ?? GENESIS;
    this.#prefixRoot = this.#prefix === this.#lines ? this.#head : null;
  }

  /** Is the verdict certain, whatever bytes may follow? */
  get decided(): boolean {
    return this.#badUtf8;
  }

  /** Takes the next bytes; nothing of the array is kept. */
  write(piece: Uint8Array): void {
    if (this.#badUtf8 || piece.length === 0) return;
    this.#digest.update(piece);
    this.#bytes += piece.length;
    this.#lastByte = piece[piece.length - 1]!;
    let from = 0;
    while (this.#failure === undefined && !this.#badUtf8) {
      const end = piece.indexOf(LF, from);
      const part = piece.subarray(from, end < 0 ? piece.length : end);
      let line = part;
      if (end < 0 || this.#held.length > 0 || part.length > this.#maxLineBytes) {
        if (!this.#hold(part)) break;
        line = this.#held.view();
      }
      if (end < 0) return;
      this.#checkLine(line);
      this.#held.clear();
      this.#lineStart += line.length + 1;
      this.#lines++;
      from = end + 1;
    }
    if (!this.#badUtf8) this.#skim(piece.subarray(from));
  }

  /** Ends the journal and gives the verdict. Call it once. */
  end(): JournalVerdict {
    this.#rest.write(this.#held.view());
    if (this.#badUtf8 || !this.#rest.isComplete) {
      return refuse("capsule.non_canonical", "the journal is not valid UTF-8");
    }
    if (this.#lastByte !== LF) {
      const reason =
        `the last line, at index ${this.#lines}, does not end with a line feed: a write was cut short`;
      return refuse("capsule.truncated_tail", reason, { failed_at: this.#lines });
    }
    if (this.#failure !== undefined) return this.#failure;
    const state: JournalState = {
      entry_count: this.#lines,
      root_hash: this.#head,
      journal_sha256: this.#digest.digest(),
      journal_bytes: this.#bytes,
      by_lineage: this.#byLineage,
      by_effect_class: this.#byEffectClass,
      prefix_root: this.#prefixRoot,
    };
    return holds(state);
  }

  /** Keeps a part of a line until the rest arrives; false when the line is longer than any line may be. */
  #hold(part: Uint8Array): boolean {
    if (this.#held.length + part.length <= this.#maxLineBytes) {
      this.#held.append(part);
      return true;
    }
    const [index, byte] = [this.#lines, this.#lineStart];
    this.#failure = refuse(
      "capsule.invalid_entry",
      `entry ${index}: it is longer than ${this.#maxLineBytes} bytes`,
      {
        failed_at: index,
        entry_count: index,
        at: { entry: index, byte },
      },
    );
    this.#badUtf8 = !this.#rest.write(this.#held.view());
    this.#held.clear();
    return false;
  }

  #checkLine(line: Uint8Array): void {
    const text = decodeUtf8(line);
    if (text === undefined) this.#badUtf8 = true;
    else this.#failure = this.#checkText(text);
  }

  #checkText(text: string): Refused | undefined {
    const index = this.#lines;
    const at = { entry: index, byte: this.#lineStart };
    const bad = (code: VerifyCode, why: string, more?: Partial<Refused>): Refused =>
      refuse(code, `entry ${index}: ${why}`, { failed_at: index, entry_count: index, at, ...more });

    const parsed = parseJson(text);
    if (!parsed.ok) {
      return parsed.code === "json.syntax"
        ? bad("capsule.corrupt_entry", "it is not JSON")
        : bad("capsule.invalid_entry", "it is nested too deep");
    }
    const faults = validateEntry(parsed.value, this.#sha256);
    if (faults[0] !== undefined) {
      return bad("capsule.invalid_entry", describeFault(faults[0]), { faults });
    }
    const entry = parsed.value as Entry;
    if (entry.seq !== index) {
      const link = { expected: String(index), found: String(entry.seq) };
      return bad(
        "capsule.reordered",
        `it says it is entry ${entry.seq}: entries are missing, doubled or swapped`,
        link,
      );
    }
    if (entry.parent_hash !== this.#head) {
      const link = { expected: this.#head, found: entry.parent_hash };
      return bad("capsule.broken_link", "it does not link to the entry before it", link);
    }
    if (formatEntry(entry) !== text) {
      return bad("capsule.non_canonical", "it is not in its canonical spelling");
    }

    this.#head = entry.entry_hash;
    if (index + 1 === this.#prefix) this.#prefixRoot = this.#head;
    this.#byLineage[entry.lineage]++;
    this.#byEffectClass[entry.effect_class]++;
    this.#onEntry?.(entry, index);
    return undefined;
  }

  /** After the first bad line only two things can still matter: bytes that are no UTF-8, and how the file ends. */
  #skim(piece: Uint8Array): void {
    for (let at = 0; at < piece.length; at++) {
      if (piece[at] === LF) this.#lines++; // measured: on empty lines an indexOf each takes 30 times as long
    }
    this.#badUtf8 = !this.#rest.write(piece);
  }
}

/** The verdict over a journal alone; no metadata is looked at. */
export async function verifyJournal(
  journal: FileInput,
  sha256: Sha256,
  options: JournalOptions = {},
): Promise<JournalVerdict> {
  if (journal === null) return refuse("capsule.missing_journal", "there is no journal");
  if (isUnreadable(journal)) {
    return refuse("capsule.unreadable_journal", `the journal is unreadable: ${journal.unreadable}`);
  }
  const verifier = new JournalVerifier(sha256, options);
  try {
    for await (const piece of readPieces(journal)) {
      verifier.write(piece);
      if (verifier.decided) break;
    }
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
    const why = codeOf(error.cause);
    return refuse(
      "capsule.unreadable_journal",
      `the journal is unreadable: reading it failed${why === undefined ? "" : `: ${why}`}`,
    );
  }
  return verifier.end();
}

/** Makes a verdict that something holds. */
export function holds<S extends JournalState>(state: S): Holds<S> {
  const { entry_count, root_hash } = state;
  return { ok: true, code: "ok", reason: null, failed_at: null, entry_count, root_hash, state };
}

/** Makes a verdict that something does not. */
export function refuse(code: VerifyCode, what: string, more: Partial<Refused> = {}): Refused {
  return {
    ok: false,
    code,
    reason: `Verifying the capsule: ${what}`,
    failed_at: null,
    entry_count: 0,
    root_hash: null,
    ...more,
  };
}

function countersFor<K extends string>(names: readonly K[]): Record<K, number> {
  return Object.fromEntries(names.map((name) => [name, 0])) as Record<K, number>;
}
