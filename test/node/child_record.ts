/**
 * A recorder of its own: `child_record.ts DIRECTORY NAME COUNT KEYS` records that many calls, of as many different
 * arguments as told in turn, with answers of up to a megabyte that say who recorded them. It prints a line before each
 * is written and after it was recorded.
 *
 * @module
 */
import process from "node:process";
import { nativeSha256, openFixtureStore } from "../../src/node/mod.ts";
import type { FixtureStore } from "../../src/ports/mod.ts";
import { createReplayer, type Tools } from "../../src/replay/mod.ts";

const [path = "", name = "", count = "", keys = ""] = process.argv.slice(2);
let calls = 0;
const tools: Tools = {
  read: {
    effect_class: "SE0",
    determinism: "nondeterministic",
    impl: () => ({ name, calls, text: "x".repeat(((calls * 7919) % 1000) * 1000) }),
  },
};
const onDisk = await openFixtureStore(path);
const store: FixtureStore = {
  ...onDisk,
  write: (name, bytes) => {
    process.stdout.write("writing\n");
    return onDisk.write(name, bytes);
  },
};
const recorder = createReplayer(tools, { store, sha256: nativeSha256(), mode: "record" });
for (; calls < Number(count); calls++) {
  await recorder.call("read", { n: calls % Number(keys) });
  process.stdout.write("recorded\n");
}
