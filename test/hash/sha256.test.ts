import { suite } from "uvu";
import * as assert from "uvu/assert";
import { plainEngine } from "../../src/hash/fallback.ts";
import { loadSha256, type RunningDigest, type Sha256 } from "../../src/hash/mod.ts";
import { seeded } from "../lib/random.ts";
import { bytesOf, piecesOf } from "../lib/sample.ts";
import { describe, rejectionOf, thrownBy } from "../lib/thrown.ts";

const hashing = suite("loadSha256()");

const both = async (): Promise<Sha256[]> => [
  await loadSha256({ implementation: "wasm" }),
  await loadSha256({ implementation: "typescript" }),
];

/** Bytes of every value, the same in every run. */
function noise(length: number): Uint8Array {
  const random = seeded(length + 1);
  return Uint8Array.from({ length }, () => random.below(256));
}

/** FIPS 180-4 (examples of its appendix and of the NIST test files). */
const KNOWN: [Uint8Array, string][] = [
  [bytesOf(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"],
  [bytesOf("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"],
  [
    bytesOf("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
    "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1",
  ],
  [
    bytesOf(
      "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu",
    ),
    "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1",
  ],
  [
    bytesOf("a".repeat(1_000_000)),
    "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0",
  ],
];

hashing("digest() and a running digest give the published values", async () => {
  for (const sha256 of await both()) {
    for (const [bytes, expected] of KNOWN) {
      const running = sha256.start();
      running.update(bytes);
      assert.equal([sha256.digest(bytes), running.digest()], [expected, expected]);
    }
  }
});

hashing("loadSha256() says which implementation it loaded, WebAssembly by default", async () => {
  const names = [...await both(), await loadSha256()].map(({ implementation }) => implementation);
  assert.equal(names, ["wasm", "typescript", "wasm"]);
});

hashing("both implementations agree on every length from 0 to 200 and on views", async () => {
  const [wasm, plain] = await both() as [Sha256, Sha256];
  const bytes = noise(300);
  for (let length = 0; length <= 200; length++) {
    const view = bytes.subarray(length % 100, length % 100 + length);
    assert.is(wasm.digest(view), plain.digest(view), `${length} bytes`);
  }
});

hashing("both implementations agree on 1 MiB, whole and cut at random", async () => {
  const [wasm, plain] = await both() as [Sha256, Sha256];
  const bytes = noise(1 << 20);
  const expected = wasm.digest(bytes);
  const random = seeded(7);
  for (const sha256 of [wasm, plain]) {
    const running = sha256.start();
    for (let at = 0; at < bytes.length;) {
      const end = at + random.below(random.pick([2, 65, 5000, 100_000]));
      running.update(bytes.subarray(at, end));
      at = end;
    }
    assert.equal([sha256.digest(bytes), running.digest()], [expected, expected]);
  }
});

hashing("a running digest keeps nothing of the bytes it was given", async () => {
  for (const sha256 of await both()) {
    const running = sha256.start();
    const buffer = new Uint8Array(100);
    for (const piece of piecesOf(noise(1000), 100)) {
      buffer.set(piece);
      running.update(buffer);
      buffer.fill(0);
    }
    assert.is(running.digest(), sha256.digest(noise(1000)));
  }
});

hashing(
  "running digests, in any order and mixed with digest(), never disturb each other",
  async () => {
    for (const sha256 of await both()) {
      const random = seeded(11);
      const open: { running: RunningDigest; parts: number[] }[] = [];
      let finished = 0;
      for (let step = 0; step < 3000; step++) {
        const action = random.below(10);
        if (action === 0 || open.length === 0) open.push({ running: sha256.start(), parts: [] });
        else if (action === 1) {
          const chosen = random.pick(open);
          open.splice(open.indexOf(chosen), 1);
          const { running, parts } = chosen;
          assert.is(running.digest(), sha256.digest(Uint8Array.from(parts)));
          finished++;
        } else if (action === 2) {
          assert.is(sha256.digest(bytesOf("abc")), KNOWN[1]?.[1]);
        } else {
          const { running, parts } = random.pick(open);
          const bytes = noise(random.below(150));
          running.update(bytes);
          parts.push(...bytes);
        }
      }
      assert.ok(finished > 100);
    }
  },
);

hashing("a running digest that ended throws TypeError, also after others were used", async () => {
  const expected = { name: "TypeError", message: "A running digest cannot be used after digest()" };
  for (const sha256 of await both()) {
    const ended = sha256.start();
    ended.digest();
    const other = sha256.start();
    other.update(bytesOf("a"));
    assert.equal(describe(thrownBy(() => ended.update(bytesOf("b")))), expected);
    assert.equal(describe(thrownBy(() => ended.digest())), expected);
    other.update(bytesOf("bc"));
    assert.is(other.digest(), KNOWN[1]?.[1]);
  }
});

hashing("fork() goes on from where a running digest is, and each on its own", async () => {
  for (const sha256 of await both()) {
    const first = sha256.start();
    first.update(bytesOf("a"));
    const second = first.fork();
    first.update(bytesOf("bc"));
    const third = second.fork();
    second.update(bytesOf("bc"));
    const expected = KNOWN[1]?.[1];
    assert.equal([first.digest(), second.digest()], [expected, expected]);
    third.update(bytesOf("b"));
    const fourth = third.fork();
    third.update(bytesOf("x"));
    assert.is(third.digest(), sha256.digest(bytesOf("abx")));
    fourth.update(bytesOf("c"));
    assert.is(fourth.digest(), expected);
    assert.instance(thrownBy(() => first.fork()), TypeError);
  }
});

hashing("the plain implementation counts more bits than fit in 32", () => {
  // 2^29 zero bytes are 2^32 bits: its state after them, and what sha256sum of coreutils says.
  const words = [3247723286, 248528400, 1309697257, 797640274, 3844568237, 106865193, 3385049670];
  const engine = plainEngine();
  engine.load([Uint32Array.from([...words, 235716722]), new Uint8Array(64), 0, 2 ** 29]);
  assert.is(engine.digest(), "9acca8e8c22201155389f65abbf6bc9723edc7384ead80503839f49dcc56d767");
});

/** Runs a call while the page has no WebAssembly, or another one. */
async function withWebAssembly<T>(other: unknown, run: () => Promise<T>): Promise<T> {
  const kept = globalThis.WebAssembly;
  const put = (value: unknown): void => {
    Object.defineProperty(globalThis, "WebAssembly", { value, configurable: true, writable: true });
  };
  put(other);
  try {
    return await run();
  } finally {
    put(kept);
  }
}

const refusing = {
  compile: () => Promise.reject(new Error("refused by the policy of the page")),
  instantiate: () => Promise.reject(new Error("refused by the policy of the page")),
};

hashing(
  "loadSha256() falls back to TypeScript where WebAssembly is absent or refused",
  async () => {
    for (const other of [undefined, refusing]) {
      const sha256 = await withWebAssembly(other, () => loadSha256());
      assert.is(sha256.implementation, "typescript");
      assert.is(sha256.digest(bytesOf("abc")), KNOWN[1]?.[1]);
    }
    assert.is((await loadSha256()).implementation, "wasm");
  },
);

hashing("loadSha256() that is told to use WebAssembly throws where there is none", async () => {
  const error = await withWebAssembly(
    undefined,
    () => rejectionOf(loadSha256({ implementation: "wasm" })),
  );
  assert.instance(error, Error);
});

hashing("loadSha256() does not use a WebAssembly that miscomputes", async () => {
  const { compile, instantiate } = WebAssembly;
  const broken = {
    compile,
    instantiate: async (module: WebAssembly.Module, imports: WebAssembly.Imports) => {
      const { exports } = await instantiate(module, imports);
      return { exports: { ...exports, Hash_Final: () => {} } };
    },
  };
  const error = await withWebAssembly(
    broken,
    () => rejectionOf(loadSha256({ implementation: "wasm" })),
  );
  const { name, code, message } = describe(error);
  assert.equal([name, code], ["EvidenceError", "hash.self_test"]);
  assert.match(message, /^SHA-256 \(wasm\) of "abc": found [0-9a-f]{64}$/);
  const sha256 = await withWebAssembly(broken, () => loadSha256());
  assert.is(sha256.implementation, "typescript");
});

hashing.run();
