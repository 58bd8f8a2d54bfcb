/**
 * A fixture: what a tool answered to a call, in a file that is named by the hash of the call.
 *
 * Rule: `docs/spec/replay.md`, "Fixture" and "Look-up".
 *
 * @module
 */
import { encodeUtf8, fail, MAX_TEXT_BYTES, ok, readWhole } from "../core/mod.ts";
import type { FileInput, Result } from "../core/mod.ts";
import { CanonicalError, digestValue, formatCapsuleV1, parseJson } from "../canonical/mod.ts";
import { isDigest } from "../hash/mod.ts";
import type { Digest, Sha256 } from "../hash/mod.ts";
import type { FixtureStore } from "../ports/mod.ts";
import type { FixtureCode } from "./codes.ts";
import { ReplayError } from "./error.ts";

/** A call by its hashes. */
export interface CallId {
  /** The name of the tool. */
  readonly tool: string;
  /** Hash of the arguments in canonical form. */
  readonly args_hash: Digest;
  /** Hash of tool and arguments together, which names the file. */
  readonly key: Digest;
}

/** The members of a fixture's file. */
export interface Fixture {
  /** Of the call, as the file says; nothing checks it, and it may be anything or missing. */
  readonly key: unknown;
  /** The name of the tool. */
  readonly tool: string;
  /** Hash of the arguments. The arguments themselves are not in a fixture. */
  readonly args_hash: Digest;
  /** Hash of the response. */
  readonly response_hash: Digest;
  /** What the tool answered, as JSON holds it. */
  readonly response: unknown;
}

/** Bounds of reading and writing fixtures. */
export interface FixtureOptions {
  /** Largest file of a fixture, in bytes. Default 64 MiB. */
  readonly maxBytes?: number;
}

/**
 * The hashes of a call.
 *
 * @throws {ReplayError} `tool.not_serializable` when the arguments have no canonical text.
 */
export function hashCall(tool: string, args: unknown, sha256: Sha256): CallId {
  return serializing("the arguments", tool, () => {
    const args_hash = digestValue("capsule-v1", args, sha256);
    return { tool, args_hash, key: digestValue("capsule-v1", { tool, args }, sha256) };
  });
}

/** The name of the file of a fixture. */
export function fixtureFile(key: Digest): string {
  return `${key}.json`;
}

/** The text of a fixture's file: canonical, and a line feed. */
export function formatFixture(fixture: Fixture): string {
  const { key, tool, args_hash, response_hash, response } = fixture;
  return `${formatCapsuleV1({ key, tool, args_hash, response_hash, response })}\n`;
}

/**
 * Stores what a tool answered, over what is there for the same call. Nothing is written unless a look-up would accept it.
 *
 * @throws {ReplayError} `tool.not_serializable` when arguments or response have no canonical text, or one that reads back
 * as another value; `tool.fixture_too_large`. @throws {IoError} with the system's code.
 */
export async function storeFixture(
  store: FixtureStore,
  call: CallId,
  response: unknown,
  sha256: Sha256,
  { maxBytes = MAX_TEXT_BYTES }: FixtureOptions = {},
): Promise<Fixture> {
  const { fixture, bytes } = serializing("the response", call.tool, () => {
    const response_hash = digestValue("capsule-v1", response, sha256);
    const fixture: Fixture = { ...call, response_hash, response };
    return { fixture, bytes: encodeUtf8(formatFixture(fixture)) };
  });
  if (bytes.length > maxBytes) {
    const message = `Recording a call: its fixture is larger than ${maxBytes} bytes`;
    throw new ReplayError("tool.fixture_too_large", message);
  }
  if (!judgeFixture(bytes, sha256, call).ok) { // a toJSON function gave members in an order of its own
    const message = "Recording a call: the response would not be read back as it is";
    throw new ReplayError("tool.not_serializable", message);
  }
  await store.write(fixtureFile(call.key), bytes);
  return fixture;
}

/**
 * Reads a fixture from its file. What version 1 does not look at is not looked at: `key`, members besides the five, layout
 * and whether the bytes are valid UTF-8.
 *
 * @param call what it must be the fixture of; without it, tool and arguments hash need only be there.
 * @returns the fixture, `null` when the file is absent, or the first fault in the documented order.
 */
export async function readFixture(
  input: FileInput,
  sha256: Sha256,
  call?: CallId,
  options: FixtureOptions = {},
): Promise<Result<Fixture | null, FixtureCode>> {
  const bytes = await readWhole(input, options.maxBytes ?? MAX_TEXT_BYTES);
  if (bytes.ok) return judgeFixture(bytes.value, sha256, call);
  if (bytes.code === "absent") return ok(null);
  return fail("tool.fixture_corrupt", `Reading a fixture: ${bytes.reason}`);
}

/** Judges the bytes of a fixture's file, as {@linkcode readFixture} does. */
export function judgeFixture(
  bytes: Uint8Array,
  sha256: Sha256,
  call?: CallId,
): Result<Fixture, FixtureCode> {
  const parsed = parseJson(lenient.decode(bytes));
  if (!parsed.ok) {
    const why = parsed.code === "json.syntax" ? "it is not JSON" : "it is nested too deep";
    return fail("tool.fixture_corrupt", `Reading a fixture: ${why}`);
  }
  if (parsed.value === null) return fail("tool.fixture_corrupt", "Reading a fixture: it is null");
  const { tool, args_hash, response_hash, key } = membersOf(parsed.value);
  const isMeant = call === undefined
    ? typeof tool === "string" && isDigest(args_hash)
    : tool === call.tool && args_hash === call.args_hash;
  if (!isMeant) {
    return fail("tool.fixture_mismatch", "Reading a fixture: it is of another tool or arguments");
  }
  if (!Object.hasOwn(parsed.value as object, "response")) {
    return fail("tool.fixture_corrupt", "Reading a fixture: it has no response");
  }
  const { response } = membersOf(parsed.value);
  if (digestValue("capsule-v1", response, sha256) !== response_hash) {
    return fail("tool.fixture_mismatch", "Reading a fixture: the response has another hash");
  }
  const fixture = { key, tool: tool as string, args_hash: args_hash as Digest, response };
  return ok({ ...fixture, response_hash: response_hash as Digest });
}

/** Invalid UTF-8 becomes U+FFFD, as for the first writer; a byte order mark stays, and is no JSON. */
const lenient = new TextDecoder("utf-8", { ignoreBOM: true });

/** The own members of a parsed value; a scalar has none. */
function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  return Object.assign(Object.create(null), typeof value === "object" ? value : null);
}

function serializing<T>(what: string, tool: string, step: () => T): T {
  try {
    return step();
  } catch (cause) {
    if (!(cause instanceof CanonicalError)) throw cause;
    const message = `Hashing a call of ${JSON.stringify(tool)}: ${what} cannot be written as JSON`;
    throw new ReplayError("tool.not_serializable", message, { cause });
  }
}
