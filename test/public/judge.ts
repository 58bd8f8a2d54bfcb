/**
 * Runs public test data of others and gives one verdict a case. What the verdicts must be lies in `verdicts.json`, the
 * same for every runtime; `scripts/public.ts` brings the data and compares.
 *
 * @module
 */
import { decodeUtf8, encodeHex, encodeUtf8 } from "../../src/core/mod.ts";
import { formatJcs, parseStrict, parseStrictText, toPlain } from "../../src/canonical/mod.ts";
import { loadSha256 } from "../../src/hash/mod.ts";
import type { Sha256 } from "../../src/hash/mod.ts";
import { readPublicKey, verifyEd25519 } from "../../src/signature/mod.ts";
import { hexBytes } from "../lib/bytes.ts";

/** The files of the suites: base64 by path. */
export type Files = Readonly<Record<string, string>>;

/** Verdicts by case. */
export type Table = Record<string, string>;

/** Verdicts by suite. */
export async function judge(files: Files): Promise<Record<string, Table>> {
  const sha256 = await loadSha256();
  const below = (folder: string): [string, Uint8Array][] =>
    Object.keys(files).filter((path) => path.startsWith(folder)).sort().map((path) => [
      path.slice(folder.length),
      read(files, path),
    ]);
  return {
    "json-parsing": tabulate(below("json-test-suite/test_parsing/"), parsing),
    "json-transform": tabulate(below("json-test-suite/test_transform/"), transform),
    "jcs-pairs": tabulate(
      below("jcs/testdata/input/"),
      (input, name) => jcsPair(files, input, name),
    ),
    "jcs-numbers": jcsNumbers(read(files, "jcs/numbers-10000.txt"), sha256),
    wycheproof: await wycheproof(parse(files, "wycheproof/testvectors_v1/ed25519_test.json")),
    cctv: await cctv(parse(files, "cctv/ed25519/ed25519vectors.json")),
  };
}

function tabulate(
  cases: readonly [string, Uint8Array][],
  verdict: (bytes: Uint8Array, name: string) => string,
): Table {
  return Object.fromEntries(cases.map(([name, bytes]) => [name, verdict(bytes, name)]));
}

/** Strictness about repeated names is the format's choice, so both readings count. */
function parsing(bytes: Uint8Array): string {
  const lenient = readingOf(bytes, "last-wins");
  const strict = readingOf(bytes, "refuse");
  return strict === lenient ? strict : `${lenient}; repeated names refused: ${strict}`;
}

function readingOf(bytes: Uint8Array, duplicateKeys: "refuse" | "last-wins"): string {
  const result = parseStrict(bytes, { duplicateKeys });
  return result.ok
    ? "accepted"
    : `${result.code} at byte ${result.at?.byte}, pointer "${result.at?.pointer}"`;
}

function transform(bytes: Uint8Array): string {
  const value = parseStrict(bytes, { duplicateKeys: "last-wins" });
  if (!value.ok) return value.code;
  try {
    return formatJcs(value.value);
  } catch (error) {
    return (error as { code: string }).code;
  }
}

function jcsPair(files: Files, input: Uint8Array, name: string): string {
  const value = parseStrict(input);
  const expected = decodeUtf8(read(files, `jcs/testdata/output/${name}`));
  if (!value.ok) return value.code;
  return [value.value, toPlain(value.value)].every((form) => formatJcs(form) === expected)
    ? "equal"
    : "differs";
}

const LIMITS = [1_000, 10_000, 100_000, 1_000_000];

/** The digests of the first 10^3 to 10^6 lines `bits,text` of the doubles that the suite's authors prescribe. */
function jcsNumbers(published: Uint8Array, sha256: Sha256): Table {
  const text = decodeUtf8(published) ?? "";
  const fixed = text.split("\n").slice(0, 168).map((line) => BigInt(`0x${line.split(",")[0]}`));
  const digests = LIMITS.map((limit) => ({ limit, running: sha256.start() }));
  const table: Table = {};
  const all = doubles(fixed, sha256);
  let first = "";
  for (let count = 1_000; count <= 1_000_000; count += 1_000) {
    let lines = "";
    for (let i = 0; i < 1_000; i++) {
      const bits = all.next().value as bigint;
      lines += `${bits.toString(16)},${formatJcs(doubleOf(bits))}\n`;
    }
    if (count <= 10_000) first += lines;
    const bytes = encodeUtf8(lines);
    for (const { limit, running } of digests) {
      if (count <= limit) running.update(bytes);
    }
  }
  table["numbers-10000.txt"] = first === text ? "equal" : "differs";
  for (const { limit, running } of digests) table[`${limit} lines`] = running.digest();
  return table;
}

function* doubles(fixed: readonly bigint[], sha256: Sha256): Generator<bigint> {
  yield* fixed;
  for (let i = 0n; i < 2000n; i++) yield 0x0010000000000000n + i;
  let block = new Uint8Array(32);
  for (;;) {
    const digest = sha256.digest(block);
    block = hexBytes(digest);
    for (let at = 0; at < 32; at += 8) {
      const bits = new DataView(block.buffer).getBigUint64(at, true);
      const value = doubleOf(bits);
      if (Number.isFinite(value) && value !== 0) yield bits;
    }
  }
}

const scratch = new DataView(new ArrayBuffer(8));

function doubleOf(bits: bigint): number {
  scratch.setBigUint64(0, bits);
  return scratch.getFloat64(0);
}

interface Wycheproof {
  testGroups: {
    publicKey: { pk: string };
    publicKeyPem: string;
    publicKeyJwk: unknown;
    tests: { tcId: number; msg: string; sig: string; result: string }[];
  }[];
}

/** Every group's key is read from PEM and JWK too, and must be the raw one. */
async function wycheproof(suite: unknown): Promise<Table> {
  const table: Table = {};
  for (const group of (suite as Wycheproof).testGroups) {
    const key = hexBytes(group.publicKey.pk);
    for (const file of [group.publicKeyPem, JSON.stringify(group.publicKeyJwk)]) {
      const found = readPublicKey(encodeUtf8(file));
      if (!found.ok || encodeHex(found.value) !== group.publicKey.pk) {
        throw new Error(`Key of group ${group.publicKey.pk}`);
      }
    }
    for (const { tcId, msg, sig, result } of group.tests) {
      const found = await verifyEd25519(key, hexBytes(msg), hexBytes(sig)) ? "valid" : "invalid";
      table[tcId] = found === result ? found : `${found}, the suite says ${result}`;
    }
  }
  return table;
}

interface Cctv {
  number: number;
  key: string;
  sig: string;
  msg: string;
}

async function cctv(suite: unknown): Promise<Table> {
  const table: Table = {};
  for (const { number, key, sig, msg } of suite as Cctv[]) {
    const isWeak = !readPublicKey(hexBytes(key)).ok;
    const isValid = await verifyEd25519(hexBytes(key), encodeUtf8(msg), hexBytes(sig));
    table[number] = isWeak
      ? (isValid ? "weak key, valid" : "weak key")
      : isValid
      ? "valid"
      : "invalid";
  }
  return table;
}

function parse(files: Files, path: string): unknown {
  const value = parseStrictText(decodeUtf8(read(files, path)) ?? "");
  if (!value.ok) throw new Error(`Reading "${path}": ${value.reason}`);
  return toPlain(value.value);
}

function read(files: Files, path: string): Uint8Array {
  const content = files[path];
  if (content === undefined) throw new Error(`"${path}" is missing from the suites`);
  return Uint8Array.from(atob(content), (character) => character.charCodeAt(0));
}
