import { generateKeyPairSync } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { inDirectory, readDocumentAt, recordRun, type } from "./terminal.ts";

const signing = suite("affidavit receipt with keys");

interface Keys {
  /** Paths of the private key, as PEM, JWK and raw bytes. */
  private: string[];
  /** Paths of the public key, in the same forms. */
  public: string[];
  hex: string;
}

/** A key pair as other tools write it, in files. */
async function writeKeys(at: (name: string) => string, name: string): Promise<Keys> {
  const pair = generateKeyPairSync("ed25519");
  const [seed, key] = [
    pair.privateKey.export({ format: "jwk" }),
    pair.publicKey.export({ format: "jwk" }),
  ];
  const raw = (text: string | undefined): Uint8Array => Buffer.from(text ?? "", "base64url");
  const files = {
    [`${name}.private.pem`]: pair.privateKey.export({ format: "pem", type: "pkcs8" }),
    [`${name}.private.jwk`]: JSON.stringify(seed),
    [`${name}.private.raw`]: raw(seed.d),
    [`${name}.public.pem`]: pair.publicKey.export({ format: "pem", type: "spki" }),
    [`${name}.public.jwk`]: JSON.stringify(key),
    [`${name}.public.raw`]: raw(key.x),
  };
  for (const [file, content] of Object.entries(files)) await writeFile(at(file), content);
  const paths = Object.keys(files).map(at);
  return {
    private: paths.slice(0, 3),
    public: paths.slice(3),
    hex: Buffer.from(raw(key.x)).toString("hex"),
  };
}

const statusOf = (stdout: string): unknown =>
  JSON.parse(stdout).checks.find(({ check }: { check: string }) => check === "signature").status;

signing("a receipt signed with one key holds under it, in every form of the files", async () => {
  await inDirectory(async (at) => {
    await recordRun(at("run"));
    const keys = await writeKeys(at, "mine");
    const signatures: unknown[] = [];
    for (const [i, key] of keys.private.entries()) {
      const built = await type([
        "receipt",
        "build",
        at("run"),
        "--out",
        at("r.json"),
        "--sign-key",
        key,
      ]);
      assert.equal([built.exit, built.stderr], [0, ""]);
      signatures.push((await readDocumentAt(at("r.json")))["signature"]);
      const argv = ["receipt", "verify", at("r.json"), at("run"), "--public-key", keys.public[i]!];
      const { exit, stdout } = await type(argv);
      assert.equal([exit, statusOf(stdout), JSON.parse(stdout).signed_by], [0, "holds", keys.hex]);
      const open = JSON.parse(stdout).not_checked.map(({ what }: { what: string }) => what);
      assert.equal(open, ["artifact", "gate_receipt", "truth"]);
    }
    assert.match(String(signatures[0]), /^[A-Za-z0-9+/]{86}==$/);
  });
});

signing("people read integrity and the signer on lines of their own", async () => {
  await inDirectory(async (at) => {
    await recordRun(at("run"));
    const keys = await writeKeys(at, "mine");
    await type([
      "receipt",
      "build",
      at("run"),
      "--out",
      at("r.json"),
      "--sign-key",
      keys.private[0]!,
    ]);
    const argv = ["verify", at("run"), at("r.json"), "--public-key", keys.public[0]!];
    const { exit, stdout } = await type(argv, { terminal: true });
    assert.is(exit, 0);
    assert.match(stdout, `\n  signed by the pinned key ${keys.hex}\n`);
    assert.match(stdout, "\n    holds        signature\n");
    assert.match(stdout, "\n    holds        journal_integrity\n");
    const unpinned = await type(["receipt", "verify", at("r.json"), at("run")], { terminal: true });
    assert.not.match(unpinned.stdout, "signed by");
    assert.match(unpinned.stdout, "the receipt carries a signature, which was not checked");
  });
});

