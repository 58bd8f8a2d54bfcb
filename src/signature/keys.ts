/**
 * Key files of Ed25519 in the three forms that tools write: 32 raw bytes, PEM (SPKI or PKCS#8, RFC 8410), JWK (RFC 8037).
 * Nothing here makes, fetches or keeps a key.
 *
 * @module
 */
import { decodeUtf8, encodeHex, fail, ok } from "../core/mod.ts";
import type { Result } from "../core/mod.ts";
import { parseStrictText, toPlain } from "../canonical/mod.ts";
import { decodeBase64 } from "./base64.ts";
import type { KeyCode } from "./codes.ts";
import { isSoundKey } from "./ed25519.ts";

interface Kind {
  readonly name: "public" | "private";
  readonly label: string;
  /** What stands before the 32 bytes in DER. */
  readonly prefix: string;
  /** The JWK member with the 32 bytes. */
  readonly member: "x" | "d";
}

const PUBLIC: Kind = {
  name: "public",
  label: "PUBLIC KEY",
  prefix: "302a300506032b6570032100",
  member: "x",
};
const PRIVATE: Kind = {
  name: "private",
  label: "PRIVATE KEY",
  prefix: "302e020100300506032b657004220420",
  member: "d",
};

/**
 * Reads the bytes of a public key file as 32 raw bytes.
 *
 * @returns `signature.key_wrong_kind` for a private key or another algorithm, `signature.weak_key` for a key under which
 * one signature fits many messages, `signature.key_malformed` for anything else.
 */
export function readPublicKey(file: Uint8Array): Result<Uint8Array, KeyCode> {
  const key = readKey(file, PUBLIC);
  if (!key.ok || isSoundKey(key.value)) return key;
  return fail(
    "signature.weak_key",
    "Reading a public key: it is weak, so that a signature under it proves nothing",
  );
}

/** Reads the bytes of a private key file as its 32-byte seed; codes as for a public key. The reason never shows a part. */
export function readPrivateKey(file: Uint8Array): Result<Uint8Array, KeyCode> {
  return readKey(file, PRIVATE);
}

function readKey(file: Uint8Array, kind: Kind): Result<Uint8Array, KeyCode> {
  if (file.length === 32) return ok(file);
  const text = decodeUtf8(file)?.trim();
  if (text?.startsWith("-----BEGIN ")) return readPem(text, kind);
  if (text?.startsWith("{")) return readJwk(text, kind);
  return malformed(kind, "it is none of 32 raw bytes, PEM and JWK");
}

function readPem(text: string, kind: Kind): Result<Uint8Array, KeyCode> {
  const [, label = "", body = "", end] =
    /^-----BEGIN ([A-Z ]+)-----\s([A-Za-z0-9+/=\s]*)-----END ([A-Z ]+)-----$/
      .exec(text) ?? [];
  if (label === "") return malformed(kind, "its PEM is broken");
  if (label !== kind.label) return wrongKind(kind, `"${label}"`);
  const der = decodeBase64(body.replaceAll(/\s/g, ""));
  if (der === undefined || end !== label) return malformed(kind, "its PEM is broken");
  const prefixLength = kind.prefix.length / 2;
  if (
    encodeHex(der.subarray(0, prefixLength)) !== kind.prefix || der.length !== prefixLength + 32
  ) {
    return wrongKind(kind, "a key of another algorithm or form");
  }
  return ok(der.subarray(prefixLength));
}

function readJwk(text: string, kind: Kind): Result<Uint8Array, KeyCode> {
  const parsed = parseStrictText(text);
  if (!parsed.ok) return malformed(kind, "its JWK is not JSON, or has a member twice");
  const jwk = toPlain(parsed.value) as Partial<Record<"kty" | "crv" | "x" | "d", unknown>>;
  if (jwk.kty !== "OKP" || jwk.crv !== "Ed25519") {
    return wrongKind(kind, "a JWK of another algorithm");
  }
  if ((kind.name === "private") !== ("d" in jwk)) {
    return wrongKind(kind, `a ${"d" in jwk ? "private" : "public"} JWK`);
  }
  const member = jwk[kind.member];
  const isText = typeof member === "string" && /^[A-Za-z0-9_-]{43}$/.test(member);
  const key = isText
    ? decodeBase64(`${member.replaceAll("-", "+").replaceAll("_", "/")}=`)
    : undefined;
  return key === undefined
    ? malformed(kind, `its JWK member "${kind.member}" is not 32 bytes of base64url`)
    : ok(key);
}

function malformed(kind: Kind, why: string): Result<never, KeyCode> {
  return fail("signature.key_malformed", `Reading a ${kind.name} key: ${why}`);
}

function wrongKind(kind: Kind, found: string): Result<never, KeyCode> {
  const why = `an Ed25519 ${kind.name} key was wanted, found ${found}`;
  return fail("signature.key_wrong_kind", `Reading a ${kind.name} key: ${why}`);
}
