/**
 * Canonical text of journal entries.
 *
 * @module
 */
import { formatCapsuleV1, formatJcs, formatValue } from "../src/canonical/mod.ts";
import { makeEntries } from "./journal.ts";
import { compare } from "./measure.ts";
import type { Bench } from "./measure.ts";

/** The bench. */
export const bench: Bench = {
  question: "What does canonical text cost, against JSON.stringify, which sorts nothing?",
  async *run() {
    const sorted = makeEntries(4000).map((entry) =>
      JSON.parse(formatCapsuleV1(entry)) as Record<string, unknown>
    );
    const unsorted = sorted.map((entry) => Object.fromEntries(Object.entries(entry).reverse()));
    // The commitment profiles take whole numbers alone.
    const whole = unsorted.map((entry) => ({ ...entry, payload: { tool: "grep", exit_code: 0 } }));
    const each = (values: readonly unknown[], format: (value: unknown) => unknown) => () => {
      for (const value of values) format(value);
    };
    yield {
      what: "4000 entries",
      timings: await compare([
        { name: "JSON.stringify", run: each(unsorted, JSON.stringify) },
        { name: "capsule-v1, members in order", run: each(sorted, formatCapsuleV1) },
        { name: "capsule-v1, members reversed", run: each(unsorted, formatCapsuleV1) },
        { name: "jcs", run: each(unsorted, formatJcs) },
        { name: "value (small payloads)", run: each(whole, formatValue) },
      ]),
    };
  },
};
