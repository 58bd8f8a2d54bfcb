/**
 * Mutants of records as source text, and a second reading of the rules that knows nothing of the library: each member's
 * text against an expression, then what members have to do with each other.
 *
 * @module
 */
import type { Sha256 } from "../../src/hash/mod.ts";
import type { Random } from "../lib/random.ts";

/** A value by its JSON text, or an object by its members in order; a name may repeat. */
export type Source = string | Member[];
/** A member of an object. */
export type Member = [string, Source];
/** The rule for a value. */
export type Rule = (value: Source) => boolean;

/** The members of an object in JSON text, nested ones too. */
export function sourceOf(value: unknown): Source {
  if (typeof value !== "object" || value === null) {
    return typeof value === "bigint" ? String(value) : JSON.stringify(value);
  }
  if (Array.isArray(value)) return `[${value.map((item) => render(sourceOf(item))).join(",")}]`;
  return Object.entries(value).map(([name, member]) => [name, sourceOf(member)]);
}

/** The JSON text. */
export function render(source: Source): string {
  if (typeof source === "string") return source;
  return `{${source.map(([name, value]) => `${JSON.stringify(name)}:${render(value)}`).join(",")}}`;
}

/** The canonical text, as far as values that any rule takes have one. */
export function canonical(source: Source): string {
  if (typeof source !== "string") {
    const members = [...new Map(source)].sort(([a], [b]) => a < b ? -1 : 1);
    return `{${members.map(([name, value]) => `"${name}":${canonical(value)}`).join(",")}}`;
  }
  if (source.startsWith('"')) return JSON.stringify(JSON.parse(source));
  return source === "-0" ? "0" : source;
}

const HOSTILE: readonly Source[] = [
  ...["null", "true", "false", "0", "-0", "1", "-1", "1.0", "1e0", "23", "24", "NaN", "Infinity"],
  ...["9007199254740993", "1e400", "0.5", "9".repeat(50), "9".repeat(5000), "[]", "{}", "[[]]"],
  ...['""', '" "', '"a"', '"\\u0000"', '"\\ud800"', '"a\\n"', '"official"', '"__proto__"'],
  ...['"OFFICIAL"', '"AKIAABCDEFGHIJKLMNOP"', '"USD"', '"unknown"', '"metered"', '"failed"'],
  ...[`"sha256:${"0".repeat(64)}"`, `"${"0".repeat(64)}"`, `"SHA256:${"0".repeat(64)}"`],
  ...['"2026-02-30T00:00:00Z"', '"2026-09-02T09:00:00.000000Z"', '"2026-09-02T08:59:59Z"'],
  ...['"2028-02-29T23:59:59.000001Z"', '"x/y"', '"x/y@z"', '"not_reported"', '"pass"'],
  ...['"https://example.org/a"', '"http://example.org/a"', '"https://u@example.org/a"'],
  ...[`"${"A".repeat(86)}=="`, `"${"A".repeat(85)}B=="`, `"${"A".repeat(200_000)}"`, '"binary"'],
  sourceOf({ value: null, unknown_reason: "unknown" }),
  sourceOf({ value: 0, unknown_reason: null }),
  ...[`${"[".repeat(900)}${"]".repeat(900)}`, '{"toString":1,"constructor":2,"then":3}'],
];

/** One change at a random place, at any depth: a member dropped, doubled, renamed, moved, or with another value. */
export function mutate(source: Member[], random: Random): Member[] {
  const members = [...source];
  const at = random.below(members.length);
  const [name, value] = members[at]!;
  if (typeof value !== "string" && value.length > 0 && random.below(3) > 0) {
    members[at] = [name, mutate(value, random)];
    return members;
  }
  switch (random.below(6)) {
    case 0:
      members.splice(at, 1);
      break;
    case 1: // doubled: the last one counts
      members.push([name, random.below(2) === 0 ? value : random.pick(HOSTILE)]);
      break;
    case 2:
      members[at] = [random.pick(["", "__proto__", `${name} `, "tier", "apiKey"]), value];
      break;
    case 3: // retyped or with another member's value
      members[at] = [name, random.below(2) === 0 ? `[${render(value)}]` : random.pick(members)[1]];
      break;
    default:
      members[at] = [name, random.pick(HOSTILE)];
  }
  return members;
}

/** The same record, with the hash of its other members in the place of the one it states. */
export function reseal(
  source: Member[],
  hash: string,
  without: readonly string[],
  sha256: Sha256,
): Member[] {
  const value = JSON.stringify(hashOf(source, without, sha256));
  return source.map(([name, old]) => [name, name === hash ? value : old]);
}

/** The hash of the canonical text without some members. */
export function hashOf(source: Member[], without: readonly string[], sha256: Sha256): string {
  const rest = source.filter(([name]) => !without.includes(name));
  return `sha256:${sha256.digest(new TextEncoder().encode(canonical(rest)))}`;
}

/** A text that matches. */
export function text(pattern: RegExp): Rule {
  return (value) => typeof value === "string" && pattern.test(safe(value));
}

/** Exactly this JSON text. */
export function exactly(...values: unknown[]): Rule {
  return (value) => values.some((wanted) => canonical(value) === String(JSON.stringify(wanted)));
}

/** An integer of at least some value. */
export function integer(least: bigint): Rule {
  return (value) =>
    typeof value === "string" && /^-?\d{1,4300}$/.test(value) && BigInt(value) >= least;
}

/** A digest with its prefix. */
export const DIGEST: Rule = text(/^"sha256:[0-9a-f]{64}"$/);
/** An opaque id. */
export const ID: Rule = text(/^"[A-Za-z0-9][A-Za-z0-9._+-]{0,127}"$/);
/** A judge. */
export const JUDGE: Rule = text(
  /^"[a-z0-9][a-z0-9._+-]{0,63}\/[a-z0-9][a-z0-9._+-]{0,127}(@[A-Za-z0-9][A-Za-z0-9._+-]{0,127})?"$/,
);

/** An object with exactly these members, each by its rule. */
export function object(rules: Readonly<Record<string, Rule>>): Rule {
  const names = Object.keys(rules);
  return (value) => {
    if (typeof value === "string") return false;
    const members = new Map(value);
    return members.size === names.length &&
      names.every((name) => members.has(name) && rules[name]!(members.get(name)!));
  };
}

/** No text and no name is a reserved word or looks like a key of a cloud. */
export const PUBLIC: Rule = (value) => {
  const all = canonical(value);
  return !/"(official|private[-_]debug)"/i.test(all) && !/\bAKIA[0-9A-Z]{16}\b/.test(all);
};

/** The member of an object that has it. */
export function member(value: Source, name: string): string {
  return canonical(new Map(value as Member[]).get(name)!);
}

/** A text that is no JSON string matches nothing; one with escapes is compared by what it says. */
function safe(value: string): string {
  return value.startsWith('"') ? canonical(value) : value;
}
