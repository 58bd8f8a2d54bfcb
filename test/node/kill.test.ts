import { suite } from "uvu";
import * as assert from "uvu/assert";
import { seeded } from "../lib/random.ts";
import { makeDisk } from "./disk.ts";
import { buildWriter, MODES, playRounds } from "./kill_rounds.ts";

/** A few, to be quick; `npm run test:slow` plays 67 of each. */
const ROUNDS = 12;

const disk = makeDisk();
const kill = suite("writers that are killed");
const writer = buildWriter(disk);

for (const mode of Object.keys(MODES) as (keyof typeof MODES)[]) {
  kill(`${mode}: ${ROUNDS} times killed, and what was acknowledged is there`, async () => {
    const figures = await playRounds(disk, writer, mode, ROUNDS, seeded(MODES[mode] + 1));
    assert.is(figures.rounds, ROUNDS);
    assert.ok(figures.acknowledged > 0);
    assert.ok(figures.locked > 0);
  });
}

kill.after(disk.clear);

kill.run();
