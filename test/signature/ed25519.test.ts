import { suite } from "uvu";
import * as assert from "uvu/assert";
import { encodeHex } from "../../src/core/mod.ts";
import {
  decodeBase64,
  derivePublicKey,
  encodeBase64,
  isSoundKey,
  readPrivateKey,
  readPublicKey,
  SignatureError,
  signEd25519,
  verifyEd25519,
} from "../../src/signature/mod.ts";
import { hexBytes } from "../lib/bytes.ts";
import { rejectionOf } from "../lib/thrown.ts";

const ed25519 = suite("Ed25519");
const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);

// RFC 8032, section 7.1, TEST 2.
const SEED = hexBytes("4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb");
const KEY = hexBytes("3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c");
const MESSAGE = Uint8Array.of(0x72);
const SIGNATURE = hexBytes(
  "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da" +
    "085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00",
);

/** y of the points of small order, in both spellings where there are two, each with either sign bit. */
const WEAK = [
  ["0000000000000000000000000000000000000000000000000000000000000000", "y = 0"],
  ["0100000000000000000000000000000000000000000000000000000000000000", "y = 1"],
  ["ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f", "y = p - 1"],
  ["edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f", "y = p"],
  ["eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f", "y = p + 1"],
  ["c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a", "y of order 8"],
  ["26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05", "its negative"],
].flatMap(([hex = "", what = ""]) => {
  const plain = hexBytes(hex);
  const signed = plain.slice();
  signed[31]! |= 0x80;
  return [{ what, key: plain }, { what: `${what}, sign bit set`, key: signed }];
});

ed25519("signEd25519(), derivePublicKey() and verifyEd25519() reproduce RFC 8032", async () => {
  assert.is(encodeHex(await derivePublicKey(SEED)), encodeHex(KEY));
  assert.is(encodeHex(await signEd25519(SEED, MESSAGE)), encodeHex(SIGNATURE));
  assert.is(await verifyEd25519(KEY, MESSAGE, SIGNATURE), true);
});

ed25519(
  "verifyEd25519() refuses another message, key, and every flipped byte of the signature",
  async () => {
    assert.is(await verifyEd25519(KEY, Uint8Array.of(0x73), SIGNATURE), false);
    assert.is(
      await verifyEd25519(await derivePublicKey(new Uint8Array(32)), MESSAGE, SIGNATURE),
      false,
    );
    for (let at = 0; at < 64; at++) {
      const bent = SIGNATURE.slice();
      bent[at]! ^= 1;
      assert.is(await verifyEd25519(KEY, MESSAGE, bent), false, `byte ${at}`);
    }
  },
);

ed25519(
  "verifyEd25519() refuses S plus the group order, other lengths, and a key off the curve",
  async () => {
    const order = 2n ** 252n + 27742317777372353535851937790883648493n;
    const s = BigInt(`0x${encodeHex(SIGNATURE.slice(32).reverse())}`) + order;
    const malleable = SIGNATURE.slice();
    malleable.set(hexBytes(s.toString(16).padStart(64, "0")).reverse(), 32);
    assert.is(await verifyEd25519(KEY, MESSAGE, malleable), false);
    assert.is(await verifyEd25519(KEY, MESSAGE, SIGNATURE.subarray(0, 63)), false);
    assert.is(await verifyEd25519(KEY.subarray(0, 31), MESSAGE, SIGNATURE), false);
    const off = new Uint8Array(32);
    off[0] = 2; // no point has this y
    assert.is(isSoundKey(off), true);
    assert.is(await verifyEd25519(off, MESSAGE, SIGNATURE), false);
  },
);

ed25519("weak keys are refused in every spelling, before any signature is looked at", async () => {
  assert.is(WEAK.length, 14);
  const anything = new Uint8Array(64);
  anything[0] = 1;
  for (const { what, key } of WEAK) {
    assert.is(isSoundKey(key), false, what);
    assert.is(await verifyEd25519(key, MESSAGE, anything), false, what);
    assert.equal(readPublicKey(key), {
      ok: false,
      code: "signature.weak_key",
      reason: "Reading a public key: it is weak, so that a signature under it proves nothing",
    }, what);
    const bent = SIGNATURE.slice();
    bent.set(key); // a weak point where the signature's own should be
    assert.is(await verifyEd25519(KEY, MESSAGE, bent), false, what);
  }
});

ed25519("a runtime without WebCrypto or without Ed25519 says so", async () => {
  const real = Object.getOwnPropertyDescriptor(globalThis, "crypto");
  const refuse = (name: string) => ({
    subtle: { importKey: () => Promise.reject(Object.assign(new Error(), { name })) },
  });
  const withCrypto = async <T>(value: unknown, call: () => Promise<T>): Promise<T> => {
    Object.defineProperty(globalThis, "crypto", { value, configurable: true, writable: true });
    try {
      return await call();
    } finally {
      if (real === undefined) delete (globalThis as { crypto?: unknown }).crypto;
      else Object.defineProperty(globalThis, "crypto", real);
    }
  };
  for (const crypto of [undefined, {}, refuse("NotSupportedError")]) {
    const error = await withCrypto(
      crypto,
      () => rejectionOf(verifyEd25519(KEY, MESSAGE, SIGNATURE)),
    );
    assert.instance(error, SignatureError);
    assert.is((error as SignatureError).code, "signature.unavailable");
  }
  const signing = await withCrypto(undefined, () => rejectionOf(signEd25519(SEED, MESSAGE)));
  assert.is((signing as SignatureError).code, "signature.unavailable");
  assert.is(
    await withCrypto(refuse("DataError"), () => verifyEd25519(KEY, MESSAGE, SIGNATURE)),
    false,
  );
  const none = {
    subtle: { importKey: () => Promise.resolve({}), exportKey: () => Promise.resolve({}) },
  };
  const derived = await withCrypto(none, () => rejectionOf(derivePublicKey(SEED)));
  assert.is((derived as SignatureError).code, "signature.unavailable");
});

