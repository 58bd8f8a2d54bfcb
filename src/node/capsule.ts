/**
 * Capsules and receipts by path, for Node, Deno and Bun: the verbs of `affidavit/store` with this machine behind them.
 *
 * @module
 */
import type { CapsuleOptions, CapsuleVerdict, Entry, Projection } from "../capsule/mod.ts";
import type { CheckOptions, Receipt, ReceiptVerdict } from "../receipt/mod.ts";
import type { Signer } from "../receipt/mod.ts";
import type { Digest } from "../hash/mod.ts";
import * as store from "../store/mod.ts";
import type {
  Bundle,
  Capsule,
  CreateOptions,
  NewEntry,
  Session,
  SessionOptions,
  StoreEnvironment,
} from "../store/mod.ts";
import { directoryAt } from "./directory.ts";
import { systemEnvironment } from "./environment.ts";
import { digestFileAt, fileAt, readReceiptAt } from "./files.ts";

/**
 * Creates a capsule in a directory, which is made when it is missing.
 *
 * @throws {CapsuleError} `capsule.exists`, `capsule.metadata_invalid`. @throws {IoError} with the system's code.
 *
 * @example
 * ```ts
 * import { createCapsule } from "affidavit/node";
 *
 * const capsule = await createCapsule("run-1", { harness_version: "my-harness/1.0", task_family: "sums" });
 * await capsule.append("plan", "start", { task_id: "t1" });
 * await capsule.append("interaction", "tool.call", { tool: "add", exit_code: 0 }, { effect_class: "SE1" });
 * console.log(capsule.nextSeq); // 2
 * ```
 */
export function createCapsule(
  path: string,
  options: CreateOptions = {},
  environment: StoreEnvironment = systemEnvironment(),
): Promise<Capsule> {
  return store.createCapsule(directoryAt(path), options, environment);
}

/** Opens a capsule that verifies. @throws {CapsuleError} the verification's code, with its `failed_at`. */
export function openCapsule(
  path: string,
  environment: StoreEnvironment = systemEnvironment(),
): Promise<Capsule> {
  return store.openCapsule(directoryAt(path), environment);
}

/**
 * Appends one entry to the capsule in a directory; for many, open a session.
 *
 * @throws {CapsuleError} `capsule.busy`, a code of verification or of the entry, `capsule.changed`,
 * `capsule.write_failed`, `capsule.lock_lost`. @throws {IoError} with the system's code.
 */
export async function appendEntry(
  path: string,
  entry: NewEntry,
  environment: StoreEnvironment = systemEnvironment(),
): Promise<Entry> {
  return (await store.appendEntry(directoryAt(path), entry, environment)).entry;
}

/**
 * Opens a session on a capsule: the lock is held and appends cost the same however long the journal is, until it is
 * closed.
 *
 * @throws {CapsuleError} `capsule.busy`, a code of verification, `capsule.changed`. @throws {IoError} with the system's
 * code.
 *
 * @example
 * ```ts
 * import { createCapsule, openSession } from "affidavit/node";
 *
 * await createCapsule("run-2");
 * const session = await openSession("run-2", { syncEvery: 10 });
 * const { status } = await session.append("plan", "start", { task_id: "t1" });
 * console.log(status); // buffered
 * await session.close();
 * ```
 */
export function openSession(
  path: string,
  options: SessionOptions = {},
  environment: StoreEnvironment = systemEnvironment(),
): Promise<Session> {
  return store.openSession(directoryAt(path), environment, options);
}

/** Verifies the capsule in a directory. Content never makes it throw. */
export function verifyCapsule(
  path: string,
  options: CapsuleOptions = {},
  environment: StoreEnvironment = systemEnvironment(),
): Promise<CapsuleVerdict> {
  return store.verifyDirectory(directoryAt(path), environment.sha256, options);
}

/** Derives the projection of a capsule and writes its `projection.json`. */
export async function projectCapsule(
  path: string,
  environment: StoreEnvironment = systemEnvironment(),
): Promise<Projection> {
  const directory = directoryAt(path);
  const projection = await store.projectDirectory(directory, environment.sha256);
  await store.saveProjection(directory, projection, environment.randomBytes);
  return projection;
}

/** Exports a capsule as a bundle of three files; see `exportBundle` of `affidavit/store`. */
export function exportBundle(
  path: string,
  target: string,
  environment: StoreEnvironment = systemEnvironment(),
): Promise<Bundle> {
  return store.exportBundle(directoryAt(path), directoryAt(target), environment);
}

/** What a receipt may say beyond the capsule. */
export interface BuildOptions {
  /** Path of the artifact. */
  readonly artifact?: string;
  /** Digest of the artifact; goes before the artifact itself. */
  readonly artifactDigest?: Digest | null;
  /** A gate receipt, as parsed JSON. */
  readonly gateReceipt?: unknown;
  /** Signs the `receipt_hash`; a receipt is unsigned without one. */
  readonly signer?: Signer;
}

/**
 * Builds a receipt for the capsule in a directory, and writes the capsule's projection. The receipt itself is only
 * returned: `writeReceipt` writes it.
 */
export function buildReceipt(
  path: string,
  options: BuildOptions = {},
  environment: StoreEnvironment = systemEnvironment(),
): Promise<Receipt> {
  const { artifact, ...rest } = options;
  const digestArtifact = artifact === undefined
    ? {}
    : { digestArtifact: () => digestFileAt(artifact, environment.sha256) };
  return store.buildReceiptFor(directoryAt(path), environment, { ...rest, ...digestArtifact });
}

/** What a receipt is checked against besides its capsule. */
export interface CheckReceiptOptions extends CheckOptions {
  /** Path of the artifact. */
  readonly artifact?: string;
  /** Digest of the artifact where the artifact is not at hand. */
  readonly artifactDigest?: string | null;
  /** A gate receipt, as parsed JSON. */
  readonly gateReceipt?: unknown;
}

/**
 * Checks a receipt against the capsule in a directory. Content never makes it throw, and nothing is written.
 *
 * @param receipt path of the receipt.
 * @throws {IoError} with the system's code when the receipt cannot be read.
 */
export async function checkReceipt(
  receipt: string,
  path: string,
  options: CheckReceiptOptions = {},
  environment: StoreEnvironment = systemEnvironment(),
): Promise<ReceiptVerdict> {
  const { artifact, artifactDigest = null, gateReceipt, ...rest } = options;
  const beside = {
    artifactDigest,
    gateReceipt,
    ...(artifact !== undefined && { artifact: await fileAt(artifact) }),
  };
  return store.checkReceiptFor(
    await readReceiptAt(receipt, rest.maxTextBytes),
    directoryAt(path),
    environment.sha256,
    beside,
    rest,
  );
}
