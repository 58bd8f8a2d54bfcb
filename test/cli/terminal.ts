/**
 * Runs command lines in this process, with streams that only remember, in temporary directories.
 *
 * @module
 */
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Io, run } from "../../src/cli/mod.ts";
import { createCapsule, systemEnvironment } from "../../src/node/mod.ts";
import type { Capsule } from "../../src/store/mod.ts";

/** How a command line ended and what it printed. */
export interface Printed {
  exit: number;
  stdout: string;
  stderr: string;
}

/** What a command line sees; by default nobody is looking and standard input is empty. */
export interface Surroundings {
  terminal?: boolean;
  colour?: boolean;
  stdin?: AsyncIterable<Uint8Array>;
}

/** Runs a command line. */
export async function type(argv: string[], around: Surroundings = {}): Promise<Printed> {
  const printed: Printed = { exit: -1, stdout: "", stderr: "" };
  const isTerminal = around.terminal ?? false;
  const io: Io = {
    stdout: { write: (text) => void (printed.stdout += text), isTerminal },
    stderr: { write: (text) => void (printed.stderr += text), isTerminal },
    stdin: around.stdin ?? pieces(),
    writeBytes: (bytes) => {
      printed.stdout += new TextDecoder().decode(bytes);
      return Promise.resolve();
    },
    useColour: around.colour ?? false,
  };
  printed.exit = await run(argv, io);
  return printed;
}

/** Texts as a stream of bytes. */
export async function* pieces(...texts: string[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield new TextEncoder().encode(text);
}

/** Runs a test in a temporary directory; paths are made by the function it gets. */
export async function inDirectory(
  test: (at: (name: string) => string) => Promise<void>,
): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), "affidavit-cli-"));
  try {
    await test((name) => join(directory, name));
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/** Records a capsule of three entries, the same bytes every time. */
export async function recordRun(path: string, ids: { capsule_id?: string } = {}): Promise<Capsule> {
  let second = 0;
  const clock = (): Date => new Date(Date.UTC(2026, 8, 2, 0, 0, second++));
  const options = { run_id: "run-1", capsule_id: "capsule-1", harness_version: "h/1", ...ids };
  const capsule = await createCapsule(path, options, systemEnvironment({ clock }));
  await capsule.append("plan", "start", { task_id: "t1" });
  await capsule.append("attempt", "tool.call", { exit_code: 1 }, { effect_class: "SE1" });
  await capsule.append("plan", "done");
  return capsule;
}

/** What nothing can check, as every JSON verdict lists it last. */
export const ALWAYS: { what: string; why: string; how: string | null }[] = [
  {
    what: "origin",
    why: "whoever has the files can write all of them anew: they do not show who made them",
    how: "a receipt signed with a key that you pinned beforehand",
  },
  {
    what: "truth",
    why: "that the run happened as recorded, and that nothing was left out while recording",
    how: null,
  },
];

/** The tail as it is listed when nothing checked it. */
export const TAIL = {
  what: "tail",
  why: "entries may be missing from the end: a chain whose tail was cut is still a chain",
  how:
    "a receipt from its producer, or --expect-root HASH and --expect-count N known from elsewhere",
};

/** Reads a JSON object. */
export async function readDocumentAt(path: string): Promise<Record<string, unknown>> {
  return JSON.parse(await readFile(path, "utf8"));
}
