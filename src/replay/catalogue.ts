/**
 * What is in a store of fixtures, and whether it is sound.
 *
 * @module
 */
import { compareCodeUnits, decodeUtf8, MAX_TEXT_BYTES, readWhole } from "../core/mod.ts";
import type { Digest, Sha256 } from "../hash/mod.ts";
import type { FixtureStore } from "../ports/mod.ts";
import { argumentsFile, readArguments } from "./arguments.ts";
import type { ArgumentsCode, FixtureCode } from "./codes.ts";
import { formatFixture, readFixture } from "./fixture.ts";
import type { Fixture } from "./fixture.ts";

/** A file of a store. */
export interface StoredFixture {
  /** Its name. */
  readonly file: string;
  /** Why it cannot be replayed, `null` when its hashes hold. */
  readonly code: FixtureCode | null;
  /** The same in words. */
  readonly reason: string | null;
  /** The tool, as the file says; `null` when it is refused. */
  readonly tool: string | null;
  /** Hash of the arguments, likewise. */
  readonly args_hash: Digest | null;
  /** Hash of the response, likewise. */
  readonly response_hash: Digest | null;
  /** Are there arguments beside it? */
  readonly has_arguments: boolean;
}

/** What verification says of one file. */
export interface FileVerdict {
  /** Its name. */
  readonly file: string;
  /** Do its hashes hold? */
  readonly ok: boolean;
  /** Why they do not. */
  readonly code: FixtureCode | ArgumentsCode | null;
  /** The same in words. */
  readonly reason: string | null;
  /** What is not as a recorder writes it, though a look-up passes over it; `null` when nothing is. */
  readonly remark: string | null;
}

/** What verification says of a store. */
export interface StoreVerdict {
  /** Does every file hold? */
  readonly ok: boolean;
  /** Number of fixtures. */
  readonly fixture_count: number;
  /** Every file of fixtures and arguments, by name. Other files are none of its business. */
  readonly files: readonly FileVerdict[];
}

const FIXTURE = /^[0-9a-f]{64}\.json$/;
const ARGUMENTS = /^[0-9a-f]{64}\.args\.json$/;

/** Lists the fixtures of a store, by tool and then by the hash of the arguments; refused ones come last. */
export async function listFixtures(store: FixtureStore, sha256: Sha256): Promise<StoredFixture[]> {
  const names = new Set(await store.list());
  const found: StoredFixture[] = [];
  for (const file of [...names].filter((name) => FIXTURE.test(name)).sort()) {
    const has_arguments = names.has(argumentsFile(file.slice(0, 64) as Digest));
    const read = await readFixture(await store.read(file), sha256);
    if (read.ok && read.value === null) continue; // removed meanwhile
    if (read.ok) {
      const { tool, args_hash, response_hash } = read.value!;
      const hashes = { tool, args_hash, response_hash };
      found.push({ file, code: null, reason: null, ...hashes, has_arguments });
    } else {
      const { code, reason } = read;
      const nothing = { tool: null, args_hash: null, response_hash: null };
      found.push({ file, code, reason, ...nothing, has_arguments });
    }
  }
  return found.sort((a, b) =>
    Number(a.tool === null) - Number(b.tool === null) ||
    compareCodeUnits(a.tool ?? "", b.tool ?? "") ||
    compareCodeUnits(a.args_hash ?? a.file, b.args_hash ?? b.file)
  );
}

/**
 * Verifies the hashes of every fixture of a store, and of the arguments beside it. It cannot know that a response is what
 * the tool answered, nor, where no arguments were kept, that the hash of the arguments is.
 */
export async function verifyFixtures(store: FixtureStore, sha256: Sha256): Promise<StoreVerdict> {
  const names = [...await store.list()].sort();
  const files: FileVerdict[] = [];
  for (const file of names) {
    if (FIXTURE.test(file)) files.push(await verifyFixture(store, file, sha256));
    else if (ARGUMENTS.test(file)) files.push(await verifyArguments(store, file, sha256));
  }
  const fixture_count = files.filter(({ file }) => FIXTURE.test(file)).length;
  return { ok: files.every(({ ok }) => ok), fixture_count, files };
}

async function verifyFixture(
  store: FixtureStore,
  file: string,
  sha256: Sha256,
): Promise<FileVerdict> {
  const bytes = await readWhole(await store.read(file), MAX_TEXT_BYTES);
  const fixture = await readFixture(
    bytes.ok ? bytes.value : bytes.code === "absent" ? null : { unreadable: bytes.reason },
    sha256,
  );
  if (!fixture.ok) {
    return { file, ok: false, code: fixture.code, reason: fixture.reason, remark: null };
  }
  const remark = bytes.ok && fixture.value !== null
    ? remarkOn(file, bytes.value, fixture.value)
    : "it was removed meanwhile";
  return { file, ok: true, code: null, reason: null, remark };
}

function remarkOn(file: string, bytes: Uint8Array, fixture: Fixture): string | null {
  if (`${fixture.key}.json` !== file) return '"key" is not the name of the file';
  const isAsWritten = decodeUtf8(bytes) === formatFixture(fixture);
  return isAsWritten ? null : "it is spelled otherwise, or has further members";
}

async function verifyArguments(
  store: FixtureStore,
  file: string,
  sha256: Sha256,
): Promise<FileVerdict> {
  const key = file.slice(0, 64);
  const kept = await readArguments(await store.read(file), key, sha256);
  if (!kept.ok) return { file, ok: false, code: kept.code, reason: kept.reason, remark: null };
  const fixture = await readFixture(await store.read(`${key}.json`), sha256);
  const beside = fixture.ok ? fixture.value : null;
  const isOf = kept.value !== null && beside !== null && beside.tool === kept.value.tool &&
    beside.args_hash === kept.value.args_hash;
  if (beside !== null && !isOf) {
    const reason = "Reading the arguments of a fixture: they are of another call than the fixture";
    return { file, ok: false, code: "tool.arguments_invalid", reason, remark: null };
  }
  const remark = beside === null
    ? "there is no sound fixture beside it"
    : kept.value!.withheld.length > 0
    ? "something was withheld, so that the hash of the arguments was not checked"
    : null;
  return { file, ok: true, code: null, reason: null, remark };
}
