/**
 * Records in files, for commands: read without loss, refusals as errors.
 *
 * @module
 */
import { basename } from "node:path";
import { parseStrict } from "../canonical/mod.ts";
import type { JsonValue } from "../canonical/mod.ts";
import { readFileAt } from "../node/mod.ts";
import type { RecordResult } from "../record/mod.ts";
import { RefusedError } from "./errors.ts";

/** The JSON of a file, without loss; the last of a repeated member counts, as the formats say. */
export async function readRecordFile(path: string): Promise<JsonValue> {
  const parsed = parseStrict(await readFileAt(path), { duplicateKeys: "last-wins" });
  if (parsed.ok) return parsed.value;
  const { byte = 0 } = parsed.at ?? {};
  throw new RefusedError(parsed.code, `Reading "${basename(path)}": ${parsed.reason}`, {
    at: { byte },
  });
}

/** The value of a result; its refusal ends the command, with the member or the path at fault. */
export function takeRecord<T>(result: RecordResult<T>): T {
  if (result.ok) return result.value;
  const { code, reason, field, at: { path } = {} } = result;
  const at = { ...(field !== undefined && { field }), ...(path !== undefined && { path }) };
  throw new RefusedError(code, reason, Object.keys(at).length === 0 ? {} : { at });
}
