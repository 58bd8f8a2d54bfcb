/**
 * The scan of records that may become public: names and values that look like accounts or secrets, and words that only
 * an authority may use. The first finding ends it; no finding proves nothing.
 *
 * Rule: `docs/spec/records.md`, "Public scan".
 *
 * @module
 */
import type { JsonValue } from "../canonical/mod.ts";
import { refuse } from "./fault.ts";
import { lowerAscii, trim, WHITE_SPACE } from "./text.ts";

const WS = `[${WHITE_SPACE}]`;
const NS = `[^${WHITE_SPACE}]`;
const WORD = "[\\p{L}\\p{N}_]"; // marks are not word characters
const I = "[iİı]";

const SECRET_NAMES = new RegExp(
  `ap${I}[_-]?key|access[_-]?token|` +
    `(?<![a-z0-9İı])(?:secrets?|author${I}zat${I}on|passwords?|credent${I}als?)(?![a-zİı])`,
  "iu",
);
const ACCOUNT_NAMES = new RegExp(
  `prov${I}der[_-]?account[_-]?${I}d|organ${I}zat${I}on[_-]?${I}d|org[_-]?${I}d`,
  "iu",
);
const SECRET_VALUES = [
  new RegExp(`(?<!${WORD})Authorization${WS}*:${WS}*Bearer${WS}+${NS}`, "u"),
  new RegExp(`(?<!${WORD})ap${I}[_-]?key${WS}*[:=]${WS}*${NS}{8}`, "iu"),
  new RegExp(`(?<!${WORD})secret${WS}*[:=]${WS}*${NS}{8}`, "iu"),
  new RegExp(`(?<!${WORD})AKIA[0-9A-Z]{16}(?!${WORD})`, "u"),
];

/** Scans a record, depth first in its own order: of a member first the name, then the value. */
export function scanPublic(record: JsonValue, reservedWords: readonly string[]): void {
  scan(record, reservedWords, false);
}

function scan(value: JsonValue, reserved: readonly string[], isBelowHashes: boolean): void {
  if (typeof value === "string") return scanText(value, reserved);
  if (Array.isArray(value)) {
    for (const item of value) scan(item, reserved, false);
  } else if (value instanceof Map) {
    for (const [name, member] of value) {
      scanName(name, reserved, isBelowHashes);
      scan(member, reserved, name.endsWith("document_hashes"));
    }
  }
}

function scanName(name: string, reserved: readonly string[], isBelowHashes: boolean): void {
  if (["tier", "result_tier"].includes(lowerAscii(name)) || isReserved(name, reserved)) {
    refuse("public_scan_classification");
  }
  if (isBelowHashes && isFileName(name)) return;
  if (SECRET_NAMES.test(splitName(name)) || ACCOUNT_NAMES.test(name)) {
    refuse("public_scan_field_name");
  }
}

function scanText(text: string, reserved: readonly string[]): void {
  if (isReserved(text, reserved)) refuse("public_scan_classification");
  if (SECRET_VALUES.some((pattern) => pattern.test(text))) refuse("public_scan_secret_value");
}

function isReserved(text: string, reserved: readonly string[]): boolean {
  return reserved.includes(lowerAscii(trim(text)).replaceAll("_", "-"));
}

/** `apiKey` as `api_Key`, `HTTPSecret` as `HTTP_Secret`. */
function splitName(name: string): string {
  return name.replace(/(?<=[a-z])(?=[A-Z])/g, "_").replace(/(?<=[A-Z])(?=[A-Z][a-z])/g, "_");
}

function isFileName(name: string): boolean {
  const last = name.slice(name.lastIndexOf("/") + 1);
  const dot = last.indexOf(".", 1);
  return dot > 0 && dot < last.length - 1;
}
