import { suite } from "uvu";
import { MemoryDirectory, type StoreHost, storeSuite } from "../../src/store/mod.ts";

const memory = suite("MemoryDirectory passes the store suite");

function makeHost(): Promise<StoreHost> {
  const directory = new MemoryDirectory();
  return Promise.resolve({
    directory,
    plant(name, what, target = ""): Promise<boolean> {
      directory.plant(name, what === "link" ? { kind: what, target } : { kind: what });
      return Promise.resolve(true);
    },
  });
}

for (const { name, run } of storeSuite) memory(name, () => run(makeHost));

memory.run();
