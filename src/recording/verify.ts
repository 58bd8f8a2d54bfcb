/**
 * Verifies the answers of a store: each by its own hashes, and all of them against the capsule that they were recorded with.
 *
 * By its own hashes an answer only shows that nobody edited it who did not compute them anew. Held against a capsule, whose
 * receipt somebody has, it shows that it is the one that was recorded, and that none is missing.
 *
 * Rule: `docs/spec/recording.md`, "Answers and their capsule".
 *
 * @module
 */
import { compareCodeUnits } from "../core/mod.ts";
import type { Entry } from "../capsule/mod.ts";
import type { Sha256 } from "../hash/mod.ts";
import type { FixtureStore } from "../ports/mod.ts";
import type { FileVerdict } from "../replay/mod.ts";
import { answerFile, listAnswers, readAnswer } from "./answer.ts";
import type { RecordedAnswer } from "./answer.ts";

/** What the entries of a capsule say of answers: the hash of each response, by the name of its file. */
export type NamedAnswers = ReadonlyMap<string, string>;

/** What verification says of one answer. */
export interface AnswerVerdict extends Omit<FileVerdict, "code"> {
  /** Why it does not hold; `tool.fixture_missing` when an entry names it and it is not there. */
  readonly code: FileVerdict["code"] | "tool.fixture_missing";
}

/** Collects the answers that entries name. The entries must be those of a capsule that verifies. */
export async function collectNamed(entries: AsyncIterable<Entry>): Promise<NamedAnswers> {
  const named = new Map<string, string>();
  for await (const { kind, payload: { path, response_hash } } of entries) {
    const isNamed = kind === "tool.result" && typeof path === "string";
    if (isNamed && typeof response_hash === "string") named.set(path, response_hash);
  }
  return named;
}

/**
 * Verifies every answer of a store, by the name of its file.
 *
 * @param named what the entries of its capsule say; without it nothing tells whether an answer is the one that was recorded.
 */
export async function verifyAnswers(
  store: FixtureStore,
  sha256: Sha256,
  named?: NamedAnswers,
): Promise<AnswerVerdict[]> {
  const verdicts: AnswerVerdict[] = [];
  const missing = new Set(named?.keys());
  for (const [key, occurrences] of await listAnswers(store)) {
    for (const occurrence of occurrences) {
      const file = answerFile(key, occurrence);
      const read = await readAnswer(await store.read(file), key, occurrence, sha256);
      if (read.ok && read.value === null) continue; // removed meanwhile
      missing.delete(file);
      verdicts.push(
        read.ok ? judge(file, read.value!, named) : refused(file, read.code, read.reason),
      );
    }
  }
  for (const file of missing) {
    const reason = "Reading an answer: an entry of the capsule names it, and it is not there";
    verdicts.push(refused(file, "tool.fixture_missing", reason));
  }
  return verdicts.sort((a, b) => compareCodeUnits(a.file, b.file));
}

function judge(file: string, answer: RecordedAnswer, named?: NamedAnswers): AnswerVerdict {
  const holds = { file, ok: true, code: null, reason: null, remark: null };
  if (named === undefined || answer.method !== "tools/call") return holds; // entries name no other answers
  const recorded = named.get(file);
  if (recorded === answer.response_hash) return holds;
  const why = recorded === undefined
    ? "no entry of the capsule names it: it was added, or recording was cut off before its entry"
    : "the capsule has another hash for it";
  return refused(file, "tool.fixture_mismatch", `Reading an answer: ${why}`);
}

function refused(
  file: string,
  code: NonNullable<AnswerVerdict["code"]>,
  reason: string,
): AnswerVerdict {
  return { file, ok: false, code, reason, remark: null };
}
