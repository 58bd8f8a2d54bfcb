/**
 * May this run go on where that one stopped?
 *
 * Rule: `docs/spec/identity.md`, "Resume".
 *
 * @module
 */
import type { JsonValue } from "../canonical/mod.ts";
import { filledTextAt, reading, refuse, required, rootObject } from "../record/mod.ts";
import type { RecordResult } from "../record/mod.ts";
import { parseIdentity } from "./records.ts";
import type { IdentityContext } from "./records.ts";

/** What must be equal for a row, and the name of it in a refusal. Order, repeat and temporal block may differ. */
const ROW = [
  ["task_identity_key", "task_identity"],
  ["solver_identity_key", "solver_identity"],
  ["config_sha256", "config_sha256"],
  ["runtime_policy_sha256", "runtime_policy_sha256"],
] as const;

const RUN = [
  ["selection_sha256", "selection"],
  ["solver_identity_key", "solver"],
  ["config_sha256", "config"],
  ["runtime_policy_sha256", "runtime_policy"],
] as const;

const RUN_MEMBERS = [
  "solver_identity_key",
  "config_sha256",
  "runtime_policy_sha256",
  "selection_sha256",
];

/** Holds two run identity records against each other; both are read in full, the prior one first. */
export function checkRowResume(
  prior: JsonValue,
  requested: JsonValue,
  context: IdentityContext,
): RecordResult<null> {
  return reading(() => {
    const before = required(parseIdentity("run", prior, context)).record;
    const now = required(parseIdentity("run", requested, context)).record;
    for (const [member, name] of ROW) {
      if (before.get(member) !== now.get(member)) refuse("resume_refused", name);
    }
    return null;
  });
}

/** Holds the bindings of two whole runs against each other; the syntax of their texts is not looked at. */
export function checkRunResume(prior: JsonValue, requested: JsonValue): RecordResult<null> {
  return reading(() => {
    const [before, now] = [prior, requested].map((value) => {
      const binding = rootObject(value);
      for (const name of RUN_MEMBERS) filledTextAt(binding, name);
      return binding;
    });
    for (const [member, name] of RUN) {
      if (before!.get(member) !== now!.get(member)) refuse("resume_refused", name);
    }
    return null;
  });
}
