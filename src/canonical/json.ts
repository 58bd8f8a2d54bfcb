/**
 * JSON text to value for the capsule formats: the engine's own parser (every number a double, the last of a repeated
 * key wins) behind a depth bound that is the same in every runtime.
 *
 * Rule: `docs/spec/capsule.md`, "Depth and size".
 *
 * @module
 */
import { fail, MAX_DEPTH, ok } from "../core/mod.ts";
import type { Result } from "../core/mod.ts";
import type { JsonCode } from "./codes.ts";

/**
 * Parses JSON text.
 *
 * Read from left to right: text is refused as too deep as soon as level 1001 opens, whatever follows, and as no JSON
 * when an error comes before that. The reason never quotes the text, which may hold a secret.
 */
export function parseJson(text: string): Result<unknown, JsonCode> {
  const opening = text.length > MAX_DEPTH ? findTooDeep(text) : undefined;
  try {
    if (opening === undefined) return ok(JSON.parse(text));
    // What stands before the bracket is sound exactly if a plain value in its place completes the text.
    JSON.parse(`${text.slice(0, opening.at)} 0${opening.closers}`);
  } catch {
    return fail("json.syntax", "Parsing JSON: the text is not JSON");
  }
  return fail("json.too_deep", `Parsing JSON: nested deeper than ${MAX_DEPTH} levels`);
}

/** Finds the bracket that opens level 1001, and what would close the levels around it. */
export function findTooDeep(text: string): { at: number; closers: string } | undefined {
  const open: string[] = [];
  let inString = false;
  for (let at = 0; at < text.length; at++) {
    const character = text.charCodeAt(at);
    if (inString) {
      if (character === 0x5c) at++; // backslash: the next character is no quote
      else if (character === 0x22) inString = false;
    } else if (character === 0x22) {
      inString = true;
    } else if (character === 0x5b || character === 0x7b) { // [ {
      if (open.length === MAX_DEPTH) return { at, closers: open.reverse().join("") };
      open.push(character === 0x5b ? "]" : "}");
    } else if (character === 0x5d || character === 0x7d) { // ] }
      open.pop();
    }
  }
  return undefined;
}
