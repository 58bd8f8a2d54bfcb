/**
 * `affidavit record`: an MCP server on standard input and output that passes everything on to another one, and keeps a
 * record of the calls.
 *
 * @module
 */
import { codeOf, encodeHex } from "../../core/mod.ts";
import {
  createCapsule,
  openCapsule,
  openFixtureStore,
  readFileAt,
  Relay,
  systemEnvironment,
  systemTimers,
} from "../../node/mod.ts";
import { capsuleJournal, readPolicy, Recorder } from "../../recording/mod.ts";
import type { CapsuleJournal, EffectPolicy, RecordingSummary } from "../../recording/mod.ts";
import type { Capsule } from "../../store/mod.ts";
import { parseArguments, splitAtDashes, takePositionals } from "../args.ts";
import type { Arguments } from "../args.ts";
import { RefusedError } from "../errors.ts";
import { COMMON_OF_SERVERS } from "../help.ts";
import type { Io } from "../io.ts";
import { showReport } from "../output.ts";
import type { Line } from "../output.ts";
import { MAX_FRAME_BYTES, SERVER_FLAGS, SERVER_HELP, takeServer } from "../server.ts";
import { whileInterruptible } from "../signals.ts";
import { takeNumber } from "../values.ts";
import { numberOf } from "./replay_list.ts";

const help = `affidavit record --capsule DIR --fixtures DIR --policy FILE -- SERVER ARGS...
records the tool calls between an MCP client and an MCP server

Give this command to the client in the place of the server's own. It starts
SERVER, passes everything between the two unchanged, and writes each tool call
into the capsule before it reaches the server, and again when it is answered.
Answers are kept as fixtures, for "affidavit replay-server". A call that cannot
be written down is answered with an error, and recording stops.

  --capsule DIR     the capsule; it is created when DIR has none
  --fixtures DIR    where answers are kept; new ones are added to those there
  --policy FILE     what each tool may do, as JSON:
                    {"schema":"effect-policy/v1","tools":{"search":"SE1"},
                     "max_effect":"SE2","deny":["publish"]}
                    A tool that it does not name is SE4. Calls above max_effect
                    and tools under deny, both optional, never reach the server
  --trust-annotations
                    take the class of a tool that the policy does not name from
                    the server's own annotations, which nobody vouches for
  --timeout MS      give a call up that has no answer by then
${SERVER_HELP}

What looks like a secret is kept out of the capsule and of the fixtures; the
call is counted as withheld. When it ends, a summary is printed on standard
error. Standard output belongs to the protocol.
${COMMON_OF_SERVERS}
Example: affidavit record --capsule run --fixtures fixtures --policy policy.json \\
           -- npx -y @modelcontextprotocol/server-everything stdio
`;

/**
 * How long the lock is kept while entries keep coming: taking it costs the more the longer the journal is. With this, six
 * busy recorders of one capsule wait for three seconds at most; with a second, some gave up (measured).
 */
const HOLD_MS = 250;

/** Records until client or server end. */
export async function record(args: readonly string[], io: Io): Promise<number> {
  const { own, program } = splitAtDashes(args);
  const flags = {
    capsule: "value",
    fixtures: "value",
    policy: "value",
    timeout: "value",
    "trust-annotations": "switch",
    ...SERVER_FLAGS,
  } as const;
  const given = parseArguments(own, { help, flags });
  takePositionals(given);
  const [capsulePath, fixtures, policyPath] = ["capsule", "fixtures", "policy"].map((name) => {
    const value = given.value(name);
    if (value === undefined) throw given.usage(`--${name} is missing`);
    return value;
  }) as [string, string, string];
  const timeout = takeNumber(given, "timeout");
  const server = takeServer(given, program);
  const { writeBytes } = io;
  if (writeBytes === undefined) throw new TypeError("record needs an Io with writeBytes");

  const policy = await loadPolicy(policyPath);
  const capsule = await openOrCreate(capsulePath);
  const { sha256, randomBytes } = systemEnvironment();
  const timers = systemTimers();
  const journal = capsuleJournal(capsule, timers, { holdMs: HOLD_MS });
  const recorder = new Recorder({
    journal,
    store: await openFixtureStore(fixtures),
    sha256,
    timers,
    randomId: encodeHex(randomBytes(4)),
    policy,
    trustAnnotations: given.has("trust-annotations"),
    maxFrameBytes: MAX_FRAME_BYTES,
    ...(timeout !== undefined && { callTimeoutMs: timeout }),
    deliver: (traffic) => void relay?.deliver(traffic),
  });
  let relay: Relay | undefined;
  try {
    await whileOpen(journal, (signal) => {
      const client = { input: io.stdin, write: writeBytes };
      const options = { timers, signal, maxFrameBytes: MAX_FRAME_BYTES };
      relay = new Relay(server, client, recorder, options);
      return relay.run();
    });
  } finally {
    if (relay !== undefined) showSummary(recorder.summary(), given, io);
  }
  return 0;
}

/** Runs a step once the journal can be written to. Whatever fails, and however this is told to end, the lock is given back. */
async function whileOpen(
  journal: CapsuleJournal,
  step: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const interrupted = new AbortController();
  const { signal } = interrupted;
  await whileInterruptible(() => interrupted.abort(), async () => {
    try {
      await journal.open(signal);
      if (!signal.aborted) await step(signal);
      await journal.close();
    } finally {
      await journal.close().catch(() => undefined);
    }
  });
}

async function loadPolicy(path: string): Promise<EffectPolicy> {
  const policy = readPolicy(await readFileAt(path));
  if (policy.ok) return policy.value;
  throw new RefusedError(policy.code, policy.reason);
}

/** Of two recorders that find no capsule one creates it, and the other opens that. */
async function openOrCreate(path: string): Promise<Capsule> {
  try {
    return await createCapsule(path);
  } catch (error) {
    if (codeOf(error) !== "capsule.exists") throw error;
    return await openCapsule(path);
  }
}

function showSummary(summary: RecordingSummary, given: Arguments, io: Io): void {
  showReport(io, given.isJson, { recorded: summary }, () => linesOf(summary));
}

function linesOf({ calls, withheld, answers_stored, refused }: RecordingSummary): Line[] {
  const counted = Object.entries(calls).filter(([, count]) => count > 0);
  const total = counted.reduce((sum, [, count]) => sum + count, 0);
  const each = counted.map(([status, count]) => `${count} ${status}`).join(", ");
  return [
    `affidavit: recorded ${numberOf(total, "call")}${each === "" ? "" : `: ${each}`}; ` +
    `${numberOf(answers_stored, "answer")} kept`,
    ...withheld.map(({ tool, count }) =>
      `affidavit: withheld ${numberOf(count, "call")} of ${tool}`
    ),
    ...(refused === 0 ? [] : [`affidavit: ${numberOf(refused, "message")} of the client refused`]),
  ];
}
