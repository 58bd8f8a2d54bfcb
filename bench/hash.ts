/**
 * SHA-256 of one byte string.
 *
 * @module
 */
import { createHash } from "node:crypto";
import { loadSha256 } from "../src/hash/mod.ts";
import { nativeSha256 } from "../src/node/mod.ts";
import { compare } from "./measure.ts";
import type { Bench } from "./measure.ts";

const sizes = [64, 512, 4096, 1 << 20, 64 << 20];

/** The bench. */
export const bench: Bench = {
  question:
    "What does a digest cost: ours over WebAssembly, plain TypeScript and node:crypto, against createHash and WebCrypto?",
  async *run() {
    const [wasm, plain, native] = [
      await loadSha256(),
      await loadSha256({ implementation: "typescript" }),
      nativeSha256(),
    ];
    for (const size of sizes) {
      const bytes = new Uint8Array(size).fill(0x61);
      const times = Math.max(1, Math.min(2000, Math.round(200_000 / size)));
      const repeat = (digest: () => unknown) => () => {
        for (let i = 0; i < times; i++) digest();
      };
      const contenders = [
        {
          name: "createHash of node:crypto",
          run: repeat(() => createHash("sha256").update(bytes).digest("hex")),
        },
        { name: "nativeSha256()", run: repeat(() => native.digest(bytes)) },
        { name: "loadSha256()", run: repeat(() => wasm.digest(bytes)) },
        {
          name: "WebCrypto, awaited",
          run: async () => {
            for (let i = 0; i < times; i++) await crypto.subtle.digest("SHA-256", bytes);
          },
        },
      ];
      if (size <= 1 << 20) {
        contenders.push({
          name: "plain TypeScript",
          run: repeat(() => plain.digest(bytes)),
        });
      }
      yield {
        what: `${size} bytes, ${times} times`,
        timings: await compare(contenders, size > 1 << 20 ? 5 : 9),
      };
    }
  },
};
