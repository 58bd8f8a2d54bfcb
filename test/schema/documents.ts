/**
 * The documents of the vector files, each with what the hand-written code finds wrong with it.
 *
 * @module
 */
import { parseJson } from "../../src/canonical/mod.ts";
import {
  buildEntry,
  CapsuleError,
  formatProjection,
  validateEntry,
  validateMetadata,
} from "../../src/capsule/mod.ts";
import type { CapsuleState, Projection } from "../../src/capsule/mod.ts";
import type { FileInput } from "../../src/core/mod.ts";
import type { Sha256 } from "../../src/hash/mod.ts";
import { checkReceipt } from "../../src/receipt/mod.ts";
import type { DocumentKind } from "../../src/schema/mod.ts";
import { bytesOf, METADATA } from "../lib/sample.ts";
import { readText } from "../read.ts";

/** A document that was judged. */
export interface Judged {
  /** Where it is from. */
  readonly id: string;
  /** Its parsed JSON. */
  readonly value: unknown;
  /** What the hand-written code says is wrong; empty when it accepts the document. */
  readonly faults: readonly string[];
}

/** Kinds whose documents the vector files hold. */
export type JudgedKind = Exclude<DocumentKind, "vector-suite" | "vector-index">;

/** Every document of the vector files that is JSON, once, by its kind. */
export async function judgedDocuments(sha256: Sha256): Promise<Record<JudgedKind, Judged[]>> {
  const capsules = [...await casesOf("verify"), ...await casesOf("projections")];
  const receipts = await casesOf("receipt-check");
  const everywhere = [...capsules, ...receipts];
  return {
    "entry": unique([
      ...(await casesOf("entries")).map(({ id, input }) => [id, input["entry_json"]] as const),
      ...everywhere.flatMap((one) =>
        (textOf(one, "journal.ndjson") ?? "").split("\n").map((line) => [one.id, line] as const)
      ),
    ], (value) => validateEntry(value, sha256).map(({ kind }) => kind)),
    "metadata": unique(
      everywhere.map((one) => [one.id, textOf(one, "capsule.json")]),
      (value) => {
        const result = validateMetadata(value);
        return result.ok ? [] : [/"(\w+)"/.exec(result.reason)?.[1] ?? ""];
      },
    ),
    "projection": capsules.flatMap(projectionsOf),
    "receipt": await Promise.all(receipts.map(async (one) => {
      const { ok, check } = await judgeReceipt(one, sha256);
      return { id: one.id, value: read(one.input["receipt_json"]), faults: ok ? [] : [`${check}`] };
    })),
    "append-line": (await casesOf("writes")).flatMap((one) => linesOf(one, sha256)),
  };
}

interface Case {
  readonly id: string;
  readonly input: Record<string, unknown>;
  readonly expect: Record<string, unknown>;
}

async function casesOf(suite: string): Promise<Case[]> {
  const { cases } = JSON.parse(await readText(`vectors/capsule/${suite}.json`));
  return cases.map((one: Case) => ({ ...one, id: `${suite}/${one.id}` }));
}

/** Texts that are JSON, each once, with a judgement. */
function unique(
  texts: readonly (readonly [id: string, text: unknown])[],
  judge: (value: unknown) => string[],
): Judged[] {
  const first = new Map<unknown, string>();
  for (const [id, text] of texts) first.set(text, first.get(text) ?? id);
  return [...first].flatMap(([text, id]) => {
    const value = read(text);
    return value === undefined ? [] : [{ id, value, faults: judge(value) }];
  });
}

function read(text: unknown): unknown {
  const parsed = typeof text === "string" ? parseJson(text) : undefined;
  return parsed?.ok === true ? parsed.value : undefined;
}

function textOf({ input }: Case, name: string): string | undefined {
  const files = input["files"] as { path: string; utf8?: string }[];
  return files.find(({ path }) => path === name)?.utf8;
}

function fileOf({ input }: Case, name: string): FileInput {
  const files = input["files"] as { path: string; utf8?: string; base64?: string; dir?: true }[];
  const file = files.find(({ path }) => path === name);
  if (file?.utf8 !== undefined) return bytesOf(file.utf8);
  if (file?.base64 !== undefined) return Uint8Array.from(atob(file.base64), (c) => c.charCodeAt(0));
  return file?.dir === true ? { unreadable: "a directory" } : null;
}

/** The projection that a case expects, and the one that was saved: right only when it is the same. */
function projectionsOf(one: Case): Judged[] {
  const expected = one.expect["projection"] as Projection | undefined;
  if (expected === undefined) return [];
  const saved = read(textOf(one, "projection.json"));
  const isSame = saved !== undefined &&
    formatProjection(saved as Projection) === formatProjection(expected);
  return [
    { id: `${one.id}, expected`, value: expected, faults: [] },
    ...(saved === undefined
      ? []
      : [{ id: `${one.id}, saved`, value: saved, faults: isSame ? [] : ["differs"] }]),
  ];
}

async function judgeReceipt(
  one: Case,
  sha256: Sha256,
): Promise<{ ok: boolean; check: string | null }> {
  const files = {
    journal: fileOf(one, "journal.ndjson"),
    metadata: fileOf(one, "capsule.json"),
    projection: fileOf(one, "projection.json"),
  };
  return await checkReceipt(bytesOf(`${one.input["receipt_json"]}`), files, sha256);
}

/** The appends of a case that are asked for without options of the writer's, as lines of the command line. */
function linesOf(one: Case, sha256: Sha256): Judged[] {
  const steps = one.input["steps"] as Record<string, unknown>[];
  return steps.flatMap((step, index) => {
    const { op, lineage, kind, payload_tagged: tagged, options = {} } = step;
    const { effect_class, ...others } = options as { effect_class?: string };
    const { t = "", text = "{}" } = (tagged ?? { t: "json" }) as { t?: string; text?: string };
    if (op !== "append" || t !== "json" || Object.keys(others).length > 0) return [];
    const value = {
      lineage,
      kind,
      ...(tagged !== undefined && { payload: read(text) }),
      ...(effect_class !== undefined && { effect_class }),
    };
    return [{ id: `${one.id}, step ${index}`, value, faults: faultsOfAppend(value, sha256) }];
  });
}

/** The code that an append refuses a line with, if it does. */
export function faultsOfAppend(line: Record<string, unknown>, sha256: Sha256): string[] {
  const { lineage, kind, payload, effect_class } = line;
  const options = effect_class === undefined ? {} : { effect_class: effect_class as string };
  const state = { metadata: METADATA, entry_count: 0, root_hash: "0".repeat(64) };
  try {
    buildEntry(
      state as CapsuleState,
      { lineage, kind, payload, options },
      () => new Date(0),
      sha256,
    );
    return [];
  } catch (error) {
    if (error instanceof CapsuleError) return [error.code];
    throw error;
  }
}
