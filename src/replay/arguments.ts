/**
 * Arguments kept beside a fixture, which itself holds only their hash. This library's own addition, written only when asked
 * for and read only to explain: no look-up depends on it.
 *
 * Rule: `docs/spec/replay.md`, "Arguments beside a fixture".
 *
 * @module
 */
import { decodeUtf8, encodeUtf8, fail, MAX_TEXT_BYTES, ok, readWhole } from "../core/mod.ts";
import type { FileInput, Result } from "../core/mod.ts";
import { digestValue, formatCapsuleV1, parseJson } from "../canonical/mod.ts";
import type { Digest, Sha256 } from "../hash/mod.ts";
import type { FixtureStore } from "../ports/mod.ts";
import type { ArgumentsCode } from "./codes.ts";
import type { CallId } from "./fixture.ts";
import { withhold } from "./withhold.ts";

/** The `schema` of such a file. */
export const ARGUMENTS_SCHEMA = "fixture-arguments/v1";

/** Arguments of a recorded call as far as they were kept. */
export interface KeptArguments {
  /** The arguments; see {@linkcode KeptArguments.withheld}. */
  readonly args: unknown;
  /**
   * JSON Pointers to what a canary refused: `null` stands in its place, or a member of the object there is gone. Empty
   * when all was kept, and only then do the arguments have the hash of the call.
   */
  readonly withheld: readonly string[];
}

/** The name of the file of arguments beside a fixture. */
export function argumentsFile(key: Digest): string {
  return `${key}.args.json`;
}

/**
 * Keeps the arguments of a call, but for what a canary refuses, and those that nobody would read back for their size.
 *
 * @param text the arguments in canonical form.
 * @throws {IoError} with the system's code.
 */
export async function storeArguments(
  store: FixtureStore,
  { key, tool, args_hash }: CallId,
  text: string,
): Promise<void> {
  const { value: args, withheld } = withhold(JSON.parse(text));
  const kept = formatCapsuleV1({ schema: ARGUMENTS_SCHEMA, tool, args_hash, args, withheld });
  const bytes = encodeUtf8(`${kept}\n`);
  if (bytes.length <= MAX_TEXT_BYTES) await store.write(argumentsFile(key), bytes);
}

/**
 * Reads arguments that were kept.
 *
 * @param key of the call, from the name of the file.
 * @returns the arguments, `null` when none were kept, or a refusal when they are not those of a call with this key. With
 * something withheld that cannot be told.
 */
export async function readArguments(
  input: FileInput,
  key: string,
  sha256: Sha256,
): Promise<Result<KeptArguments & { tool: string; args_hash: string } | null, ArgumentsCode>> {
  const bytes = await readWhole(input, MAX_TEXT_BYTES);
  if (!bytes.ok) return bytes.code === "absent" ? ok(null) : invalid(bytes.reason);
  const parsed = parseJson(decodeUtf8(bytes.value) ?? "");
  if (!parsed.ok) return invalid("it is no JSON in UTF-8, or nested too deep");
  const found = (parsed.value ?? {}) as Readonly<Record<string, unknown>>;
  const { schema, tool, args_hash, args, withheld } = found;
  if (
    schema !== ARGUMENTS_SCHEMA || typeof tool !== "string" || typeof args_hash !== "string" ||
    args === undefined || !isTexts(withheld)
  ) {
    return invalid(`it is not of the shape ${ARGUMENTS_SCHEMA}`);
  }
  if (
    withheld.length === 0 && (digestValue("capsule-v1", args, sha256) !== args_hash ||
      digestValue("capsule-v1", { tool, args }, sha256) !== key)
  ) {
    return invalid("the arguments have another hash");
  }
  return ok({ args, withheld, tool, args_hash });
}

function invalid(why: string): Result<never, ArgumentsCode> {
  return fail("tool.arguments_invalid", `Reading the arguments of a fixture: ${why}`);
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === "string");
}
