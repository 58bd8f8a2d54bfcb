/**
 * Two tools of a harness, declared so that their calls can be recorded and replayed.
 *
 * @module
 */
import type { Tools } from "../src/replay/mod.ts";

/** An invoice. */
export interface Invoice {
  readonly customer: string;
  readonly amount: number;
}

/** The tools by name. `impl` runs in record mode only. */
export const TOOLS: Tools = {
  read_invoices: {
    effect_class: "SE0",
    determinism: "nondeterministic",
    impl: readInvoices,
  },
  add_up: {
    effect_class: "SE0",
    determinism: "deterministic",
    impl: addUp,
  },
};

/** Stands for a query to a system of somebody else's, whose answer changes from day to day. */
function readInvoices({ month }: { month: string }): Invoice[] {
  if (month !== "2026-08") return [];
  return [
    { customer: "Arnold", amount: 1000 },
    { customer: "Baker", amount: 310 },
    { customer: "Arnold", amount: 204.5 },
    { customer: "Chandra", amount: 87.25 },
  ];
}

function addUp({ invoices }: { invoices: readonly Invoice[] }): Record<string, number> {
  const totals = new Map<string, number>();
  for (const { customer, amount } of invoices) {
    totals.set(customer, (totals.get(customer) ?? 0) + amount);
  }
  return Object.fromEntries(totals);
}
