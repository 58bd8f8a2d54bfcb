/**
 * Ed25519 signatures and key files.
 *
 * @module
 */
export type { KeyCode, SignatureCode } from "./codes.ts";
export { KEY_CODES, SIGNATURE_CODES } from "./codes.ts";
export { decodeBase64, encodeBase64 } from "./base64.ts";
export {
  derivePublicKey,
  isSoundKey,
  SignatureError,
  signEd25519,
  verifyEd25519,
} from "./ed25519.ts";
export { readPrivateKey, readPublicKey } from "./keys.ts";
