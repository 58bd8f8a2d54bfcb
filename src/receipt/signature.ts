/**
 * Detached signatures over a receipt: any scheme that the caller brings, or the ready Ed25519 pair. This library makes
 * and keeps no key, and trusts none by itself.
 *
 * Rule: `docs/spec/receipt.md`, "Signature".
 *
 * @module
 */
import { encodeUtf8 } from "../core/mod.ts";
import type { Digest } from "../hash/mod.ts";
import { decodeBase64, encodeBase64, signEd25519, verifyEd25519 } from "../signature/mod.ts";
import { RECEIPT_SCHEMA } from "./receipt.ts";

/** Signs a receipt hash; may be asynchronous. What it returns is stored untouched in the receipt. */
export type Signer = (receiptHash: Digest) => unknown;

/** Says whether a signature over a receipt hash is one of a key that the caller pinned; may be asynchronous. */
export type Verifier = (receiptHash: Digest, signature: unknown) => unknown;

/**
 * Signs receipts with Ed25519. The signature is 88 characters of base64.
 *
 * @param seed the 32 bytes of a private key, as `readPrivateKey` of `affidavit/signature` gives them.
 *
 * @example
 * ```ts
 * import { ed25519Signer, ed25519Verifier } from "affidavit/receipt";
 * import { derivePublicKey } from "affidavit/signature";
 * import { GENESIS } from "affidavit/hash";
 *
 * const seed = crypto.getRandomValues(new Uint8Array(32)); // a real key comes from a file
 * const signature = await ed25519Signer(seed)(GENESIS);
 * const verify = ed25519Verifier(await derivePublicKey(seed));
 * console.log(await verify(GENESIS, signature)); // true
 * ```
 */
export function ed25519Signer(seed: Uint8Array): (receiptHash: Digest) => Promise<string> {
  return async (receiptHash) => encodeBase64(await signEd25519(seed, signedBytes(receiptHash)));
}

/**
 * Verifies signatures of {@linkcode ed25519Signer} under one pinned key.
 *
 * @param key the 32 bytes of a public key, as `readPublicKey` of `affidavit/signature` gives them; a weak key verifies
 * nothing.
 */
export function ed25519Verifier(
  key: Uint8Array,
): (receiptHash: Digest, signature: unknown) => Promise<boolean> {
  return async (receiptHash, signature) => {
    const bytes = typeof signature === "string" ? decodeBase64(signature) : undefined;
    return bytes !== undefined && await verifyEd25519(key, signedBytes(receiptHash), bytes);
  };
}

/** What is signed: the schema of receipts, NUL, and the receipt hash, so that no other use of the key can be replayed. */
function signedBytes(receiptHash: Digest): Uint8Array {
  return encodeUtf8(`${RECEIPT_SCHEMA}\0${receiptHash}`);
}