signing(
  "another key, a changed signature and an unsigned receipt fail check signature",
  async () => {
    await inDirectory(async (at) => {
      await recordRun(at("run"));
      const [mine, other] = [await writeKeys(at, "mine"), await writeKeys(at, "other")];
      await type([
        "receipt",
        "build",
        at("run"),
        "--out",
        at("r.json"),
        "--sign-key",
        mine.private[0]!,
      ]);
      await type(["receipt", "build", at("run"), "--out", at("unsigned.json")]);
      const signed = await readFile(at("r.json"), "utf8");
      const swapped = signed.replace(/"signature":"(.)(.)/, '"signature":"$2$1');
      await writeFile(
        at("bent.json"),
        swapped === signed ? signed.replace('"signature":"', '"signature":"A') : swapped,
      );
      const cases: [string, string][] = [
        ["r.json", other.public[0]!],
        ["bent.json", mine.public[0]!],
        ["unsigned.json", mine.public[0]!],
      ];
      for (const [receipt, key] of cases) {
        const { exit, stdout } = await type([
          "receipt",
          "verify",
          at(receipt),
          at("run"),
          "--public-key",
          key,
        ]);
        const { check, signed_by } = JSON.parse(stdout);
        assert.equal([exit, check, signed_by], [1, "signature", null], receipt);
      }
    });
  },
);

signing("keys that cannot be used are refused by name, and no part of one is shown", async () => {
  await inDirectory(async (at) => {
    await recordRun(at("run"));
    const keys = await writeKeys(at, "mine");
    await type(["receipt", "build", at("run"), "--out", at("r.json")]);
    await writeFile(at("weak"), Uint8Array.of(1, ...new Uint8Array(31)));
    await writeFile(at("noise"), "not a key");
    await writeFile(at("huge"), new Uint8Array(65_537));
    const build = (key: string) => type(["receipt", "build", at("run"), "--sign-key", key]);
    const verify = (key: string) =>
      type(["receipt", "verify", at("r.json"), at("run"), "--public-key", key]);
    const refusals: [Promise<{ exit: number; stderr: string }>, string][] = [
      [
        build(keys.public[0]!),
        'signature.key_wrong_kind: Reading a private key: an Ed25519 private key was wanted, found "PUBLIC KEY"',
      ],
      [
        build(at("noise")),
        "signature.key_malformed: Reading a private key: it is none of 32 raw bytes, PEM and JWK",
      ],
      [build(at("none")), 'ENOENT: open "none": there is no such file'],
      [
        verify(keys.private[0]!),
        'signature.key_wrong_kind: Reading a public key: an Ed25519 public key was wanted, found "PRIVATE KEY"',
      ],
      [
        verify(at("weak")),
        "signature.weak_key: Reading a public key: it is weak, so that a signature under it proves nothing",
      ],
      [verify(at("huge")), 'EFBIG: read "huge": it is larger than 65536 bytes'],
    ];
    for (const [refused, message] of refusals) {
      const { exit, stderr } = await refused;
      assert.equal([exit, stderr], [1, `affidavit: ${message}\n`]);
    }
  });
});

signing("a key flag on the other action, or where no receipt is, is refused", async () => {
  await inDirectory(async (at) => {
    await recordRun(at("run"));
    const [usage] = (await type(["receipt", "build", at("run"), "--public-key", "k"])).stderr.split(
      "\n",
    );
    assert.is(usage, "affidavit: --public-key goes with verify");
    const [other] = (await type(["receipt", "verify", "r", at("run"), "--sign-key", "k"])).stderr
      .split("\n");
    assert.is(other, "affidavit: --sign-key goes with build");
    const idle = await type(["verify", at("run"), "--public-key", "k"]);
    assert.equal([idle.exit, idle.stderr], [
      1,
      "affidavit: cli.nothing_to_check: Using --public-key: no receipt is among the paths\n",
    ]);
    const onto = await type([
      "receipt",
      "build",
      at("run"),
      "--sign-key",
      at("k"),
      "--out",
      at("k"),
    ]);
    assert.is(
      onto.stderr.split("\n")[0],
      "affidavit: --out names a file that the receipt is made from",
    );
  });
});

signing.run();
