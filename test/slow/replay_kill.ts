/**
 * A recorder killed at a random moment leaves no half fixture, 100 times over.
 *
 * @module
 */
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { makeDisk } from "../node/disk.ts";
import { killRecorders } from "../node/kill_recorder.ts";

const disk = makeDisk();
const kills = suite("100 recorders killed");

kills("leave whole fixtures and temporary files, and nothing else", async () => {
  const { recorded, fixtures, leftOver } = await killRecorders(100, disk.path);
  console.log(`${recorded} recorded, ${fixtures} fixtures whole, ${leftOver} died while writing`);
  assert.ok(recorded >= 100 && fixtures >= 100);
});

kills.after(disk.clear);

kills.run();
