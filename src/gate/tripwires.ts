/**
 * Tripwires: text in a variant that a reviewer should look at. A hit proves nothing, and no hit proves nothing either:
 * whoever wants to pass spells it otherwise.
 *
 * Every pattern is tried in time linear in the line: where one may start again, it starts at a literal that its own run of
 * blanks cannot contain.
 *
 * Rule: `docs/spec/gate.md`, "Tripwires".
 *
 * @module
 */
import { rankOf } from "../capsule/mod.ts";
import type { EffectClass } from "../capsule/mod.ts";
import { decodeTolerantly } from "./text.ts";
import { VARIANT_MANIFEST } from "./variant.ts";
import type { Variant } from "./variant.ts";

/** One rule entry: a name, which several may share, and what it looks for in a line. */
export interface Tripwire {
  /** Name of the rule. */
  readonly rule: string;
  /** A regular expression without the flags `g` and `y`, or what tests like one. */
  readonly pattern: Pick<RegExp, "test">;
}

/** Something that a rule found. */
export interface TripwireHit {
  /** Name of the variant. */
  readonly variant: string;
  /** Name of the rule. */
  readonly rule: string;
  /** Path in the tree. */
  readonly file: string;
  /** Number of the line, from 1. */
  readonly line: number;
  /** More about it, where there is more to say. */
  readonly detail?: string;
}

/** Settings of {@linkcode scanTripwires}. */
export interface TripwireOptions {
  /** The highest class that a variant may declare. Default SE1. */
  readonly maxEffectClass?: EffectClass;
  /** The rules to try, in this order. Default {@linkcode TRIPWIRES}. */
  readonly tripwires?: readonly Tripwire[];
  /** Most hits that are listed, the first ones; all of them unless given. */
  readonly maxHits?: number;
}

/** The rules, in the order in which hits of a line are listed. */
export const TRIPWIRES: readonly Tripwire[] = [
  {
    rule: "hidden_network",
    pattern: /require\(\s*['"](?:node:)?(?:http|https|net|tls|dgram|dns|http2)['"]\s*\)/,
  },
  { rule: "hidden_network", pattern: /\bfetch\s*\(/ },
  { rule: "process_spawn", pattern: /require\(\s*['"](?:node:)?child_process['"]\s*\)/ },
  {
    rule: "sandbox_weakening",
    pattern: /Module\._load|--no-sandbox|NODE_OPTIONS|effect-fence|ECC_EFFECT_FENCE/,
  },
  {
    rule: "checker_probe",
    pattern: /taskset|expected_output|\.gate-marker|gate-receipt|ECC_GATE_/,
  },
  { rule: "parent_escape", pattern: /(?:^|[^.\w])\.\.(?:[\\/]|['"`])/ },
];

const SCANNED = /\.(?:js|cjs|mjs|json|sh)$/;

/** What the rules find in the files of a variant, in walk order, by line, in the order of the rules. */
export function scanTripwires(variant: Variant, options: TripwireOptions = {}): TripwireHit[] {
  const { maxEffectClass = "SE1", tripwires = TRIPWIRES, maxHits = Infinity } = options;
  const { name, effect_class, files } = variant;
  const hits: TripwireHit[] = [];
  if (rankOf(effect_class) > rankOf(maxEffectClass)) {
    const detail = `${effect_class} exceeds ${maxEffectClass}`;
    hits.push({
      variant: name,
      rule: "effect_class_expansion",
      file: VARIANT_MANIFEST,
      line: 1,
      detail,
    });
  }
  for (const { path, bytes } of files.filter(({ path }) => SCANNED.test(path))) {
    let number = 0;
    for (const line of linesOf(decodeTolerantly(bytes))) {
      number++;
      for (const { rule, pattern } of tripwires) {
        if (hits.length >= maxHits) return hits;
        if (pattern.test(line)) hits.push({ variant: name, rule, file: path, line: number });
      }
    }
  }
  return hits;
}

/** One by one: a file of line feeds alone would make a long list. */
function* linesOf(text: string): Generator<string, void, undefined> {
  for (let from = 0; from <= text.length;) {
    const found = text.indexOf("\n", from);
    const end = found < 0 ? text.length : found;
    const hasReturn = found > from && text[found - 1] === "\r";
    yield text.slice(from, hasReturn ? end - 1 : end);
    from = end + 1;
  }
}
