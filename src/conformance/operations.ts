/**
 * The operations by name. Each one decodes its input, calls the public function it is about and renames members; a rule
 * that lived here would not be tested in the library.
 *
 * @module
 */
import { encode, encodeValue } from "./canonical.ts";
import { filter, project, validate, verify, verifyOneJournal } from "./capsule.ts";
import {
  check as checkDeliverable,
  commitOneFile,
  parse as parseManifest,
  seal,
} from "./deliverable.ts";
import { checkBaseline, inspect, readResult, readTaskset, refuse } from "./gate.ts";
import { build, check } from "./receipt.ts";
import { readEffects, readOneAnswer, replay } from "./recording.ts";
import { group } from "./retrospective.ts";
import { run, store } from "./replay.ts";
import { write } from "./write.ts";
import {
  accept,
  acceptByKnownAuthority,
  answerCost,
  answerTiming,
  answerUsage,
  buildSpec,
  commitToCriteria,
  parseReceipt,
  parseSpec,
} from "./evaluation.ts";
import { acceptLab, normalize, parseArtifact, parseMetric } from "./score.ts";
import {
  checkPublicExecution,
  checkResume,
  derive,
  parse as parseIdentity,
  parseFullExecution,
  parseRecord,
} from "./identity.ts";
import type { Input, Output } from "./input.ts";
import type { Host } from "./workspace.ts";

/** Answers one input; `undefined` when it asks for a variety that is not supported. Throws when the input is ill-shaped. */
export type Operation = (
  input: Input,
  host: Host,
) => Output | undefined | Promise<Output | undefined>;

/** Every operation that this library answers. */
export const OPERATIONS: ReadonlyMap<string, Operation> = new Map<string, Operation>([
  ["canonical.encode", encode],
  ["canonical.encode_value", encodeValue],
  ["capsule.validate_entry", validate],
  ["capsule.filter_payload", filter],
  ["capsule.verify", verify],
  ["capsule.verify_journal", verifyOneJournal],
  ["capsule.project", project],
  ["capsule.write", write],
  ["receipt.check", check],
  ["receipt.build", build],
  ["retrospective.group", group],
  ["gate.parse_taskset", readTaskset],
  ["gate.inspect", inspect],
  ["replay.store", store],
  ["replay.run", run],
  ["recording.read_policy", readEffects],
  ["recording.read_answer", readOneAnswer],
  ["recording.replay", replay],
  ["evaluation.parse_spec", parseSpec],
  ["evaluation.build_spec", buildSpec],
  ["evaluation.commit_criteria", commitToCriteria],
  ["evaluation.parse_receipt", parseReceipt],
  ["evaluation.parse_usage", answerUsage],
  ["evaluation.parse_cost", answerCost],
  ["evaluation.parse_timing", answerTiming],
  ["evaluation.accept", accept],
  ["evaluation.accept_by_authority", acceptByKnownAuthority],
  ["score.accept_lab", acceptLab],
  ["score.normalize", normalize],
  ["score.parse_metric", parseMetric],
  ["score.parse_artifact", parseArtifact],
  ["identity.derive", derive],
  ["identity.parse", parseIdentity],
  ["identity.check_resume", checkResume],
  ["identity.check_execution", checkPublicExecution],
  ["identity.parse_execution", parseFullExecution],
  ["record.parse", parseRecord],
  ["deliverable.seal", seal],
  ["deliverable.check", checkDeliverable],
  ["deliverable.parse_manifest", parseManifest],
  ["deliverable.commit_file", commitOneFile],
  ["gate.refuse", refuse],
  ["gate.parse_result", readResult],
  ["gate.check_baseline", checkBaseline],
]);
