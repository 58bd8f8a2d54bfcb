/**
 * For random tools, arguments, answers and modes.
 *
 * @module
 */
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { EFFECT_CLASSES, type EffectClass } from "../../src/capsule/mod.ts";
import { codeOf } from "../../src/core/mod.ts";
import { loadSha256 } from "../../src/hash/mod.ts";
import { createReplayer, type Tool } from "../../src/replay/mod.ts";
import { type Random, seeded } from "../lib/random.ts";
import { makeStore } from "./kit.ts";

const sha256 = await loadSha256();
const ROUNDS = 300;
const NAMES = ["read", "a/b", "", "é", "toString", "constructor", "10", "\ud800"];
const TEXTS = ["", "x", "é\n", "\ud83d\ude00", "\udc00", "__proto__", "9", "toJSON"];
const CODES = ["tool.effect_forbidden", "tool.fixture_missing", "tool.unknown"];
const property = suite("replay of random tools");

/** A JSON value. */
function randomValue(random: Random, depth = 0): unknown {
  switch (random.below(depth > 3 ? 5 : 7)) {
    case 0:
      return null;
    case 1:
      return random.below(2) === 0;
    case 2:
      return random.below(1000) / 7 - 50;
    case 3:
      return random.pick([1e21, 5e-324, Number.MAX_SAFE_INTEGER, -1, 0.1]);
    case 4:
      return random.pick(TEXTS);
    case 5:
      return Array.from({ length: random.below(4) }, () => randomValue(random, depth + 1));
    default: {
      const entries = Array.from(
        { length: random.below(4) },
        () => [random.pick(TEXTS), randomValue(random, depth + 1)],
      );
      return Object.fromEntries(entries); // which defines `__proto__` as a member
    }
  }
}

/** Tools that answer at once or later, and say when they are called. */
function randomTools(random: Random, onCall: () => void, answer: (name: string) => unknown) {
  const tools: Record<string, Tool> = {};
  for (const name of NAMES.filter(() => random.below(2) === 0)) {
    tools[name] = {
      effect_class: random.pick(EFFECT_CLASSES),
      determinism: random.pick(["deterministic", "nondeterministic"] as const),
      impl: () => {
        onCall();
        return random.below(2) === 0 ? answer(name) : Promise.resolve(answer(name));
      },
    };
  }
  return tools;
}

property("calls no implementation, whatever the store holds", async () => {
  const random = seeded(20261130);
  let executed = 0;
  const ends = new Set<string>();
  for (let round = 0; round < ROUNDS; round++) {
    const { store } = makeStore();
    const tools = randomTools(random, () => executed++, () => randomValue(random));
    const maxEffectClass = random.pick([...EFFECT_CLASSES, "SE9"]) as EffectClass;
    const calls = Array.from({ length: 4 }, () => [random.pick(NAMES), randomValue(random)]);
    const recorder = createReplayer(tools, { store, sha256, mode: "record", maxEffectClass });
    for (const [name, args] of calls.slice(0, 2)) {
      await recorder.call(name as string, args).catch(() => undefined);
    }
    executed = 0;
    const replayer = createReplayer(tools, { store, sha256, maxEffectClass });
    for (const [name, args] of calls) {
      const end = await replayer.call(name as string, args).then(() => "replayed", codeOf);
      ends.add(String(end));
    }
    assert.is(executed, 0);
  }
  assert.equal([...ends].sort(), ["replayed", ...CODES].sort());
});

property("gives answers that are deep-equal to what was recorded, -0 excepted", async () => {
  const random = seeded(7);
  let compared = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const { store } = makeStore();
    const tools = randomTools(random, () => undefined, () => randomValue(random));
    const recorder = createReplayer(tools, { store, sha256, mode: "record" });
    const replayer = createReplayer(tools, { store, sha256 });
    for (const name of Object.keys(tools)) {
      if (tools[name]!.effect_class > "SE2") continue;
      const args = randomValue(random);
      const live = await recorder.call(name, args);
      assert.equal(await replayer.call(name, JSON.parse(JSON.stringify(args))), live);
      compared++;
    }
  }
  assert.ok(compared > ROUNDS, String(compared));
});

property.run();
