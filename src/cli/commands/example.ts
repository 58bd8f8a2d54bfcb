/**
 * `affidavit example`: tells the story of `story.ts` in a temporary directory.
 *
 * The story runs in this process. Nothing is spawned, so it works where a program may not start others, and its exit code
 * is that of the command.
 *
 * @module
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArguments, takePositionals } from "../args.ts";
import { COMMON } from "../help.ts";
import type { Io } from "../io.ts";
import { showLines, showResult, showText } from "../output.ts";
import type { Line } from "../output.ts";
import { tellStory } from "../story.ts";
import type { Listener, Step } from "../story.ts";

const help = `affidavit example: the main job as a story

Looks at a candidate, records and replays tools, records a small run in a
temporary directory, exports it, builds a receipt and verifies both; then
changes a byte, cuts the tail and swaps two entries, and shows what the verifier
says of each, and what it cannot know. It is told as text unless --json is given.

  --keep   keep the directory, and print where it is
${COMMON}
Example: affidavit example --keep
`;

/** Tells the story. */
export async function example(args: readonly string[], io: Io): Promise<number> {
  const given = parseArguments(args, { help, flags: { keep: "switch" } });
  takePositionals(given);
  const isKept = given.has("keep");
  const isForPeople = !given.isJson;
  const directory = await mkdtemp(join(tmpdir(), "affidavit-example-"));
  const steps: Step[] = [];
  if (isForPeople) showLines(io, opening(directory));
  try {
    const listener = isForPeople ? teller(io, directory) : collector(steps);
    await tellStory({ directory, listener, isForPeople, useColour: io.useColour });
  } finally {
    if (!isKept) await rm(directory, { recursive: true, force: true });
  }
  if (isForPeople) {
    showLines(io, ["", isKept ? `Kept: ${directory}` : "The directory is removed; see --keep."]);
  } else {
    showResult(io, true, { dir: isKept ? directory : null, steps: steps.map(asJson) }, () => []);
  }
  return 0;
}

function opening(directory: string): Line[] {
  return ["Affidavit: the main job, step by step, in a temporary directory", "", [
    { style: "strong", text: `$ cd ${directory}` },
  ]];
}

/** Prints as it goes. Paths are shown as they are typed: below the directory. */
function teller(io: Io, directory: string): Listener {
  let part = 0;
  return {
    title: (text) => showLines(io, ["", [{ style: "strong", text: `${++part}. ${text}` }]]),
    say: (text) => showLines(io, ["", ...text.split("\n")]),
    command: (text) => showLines(io, ["", [{ style: "strong", text: `$ ${text}` }]]),
    ended({ stdout, stderr }) {
      const printed = (stdout + stderr).replaceAll(join(directory, "/"), "");
      showText(io.stdout, printed.replace(/^(?=.)/gm, "  "));
    },
  };
}

function collector(steps: Step[]): Listener {
  const ignore = (): void => {};
  return { title: ignore, say: ignore, command: ignore, ended: (step) => void steps.push(step) };
}

function asJson({ command, exit, stdout, stderr }: Step): object {
  return { command, exit, result: stdout === "" ? null : JSON.parse(stdout), stderr };
}
