/**
 * The main job as a story: a candidate is looked at, tools are recorded and replayed, a run is recorded, handed over, verified,
 * and tampered with. Every command in it is run by the program itself, in this process, just as it is shown; the story fails
 * when one of them ends otherwise than told.
 *
 * @module
 */
import { appendFile, cp, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { formatCapsuleV1 } from "../canonical/mod.ts";
import { digestFileAt, nativeSha256, openFixtureStore } from "../node/mod.ts";
import { createReplayer } from "../replay/mod.ts";
import type { Mode, Tool } from "../replay/mod.ts";
import { RefusedError } from "./errors.ts";
import type { Io } from "./io.ts";
import { run } from "./mod.ts";
import { addUpInvoices, INPUTS, TOOLS } from "./story_inputs.ts";

/** A command of the story as it went. */
export interface Step {
  /** As a person would type it in the directory of the story. */
  readonly command: string;
  readonly exit: number;
  /** What it printed, on standard output and standard error in turn. */
  readonly stdout: string;
  readonly stderr: string;
}

/** Who listens to the story. */
export interface Listener {
  /** Begins a part. */
  title(text: string): void;
  /** Explains, in one or more lines. */
  say(text: string): void;
  /** Shows a command before it runs. */
  command(text: string): void;
  /** Hears how it went. */
  ended(step: Step): void;
}

/** How the commands of the story are run. */
export interface Setting {
  /** An empty directory. */
  readonly directory: string;
  readonly listener: Listener;
  /** Do commands print lines for people, rather than JSON? */
  readonly isForPeople: boolean;
  readonly useColour: boolean;
}

const ARTIFACT = "customer,total\nArnold,1204.50\nBaker,310.00\nChandra,87.25\n";

/** Tells the story from beginning to end. */
export async function tellStory(setting: Setting): Promise<void> {
  await lookAtCandidate(setting);
  await replayTools(setting);
  await record(setting);
  await handOver(setting);
  await verifyAsStranger(setting);
  await flipByte(setting);
  await cutTail(setting);
  await swapEntries(setting);
  conclude(setting);
}

async function lookAtCandidate(setting: Setting): Promise<void> {
  const at = pathsIn(setting.directory);
  for (const [path, text] of Object.entries(INPUTS)) {
    await mkdir(dirname(at(path)), { recursive: true });
    await writeFile(at(path), text);
  }
  setting.listener.title("A candidate is looked at, and not run");
  setting.listener.say(
    "An agent is to add up invoices, and somebody offers a new script for it. To run it and see\n" +
      "what it does is refused: nothing here could keep it from doing harm.",
  );
  await type(setting, 1, ["gate", "run", at("candidate")]);
  setting.listener.say("It can be looked at:");
  await type(setting, 0, ["gate", "inspect", at("candidate")], ["--taskset", at("taskset.json")]);
  setting.listener.say(
    "The line of the tripwire sends the totals away, though the candidate declares SE0, no\n" +
      "effects. Spelled in another way, it would have tripped nothing.",
  );
}

async function replayTools(setting: Setting): Promise<void> {
  const at = pathsIn(setting.directory);
  const { listener } = setting;
  listener.title("Tools are recorded once, and replayed without effects");
  listener.say(
    "The harness calls its tools through a replayer, first in record mode, then in replay, where\n" +
      "no tool is ever executed (examples/record_and_replay.ts in the repository):",
  );
  const recorded = await useTools(at("fixtures"), "record");
  const replayed = await useTools(at("fixtures"), "replay");
  if (replayed.executed > 0 || replayed.totals !== recorded.totals) {
    throw new RefusedError(undefined, "Telling the story: a replay was not what was recorded");
  }
  listener.say(
    [["record", recorded] as const, ["replay", replayed] as const].map((
      [mode, { executed, totals }],
    ) => `${mode}: 2 calls, ${executed} executed: ${totals}`).join("\n"),
  );
  await type(setting, 0, ["replay", "list", at("fixtures")]);
  listener.say("In a copy, somebody changes an answer: 1204.5 is made 9204.5.");
  await cp(at("fixtures"), at("edited"), { recursive: true });
  for (const name of await readdir(at("edited"))) {
    const file = join(at("edited"), name);
    await writeFile(file, (await readFile(file, "utf8")).replace("1204.5", "9204.5"));
  }
  await type(setting, 1, ["replay", "verify", at("edited")]);
}

/** Calls the tools in one mode, and counts how often one of them is executed. */
async function useTools(path: string, mode: Mode): Promise<{ executed: number; totals: string }> {
  let executed = 0;
  const counting = (tool: Tool): Tool => ({
    ...tool,
    impl(args) {
      executed++;
      return tool.impl?.(args);
    },
  });
  const tools = Object.entries(TOOLS).map(([name, tool]) => [name, counting(tool)] as const);
  const store = await openFixtureStore(path);
  const sha256 = nativeSha256();
  const replayer = createReplayer(Object.fromEntries(tools), { store, sha256, mode });
  const totals = await addUpInvoices((tool, args) => replayer.call(tool, args));
  return { executed, totals: formatCapsuleV1(totals) };
}

async function record(setting: Setting): Promise<void> {
  const { listener, directory } = setting;
  const at = pathsIn(directory);
  listener.title("A run is recorded");
  listener.say(
    "The agent adds up the invoices. Its harness keeps a capsule: a journal in which every\n" +
      "entry holds the hash of the one before.",
  );
  await type(setting, 0, ["capsule", "create", at("run"), "--run-id", "invoices-08"], [
    ...["--harness", "my-agent/1.4", "--task-family", "invoices"],
  ]);
  const task = { task_id: "t1", message: "Sum the invoices of August into totals.csv" };
  await type(setting, 0, ["capsule", "append", at("run"), "plan", "task.received"], [
    ...["--payload", JSON.stringify(task)],
  ]);

  await writeFile(at("totals.csv"), ARTIFACT);
  const steps = linesOfRun(await digestFileAt(at("totals.csv")));
  await writeFile(at("steps.ndjson"), steps);
  listener.say("Entries may also come in a stream, one JSON object a line. steps.ndjson holds:");
  listener.say(steps.trimEnd());
  await type(setting, 0, ["capsule", "append", at("run"), "-"], [], "steps.ndjson");

  listener.say("What looks like a secret does not get in:");
  const secret = { message: "export PASSWORD=correct-horse-battery" };
  await type(setting, 1, ["capsule", "append", at("run"), "interaction", "tool.call"], [
    ...["--payload", JSON.stringify(secret)],
  ]);
}

function linesOfRun(digest: string): string {
  const entries = [
    ["strategy", "approach.chosen", { decision: "one script, totals by customer" }, "SE0"],
    ["environment", "workspace.ready", { path: "invoices", total: 14 }, "SE0"],
    ["interaction", "tool.call", { tool: "read_files", hits: 14, duration_ms: 38 }, "SE0"],
    ["attempt", "script.run", { tool: "sum.py", exit_code: 1, passed: 12, total: 14 }, "SE1"],
    ["attempt", "script.run", { tool: "sum.py", exit_code: 0, passed: 14, total: 14 }, "SE1"],
    ["interaction", "file.write", { path: "totals.csv", digest }, "SE2"],
    ["plan", "task.done", { verdict: "delivered", tokens_in: 5210, tokens_out: 940 }, "SE0"],
  ];
  return entries.map(([lineage, kind, payload, effect_class]) =>
    `${JSON.stringify({ lineage, kind, payload, effect_class })}\n`
  ).join("");
}

async function handOver(setting: Setting): Promise<void> {
  const at = pathsIn(setting.directory);
  setting.listener.title("It is handed over");
  await type(setting, 0, ["capsule", "project", at("run")]);
  await type(setting, 0, ["capsule", "export", at("run"), at("bundle")]);
  setting.listener.say(
    "A receipt states where the journal ends and what was delivered. It travels apart\nfrom the bundle.",
  );
  await type(setting, 0, ["receipt", "build", at("run"), "--artifact", at("totals.csv")], [
    ...["--out", at("receipt.json")],
  ]);
}

async function verifyAsStranger(setting: Setting): Promise<void> {
  const at = pathsIn(setting.directory);
  setting.listener.title("A stranger verifies it");
  await type(setting, 0, ["verify", at("bundle"), at("receipt.json")], [
    ...["--artifact", at("totals.csv")],
  ]);
}

async function flipByte(setting: Setting): Promise<void> {
  const at = pathsIn(setting.directory);
  setting.listener.title("Somebody changes one byte");
  setting.listener.say(
    'In a copy of the bundle, the failed attempt becomes a success: "exit_code":1 is\nmade "exit_code":0.',
  );
  await copyBundle(
    at,
    "flipped",
    (lines) => lines.map((line) => line.replace('"exit_code":1', '"exit_code":0')),
  );
  await judge(setting, "flipped", 1);
}

async function cutTail(setting: Setting): Promise<void> {
  const at = pathsIn(setting.directory);
  setting.listener.title("Somebody cuts the tail");
  setting.listener.say(
    "In another copy the last entry is dropped. What is left is a chain like any\n" +
      "other, so the capsule alone is consistent, and says what was not checked:",
  );
  await copyBundle(at, "cut", (lines) => lines.slice(0, -1));
  await judge(setting, "cut", 0);
  setting.listener.say("Whoever knows how many entries there were needs no receipt:");
  await type(setting, 1, ["capsule", "verify", at("cut"), "--expect-count", "8"]);
}

async function swapEntries(setting: Setting): Promise<void> {
  setting.listener.title("Somebody swaps two entries");
  setting.listener.say("In a third copy, the two attempts change places.");
  await copyBundle(pathsIn(setting.directory), "swapped", (lines) => {
    const [before, [first, second], after] = [lines.slice(0, 4), lines.slice(4, 6), lines.slice(6)];
    return [...before, second!, first!, ...after];
  });
  await judge(setting, "swapped", 1);
}

function conclude({ listener }: Setting): void {
  listener.title("What none of this shows");
  listener.say(
    "- That the run went as recorded: a harness can write down what never happened,\n" +
      "  or leave out what did.\n" +
      "- Who recorded it: whoever has the files can write all of them anew, an unsigned\n" +
      "  receipt too. Sign receipts, and pin the key that you expect.\n" +
      "- When: times are those of the recorder's clock.",
  );
  listener.title("What to do next");
  listener.say(
    "  affidavit capsule create DIR      record a run of your own\n" +
      "  affidavit verify PATH...          verify what you were given\n" +
      "  affidavit --help                  everything else; in a clone, instead of\n" +
      "                                    affidavit type: npm run -s affidavit --\n" +
      "From a program: examples/ in the repository",
  );
}

/** What the verifier says of a copy without the receipt, and with it. */
async function judge(setting: Setting, copy: string, exitAlone: number): Promise<void> {
  const at = pathsIn(setting.directory);
  setting.listener.say("Without the receipt:");
  await type(setting, exitAlone, ["capsule", "verify", at(copy)]);
  setting.listener.say("With the receipt:");
  await type(setting, 1, ["receipt", "verify", at("receipt.json"), at(copy)]);
}

async function copyBundle(
  at: (name: string) => string,
  copy: string,
  tamper: (lines: string[]) => string[],
): Promise<void> {
  await cp(at("bundle"), at(copy), { recursive: true });
  const journal = join(at(copy), "journal.ndjson");
  const lines = (await readFile(journal, "utf8")).split("\n").slice(0, -1);
  await writeFile(journal, "");
  for (const line of tamper(lines)) await appendFile(journal, `${line}\n`);
}

/** Shows a command, runs it, and shows how it went. */
async function type(
  { directory, listener, isForPeople, useColour }: Setting,
  exit: number,
  words: readonly string[],
  moreWords: readonly string[] = [],
  input?: string,
): Promise<void> {
  const argv = [...words, ...moreWords];
  const relative = argv.map((word) =>
    quote(word.startsWith(directory) ? word.slice(directory.length + 1) : word)
  );
  const command = `affidavit ${relative.join(" ")}${input === undefined ? "" : ` < ${input}`}`;
  listener.command(command);
  const heard = { stdout: "", stderr: "" };
  const io: Io = {
    stdout: { write: (text) => void (heard.stdout += text), isTerminal: isForPeople },
    stderr: { write: (text) => void (heard.stderr += text), isTerminal: false },
    stdin: piecesOf(input === undefined ? undefined : join(directory, input)),
    useColour,
  };
  const found = await run(argv, io);
  listener.ended({ command, exit: found, ...heard });
  if (found !== exit) {
    throw new RefusedError(
      undefined,
      `Telling the story: "${command}" ended with ${found}, ${exit} was wanted`,
    );
  }
}

async function* piecesOf(path: string | undefined): AsyncGenerator<Uint8Array> {
  if (path !== undefined) yield await readFile(path);
}

function pathsIn(directory: string): (name: string) => string {
  return (name) => join(directory, name);
}

function quote(word: string): string {
  return /^[\w./:=-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
