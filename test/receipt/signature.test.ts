import { suite } from "uvu";
import * as assert from "uvu/assert";
import { GENESIS } from "../../src/hash/mod.ts";
import { ed25519Signer, ed25519Verifier } from "../../src/receipt/mod.ts";
import {
  decodeBase64,
  derivePublicKey,
  encodeBase64,
  signEd25519,
  verifyEd25519,
} from "../../src/signature/mod.ts";
import { bytesOf } from "../lib/sample.ts";

const seed = new Uint8Array(32).fill(7);
const key = await derivePublicKey(seed);
const otherHash = GENESIS.replace("0", "1") as typeof GENESIS;

const signature = suite("ed25519Signer() and ed25519Verifier()");

signature("ed25519Signer() signs the schema of receipts, NUL and the receipt hash", async () => {
  const signed = await ed25519Signer(seed)(GENESIS);
  assert.is(signed.length, 88);
  const message = bytesOf(`capsule-receipt/v1\0${GENESIS}`);
  assert.is(encodeBase64(await signEd25519(seed, message)), signed);
  assert.is(await verifyEd25519(key, message, decodeBase64(signed)!), true);
});

signature("ed25519Verifier() takes this signature of this hash by this key alone", async () => {
  const signed = await ed25519Signer(seed)(GENESIS);
  const verify = ed25519Verifier(key);
  assert.is(await verify(GENESIS, signed), true);
  assert.is(await verify(otherHash, signed), false);
  assert.is(
    await verify(GENESIS, encodeBase64(await signEd25519(seed, bytesOf(GENESIS)))),
    false,
  );
  const other = ed25519Verifier(await derivePublicKey(new Uint8Array(32).fill(8)));
  assert.is(await other(GENESIS, signed), false);
});

signature("ed25519Verifier() answers false to what is no signature", async () => {
  const verify = ed25519Verifier(key);
  const signed = await ed25519Signer(seed)(GENESIS);
  for (const bad of [null, undefined, 1, {}, [signed], "", "sig", signed.slice(4), ` ${signed}`]) {
    assert.is(await verify(GENESIS, bad), false, JSON.stringify(bad));
  }
});

signature.run();
