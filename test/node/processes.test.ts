import { fileURLToPath } from "node:url";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { createCapsule, verifyCapsule } from "../../src/node/mod.ts";
import { runFile } from "../house/project.ts";
import { makeDisk } from "./disk.ts";

const disk = makeDisk(true);
const processes = suite("processes that append");
const writer = fileURLToPath(new URL("child_append.ts", import.meta.url));

processes("two of them append 50 entries each to one capsule, and none is lost", async () => {
  const path = disk.path();
  const capsule = await createCapsule(path);
  const ended = await Promise.all(["a", "b"].map((name) => runFile(writer, [path, name, "50"])));
  assert.equal(ended.map(({ status, stderr }) => [status, stderr]), [[0, ""], [0, ""]]);
  const { code, entry_count } = await verifyCapsule(path);
  assert.equal([code, entry_count], ["ok", 100]);
  const seen: Record<string, unknown[]> = { a: [], b: [] };
  for await (const { payload } of capsule.entries()) {
    seen[String(payload["task_id"])]?.push(payload["total"]);
  }
  const fifty = Array.from({ length: 50 }, (_, index) => index);
  assert.equal(seen, { a: fifty, b: fifty });
});

processes.after(disk.clear);

processes.run();
