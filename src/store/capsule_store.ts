/**
 * Capsules in a directory: create, open, append and project. Nothing is cached that decides anything: every append reads
 * and hashes the whole journal under a lock, so its cost grows with it; see `session.ts` for many appends.
 *
 * Rule: `docs/spec/capsule.md`, "Creating" and "Appending".
 *
 * @module
 */
import { encodeHex, encodeUtf8, MAX_TEXT_BYTES } from "../core/mod.ts";
import {
  CapsuleError,
  FILES,
  formatMetadata,
  formatProjection,
  JournalVerifier,
  project,
  validateMetadata,
  verifyJournal,
} from "../capsule/mod.ts";
import type {
  AppendOptions,
  CapsuleOptions,
  CapsuleState,
  CapsuleVerdict,
  Entry,
  Lineage,
  Metadata,
  Projection,
} from "../capsule/mod.ts";
import { GENESIS } from "../hash/mod.ts";
import type { Digest, Sha256 } from "../hash/mod.ts";
import type { Clock, Directory, RandomBytes } from "../ports/mod.ts";
import { appendEntry } from "./append.ts";
import type { NewEntry } from "./append.ts";
import type { StoreEnvironment } from "./environment.ts";
import {
  closing,
  createFile,
  isSystemError,
  readFileInput,
  readFilePieces,
  replaceFile,
} from "./files.ts";
import { openSession } from "./session.ts";
import type { Session, SessionOptions } from "./session.ts";
import { Turns } from "./turns.ts";
import { changed, refusal, requireVerified, verifyDirectory } from "./verified.ts";

/** The identity of a new capsule; only what is `undefined` gets a default. */
export interface CreateOptions {
  /** Default: `run-` and 16 random hexadecimal digits. */
  readonly run_id?: string;
  /** Default: `capsule-` and 16 random hexadecimal digits. */
  readonly capsule_id?: string;
  /** Default: `unknown`. */
  readonly harness_version?: string;
  /** Default: `unspecified`. */
  readonly task_family?: string;
}

/**
 * Creates a capsule. A crash at any point leaves a directory that is a capsule or can be created again.
 *
 * @throws {CapsuleError} `capsule.exists` when there is a capsule, or a journal with bytes; `capsule.metadata_invalid`.
 * @throws {IoError} with the system's code when the directory or a file cannot be made.
 */
export async function createCapsule(
  directory: Directory,
  options: CreateOptions,
  environment: StoreEnvironment,
): Promise<Capsule> {
  const { clock, randomBytes } = environment;
  if (await directory.inspect(FILES.metadata, false) !== null) throw exists(FILES.metadata);
  const defaults = (name: "run" | "capsule") => `${name}-${encodeHex(randomBytes(8))}`;
  const metadata = validateMetadata({
    schema: "capsule-envelope/v1",
    run_id: options.run_id === undefined ? defaults("run") : options.run_id,
    capsule_id: options.capsule_id === undefined ? defaults("capsule") : options.capsule_id,
    harness_version: options.harness_version === undefined ? "unknown" : options.harness_version,
    task_family: options.task_family === undefined ? "unspecified" : options.task_family,
    created_at: clock().toISOString(),
  });
  if (!metadata.ok) throw new CapsuleError(metadata.code, `Creating a capsule: ${metadata.reason}`);
  const content = encodeUtf8(formatMetadata(metadata.value));
  if (content.length > MAX_TEXT_BYTES) {
    const message = `Creating a capsule: capsule.json would be larger than ${MAX_TEXT_BYTES} bytes`;
    throw new CapsuleError("capsule.metadata_invalid", message);
  }
  await directory.make();
  await makeJournal(directory);
  await directory.sync(); // else a loss of power may keep the metadata's name and lose the journal's
  if (!await createFile(directory, FILES.metadata, content, randomBytes)) {
    throw exists(FILES.metadata);
  }
  return new Capsule(directory, environment, metadata.value, null);
}

/**
 * Opens a capsule that verifies.
 *
 * @throws {CapsuleError} the verification's code, with its `failed_at`.
 */
export async function openCapsule(
  directory: Directory,
  environment: StoreEnvironment,
): Promise<Capsule> {
  const state = await requireVerified(directory, environment.sha256);
  return new Capsule(directory, environment, state.metadata, state);
}

/** A capsule that can be appended to. Two handles on one capsule may take turns; calls on one handle queue up. */
export class Capsule {
  /** Where the capsule is. */
  readonly dir: string;
  /** Where its journal is. */
  readonly journalPath: string;
  /** Its metadata when it was created or opened. */
  readonly meta: Metadata;
  /** What gives entries their time. */
  readonly clock: Clock;
  readonly #directory: Directory;
  readonly #environment: StoreEnvironment;
  readonly #turns = new Turns();
  #known: CapsuleState | null;
  #lastHash: Digest;
  #nextSeq: number;

