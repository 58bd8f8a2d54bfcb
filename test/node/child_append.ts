/**
 * A writer of its own: `child_append.ts DIRECTORY NAME COUNT` appends that many entries and tries again while the capsule
 * is busy.
 *
 * @module
 */
import process from "node:process";
import { codeOf } from "../../src/core/mod.ts";
import { openCapsule } from "../../src/node/mod.ts";
import type { Capsule } from "../../src/store/mod.ts";

const [path = "", name = "", count = ""] = process.argv.slice(2);
let busy = 0;

async function insist<T>(attempt: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (codeOf(error) !== "capsule.busy") throw error;
      busy++;
      await new Promise((resume) => setImmediate(resume)); // a file operation is the wait
    }
  }
}

const capsule: Capsule = await openCapsule(path);
for (let index = 0; index < Number(count); index++) {
  await insist(() => capsule.append("attempt", "step", { task_id: name, total: index }));
}
console.log(JSON.stringify({ busy }));
