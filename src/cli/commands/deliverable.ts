/**
 * `affidavit deliverable …`: seals what a run delivers, or checks what was sealed.
 *
 * @module
 */
import type { NotChecked } from "../../capsule/mod.ts";
import {
  DEFAULT_LIMITS,
  formatManifest,
  parseDeclaration,
  parseManifest,
} from "../../deliverable/mod.ts";
import type { Manifest, SealLimits } from "../../deliverable/mod.ts";
import { checkDeliverable, sealDeliverable, writeFileAt } from "../../node/mod.ts";
import { isStrictDigest } from "../../record/mod.ts";
import type { RecordProfile, RecordResult } from "../../record/mod.ts";
import { takeContext } from "../acceptance.ts";
import { isHelp, parseArguments, takePositionals } from "../args.ts";
import type { Arguments } from "../args.ts";
import { HelpRequest } from "../errors.ts";
import { COMMON } from "../help.ts";
import type { Io } from "../io.ts";
import { linesOfFields, linesOfUnchecked, showResult } from "../output.ts";
import { isWithin } from "../places.ts";
import { readRecordFile, takeRecord } from "../record_files.ts";

const help = `affidavit deliverable ACTION: seals what a run delivers, or checks it

  seal SOURCE SEALED --declaration FILE --task HASH --run HASH --config HASH
                    copy the declared files of directory SOURCE into the new
                    read-only directory SEALED, and print their manifest. SOURCE
                    must hold these files and nothing else: no link, no second
                    name of a file, no pipe, nothing that changes meanwhile
  verify SEALED MANIFEST
                    is SEALED read-only, and exactly what MANIFEST says?

  --declaration FILE   a JSON list of objects with artifact_id, source_path, path,
                       media_type and max_size_bytes
  --task HASH, --run HASH, --config HASH
                       what the deliverable belongs to: SHA-256 of task, run and
                       configuration, with "sha256:" in front or without
  --max-files N        most files (${DEFAULT_LIMITS.max_files})
  --max-file-bytes N   most bytes of one file (${DEFAULT_LIMITS.max_file_bytes})
  --max-total-bytes N  most bytes together (${DEFAULT_LIMITS.max_total_bytes})
  --out FILE           write the manifest there, outside of both directories
  --expect-manifest HASH
                       manifest_sha256 that MANIFEST must have
  --portable           refuse paths that break or merge on other systems
  --profile NAME       harvey-lab (default), or neutral-unstable, whose bytes may
                       change, and which is always portable
Flags come after the paths. A refused seal may leave part of SEALED behind.
${COMMON}
Example: affidavit deliverable seal work sealed --declaration files.json \\
           --task HASH --run HASH --config HASH --out manifest.json
`;

const SEAL_FLAGS = {
  declaration: "value",
  task: "value",
  run: "value",
  config: "value",
  "max-files": "value",
  "max-file-bytes": "value",
  "max-total-bytes": "value",
  out: "value",
  portable: "switch",
  profile: "value",
} as const;

const VERIFY_FLAGS = { "expect-manifest": "value", portable: "switch", profile: "value" } as const;

/** Seals or verifies a deliverable. */
export async function deliverable([action, ...rest]: readonly string[], io: Io): Promise<number> {
  if (isHelp(action)) throw new HelpRequest(help);
  if (action === "seal") return await seal(parseArguments(rest, { help, flags: SEAL_FLAGS }), io);
  if (action === "verify") {
    return await verify(parseArguments(rest, { help, flags: VERIFY_FLAGS }), io);
  }
  throw parseArguments([], { help, flags: {} }).usage(
    "The actions of deliverable are seal and verify",
  );
}

async function seal(given: Arguments, io: Io): Promise<number> {
  const [source, sealed] = takePositionals(given, "SOURCE", "SEALED");
  const bindings = {
    task_sha256: take(given, "task", "HASH"),
    run_sha256: take(given, "run", "HASH"),
    config_sha256: take(given, "config", "HASH"),
  };
  const options = { ...takeOptions(given), limits: takeLimits(given) };
  const declaredAt = take(given, "declaration", "FILE");
  const out = await takeOut(given, [source, sealed, declaredAt]);
  const declaration = takeRecord(parseDeclaration(await readRecordFile(declaredAt)));
  const { manifest } = takeRecord(
    await sealDeliverable(source, sealed, declaration, bindings, options),
  );
  const manifest_json = formatManifest(manifest);
  if (out !== undefined) await writeFileAt(out, `${manifest_json}\n`);
  showResult(io, given.isJson, { ok: true, ...summarize(manifest), manifest_json }, () => [
    [{ style: "good", text: "sealed" }, ` ${sealed}`],
    ...linesOfManifest(manifest),
    ["  keep the manifest hash where nobody who can write the files can change it"],
  ]);
  return 0;
}