ed25519("signEd25519() with a seed of another length is misuse", async () => {
  assert.instance(await rejectionOf(signEd25519(SEED.subarray(1), MESSAGE)), TypeError);
});

const PUBLIC_PEM =
  "-----BEGIN PUBLIC KEY-----\nMCowBQYDK2VwAyEAPUAXw+hDiVqStwqnTRt+vJyYLM8uxJaMwM1V8Sr0Zgw=\n-----END PUBLIC KEY-----\n";
const PRIVATE_PEM =
  "-----BEGIN PRIVATE KEY-----\nMC4CAQAwBQYDK2VwBCIEIEzNCJso/5banbbDRuwRTg9bijGfNaumJNqM9u1PuKb7\n-----END PRIVATE KEY-----";
const X = "PUAXw-hDiVqStwqnTRt-vJyYLM8uxJaMwM1V8Sr0Zgw";
const D = "TM0Imyj_ltqdtsNG7BFOD1uKMZ81q6Yk2oz27U-4pvs";

ed25519("readPublicKey() and readPrivateKey() take raw bytes, PEM and JWK", () => {
  const files = [
    KEY,
    utf8(PUBLIC_PEM),
    utf8(PUBLIC_PEM.replaceAll("\n", "\r\n")),
    utf8(JSON.stringify({ kty: "OKP", crv: "Ed25519", x: X })),
  ];
  for (const file of files) {
    const key = readPublicKey(file);
    assert.is(key.ok && encodeHex(key.value), encodeHex(KEY));
  }
  for (
    const file of [
      SEED,
      utf8(PRIVATE_PEM),
      utf8(JSON.stringify({ kty: "OKP", crv: "Ed25519", x: X, d: D })),
    ]
  ) {
    const key = readPrivateKey(file);
    assert.is(key.ok && encodeHex(key.value), encodeHex(SEED));
  }
});

ed25519(
  "a key of the other half, another algorithm or form is named, and no part of it shown",
  () => {
    const code = (read: typeof readPublicKey, file: string | Uint8Array): string => {
      const result = read(typeof file === "string" ? utf8(file) : file);
      assert.not.match(result.ok ? "" : result.reason, /MC4C|TM0I|PUAX/);
      return result.ok ? "accepted" : result.code;
    };
    const [wrong, malformed] = ["signature.key_wrong_kind", "signature.key_malformed"];
    assert.is(code(readPublicKey, PRIVATE_PEM), wrong);
    assert.is(code(readPrivateKey, PUBLIC_PEM), wrong);
    assert.is(
      code(readPublicKey, JSON.stringify({ kty: "OKP", crv: "Ed25519", x: X, d: D })),
      wrong,
    );
    assert.is(code(readPrivateKey, JSON.stringify({ kty: "OKP", crv: "Ed25519", x: X })), wrong);
    assert.is(code(readPublicKey, JSON.stringify({ kty: "OKP", crv: "X25519", x: X })), wrong);
    assert.is(code(readPrivateKey, PRIVATE_PEM.replaceAll("PRIVATE", "ENCRYPTED PRIVATE")), wrong);
    assert.is(
      code(readPublicKey, PUBLIC_PEM.replace("MCowBQYDK2VwAyEA", "MCowBQYDK2VuAyEA")),
      wrong,
    );
    assert.is(code(readPublicKey, PUBLIC_PEM.replace("MCow", "MC!w")), malformed);
    assert.is(code(readPublicKey, PUBLIC_PEM.replace("Zgw=", "Zgx=")), malformed);
    assert.is(code(readPublicKey, PUBLIC_PEM.replace("END PUBLIC", "END PRIVATE")), malformed);
    assert.is(code(readPublicKey, "{"), malformed);
    assert.is(
      code(readPublicKey, `{"kty":"OKP","crv":"Ed25519","x":"${X}","x":"${X}"}`),
      malformed,
    );
    assert.is(
      code(readPublicKey, JSON.stringify({ kty: "OKP", crv: "Ed25519", x: `${X}A` })),
      malformed,
    );
    assert.is(code(readPublicKey, JSON.stringify({ kty: "OKP", crv: "Ed25519", x: 1 })), malformed);
    assert.is(
      code(
        readPublicKey,
        JSON.stringify({ kty: "OKP", crv: "Ed25519", x: X.replace("Zgw", "Zgx") }),
      ),
      malformed,
    );
    assert.is(code(readPublicKey, "hello"), malformed);
    assert.is(code(readPublicKey, Uint8Array.of(0xff)), malformed);
    assert.is(code(readPublicKey, new Uint8Array(0)), malformed);
  },
);

ed25519("decodeBase64() takes the canonical spelling alone", () => {
  const bytes = Uint8Array.of(0, 255, 16);
  assert.is(encodeBase64(bytes), "AP8Q");
  assert.equal(decodeBase64("AP8Q"), bytes);
  assert.equal(decodeBase64(""), new Uint8Array());
  for (const text of ["AP8", "AP8Q=", "AP 8Q", "AP8Q\n", "AB==", "A===", "AP-_", "AA=A"]) {
    assert.is(decodeBase64(text), undefined, text);
  }
});

ed25519.run();
