/**
 * Times contenders side by side: they take turns within one run, in the opposite order every other round, so that what
 * else the machine does hits all alike. Read the ratios; absolute times drift.
 *
 * @module
 */

/** Something to be timed. */
export interface Contender {
  readonly name: string;
  /** What has to be done before a round, and is not timed. */
  prepare?(): unknown;
  /** One round of work. */
  run(): unknown;
}

/** What a contender took. */
export interface Timing {
  readonly name: string;
  /** Median of the rounds, in milliseconds. */
  readonly median_ms: number;
  /** Shortest round, in milliseconds. */
  readonly best_ms: number;
  /** Median of the rounds' ratios to the first contender in the same round. */
  readonly ratio: number;
}

/** Times all contenders after one round to warm up; the first one is the measure of the others. */
export async function compare(contenders: readonly Contender[], rounds = 9): Promise<Timing[]> {
  const times = contenders.map((): number[] => []);
  const order = contenders.map((_, index) => index);
  for (let round = -1; round < rounds; round++) {
    for (const index of round % 2 === 0 ? order : [...order].reverse()) {
      await contenders[index]!.prepare?.();
      const start = performance.now();
      await contenders[index]!.run();
      if (round >= 0) times[index]!.push(performance.now() - start);
    }
  }
  return contenders.map(({ name }, index) => ({
    name,
    median_ms: median(times[index]!),
    best_ms: Math.min(...times[index]!),
    ratio: median(times[index]!.map((time, round) => time / times[0]![round]!)),
  }));
}

/** The middle of some numbers. */
export function median(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/** A table of results under one heading. */
export interface Result {
  /** What was measured, such as a size. */
  readonly what: string;
  readonly timings: readonly Timing[];
}

/** A file of this folder: one question and how to answer it. */
export interface Bench {
  readonly question: string;
  /** Yields results as they come in. */
  run(): AsyncGenerator<Result>;
}
