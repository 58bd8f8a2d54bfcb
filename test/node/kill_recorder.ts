/**
 * Kills recorders at random moments and looks at what they leave.
 *
 * @module
 */
import { spawn } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";
import process from "node:process";
import { fileURLToPath } from "node:url";
import * as assert from "uvu/assert";
import { nativeSha256 } from "../../src/node/mod.ts";
import { judgeFixture } from "../../src/replay/mod.ts";
import { root, runtimeArguments } from "../house/project.ts";
import { seeded } from "../lib/random.ts";

const recorder: string = fileURLToPath(new URL("child_record.ts", import.meta.url));
const LEFT_OVER = /^\.[0-9a-f]{64}\.json\.[0-9a-f]{16}\.tmp$/;

/** What was left of all rounds together. */
export interface Left {
  /** Calls that were acknowledged. */
  recorded: number;
  /** Fixtures found, each of them whole. */
  fixtures: number;
  /** Temporary files found: recorders that died while they wrote. */
  leftOver: number;
}

/** Kills a recorder in each round; a fixture that is not whole, or a file of another kind, fails. */
export async function killRecorders(rounds: number, makePath: () => string): Promise<Left> {
  const random = seeded(rounds);
  const left: Left = { recorded: 0, fixtures: 0, leftOver: 0 };
  for (let round = 0; round < rounds; round++) {
    const path = makePath();
    left.recorded += await killAfter(2 + random.below(40), path);
    for (const name of await readdir(path)) {
      if (LEFT_OVER.test(name)) {
        left.leftOver++;
        continue;
      }
      const judged = judgeFixture(await readFile(`${path}/${name}`), nativeSha256());
      assert.equal(judged.ok ? [judged.value.key, judged.value.tool] : judged.code, [
        name.replace(/\.json$/, ""),
        "read",
      ]);
      left.fixtures++;
    }
  }
  return left;
}

/** Runs a recorder until it has printed so many lines, and kills it in the midst of what it does next. */
function killAfter(lines: number, path: string): Promise<number> {
  const child = spawn(process.execPath, [
    ...runtimeArguments(),
    recorder,
    ...[path, "r", "1000000", "3"],
  ], { cwd: root, stdio: ["ignore", "pipe", "inherit"] });
  return new Promise((resolve, reject) => {
    let printed = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      printed += text;
      if (printed.split("\n").length > lines) child.kill("SIGKILL");
    });
    child.on("error", reject);
    child.on(
      "close",
      (_, signal) =>
        signal === "SIGKILL"
          ? resolve(printed.split("recorded\n").length - 1)
          : reject(new Error(`It ended by itself: ${signal}`)),
    );
  });
}
