/**
 * Rounds in which a writer is killed with SIGKILL at a random moment, and what is left is looked at.
 *
 * @module
 */
import { execFileSync, spawn } from "node:child_process";
import { existsSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import * as assert from "uvu/assert";
import type { Entry } from "../../src/capsule/mod.ts";
import { decodeUtf8 } from "../../src/core/mod.ts";
import { appendEntry, createCapsule, openSession, verifyCapsule } from "../../src/node/mod.ts";
import { root } from "../house/project.ts";
import type { Random } from "../lib/random.ts";
import { describe, rejectionOf } from "../lib/thrown.ts";
import type { Disk } from "./disk.ts";

/** How a writer appends, and the entries from one sync to the next; 0 stands for a handle without a session. */
export const MODES = { plain: 0, session: 1, batch: 8 } as const;

/** What some rounds came to. */
export interface Figures {
  rounds: number;
  /** Entries that were acknowledged, and of these the ones that were still buffered when the writer died. */
  acknowledged: number;
  buffered: number;
  /** Whole entries that were there without having been acknowledged. */
  unacknowledged: number;
  /** Torn tails, and of these the ones that end inside a character. */
  torn: number;
  cut: number;
  /** Locks left behind. */
  locked: number;
}

/** What the writer says of an entry. */
type Said = Pick<Entry, "seq" | "entry_hash"> & { status: "durable" | "buffered" };

const NEXT = { lineage: "plan", kind: "next" } as const;
const BUSY = {
  name: "CapsuleError",
  code: "capsule.busy",
  message:
    "Locking the capsule: .append.lock exists, so another writer is at work or one was killed; " +
    "if no writer runs, verify the capsule and remove that file",
};

/** Compiles the writer to one file that any runtime starts quickly; its path. */
export function buildWriter(disk: Disk): string {
  const source = fileURLToPath(new URL("child_kill.ts", import.meta.url));
  const built = `${disk.path()}.mjs`;
  const flags = ["--bundle", "--platform=node", "--format=esm", "--log-level=error"];
  execFileSync(join(root, "node_modules/.bin/esbuild"), [source, ...flags, `--outfile=${built}`]);
  return built;
}

/** Kills a writer so many times and looks at what is left each time. */
export async function playRounds(
  disk: Disk,
  writer: string,
  mode: keyof typeof MODES,
  rounds: number,
  random: Random,
): Promise<Figures> {
  const sum: Figures = {
    rounds,
    acknowledged: 0,
    buffered: 0,
    unacknowledged: 0,
    torn: 0,
    cut: 0,
    locked: 0,
  };
  for (let round = 0; round < rounds; round++) {
    const path = disk.path();
    await createCapsule(path);
    const journal = join(path, "journal.ndjson");
    const said = await killed([writer, path, String(MODES[mode])], journal, random);
    await lookAt(path, said, mode, sum);
    rmSync(path, { recursive: true });
  }
  return sum;
}

/**
 * Starts a writer and kills it some turns of the event loop after it has acknowledged some entries; or, every other time,
 * as soon as its journal grows again, which is likely to be within a write. What it said.
 */
function killed(args: readonly string[], journal: string, random: Random): Promise<Said[]> {
  const deno = "Deno" in globalThis ? ["run", "-A", "--no-config"] : [];
  const child = spawn(process.execPath, [...deno, ...args], { stdio: ["ignore", "pipe", "pipe"] });
  const isInWrite = random.below(2) === 0;
  let [out, err, lines, turns] = ["", "", 1 + random.below(12), random.below(9000)];
  const strike = (): void => {
    if (isInWrite) waitForGrowth(journal);
    if (isInWrite || turns-- <= 0) child.kill("SIGKILL");
    else setImmediate(strike);
  };
  child.stderr.setEncoding("utf8").on("data", (text: string) => err += text);
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    out += text;
    const isDue = lines > 0 && (lines -= text.split("\n").length - 1) <= 0;
    if (isDue) strike();
  });
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (_, signal) => {
      const [opened, ...said] = out.split("\n").slice(0, -1).map((line) => JSON.parse(line));
      if (signal === "SIGKILL" && opened === "open") resolve(said);
      else reject(new Error(`The writer ended by itself: ${err}`));
    });
  });
}

/** Looks at a file without a break until it is longer; not for ever, as the writer may have ended. */
function waitForGrowth(path: string): void {
  const { size } = statSync(path);
  for (let looks = 0; looks < 100_000 && statSync(path).size === size; looks++);
}

/** Everything acknowledged is there and in order; at most one entry more and one torn tail; and it is said what to do. */
async function lookAt(
  path: string,
  said: readonly Said[],
  mode: keyof typeof MODES,
  sum: Figures,
): Promise<void> {
  const file = join(path, "journal.ndjson");
  const lock = join(path, ".append.lock");
  const journal = readFileSync(file);
  const tail = journal.subarray(journal.lastIndexOf(0x0a) + 1);
  const found: Entry[] = [];
  const verdict = await verifyCapsule(path, { onEntry: (entry) => void found.push(entry) });
  const code = endingOf(tail);
  assert.is(verdict.code, code);
  assert.equal(
    found.slice(0, said.length).map(({ seq, entry_hash }) => ({ seq, entry_hash })),
    said.map(({ seq, entry_hash }) => ({ seq, entry_hash })),
  );
  const unacknowledged = found.length - said.length;
  assert.ok(unacknowledged <= 1, `${unacknowledged} entries were not acknowledged`);

  const isLocked = existsSync(lock);
  if (mode !== "plain") assert.ok(isLocked, "a session was open");
  if (isLocked) {
    assert.equal(describe(await rejectionOf(appendEntry(path, NEXT))), BUSY);
    assert.equal(describe(await rejectionOf(openSession(path))), BUSY);
    rmSync(lock);
  }
  if (code === "ok") {
    assert.is((await appendEntry(path, NEXT)).seq, found.length);
  } else {
    assert.is(describe(await rejectionOf(appendEntry(path, NEXT))).code, code);
    assert.is(describe(await rejectionOf(openSession(path))).code, code);
    assert.ok(readFileSync(file).equals(journal), "nothing is repaired");
  }
  assert.not(existsSync(lock));

  sum.acknowledged += said.length;
  sum.buffered += said.length - 1 - said.map(({ status }) => status).lastIndexOf("durable");
  sum.unacknowledged += unacknowledged;
  sum.torn += Number(tail.length > 0);
  sum.cut += Number(code === "capsule.non_canonical");
  sum.locked += Number(isLocked);
}

/** What verification says of bytes behind the last line feed, which are the beginning of an entry. */
function endingOf(tail: Uint8Array): string {
  if (tail.length === 0) return "ok";
  const start = new TextDecoder().decode(tail.subarray(0, 15));
  assert.is(start, '{"capsule_id":"'.slice(0, tail.length));
  return decodeUtf8(tail) === undefined ? "capsule.non_canonical" : "capsule.truncated_tail";
}
