/**
 * Operations `identity.*` and `record.parse`.
 *
 * @module
 */
import { formatAscii, formatValue } from "../canonical/mod.ts";
import type { JsonValue } from "../canonical/mod.ts";
import { encodeUtf8 } from "../core/mod.ts";
import {
  checkExecution,
  checkRowResume,
  checkRunResume,
  deriveIdentity,
  parseExecution,
  parseIdentity,
} from "../identity/mod.ts";
import type { IdentityContext, IdentityKind } from "../identity/mod.ts";
import { readVersioned } from "../reader/mod.ts";
import type { ReaderName } from "../reader/mod.ts";
import { LAB_PROFILE } from "../record/mod.ts";
import { encodeBase64 } from "../signature/mod.ts";
import { readText } from "./input.ts";
import type { Input, Output } from "./input.ts";
import { answerRecord, NOT_JSON, readRecord } from "./record.ts";
import type { Host } from "./workspace.ts";

function contextOf({ sha256 }: Host): IdentityContext {
  return { profile: LAB_PROFILE, sha256 };
}

/** `identity.derive` */
export function derive(input: Input, host: Host): Output {
  const kind = readText(input, "record") as IdentityKind;
  const members = readRecord(input, "input_json");
  if (members === undefined) return NOT_JSON;
  let basis: { task: JsonValue; solver: JsonValue } | undefined;
  if (kind === "run" || kind === "matched") {
    const [task, solver] = [readRecord(input, "task_json"), readRecord(input, "solver_json")];
    if (task === undefined || solver === undefined) return NOT_JSON;
    basis = { task, solver };
  }
  return answerRecord(
    deriveIdentity(kind, members, contextOf(host), basis),
    ({ key, record, preimage }) => ({
      key,
      record_json: formatValue(record),
      preimage_base64: encodeBase64(encodeUtf8(preimage)),
    }),
  );
}

/** `identity.parse` */
export function parse(input: Input, host: Host): Output {
  const record = readRecord(input, "record_json");
  if (record === undefined) return NOT_JSON;
  const kind = readText(input, "record") as IdentityKind;
  return answerRecord(parseIdentity(kind, record, contextOf(host)), ({ key }) => ({ key }));
}

/** `identity.check_resume` */
export function checkResume(input: Input, host: Host): Output {
  const [prior, requested] = [readRecord(input, "prior_json"), readRecord(input, "requested_json")];
  if (prior === undefined || requested === undefined) return NOT_JSON;
  return answerRecord(
    readText(input, "scope") === "row"
      ? checkRowResume(prior, requested, contextOf(host))
      : checkRunResume(prior, requested),
  );
}

/** `identity.check_execution` */
export function checkPublicExecution(input: Input, host: Host): Output {
  const record = readRecord(input, "record_json");
  return record === undefined ? NOT_JSON : answerRecord(checkExecution(record, contextOf(host)));
}

/** `identity.parse_execution` */
export function parseFullExecution(input: Input, host: Host): Output {
  const record = readRecord(input, "record_json");
  if (record === undefined) return NOT_JSON;
  return answerRecord(parseExecution(record, contextOf(host)), ({ record, sha256 }) => ({
    public_json: formatAscii(record),
    public_sha256: sha256,
  }));
}

/** `record.parse` */
export function parseRecord(input: Input): Output {
  const record = readRecord(input, "record_json");
  if (record === undefined) return NOT_JSON;
  const reader = readText(input, "reader") as ReaderName;
  return answerRecord(readVersioned(reader, record, LAB_PROFILE), ({ record, isExact }) => ({
    rewritten_json: formatValue(record),
    rewrites_exactly: isExact,
  }));
}
