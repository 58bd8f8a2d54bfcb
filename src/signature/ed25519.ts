/**
 * Ed25519 (RFC 8032) over WebCrypto, with one answer in every runtime. Runtimes differ at the edges and all of them take
 * weak keys, under which a signature fits many messages; so keys and signatures are judged here before they are imported.
 *
 * @module
 */
import { EvidenceError } from "../core/mod.ts";
import type { SignatureCode } from "./codes.ts";
import { decodeBase64 } from "./base64.ts";

/** This runtime cannot do what was asked. */
export class SignatureError extends EvidenceError {
  /** What was wrong with the key or signature. */
  declare readonly code: SignatureCode;
}

const P = 2n ** 255n - 19n; // the field of the curve
const L = 2n ** 252n + 27742317777372353535851937790883648493n; // the order of its base point
const ORDER_EIGHT = 0x7a03ac9277fdc74ec6cc392cfa53202a0f67100d760b3cba4fd84d3d706a17c7n; // y of a point of order 8
const WEAK_Y: readonly bigint[] = [0n, 1n, P - 1n, ORDER_EIGHT, P - ORDER_EIGHT];

/**
 * Is this a public key whose signatures say something about one message: 32 bytes, in the one spelling of its point, and
 * no point of small order?
 */
export function isSoundKey(key: Uint8Array): boolean {
  return key.length === 32 && isSoundPoint(key);
}

/**
 * Verifies a signature. Stricter than RFC 8032 demands: weak keys, and points that are weak or not in their one spelling,
 * are refused.
 *
 * @param key 32 bytes. @param signature 64 bytes.
 * @throws {SignatureError} `signature.unavailable` where WebCrypto or its Ed25519 is missing.
 */
export async function verifyEd25519(
  key: Uint8Array,
  message: Uint8Array,
  signature: Uint8Array,
): Promise<boolean> {
  if (!isSoundKey(key) || signature.length !== 64) return false;
  if (!isSoundPoint(signature.subarray(0, 32)) || readLittleEndian(signature.subarray(32)) >= L) {
    return false;
  }
  const subtle = requireSubtle();
  const imported = await available(
    () => subtle.importKey("raw", copy(key), "Ed25519", false, ["verify"]),
    () => null,
  );
  return imported !== null &&
    await subtle.verify("Ed25519", imported, copy(signature), copy(message));
}

/**
 * Signs a message.
 *
 * @param seed the 32 bytes of the private key.
 * @returns 64 bytes.
 * @throws {SignatureError} `signature.unavailable` where WebCrypto or its Ed25519 is missing.
 */
export async function signEd25519(
  seed: Uint8Array,
  message: Uint8Array,
): Promise<Uint8Array<ArrayBuffer>> {
  const key = await importSeed(seed, false);
  return new Uint8Array(await requireSubtle().sign("Ed25519", key, copy(message)));
}

/** The public key of a private one. @throws {SignatureError} `signature.unavailable`. */
export async function derivePublicKey(seed: Uint8Array): Promise<Uint8Array<ArrayBuffer>> {
  const { x = "" } = await requireSubtle().exportKey("jwk", await importSeed(seed, true));
  const key = decodeBase64(`${x.replaceAll("-", "+").replaceAll("_", "/")}=`);
  if (key?.length !== 32) {
    throw new SignatureError(
      "signature.unavailable",
      "Deriving a public key: this runtime gave none",
    );
  }
  return key;
}

const PKCS8_PREFIX = [0x30, 0x2e, 2, 1, 0, 0x30, 5, 6, 3, 0x2b, 0x65, 0x70, 4, 0x22, 4, 0x20]; // RFC 8410, section 7

function importSeed(seed: Uint8Array, extractable: boolean): Promise<CryptoKey> {
  if (seed.length !== 32) throw new TypeError("An Ed25519 private key has 32 bytes");
  const wrapped = Uint8Array.of(...PKCS8_PREFIX, ...seed);
  return available(() =>
    requireSubtle().importKey("pkcs8", wrapped, "Ed25519", extractable, ["sign"])
  );
}

/** Runs an import. A runtime without Ed25519 says NotSupportedError; any other refusal is about the key. */
async function available<T>(call: () => Promise<T>, refused?: () => T): Promise<T> {
  try {
    return await call();
  } catch (cause) {
    if (cause instanceof SignatureError) throw cause;
    if (refused !== undefined && !(cause instanceof Error && cause.name === "NotSupportedError")) {
      return refused();
    }
    throw new SignatureError("signature.unavailable", "Using Ed25519: this runtime has none", {
      cause,
    });
  }
}

function requireSubtle(): SubtleCrypto {
  const subtle = (globalThis as { crypto?: { subtle?: SubtleCrypto } }).crypto?.subtle;
  if (subtle !== undefined) return subtle;
  throw new SignatureError(
    "signature.unavailable",
    "Using Ed25519: WebCrypto is missing; a page has it over https, on localhost and from file://",
  );
}

function isSoundPoint(encoded: Uint8Array): boolean {
  const y = readLittleEndian(encoded) & ((1n << 255n) - 1n); // the top bit is the sign of x
  return y < P && !WEAK_Y.includes(y);
}

function readLittleEndian(bytes: Uint8Array): bigint {
  return bytes.reduceRight((value, byte) => (value << 8n) | BigInt(byte), 0n);
}

/** Bytes in memory of their own, as WebCrypto's types want them. */
function copy(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  return new Uint8Array(bytes);
}
