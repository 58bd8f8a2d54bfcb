/**
 * What commands that sign, accept or score share: the profile, pins, the state of acceptances, the file written.
 *
 * @module
 */
import { JsonNumber } from "../canonical/mod.ts";
import type { JsonValue } from "../canonical/mod.ts";
import type { EvaluationContext, Replay } from "../evaluation/mod.ts";
import { consumptionStoreAt, nativeSha256 } from "../node/mod.ts";
import type { Consumption, ConsumptionStore } from "../ports/mod.ts";
import { LAB_PROFILE, UNSTABLE_NEUTRAL_PROFILE } from "../record/mod.ts";
import type { RecordProfile } from "../record/mod.ts";
import type { Arguments } from "./args.ts";
import { RefusedError } from "./errors.ts";
import { isWithin } from "./places.ts";
import { readRecordFile } from "./record_files.ts";

/** Flags of commands that accept a receipt. */
export const ACCEPT_FLAGS = {
  profile: "value",
  pins: "value",
  state: "value",
  archival: "switch",
  out: "value",
} as const;

/** Help of these flags but `--out`. */
export const ACCEPT_HELP =
  `  --pins FILE       what you know beforehand: a JSON object, see docs/spec/evaluation.md
  --state DIR       what was accepted before; an accepted receipt is consumed there
  --archival        instead of --state: look at old evidence, consume nothing
  --profile NAME    harvey-lab (default), or neutral-unstable, whose bytes may change`;

/** The profile that the flag names, with this machine's SHA-256. */
export function takeContext(given: Arguments): EvaluationContext {
  const profiles: readonly RecordProfile[] = [LAB_PROFILE, UNSTABLE_NEUTRAL_PROFILE];
  const wanted = given.value("profile") ?? LAB_PROFILE.name;
  const profile = profiles.find(({ name }) => name === wanted);
  if (profile === undefined) throw given.usage(`There is no profile "${wanted}"`);
  return { profile, sha256: nativeSha256() };
}

/** The store that `--state` names; `null` with `--archival`. Exactly one of the two must be there. */
export function takeStore(given: Arguments): ConsumptionStore | null {
  const path = given.value("state");
  if ((path === undefined) !== given.has("archival")) {
    throw given.usage("Give either --state DIR or --archival");
  }
  return path === undefined ? null : consumptionStoreAt(path);
}

/** The file that `--out` names. In the place of what the command reads it would destroy that, by way of links too. */
export async function takeOut(given: Arguments): Promise<string | undefined> {
  const out = given.value("out");
  if (out === undefined) return undefined;
  const read = ["pins", "authority", "sign-key", "state"].map((name) => given.value(name));
  for (const path of [...given.positionals, ...read]) {
    if (path !== undefined && await isWithin(out, path)) {
      throw given.usage("--out names a file that is read");
    }
  }
  return out;
}

/** What was accepted before, for an acceptance. */
export async function readReplay(store: ConsumptionStore | null): Promise<Replay> {
  return store === null ? "archival" : await store.read();
}

/** Consumes an accepted receipt. @throws {RefusedError} when somebody else did so meanwhile. */
export async function consume(store: ConsumptionStore | null, wanted: Consumption): Promise<void> {
  const taken = await store?.consume(wanted) ?? null;
  if (taken === null) return;
  const code = taken === "repeat_slot" ? "record.repeat_slot_occupied" : "record.already_consumed";
  const reason = `Consuming a receipt: its ${taken.replace("_", " ")} was consumed before`;
  throw new RefusedError(code, reason, taken === "repeat_slot" ? {} : { at: { field: taken } });
}

/**
 * The pins in the file that the flag names: exactly these members, the repeat index an integer and the others text.
 *
 * @throws {RefusedError} `cli.pins_invalid`. @throws {UsageError} when the flag is missing.
 */
export async function readPins<Pins>(
  given: Arguments,
  names: readonly (keyof Pins & string)[],
  optional: readonly (keyof Pins & string)[] = [],
): Promise<Pins> {
  const path = given.value("pins");
  if (path === undefined) throw given.usage("--pins FILE is missing");
  const value = await readRecordFile(path);
  if (!(value instanceof Map)) throw invalidPins("no object");
  const missing = names.find((name) => !value.has(name));
  if (missing !== undefined) throw invalidPins(`no member "${missing}"`);
  const known: readonly string[] = [...names, ...optional];
  if ([...value.keys()].some((name) => !known.includes(name))) {
    throw invalidPins("a member that is none of the pins here");
  }
  return Object.fromEntries([...value].map(([name, pin]) => [name, pinOf(name, pin)])) as Pins;
}

function pinOf(name: string, value: JsonValue): string | bigint {
  if (name === "expected_repeat_index") {
    if (value instanceof JsonNumber && value.isInteger) return value.toBigInt();
    throw invalidPins(`no integer as "${name}"`);
  }
  if (typeof value === "string") return value;
  throw invalidPins(`no text as "${name}"`);
}

function invalidPins(found: string): RefusedError {
  return new RefusedError("cli.pins_invalid", `Reading the pins: there is ${found}`);
}
