/**
 * Replay: the recorded answers of tools in their place, so that a run can be repeated without effects.
 *
 * @module
 */
export type { ArgumentsCode, FixtureCode, ReplayCode } from "./codes.ts";
export { ARGUMENTS_CODES, CALL_CODES, FIXTURE_CODES, REPLAY_CODES } from "./codes.ts";
export { ReplayError } from "./error.ts";
export type { CallId, Fixture, FixtureOptions } from "./fixture.ts";
export {
  fixtureFile,
  formatFixture,
  hashCall,
  judgeFixture,
  readFixture,
  storeFixture,
} from "./fixture.ts";
export type { KeptArguments } from "./arguments.ts";
export { ARGUMENTS_SCHEMA, argumentsFile, readArguments, storeArguments } from "./arguments.ts";
export type { FileVerdict, StoredFixture, StoreVerdict } from "./catalogue.ts";
export { listFixtures, verifyFixtures } from "./catalogue.ts";
export type { Comparison, Difference } from "./difference.ts";
export { compareValues } from "./difference.ts";
export type { Miss, NearCall } from "./miss.ts";
export { describeMiss, explainMiss } from "./miss.ts";
export type {
  CallItem,
  Determinism,
  Mode,
  Replayer,
  ReplayerOptions,
  Tool,
  Tools,
} from "./replayer.ts";
export { createReplayer } from "./replayer.ts";
export { fixturesIn, memoryFixtures } from "./stores.ts";
export type { Withheld } from "./withhold.ts";
export { WITHHELD, withhold } from "./withhold.ts";
