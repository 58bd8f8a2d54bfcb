/**
 * Entries to append, as lines of JSON from a stream.
 *
 * @module
 */
import { ByteBuffer, decodeUtf8, readPieces } from "../core/mod.ts";
import type { ByteSource } from "../core/mod.ts";
import { parseJson } from "../canonical/mod.ts";
import { RefusedError } from "./errors.ts";

/** What a line asks to append. Its values are as they came; the capsule judges them. */
export interface EntryLine {
  readonly lineage: unknown;
  readonly kind: unknown;
  readonly payload?: unknown;
  readonly effect_class?: unknown;
}

const LF = 0x0a;
const MEMBERS = ["lineage", "kind", "payload", "effect_class"];

/**
 * The lines of a stream without their line feeds, together those that end in one piece of it; the last line may lack its
 * line feed.
 *
 * @throws {RefusedError} `cli.line_invalid` when a line is longer than `maxBytes`, as soon as it is and all lines before
 * it were given out.
 */
export async function* readLines(
  source: ByteSource,
  maxBytes: number,
): AsyncGenerator<Uint8Array[], void, undefined> {
  const held = new ByteBuffer();
  for await (const piece of readPieces(source)) {
    const lines: Uint8Array[] = [];
    for (let from = 0, end = 0; end < piece.length; from = end + 1) {
      end = piece.indexOf(LF, from);
      if (end < 0) end = piece.length;
      if (held.length + end - from > maxBytes) {
        yield lines;
        throw invalid(`it is longer than ${maxBytes} bytes`);
      }
      held.append(piece.subarray(from, end));
      if (end === piece.length) break;
      lines.push(held.view().slice());
      held.clear();
    }
    yield lines;
  }
  if (held.length > 0) yield [held.view()];
}

/**
 * Reads a line as an entry to append.
 *
 * @throws {RefusedError} `cli.line_invalid`; the message never quotes the line, which may hold a secret.
 */
export function parseEntryLine(bytes: Uint8Array): EntryLine {
  const text = decodeUtf8(bytes);
  if (text === undefined) throw invalid("it is not valid UTF-8");
  if (text.trim() === "") throw invalid("it is blank");
  const parsed = parseJson(text);
  if (!parsed.ok) {
    throw invalid(parsed.code === "json.syntax" ? "it is not JSON" : "it is nested too deep");
  }
  const { value } = parsed;
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw invalid("it is no JSON object");
  }
  for (const name of ["lineage", "kind"]) {
    if (!Object.hasOwn(value, name)) throw invalid(`it has no "${name}"`);
  }
  if (Object.keys(value).some((name) => !MEMBERS.includes(name))) {
    throw invalid("it has a member besides lineage, kind, payload and effect_class");
  }
  return value as EntryLine;
}

function invalid(why: string): RefusedError {
  return new RefusedError("cli.line_invalid", `Reading an entry: ${why}`);
}
