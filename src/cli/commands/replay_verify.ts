/**
 * `affidavit replay verify`.
 *
 * @module
 */
import type { NotChecked } from "../../capsule/mod.ts";
import { fixtureStoreAt, nativeSha256, openCapsule } from "../../node/mod.ts";
import { collectNamed, verifyAnswers } from "../../recording/mod.ts";
import type { AnswerVerdict } from "../../recording/mod.ts";
import { verifyFixtures } from "../../replay/mod.ts";
import type { FileVerdict, StoreVerdict } from "../../replay/mod.ts";
import { parseArguments, takePositionals } from "../args.ts";
import { COMMON } from "../help.ts";
import type { Io } from "../io.ts";
import { linesOfUnchecked, showResult } from "../output.ts";
import type { Line } from "../output.ts";
import { numberOf } from "./replay_list.ts";

const help = `affidavit replay verify DIR: do the hashes of every fixture in DIR hold?

Reads every fixture, the arguments kept beside it, and every recorded answer of
an MCP server, and names each file that is unreadable, corrupt or does not fit
its hashes, with its code. Remarks tell what a recorder would have written
otherwise and replay passes over. Nothing is written or executed.

  --capsule DIR2   hold the recorded answers against the capsule in DIR2: each
                   must be one that an entry names, with its hash, and none may
                   be missing. Verify that capsule with its receipt, too
${COMMON}
Example: affidavit replay verify fixtures --capsule run
`;

const CALL: NotChecked = {
  what: "call",
  why: "a fixture holds hashes of tool and arguments, which only a call can be held against",
  how: "replaying the call, or arguments kept beside the fixture",
};

const TRUTH: NotChecked = {
  what: "truth",
  why: "whoever has the files can write a response and its hash anew",
  how: "a digest of the directory from whoever recorded it; of recorded answers, --capsule",
};

/** With a capsule: what its answers rest on. */
const CAPSULE: NotChecked = {
  what: "capsule",
  why: "the answers are as good as the capsule: whoever has both can write both anew",
  how: "affidavit receipt verify, with a receipt from whoever recorded it",
};

/** Verifies a store of fixtures and prints the verdict. */
export async function verify(args: readonly string[], io: Io): Promise<number> {
  const given = parseArguments(args, { help, flags: { capsule: "value" } });
  const [path] = takePositionals(given, "DIR");
  const capsule = given.value("capsule");
  const verdict = await verifyStore(path, capsule);
  const open = capsule === undefined ? [CALL, TRUTH] : [CALL, TRUTH, CAPSULE];
  const not_checked = verdict.ok ? open : [];
  showResult(io, given.isJson, { ...verdict, not_checked }, () => [
    headline(verdict),
    ...verdict.files.flatMap(linesOf),
    ...linesOfUnchecked(not_checked),
  ]);
  return verdict.ok ? 0 : 1;
}

type Verdict = Omit<StoreVerdict, "files"> & {
  readonly answer_count: number;
  readonly files: readonly (FileVerdict | AnswerVerdict)[];
};

/** What is in a directory: fixtures, their arguments, recorded answers. */
async function verifyStore(path: string, capsule: string | undefined): Promise<Verdict> {
  const [store, sha256] = [fixtureStoreAt(path), nativeSha256()];
  const named = capsule === undefined
    ? undefined
    : await collectNamed((await openCapsule(capsule)).entries());
  const fixtures = await verifyFixtures(store, sha256);
  const answers = await verifyAnswers(store, sha256, named);
  const ok = fixtures.ok && answers.every((answer) => answer.ok);
  return {
    ...{ ok, fixture_count: fixtures.fixture_count, answer_count: answers.length },
    files: [...fixtures.files, ...answers],
  };
}

function headline({ ok, fixture_count, answer_count, files }: Verdict): Line {
  const found = numberOf(fixture_count, "fixture") +
    (answer_count > 0 ? ` and ${numberOf(answer_count, "recorded answer")}` : "");
  if (!ok) {
    const refused = files.filter((file) => !file.ok).length;
    return [{ style: "bad", text: `refused: ${numberOf(refused, "file")}` }, `, ${found} in all`];
  }
  const nothing = files.length === 0 ? " (it holds nothing)" : "";
  return [{ style: "good", text: "hashes hold" }, `, ${found}${nothing}`];
}

function linesOf({ file, code, reason, remark }: FileVerdict | AnswerVerdict): Line[] {
  if (code !== null) return [["  ", { style: "bad", text: code }, `  ${file}`], `    ${reason}`];
  return remark === null ? [] : [["  ", { style: "open", text: "remark" }, `  ${file}: ${remark}`]];
}