async function verify(given: Arguments, io: Io): Promise<number> {
  const [sealed, manifestAt] = takePositionals(given, "SEALED", "MANIFEST");
  const expected = given.value("expect-manifest");
  if (expected !== undefined && !isStrictDigest(expected)) {
    throw given.usage('--expect-manifest takes "sha256:" and 64 lower-case hexadecimal digits');
  }
  const options = takeOptions(given);
  const record = await readRecordFile(manifestAt);
  const { sha256 } = takeContext(given);
  const parsed = parseManifest(record, sha256, options);
  const result = !parsed.ok
    ? parsed
    : expected !== undefined && parsed.value.manifest_sha256 !== expected
    ? differing()
    : await checkDeliverable(sealed, parsed.value, options);
  const not_checked = listUnchecked(expected !== undefined);
  if (result.ok) {
    showResult(io, given.isJson, { ok: true, ...summarize(result.value), not_checked }, () => [
      [{ style: "good", text: "consistent" }, `: ${sealed} is what the manifest says`],
      ...linesOfManifest(result.value),
      ...linesOfUnchecked(not_checked),
    ]);
    return 0;
  }
  const { code, reason, field, at } = result;
  const path = at?.path;
  const shown = { ok: false, code, reason, field: field ?? null, path: path ?? null };
  showResult(io, given.isJson, shown, () => [
    [{ style: "bad", text: `refused: ${code}` }],
    `  ${reason}`,
  ]);
  return 1;
}

function differing(): RecordResult<Manifest> {
  const reason = "Checking a manifest: it is another one than the one expected";
  return { ok: false, code: "record.pin_mismatch", reason, field: "manifest_sha256" };
}

function summarize(manifest: Manifest): Record<string, unknown> {
  const { manifest_sha256, tree_sha256, artifacts, total_size_bytes } = manifest;
  return {
    manifest_sha256,
    tree_sha256,
    files: artifacts.length,
    total_size_bytes: Number(total_size_bytes),
  };
}

function linesOfManifest(manifest: Manifest): ReturnType<typeof linesOfFields> {
  return linesOfFields([
    ["manifest", manifest.manifest_sha256],
    ["tree", manifest.tree_sha256],
    ["files", manifest.artifacts.length],
    ["bytes", String(manifest.total_size_bytes)],
  ]);
}

/** What a tree and its manifest cannot show. */
function listUnchecked(isExpected: boolean): NotChecked[] {
  const manifest = {
    what: "manifest",
    why: "whoever can write the files can write a manifest that fits: it does not show who made it",
    how: "--expect-manifest HASH known from elsewhere",
  };
  return [
    ...(isExpected ? [] : [manifest]),
    {
      what: "bindings",
      why: "task, run and configuration are named by hash alone",
      how: "hash them, and compare",
    },
    {
      what: "contents",
      why: "files are opaque bytes here, whatever their media type says",
      how: null,
    },
  ];
}

function takeOptions(given: Arguments): { profile: RecordProfile; portable: boolean } {
  const { profile } = takeContext(given);
  return { profile, portable: given.has("portable") || profile.portable };
}

function takeLimits(given: Arguments): SealLimits {
  const limit = (flag: string, usual: number | bigint): number | bigint => {
    const text = given.value(flag);
    if (text === undefined) return usual;
    if (!/^[1-9]\d{0,29}$/.test(text)) throw given.usage(`--${flag} takes a whole number above 0`);
    return BigInt(text);
  };
  return {
    max_files: limit("max-files", DEFAULT_LIMITS.max_files),
    max_file_bytes: limit("max-file-bytes", DEFAULT_LIMITS.max_file_bytes),
    max_total_bytes: limit("max-total-bytes", DEFAULT_LIMITS.max_total_bytes),
  };
}

/** The file that `--out` names: not one that is read, and in neither tree, by way of links either. */
async function takeOut(given: Arguments, places: string[]): Promise<string | undefined> {
  const out = given.value("out");
  if (out === undefined) return undefined;
  for (const place of places) {
    if (await isWithin(out, place)) throw given.usage("--out names a file that is read or sealed");
  }
  return out;
}

function take(given: Arguments, flag: string, what: string): string {
  const value = given.value(flag);
  if (value === undefined) throw given.usage(`--${flag} ${what} is missing`);
  return value;
}
