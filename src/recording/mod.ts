/**
 * Recording: what passes between an MCP client and an MCP server, as entries of a capsule and as answers that can be served
 * again without the server.
 *
 * Rule: `docs/spec/recording.md`.
 *
 * @module
 */
export type { RecordingCode } from "./codes.ts";
export { RECORDING_CODES } from "./codes.ts";
export { RecordingError } from "./error.ts";
export type { EffectDecision, EffectPolicy, EffectSource } from "./policy.ts";
export { classOf, POLICY_SCHEMA, readPolicy } from "./policy.ts";
export type { Answer, RecordedAnswer, StoredAnswer } from "./answer.ts";
export {
  ANSWER_SCHEMA,
  answerFile,
  formatAnswer,
  keyOfRequest,
  listAnswers,
  readAnswer,
  storeAnswer,
} from "./answer.ts";
export type { AnswerVerdict, NamedAnswers } from "./verify.ts";
export { collectNamed, verifyAnswers } from "./verify.ts";
export type { CapsuleJournal, Journal, JournalOptions } from "./journal.ts";
export { capsuleJournal } from "./journal.ts";
export type { CallStatus } from "./call.ts";
export { CALL_STATUSES } from "./call.ts";
export type { RecorderOptions, RecordingSummary, Traffic } from "./options.ts";
export { Recorder } from "./recorder.ts";
export type { ReplayReport, ReplayServerOptions } from "./replay_server.ts";
export { ReplayServer } from "./replay_server.ts";
