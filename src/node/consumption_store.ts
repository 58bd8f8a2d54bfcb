/**
 * A memory of consumed receipts in a directory: one numbered file for each, that comes into being whole or not at all.
 * Whoever gets the next number first has consumed; everybody else reads that file and judges anew. There is no lock, so a
 * process that dies holds up nobody. The file system must have hard links.
 *
 * Whoever may write in the directory can make it forget: it belongs to those who accept, and to nobody else.
 *
 * @module
 */
import { formatArtifact, JsonNumber, parseStrict } from "../canonical/mod.ts";
import type { JsonValue } from "../canonical/mod.ts";
import { codeOf, encodeHex, encodeUtf8, EvidenceError, readWhole } from "../core/mod.ts";
import type {
  Consumption,
  ConsumptionStore,
  Directory,
  RandomBytes,
  ReplayState,
} from "../ports/mod.ts";
import { readFileInput, replaceFile } from "../store/mod.ts";
import { directoryAt } from "./directory.ts";
import { systemEnvironment } from "./environment.ts";

/** The store in the directory at a path, which is made with the first receipt that is consumed. */
export function consumptionStoreAt(path: string): ConsumptionStore {
  return openConsumptionStore(directoryAt(path), systemEnvironment().randomBytes);
}

/**
 * The store in a directory. Its methods throw an `IoError` when the directory fails them, and an `EvidenceError` with
 * `consumption.entry_damaged` when a file of it is none that a store writes. After an error of `consume` it is uncertain
 * whether something was consumed; consuming again tells.
 */
export function openConsumptionStore(
  directory: Directory,
  randomBytes: RandomBytes,
): ConsumptionStore {
  return new DirectoryStore(directory, randomBytes);
}

/** Far more than the three members take. */
const MAX_ENTRY_BYTES = 16_384;

class DirectoryStore implements ConsumptionStore {
  readonly #directory: Directory;
  readonly #randomBytes: RandomBytes;
  /** What was read so far. Files never change, so two readers at a time set the same. */
  readonly #entries: Consumption[] = [];

  constructor(directory: Directory, randomBytes: RandomBytes) {
    this.#directory = directory;
    this.#randomBytes = randomBytes;
  }

  async read(): Promise<ReplayState> {
    await this.#catchUp();
    return {
      seen_measurement_ids: this.#entries.map((entry) => entry.measurement_id),
      seen_attempt_nonces: this.#entries.map((entry) => entry.attempt_nonce),
      occupied_repeat_slots: this.#entries.map((entry) => entry.repeat_slot),
    };
  }

  async consume(wanted: Consumption): Promise<keyof Consumption | null> {
    await this.#directory.make();
    const claim = `.claim.${encodeHex(this.#randomBytes(8))}`;
    await replaceFile(
      this.#directory,
      claim,
      encodeUtf8(formatArtifact(wanted)),
      this.#randomBytes,
    );
    try {
      return await this.#enter(claim, wanted);
    } finally {
      await this.#directory.remove(claim).catch(() => undefined); // left behind it means nothing
    }
  }

  async #enter(claim: string, wanted: Consumption): Promise<keyof Consumption | null> {
    for (;;) {
      await this.#catchUp();
      const taken = this.#findTaken(wanted);
      if (taken !== null) return taken;
      try {
        await this.#directory.link(claim, nameOf(this.#entries.length));
        await this.#directory.sync();
        return null;
      } catch (error) {
        if (codeOf(error) !== "EEXIST") throw error; // somebody else was first: read what they consumed
      }
    }
  }

  async #catchUp(): Promise<void> {
    for (;;) {
      const index = this.#entries.length;
      const name = nameOf(index);
      if (await this.#directory.inspect(name, false) === null) return;
      const bytes = await readWhole(await readFileInput(this.#directory, name), MAX_ENTRY_BYTES);
      const entry = bytes.ok ? parseEntry(bytes.value) : undefined;
      if (entry === undefined) {
        throw new EvidenceError(
          "consumption.entry_damaged",
          `Reading what was consumed: "${name}" is no file that a store writes`,
        );
      }
      this.#entries[index] = entry;
    }
  }

  #findTaken(wanted: Consumption): keyof Consumption | null {
    const [spec, repeat] = wanted.repeat_slot;
    const tests = {
      measurement_id: (entry) => entry.measurement_id === wanted.measurement_id,
      attempt_nonce: (entry) => entry.attempt_nonce === wanted.attempt_nonce,
      repeat_slot: ({ repeat_slot: slot }) => slot[0] === spec && slot[1] === repeat,
    } satisfies Record<keyof Consumption, (entry: Consumption) => boolean>;
    for (const name of ["measurement_id", "attempt_nonce", "repeat_slot"] as const) {
      if (this.#entries.some(tests[name])) return name;
    }
    return null;
  }
}

function nameOf(index: number): string {
  return `${String(index + 1).padStart(8, "0")}.json`;
}

/** What a file says; `undefined` when a store would have written it otherwise. */
function parseEntry(bytes: Uint8Array): Consumption | undefined {
  const parsed = parseStrict(bytes);
  const entry = parsed.ok ? entryOf(parsed.value) : undefined;
  if (entry === undefined) return undefined;
  const written = encodeUtf8(formatArtifact(entry));
  return written.length === bytes.length && written.every((byte, at) => byte === bytes[at])
    ? entry
    : undefined;
}

function entryOf(value: JsonValue): Consumption | undefined {
  if (!(value instanceof Map)) return undefined;
  const [measurement_id, attempt_nonce] = [value.get("measurement_id"), value.get("attempt_nonce")];
  const slot = value.get("repeat_slot");
  if (typeof measurement_id !== "string" || typeof attempt_nonce !== "string") return undefined;
  if (!Array.isArray(slot)) return undefined;
  const [spec, repeat] = slot;
  if (typeof spec !== "string" || !(repeat instanceof JsonNumber) || !repeat.isInteger) {
    return undefined;
  }
  return { measurement_id, attempt_nonce, repeat_slot: [spec, repeat.toBigInt()] };
}
