/**
 * Operations `capsule.*`, except for writing.
 *
 * @module
 */
import { formatCapsuleV1, parseJson } from "../canonical/mod.ts";
import {
  FILES,
  filterPayload,
  formatProjection,
  validateEntry,
  verifyJournal,
} from "../capsule/mod.ts";
import type { CapsuleVerdict } from "../capsule/mod.ts";
import { projectDirectory, readFileInput, verifyDirectory } from "../store/mod.ts";
import { readContent, readFiles } from "./files.ts";
import { InputError, readText } from "./input.ts";
import type { Input, Output } from "./input.ts";
import { attempt } from "./refusal.ts";
import { decodeTagged } from "./tagged.ts";
import { withWorkspace } from "./workspace.ts";
import type { Host } from "./workspace.ts";

/** Where operations build the files of a capsule. */
export const CAPSULE = "capsule";

/** `capsule.validate_entry` */
export function validate(input: Input, { sha256 }: Host): Output {
  const parsed = parseJson(readText(input, "entry_json"));
  if (!parsed.ok) return { ok: false, kind: null, errors: [] };
  const errors = validateEntry(parsed.value, sha256);
  return { ok: errors.length === 0, kind: errors[0]?.kind ?? null, errors };
}

/** `capsule.filter_payload` */
export function filter(input: Input): Output {
  const allowlist = readAllowlist(input["allowlist"]);
  const { payload, ...rest } = filterPayload(decodeTagged(input["payload_tagged"]), allowlist);
  return { kept_json: formatCapsuleV1(payload), ...rest };
}

/** `capsule.verify` */
export async function verify(input: Input, host: Host): Promise<Output> {
  return await withWorkspace(host, async (workspace) => {
    await workspace.build(CAPSULE, readFiles(input, "files"));
    return describeVerdict(await verifyDirectory(workspace.at(CAPSULE), host.sha256));
  });
}

/** `capsule.verify_journal` */
export async function verifyOneJournal(input: Input, host: Host): Promise<Output> {
  return await withWorkspace(host, async (workspace) => {
    const content = readContent(input["journal"]);
    await workspace.build(CAPSULE, [{ path: FILES.journal, content }]);
    const journal = await readFileInput(workspace.at(CAPSULE), FILES.journal);
    const { ok, code, failed_at } = await verifyJournal(journal, host.sha256);
    return { ok, code, failed_at };
  });
}

/** `capsule.project` */
export async function project(input: Input, host: Host): Promise<Output> {
  return await withWorkspace(host, async (workspace) => {
    await workspace.build(CAPSULE, readFiles(input, "files"));
    return await attempt(async () => {
      const projection = await projectDirectory(workspace.at(CAPSULE), host.sha256);
      return { projection, text: formatProjection(projection) };
    });
  });
}

/** What an answer tells of a verdict. */
export function describeVerdict(verdict: CapsuleVerdict): Output {
  const { ok, code, failed_at, entry_count, root_hash } = verdict;
  return { ok, code, failed_at, entry_count, root_hash };
}

function readAllowlist(value: unknown): { allowlist?: readonly string[] } {
  if (value === null || value === undefined) return {};
  if (Array.isArray(value) && value.every((name) => typeof name === "string")) {
    return { allowlist: value };
  }
  throw new InputError("allowlist", "a list of texts or null");
}