  /** @internal */
  constructor(
    directory: Directory,
    environment: StoreEnvironment,
    meta: Metadata,
    known: CapsuleState | null,
  ) {
    this.#directory = directory;
    this.#environment = environment;
    this.dir = directory.label;
    this.journalPath = directory.locate(FILES.journal);
    this.meta = meta;
    this.clock = environment.clock;
    this.#known = known;
    this.#lastHash = known?.root_hash ?? GENESIS;
    this.#nextSeq = known?.entry_count ?? 0;
  }

  /** Hash of the last entry that this handle saw. Informational: an append looks for itself. */
  get lastHash(): Digest {
    return this.#lastHash;
  }

  /** Sequence number after the last entry that this handle saw. Informational. */
  get nextSeq(): number {
    return this.#nextSeq;
  }

  /**
   * Appends an entry and returns it once it is on stable storage.
   *
   * Order: the lock, the verification, then what is asked for. Bytes that this handle verified before are read and hashed
   * again and not parsed again. A refusal leaves the journal as it was. A failure to write or sync is ambiguous: the entry may be there in whole or, as a torn tail, in part, which the
   * next verification tells.
   *
   * @param payload fields of the v1 table; omitted means none.
   * @throws {CapsuleError} `capsule.busy`, a code of verification, a code of the entry, `capsule.changed`,
   * `capsule.write_failed` or `capsule.lock_lost`.
   * @throws {IoError} with the system's code.
   */
  append(
    lineage: Lineage,
    kind: string,
    payload?: unknown,
    options?: AppendOptions,
  ): Promise<Entry> {
    const asked = { lineage, kind, payload, ...(options && { options }) };
    return this.#turns.take(() => this.#append(asked));
  }

  async #append(asked: NewEntry): Promise<Entry> {
    const { entry, before } = await appendEntry(
      this.#directory,
      asked,
      this.#environment,
      this.#known,
    );
    this.#known = before; // its own entry is among the lines that the next append parses
    this.#lastHash = entry.entry_hash;
    this.#nextSeq = entry.seq + 1;
    return entry;
  }

  /**
   * Opens a session for many appends; what this handle verified before is hashed and not parsed again. Close it before
   * the handle appends again.
   */
  session(options?: SessionOptions): Promise<Session> {
    return this.#turns.take(async () => {
      const session = await openSession(this.#directory, this.#environment, options, this.#known);
      this.#known = session.verified;
      return session;
    });
  }

  /** Verifies the capsule as it is now. */
  verify(options?: CapsuleOptions): Promise<CapsuleVerdict> {
    return verifyDirectory(this.#directory, this.#environment.sha256, options);
  }

  /**
   * The entries, once the whole journal was found to hold; the metadata is not looked at.
   *
   * @throws {CapsuleError} the journal's code before the first entry, or `capsule.changed` when it changes meanwhile.
   */
  async *entries(): AsyncGenerator<Entry, void, undefined> {
    const { sha256 } = this.#environment;
    const verdict = await verifyJournal(
      await readFileInput(this.#directory, FILES.journal),
      sha256,
    );
    if (!verdict.ok) throw refusal(verdict);
    let left = verdict.entry_count;
    if (left === 0) return;
    const ready: Entry[] = [];
    const again = new JournalVerifier(sha256, { onEntry: (entry) => void ready.push(entry) });
    for await (const piece of readFilePieces(this.#directory, FILES.journal)) {
      again.write(piece);
      for (const entry of ready.splice(0)) {
        left--;
        // The hash of the last entry vouches for all entries before it.
        if (left === 0 && entry.entry_hash !== verdict.root_hash) throw changed(FILES.journal);
        yield entry;
        if (left === 0) return;
      }
    }
    throw changed(FILES.journal);
  }
}

/**
 * Derives the projection of the capsule in a directory; writes nothing.
 *
 * @throws {CapsuleError} the verification's code, with its `failed_at`.
 */
export async function projectDirectory(directory: Directory, sha256: Sha256): Promise<Projection> {
  return project(await requireVerified(directory, sha256), sha256);
}

/** Writes `projection.json`, in the place of whatever file has that name. @throws {IoError} with the system's code. */
export async function saveProjection(
  directory: Directory,
  projection: Projection,
  randomBytes: RandomBytes,
): Promise<void> {
  await replaceFile(
    directory,
    FILES.projection,
    encodeUtf8(formatProjection(projection)),
    randomBytes,
  );
}

async function makeJournal(directory: Directory): Promise<void> {
  try {
    await closing(await directory.openNew(FILES.journal, 0o644), (file) => file.sync());
  } catch (error) {
    if (!isSystemError(error, "EEXIST")) throw error;
    const info = await directory.inspect(FILES.journal, false);
    if (info?.kind !== "file" || info.size > 0) throw exists(FILES.journal);
  }
}

function exists(name: string): CapsuleError {
  return new CapsuleError(
    "capsule.exists",
    `Creating a capsule: the directory already has a ${name}`,
  );
}
