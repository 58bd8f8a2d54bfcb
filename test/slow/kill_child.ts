/**
 * Plays 67 rounds of each way of appending in the runtime at hand and prints what they came to.
 *
 * @module
 */
import { seeded } from "../lib/random.ts";
import { makeDisk } from "../node/disk.ts";
import { buildWriter, type Figures, MODES, playRounds } from "../node/kill_rounds.ts";

const ROUNDS = 67;

const disk = makeDisk();
try {
  const writer = buildWriter(disk);
  const figures: Record<string, Figures> = {};
  for (const mode of Object.keys(MODES) as (keyof typeof MODES)[]) {
    figures[mode] = await playRounds(disk, writer, mode, ROUNDS, seeded(MODES[mode] + 100));
  }
  console.log(JSON.stringify(figures, null, 1));
} finally {
  disk.clear();
}
