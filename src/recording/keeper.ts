/**
 * Puts what a recorder has seen into a store: the answer, and for people and readers of version 1 the fixture and the
 * arguments.
 *
 * @module
 */
import { encodeUtf8, MAX_TEXT_BYTES } from "../core/mod.ts";
import { formatCapsuleV1 } from "../canonical/mod.ts";
import type { Digest, Sha256 } from "../hash/mod.ts";
import type { FixtureStore } from "../ports/mod.ts";
import { fixtureFile, formatFixture, storeArguments } from "../replay/mod.ts";
import type { CallId } from "../replay/mod.ts";
import { listAnswers, storeAnswer } from "./answer.ts";
import type { Answer, StoredAnswer } from "./answer.ts";

/** A store as a recorder uses it. Failures are thrown as the store throws them. */
export class Keeper {
  readonly #store: FixtureStore;
  readonly #sha256: Sha256;
  /** By key, the number after all that are there or promised. */
  #next: Promise<Map<Digest, number>> | undefined;
  /** Calls whose arguments are there, and whose fixtures are. */
  readonly #seen = new Set<Digest>();
  readonly #kept = new Set<Digest>();

  constructor(store: FixtureStore, sha256: Sha256) {
    this.#store = store;
    this.#sha256 = sha256;
  }

  /** A number for an answer to come, so that answers that overtake each other are served in the order of the calls. */
  async reserve(key: Digest): Promise<number> {
    this.#next ??= listAnswers(this.#store).then((found) =>
      new Map([...found].map(([key, numbers]) => [key, numbers.at(-1)! + 1]))
    );
    const next = await this.#next;
    const occurrence = next.get(key) ?? 0;
    next.set(key, occurrence + 1);
    return occurrence;
  }

  /** Stores an answer under the number reserved for it, or the next that is free. */
  keep(answer: Answer, occurrence: number): Promise<StoredAnswer> {
    return storeAnswer(this.#store, answer, occurrence, this.#sha256);
  }

  /** Stores the arguments of a call, and its result as a fixture unless there is one. */
  async keepFixture(
    call: CallId,
    args: unknown,
    { outcome, text }: Answer,
    { response_hash }: StoredAnswer,
  ): Promise<void> {
    if (!this.#seen.has(call.key)) {
      await storeArguments(this.#store, call, formatCapsuleV1(args));
      this.#seen.add(call.key);
    }
    if (outcome !== "result" || this.#kept.has(call.key)) return;
    const fixture = formatFixture({ ...call, response_hash, response: JSON.parse(text) });
    const bytes = encodeUtf8(fixture);
    if (bytes.length <= MAX_TEXT_BYTES) await this.#store.create(fixtureFile(call.key), bytes);
    this.#kept.add(call.key);
  }
}
