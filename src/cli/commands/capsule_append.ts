/**
 * `affidavit capsule append`: one entry from arguments, or any number from standard input.
 *
 * @module
 */
import { codeOf, MAX_TEXT_BYTES } from "../../core/mod.ts";
import { PAYLOAD_FIELDS } from "../../capsule/mod.ts";
import type { AppendOptions, Entry, Lineage } from "../../capsule/mod.ts";
import { appendEntry, openCapsule } from "../../node/mod.ts";
import type { Capsule } from "../../store/mod.ts";
import { parseArguments, takePositionals } from "../args.ts";
import type { Arguments } from "../args.ts";
import { RefusedError } from "../errors.ts";
import { COMMON } from "../help.ts";
import type { Io } from "../io.ts";
import { parseEntryLine, readLines } from "../lines.ts";
import { count, linesOfFields, showResult } from "../output.ts";
import { takeJson } from "../values.ts";

/** The payload table, by type, within the width of the help. */
function fieldLines(): string {
  return ["string", "integer", "integer|null", "number"].map((type) => {
    const names = [...PAYLOAD_FIELDS].filter(([, of]) => of === type).map(([name]) => name);
    const lines = [`  ${type}:`];
    for (const name of names) {
      const last = lines.at(-1)!;
      if (last.length + name.length < 78) lines[lines.length - 1] = `${last} ${name}`;
      else lines.push(`    ${name}`);
    }
    return lines.join("\n");
  }).join("\n");
}

const help: string = `affidavit capsule append DIR LINEAGE KIND: adds an entry to a capsule
affidavit capsule append DIR -: adds the entries on standard input

The whole capsule is verified first, under a lock. An entry that is refused
leaves the journal as it was; one that is printed is on stable storage.

  LINEAGE             plan, attempt, interaction, environment or strategy
  KIND                what happened, such as tool.call
  --payload JSON      an object of the fields listed below
  --effect-class SEn  how far its effects reach, SE0 (not at all, unless given)
                      to SE4 (cannot be undone)
  --allow FIELD       keep only fields so named; may be repeated
  --drop-unknown      leave out fields that may not be kept, instead of refusing

On standard input, one JSON object a line:
  {"lineage":"plan","kind":"start","payload":{"task_id":"t1"},"effect_class":"SE0"}
The last two may be left out. The first line that is refused ends it; entries
before that line are in the journal, and it is said how many.

Fields of a payload:
${fieldLines()}
${COMMON}
Example: affidavit capsule append run interaction tool.call \\
           --payload '{"tool":"add","exit_code":0}' --effect-class SE1
`;

/** Appends, and prints the entry, or how many there were. */
export function append(args: readonly string[], io: Io): Promise<number> {
  const flags = {
    payload: "value",
    "effect-class": "value",
    allow: "list",
    "drop-unknown": "switch",
  } as const;
  const given = parseArguments(args, { help, flags });
  return given.positionals[1] === "-" ? appendLines(given, io) : appendOne(given, io);
}

async function appendOne(given: Arguments, io: Io): Promise<number> {
  const [path, lineage, kind] = takePositionals(given, "DIR", "LINEAGE", "KIND");
  const payload = takeJson(given, "payload");
  const effect_class = given.value("effect-class");
  const options = { ...filterOptions(given), ...(effect_class !== undefined && { effect_class }) };
  const entry = await appendEntry(path, { lineage, kind, payload, options });
  showResult(io, given.isJson, entry, () => [
    [{ style: "good", text: "appended" }, ` entry ${entry.seq}: ${describe(entry)}`],
    ...linesOfFields([["root", entry.entry_hash]]),
  ]);
  return 0;
}

async function appendLines(given: Arguments, io: Io): Promise<number> {
  const [path] = takePositionals(given, "DIR", "-");
  for (const name of ["payload", "effect-class"]) {
    if (given.has(name)) throw given.usage(`--${name} is a matter of each line here`);
  }
  const capsule = await openCapsule(path);
  const done = { appended: 0, entry_count: capsule.nextSeq, root_hash: capsule.lastHash };
  try {
    for await (const lines of readLines(io.stdin, MAX_TEXT_BYTES)) {
      if (lines.length > 0) await appendTogether(capsule, lines, given, done);
    }
  } catch (error) {
    showAppended(done, given, io);
    throw atLine(error, done.appended);
  }
  showAppended(done, given, io);
  return 0;
}

interface Progress {
  appended: number;
  entry_count: number;
  root_hash: string;
}

/** Appends the lines that are at hand under one lock, which is given back while more are waited for. */
async function appendTogether(
  capsule: Capsule,
  lines: readonly Uint8Array[],
  given: Arguments,
  done: Progress,
): Promise<void> {
  const session = await capsule.session();
  try {
    for (const line of lines) {
      const { lineage, kind, payload, effect_class } = parseEntryLine(line);
      const { entry } = await session.append(lineage as Lineage, kind as string, payload, {
        ...filterOptions(given),
        ...(effect_class !== undefined && { effect_class: effect_class as string }),
      });
      done.appended++;
      done.entry_count = entry.seq + 1;
      done.root_hash = entry.entry_hash;
    }
  } finally {
    await session.close();
  }
}

function showAppended(done: Progress, given: Arguments, io: Io): void {
  const { appended, entry_count, root_hash } = done;
  showResult(io, given.isJson, { appended, entry_count, root_hash }, () => [
    [
      { style: appended === 0 ? "open" : "good", text: `appended ${count(appended, "entry")}` },
      `, ${entry_count} in all`,
    ],
    ...linesOfFields([["root", root_hash]]),
  ]);
}

/** The refusal of a line: every line before it was appended, so its number is known. */
function atLine(cause: unknown, appended: number): RefusedError {
  const line = appended + 1;
  const why = cause instanceof Error ? cause.message : String(cause);
  const before = `${count(appended, "entry")} before it ${
    appended === 1 ? "was" : "were"
  } appended`;
  return new RefusedError(codeOf(cause), `Line ${line}: ${why}; ${before}`, {
    at: { line },
    cause,
  });
}

function filterOptions(given: Arguments): AppendOptions {
  return {
    ...(given.has("allow") && { allowlist: given.list("allow") }),
    ...(given.has("drop-unknown") && { strict: false }),
  };
}

function describe({ lineage, kind, effect_class }: Entry): string {
  return `${lineage}, ${kind}, ${effect_class}`;
}
