import { suite } from "uvu";
import * as assert from "uvu/assert";
import {
  type Commitment,
  type Digest,
  digestOf,
  GENESIS,
  isCommitment,
  isDigest,
  toCommitment,
} from "../../src/hash/mod.ts";

const digests = suite("Digest and Commitment");

const hex = "0123456789abcdef".repeat(4);
const others: unknown[] = [
  ...[undefined, null, 0, {}, [hex], Object(hex), "", hex.slice(1), `${hex}0`, `${hex}\n`],
  ...[`\n${hex}`, ` ${hex}`, hex.toUpperCase(), `g${hex.slice(1)}`, `0x${hex.slice(2)}`],
  ...[`sha256:${hex}\n`, `sha256:${hex.slice(1)}`, `sha256:${hex.toUpperCase()}`, `SHA256:${hex}`],
  ...[`sha512:${hex}`, `sha256${hex}`, `sha256: ${hex}`, ` sha256:${hex}`, "sha256:"],
];

digests("isDigest() takes 64 lower-case hexadecimal digits and nothing else", () => {
  assert.is(isDigest(hex), true);
  assert.equal([...others, `sha256:${hex}`].filter(isDigest), []);
});

digests("isCommitment() takes sha256: and a digest and nothing else", () => {
  assert.is(isCommitment(`sha256:${hex}`), true);
  assert.equal([...others, hex].filter(isCommitment), []);
});

digests("toCommitment() and digestOf() undo each other", () => {
  const commitment = toCommitment(hex as Digest);
  assert.is(commitment, `sha256:${hex}`);
  assert.is(digestOf(commitment), hex);
});

digests("GENESIS is 64 zeros, a digest", () => {
  assert.is(GENESIS, "0".repeat(64));
  assert.is(isDigest(GENESIS), true);
});

digests("the compiler keeps Digest, Commitment and plain text apart", () => {
  const digest: Digest = GENESIS;
  const commitment: Commitment = toCommitment(digest);
  // @ts-expect-error a commitment is no digest
  const asDigest: Digest = commitment;
  // @ts-expect-error a digest is no commitment
  const asCommitment: Commitment = digest;
  // @ts-expect-error a text is no digest before isDigest() said so
  const fromText: Digest = "0".repeat(64);
  // @ts-expect-error a commitment cannot be committed to once more
  const twice: Commitment = toCommitment(commitment);
  // @ts-expect-error a digest holds no digest
  const inside: Digest = digestOf(digest);
  const texts: string[] = [digest, commitment]; // both are texts
  assert.equal([asDigest, asCommitment, fromText], [commitment, digest, GENESIS]);
  assert.equal([twice, inside, texts], [
    `sha256:sha256:${GENESIS}`,
    GENESIS.slice(7),
    [digest, commitment],
  ]);
});

digests.run();
