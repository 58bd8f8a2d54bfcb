/**
 * The report of a retrospective: counts by harness version, and digests that lead back to the sources.
 *
 * It compares nothing and ranks nothing. Labels (task family, harness versions) are in it verbatim. Its digests are
 * linkable: whoever has a capsule, or can guess its ids, finds it again in every report.
 *
 * Rule: `docs/spec/retrospective.md`, "Report".
 *
 * @module
 */
import { digestValue, formatCapsuleV1 } from "../canonical/mod.ts";
import { EFFECT_CLASSES, LINEAGES } from "../capsule/mod.ts";
import type { EffectClass, Lineage, Projection } from "../capsule/mod.ts";
import { compareCodeUnits } from "../core/mod.ts";
import type { Digest, Sha256 } from "../hash/mod.ts";

/** The `schema` of reports. */
export const RETROSPECTIVE_SCHEMA = "capsule-retrospective/v1";

/** One capsule of a group. */
export interface RetrospectiveSource {
  /** Hash of the list of run id and capsule id. */
  readonly identity_hash: Digest;
  /** How many entries it has. */
  readonly entry_count: number;
  /** Hash of its last entry; 64 zeros when there is none. */
  readonly root_hash: Digest;
  /** Digest of its journal's raw bytes. */
  readonly journal_sha256: Digest;
  /** Hash of its projection. */
  readonly projection_hash: Digest;
}

/** The capsules of one harness version. */
export interface RetrospectiveGroup {
  /** As the capsules spell it. */
  readonly harness_version: string;
  /** How many different capsules. */
  readonly capsule_count: number;
  /** How many entries they have together. */
  readonly entry_count: number;
  /** How many of each lineage. */
  readonly by_lineage: Readonly<Record<Lineage, number>>;
  /** How many of each effect class. */
  readonly by_effect_class: Readonly<Record<EffectClass, number>>;
  /** The capsules, by their identity in code units. */
  readonly sources: readonly RetrospectiveSource[];
}

/** What 1 to 100 capsules of one task family are counted to. */
export interface Retrospective {
  /** Name and version of this shape. */
  readonly schema: typeof RETROSPECTIVE_SCHEMA;
  /** Always true: the report decides nothing. */
  readonly report_only: true;
  /** Of all of them, as they spell it. */
  readonly task_family: string;
  /** How many capsules were named. */
  readonly input_count: number;
  /** How many different ones. */
  readonly capsule_count: number;
  /** How many were named again. */
  readonly duplicate_count: number;
  /** By harness version in code units. */
  readonly groups: readonly RetrospectiveGroup[];
  /** Hash of all other members under profile `capsule-v1`. */
  readonly report_hash: Digest;
}

/** The text by which a capsule is told from others, and its sources are sorted. */
export function identityOf({ run_id, capsule_id }: Projection): string {
  return formatCapsuleV1([run_id, capsule_id]);
}

/** Builds the report of different capsules of one family, of which there is at least one. */
export function buildReport(
  capsules: readonly Projection[],
  input_count: number,
  sha256: Sha256,
): Retrospective {
  const versions = new Set(capsules.map(({ harness_version }) => harness_version));
  const report = {
    schema: RETROSPECTIVE_SCHEMA as typeof RETROSPECTIVE_SCHEMA,
    report_only: true as const,
    task_family: capsules[0]!.task_family,
    input_count,
    capsule_count: capsules.length,
    duplicate_count: input_count - capsules.length,
    groups: [...versions].sort(compareCodeUnits).map((version) =>
      groupOf(version, capsules.filter((one) => one.harness_version === version), sha256)
    ),
  };
  return { ...report, report_hash: digestValue("capsule-v1", report, sha256) };
}

function groupOf(
  harness_version: string,
  capsules: readonly Projection[],
  sha256: Sha256,
): RetrospectiveGroup {
  const total = (of: (one: Projection) => number): number =>
    capsules.reduce((sum, one) => sum + of(one), 0);
  const totals = <N extends string>(
    names: readonly N[],
    of: (one: Projection) => Readonly<Record<N, number>>,
  ) =>
    Object.fromEntries(names.map((name) => [name, total((one) => of(one)[name])])) as Record<
      N,
      number
    >;
  const sorted = [...capsules].sort((a, b) => compareCodeUnits(identityOf(a), identityOf(b)));
  return {
    harness_version,
    capsule_count: capsules.length,
    entry_count: total(({ entry_count }) => entry_count),
    by_lineage: totals(LINEAGES, ({ by_lineage }) => by_lineage),
    by_effect_class: totals(EFFECT_CLASSES, ({ by_effect_class }) => by_effect_class),
    sources: sorted.map((one) => sourceOf(one, sha256)),
  };
}

function sourceOf(capsule: Projection, sha256: Sha256): RetrospectiveSource {
  const { run_id, capsule_id, entry_count, root_hash, journal_sha256, projection_hash } = capsule;
  const identity_hash = digestValue("capsule-v1", [run_id, capsule_id], sha256);
  return { identity_hash, entry_count, root_hash, journal_sha256, projection_hash };
}
