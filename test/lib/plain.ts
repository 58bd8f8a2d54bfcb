/**
 * The rules of capsules written down once more, as plainly as possible and sharing nothing with
 * `src/`: what the library says is compared with this. It takes whole values only, and of the
 * library nothing but a hasher.
 *
 * @module
 */
import type { Sha256 } from "../../src/hash/mod.ts";

/** Members of an object, of any type. */
export type Fields = Record<string, unknown>;

/** What the section on verification fixes of a verdict. */
export interface Brief {
  code: string;
  failed_at: number | null;
  entry_count: number;
  root_hash: string | null;
}

/** The published canaries as they stand. */
export const PATTERNS: Readonly<Record<string, RegExp>> = {
  private_key_block: /-----BEGIN [A-Z ]*PRIVATE KEY-----/,
  aws_access_key: /\bAKIA[0-9A-Z]{16}\b/,
  openai_style_key: /\bsk-[A-Za-z0-9_-]{20,}\b/,
  github_token: /\bgh[pousr]_[A-Za-z0-9]{30,}\b/,
  slack_token: /\bxox[abpr]-[A-Za-z0-9-]{10,}\b/,
  stripe_key: /\b[sr]k_(?:live|test)_[A-Za-z0-9]{16,}\b/,
  bearer_header: /\bBearer\s+[A-Za-z0-9._~+/=-]{20,}/,
  jwt: /\beyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}\b/,
  env_assignment: /\b(?:API_KEY|SECRET|TOKEN|PASSWORD|PASSWD)\s*=\s*\S{8,}/i,
};

/** Every payload field by its type. */
export const TABLE: Readonly<Record<string, readonly string[]>> = {
  "string": [
    ...["task_id", "task_family", "tool", "tool_call_id", "args_hash", "response_hash", "status"],
    ...["model", "message", "note", "decision", "reason", "variant", "digest", "path"],
    ...["fixture_key", "stage", "verdict", "branch_id", "parent_branch_id", "summary"],
    ...["event_id", "session", "file", "maneuver", "threshold"],
  ],
  "integer": ["tokens_in", "tokens_out", "passed", "failed", "total", "hits", "blocked"],
  "integer|null": ["exit_code"],
  "number": ["duration_ms", "cost_usd", "score", "risk"],
};

/** The names of an entry's fields. */
export const FIELDS: readonly string[] = [
  ...["schema", "run_id", "capsule_id", "seq", "ts", "lineage", "kind", "effect_class"],
  ...["harness_version", "task_family", "parent_hash", "entry_hash", "payload"],
];

const GENESIS = "0".repeat(64);
const ID = /^[A-Za-z0-9][A-Za-z0-9._:-]{0,127}$/;
const TS =
  /^(\d{4})-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d+)?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$/;

/** A value with the members of every object sorted by code unit. */
export function rebuild(value: unknown): unknown {
  if (Array.isArray(value)) return Array.from(value, rebuild);
  if (typeof value !== "object" || value === null) return value;
  const copy: object = {};
  for (const key of Object.keys(value).sort()) { // the default order is the one by code unit
    const member = (value as Fields)[key];
    if (member === undefined) continue;
    const data = { value: rebuild(member), enumerable: true, writable: true, configurable: true };
    Object.defineProperty(copy, key, data);
  }
  return copy;
}

/** The canonical text of a value that has one. */
export function canonicalText(value: unknown): string {
  return JSON.stringify(rebuild(value));
}

/** The hash of a value's canonical text. */
export function hashOf(value: unknown, sha256: Sha256): string {
  return sha256.digest(new TextEncoder().encode(canonicalText(value)));
}

/** The verdict on the bytes of a journal, by the table of the format page. */
export function plainVerdict(bytes: Uint8Array, sha256: Sha256): Brief {
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return { code: "capsule.non_canonical", failed_at: null, entry_count: 0, root_hash: null };
  }
  const lines = text.split("\n");
  const failed_at = lines.length - 1;
  if (lines.pop() !== "") {
    return { code: "capsule.truncated_tail", failed_at, entry_count: 0, root_hash: null };
  }
  let head = GENESIS;
  for (const [index, line] of lines.entries()) {
    const code = judgeLine(line, index, head, sha256);
    if (code !== null) return { code, failed_at: index, entry_count: index, root_hash: null };
    head = (JSON.parse(line) as { entry_hash: string }).entry_hash;
  }
  return { code: "ok", failed_at: null, entry_count: lines.length, root_hash: head };
}

function judgeLine(line: string, index: number, head: string, sha256: Sha256): string | null {
  let entry: Fields;
  try {
    entry = JSON.parse(line);
  } catch {
    return "capsule.corrupt_entry";
  }
  if (!isEntry(entry, sha256)) return "capsule.invalid_entry";
  if (entry["seq"] !== index) return "capsule.reordered";
  if (entry["parent_hash"] !== head) return "capsule.broken_link";
  return canonicalText(entry) === line ? null : "capsule.non_canonical";
}

function isEntry(entry: unknown, sha256: Sha256): boolean {
  if (!isObject(entry)) return false;
  const names = Object.keys(entry);
  if (names.length !== FIELDS.length || !FIELDS.every((name) => names.includes(name))) return false;
  const text = (name: string, pattern: RegExp): boolean => {
    const value = entry[name];
    return typeof value === "string" && pattern.test(value);
  };
  const seq = entry["seq"];
  const { entry_hash, ...rest } = entry;
  return entry["schema"] === "capsule-envelope/v1" && text("run_id", ID) &&
    text("capsule_id", ID) && typeof seq === "number" && seq >= 0 && seq % 1 === 0 &&
    isTime(entry["ts"]) && text("lineage", /^(plan|attempt|interaction|environment|strategy)$/) &&
    text("kind", /^[a-z][a-z0-9_.-]{0,63}$/) && text("effect_class", /^SE[0-4]$/) &&
    text("harness_version", /[^]/) && text("task_family", /[^]/) &&
    text("parent_hash", /^[0-9a-f]{64}$/) && text("entry_hash", /^[0-9a-f]{64}$/) &&
    isPayload(entry["payload"]) && hashOf(rest, sha256) === entry_hash;
}

function isTime(value: unknown): boolean {
  const parts = typeof value === "string" ? TS.exec(value) : null;
  if (parts === null) return false;
  const day = new Date(0);
  day.setUTCFullYear(Number(parts[1]), Number(parts[2]) - 1, Number(parts[3]));
  return day.getUTCDate() === Number(parts[3]);
}

function isPayload(payload: unknown): boolean {
  return isObject(payload) && Object.entries(payload).every(([name, value]) => {
    const type = Object.keys(TABLE).find((type) => TABLE[type]?.includes(name));
    if (type === "string") {
      return typeof value === "string" &&
        !Object.values(PATTERNS).some((pattern) => pattern.test(value));
    }
    if (type === undefined) return false;
    if (type === "integer|null" && value === null) return true;
    const isNumber = typeof value === "number" && value - value === 0; // no infinity
    return isNumber && (type === "number" || value % 1 === 0);
  });
}

function isObject(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
