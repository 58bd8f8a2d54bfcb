/**
 * The only place that prints: results as JSON or as lines, errors, help. Text that comes from files or arguments is
 * hostile here; whatever could steer a terminal or reorder a line is shown as an escape.
 *
 * @module
 */
import { codeOf, escapeText } from "../core/mod.ts";
import type { NotChecked } from "../capsule/mod.ts";
import { RefusedError } from "./errors.ts";
import type { UsageError } from "./errors.ts";
import type { Io, Output } from "./io.ts";

/** What a part of a line is about. */
export type Style = "good" | "bad" | "open" | "dim" | "strong";

/** A part of a line with a style, which shows where colours are welcome. */
export interface Styled {
  readonly style: Style;
  readonly text: string;
}

/** A line for people. */
export type Line = string | readonly (string | Styled)[];

const COLOURS: Readonly<Record<Style, string>> = {
  good: "32",
  bad: "31",
  open: "33",
  dim: "2",
  strong: "1",
};

/** JSON with an indent of two that is safe to show; it parses to the same value as ever. */
export function formatJson(value: unknown, indent: 0 | 2 = 2): string {
  return escapeText(
    JSON.stringify(value, null, indent),
    (character) => character === "\n" ? character : escapeUnits(character),
  );
}

/** Prints a result: JSON where that was asked for or nobody is looking, else lines. */
export function showResult(
  io: Io,
  isJson: boolean,
  value: unknown,
  lines: () => readonly Line[],
): void {
  if (isJson || !io.stdout.isTerminal) io.stdout.write(`${formatJson(value)}\n`);
  else showLines(io, lines());
}

/** Prints lines for people on standard output. */
export function showLines(io: Io, lines: readonly Line[]): void {
  for (const line of lines) io.stdout.write(`${formatLine(line, io.useColour)}\n`);
}

/** Prints a result on standard error, where standard output carries a protocol: one line of JSON, or lines. */
export function showReport(
  io: Io,
  isJson: boolean,
  value: unknown,
  lines: () => readonly Line[],
): void {
  if (isJson) io.stderr.write(`${formatJson(value, 0)}\n`);
  else for (const line of lines()) io.stderr.write(`${formatLine(line, false)}\n`);
}

/** Prints a text of our own, such as help, as it is. */
export function showText(output: Output, text: string): void {
  output.write(text);
}

/** Prints what a command was refused with: one line. */
export function showError(io: Io, isJson: boolean, error: unknown): void {
  const code = codeOf(error);
  const message = error instanceof Error ? error.message : String(error);
  if (isJson) {
    const at = placeOf(error);
    const shown = { code: code ?? null, message, ...(at !== undefined && { at }) };
    io.stderr.write(`${formatJson({ error: shown }, 0)}\n`);
  } else {
    io.stderr.write(`affidavit: ${code === undefined ? "" : `${code}: `}${escapeText(message)}\n`);
  }
}

/** Prints what is wrong with the arguments, and how they are meant to be. */
export function showUsage(io: Io, isJson: boolean, { message, help }: UsageError): void {
  if (isJson) showError(io, true, new RefusedError("cli.usage", message));
  else io.stderr.write(`affidavit: ${escapeText(message)}\n\n${help}`);
}

/** One line for each thing that was not checked, and below it what would check it. */
export function linesOfUnchecked(open: readonly NotChecked[]): Line[] {
  return open.flatMap(({ what, why, how }): Line[] => [
    [{ style: "open", text: `not checked: ${what}` }, `: ${why}`],
    ...(how === null ? [] : [[{ style: "dim" as const, text: `  would check it: ${how}` }]]),
  ]);
}

/** Lines of names and values, the values in one column. */
export function linesOfFields(fields: readonly (readonly [string, string | number])[]): Line[] {
  const width = Math.max(...fields.map(([name]) => name.length));
  return fields.map(([name, value]) => [
    { style: "dim", text: `${name.padEnd(width)}  ` },
    String(value),
  ]);
}

/** A number with its noun. */
export function count(number: number, noun: "entry" | "check"): string {
  const plural = noun === "entry" ? "entries" : "checks";
  return `${number} ${number === 1 ? noun : plural}`;
}

function formatLine(line: Line, useColour: boolean): string {
  const parts = typeof line === "string" ? [line] : line;
  return parts.map((part) => {
    if (typeof part === "string") return escapeText(part);
    const text = escapeText(part.text);
    return useColour ? `\x1b[${COLOURS[part.style]}m${text}\x1b[0m` : text;
  }).join("");
}

function placeOf(error: unknown): unknown {
  if (error instanceof RefusedError) return error.at;
  if (error instanceof Error && "failed_at" in error && typeof error.failed_at === "number") {
    return { entry: error.failed_at };
  }
  return undefined;
}

function escapeUnits(text: string): string {
  return text.split("").map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
    .join("");
}
