/**
 * How far the effects of a tool reach, as the user of the tool says. What a server says of its own tools is no evidence
 * and counts only when it is trusted by name of an option.
 *
 * @module
 */
import { fail, formatPointer, isPlainObject, ok } from "../core/mod.ts";
import type { Result } from "../core/mod.ts";
import { parseStrict } from "../canonical/mod.ts";
import type { JsonObject, JsonValue } from "../canonical/mod.ts";
import { EFFECT_CLASSES, isEffectClass } from "../capsule/mod.ts";
import type { EffectClass } from "../capsule/mod.ts";

/** The `schema` of a policy. */
export const POLICY_SCHEMA = "effect-policy/v1";

/** What tools may do. */
export interface EffectPolicy {
  /** Effect classes by the name of the tool. */
  readonly tools: ReadonlyMap<string, EffectClass>;
  /** The highest class that is let through; `null` when there is no ceiling. */
  readonly max_effect: EffectClass | null;
  /** Tools that are never let through. */
  readonly deny: ReadonlySet<string>;
}

/** Who said how far the effects of a tool reach; `default` when nobody did. */
export type EffectSource = "policy" | "annotations" | "default";

/** How far the effects of a tool reach. */
export interface EffectDecision {
  /** The class. */
  readonly effect_class: EffectClass;
  /** Where it comes from. */
  readonly source: EffectSource;
}

const MEMBERS = ["schema", "tools", "max_effect", "deny"];
const A_CLASS = `${EFFECT_CLASSES.slice(0, -1).join(", ")} or ${EFFECT_CLASSES.at(-1)} was wanted`;

/**
 * Reads a policy, strictly: a member that is repeated or unknown refuses it, since it may have been meant.
 *
 * @example
 * ```ts
 * import { readPolicy } from "affidavit/recording";
 *
 * const text = '{"schema": "effect-policy/v1", "tools": {"echo": "SE0"}, "max_effect": "SE2"}';
 * const policy = readPolicy(new TextEncoder().encode(text));
 * console.log(policy.ok && policy.value.tools.get("echo")); // SE0
 * ```
 */
export function readPolicy(bytes: Uint8Array): Result<EffectPolicy, "recording.policy_invalid"> {
  const parsed = parseStrict(bytes);
  if (!parsed.ok) {
    const { reason, at } = parsed;
    return fail("recording.policy_invalid", `Reading a policy of effects: ${reason}`, at);
  }
  const policy = parsed.value;
  const fault = findFault(policy);
  if (fault !== undefined) {
    const pointer = formatPointer(fault.path);
    const where = pointer === "" ? "at the top" : `at ${JSON.stringify(pointer)}`;
    const reason = `Reading a policy of effects: ${where} ${fault.wanted}`;
    return fail("recording.policy_invalid", reason, { pointer });
  }
  const found = policy as JsonObject;
  return ok({
    tools: found.get("tools") as unknown as ReadonlyMap<string, EffectClass>,
    max_effect: (found.get("max_effect") ?? null) as EffectClass | null,
    deny: new Set((found.get("deny") ?? []) as string[]),
  });
}

/**
 * How far the effects of a tool reach: what the policy says, else what its annotations say if they are trusted, else the
 * worst.
 *
 * @param annotations those of the server's list of tools; `undefined` when it gave none.
 */
export function classOf(
  policy: EffectPolicy,
  tool: string,
  annotations: unknown,
  trustAnnotations: boolean,
): EffectDecision {
  const named = policy.tools.get(tool);
  if (named !== undefined) return { effect_class: named, source: "policy" };
  return trustAnnotations && isPlainObject(annotations)
    ? { effect_class: classOfAnnotations(annotations), source: "annotations" }
    : { effect_class: "SE4", source: "default" };
}

/**
 * SE0 to SE2 reach no further than a sandbox, SE3 and SE4 beyond it or beyond undoing. So only what is read in a closed
 * world has no effect at all, since a read of the open world can be seen there; what is added to a closed world stays in
 * it, and nothing that is added to the open world does; what destroys cannot be undone. That a call may be repeated
 * without further effect says nothing of how far the first one reaches.
 */
function classOfAnnotations(annotations: object): EffectClass {
  const hint = (name: string, absent: boolean): boolean => {
    const value = (annotations as Readonly<Record<string, unknown>>)[name];
    return typeof value === "boolean" ? value : absent;
  };
  const isOpen = hint("openWorldHint", true);
  if (hint("readOnlyHint", false)) return isOpen ? "SE1" : "SE0";
  if (hint("destructiveHint", true)) return "SE4";
  return isOpen ? "SE3" : "SE2";
}

interface PolicyFault {
  readonly path: readonly (string | number)[];
  readonly wanted: string;
}

function findFault(policy: JsonValue): PolicyFault | undefined {
  const at = (wanted: string, ...path: (string | number)[]): PolicyFault => ({ path, wanted });
  if (!(policy instanceof Map)) return at("an object was wanted");
  const unknown = [...policy.keys()].find((name) => !MEMBERS.includes(name));
  if (unknown !== undefined) return at(`a member other than ${MEMBERS.join(", ")} stands`, unknown);
  if (policy.get("schema") !== POLICY_SCHEMA) return at(`"${POLICY_SCHEMA}" was wanted`, "schema");
  const tools = policy.get("tools");
  if (!(tools instanceof Map)) return at("an object of effect classes was wanted", "tools");
  const odd = [...tools].find(([, effect]) => !isEffectClass(effect));
  if (odd !== undefined) return at(A_CLASS, "tools", odd[0]);
  const { max_effect = "SE4", deny = [] } = Object.fromEntries(policy);
  if (!isEffectClass(max_effect)) return at(A_CLASS, "max_effect");
  if (!Array.isArray(deny)) return at("a list of names was wanted", "deny");
  const index = deny.findIndex((name) => typeof name !== "string");
  return index < 0 ? undefined : at("a name was wanted", "deny", index);
}
