/**
 * Credits and artifacts, which stand inside the records of a community.
 *
 * Rule: `docs/spec/readers.md`, "Credits and artifacts".
 *
 * @module
 */
import type { JsonObject, JsonValue } from "../canonical/mod.ts";
import { decodePercent, refuse, scanPublic } from "../record/mod.ts";
import type { CommunityProfile, RecordProfile } from "../record/mod.ts";
import { checkDigests, container, count, flag, mapOf, optional, readTable, text } from "./table.ts";

/** A community without rules, for profiles that have none. */
const NO_COMMUNITY: CommunityProfile = {
  contributor_roles: [],
  benchmark_role: "",
  attestations: [],
  mirror: "",
};

/** The rules of a profile's community. */
export function communityOf(profile: RecordProfile): CommunityProfile {
  return profile.community ?? NO_COMMUNITY;
}

/** Reads who is to be credited. */
export function readCredit(record: JsonObject, profile: RecordProfile): JsonObject {
  const credit = readTable(record, [
    ["identifiers", optional((value, field) => container(value, field), () => new Map())],
    ["role", text],
    ["name", text],
  ]);
  credit.set("identifiers", mapOf(text)(credit.get("identifiers"), "identifiers")!);
  scanPublic(credit, profile.reservedWords);
  return credit;
}

const ARTIFACT = [
  ["artifact_id", text],
  ["path", text],
  ["sha256", text],
  ["media_type", text],
  ["public", optional(flag, () => false)],
  ["size_bytes", optional(count)],
] as const;

/** Reads an artifact of a task or of an older submission. */
export function readArtifact(record: JsonObject, profile: RecordProfile): JsonObject {
  const artifact = readTable(record, ARTIFACT);
  checkPath(artifact.get("path") as string);
  checkDigests(artifact, "sha256");
  if (artifact.get("public") === true) scanPublic(artifact, profile.reservedWords);
  return artifact;
}

/** Reads an artifact of a package, which may say where it is published. */
export function readPackageArtifact(record: JsonObject, profile: RecordProfile): JsonObject {
  const artifact = readTable(record, [...ARTIFACT, ["source_url", optional(text)]]);
  const path = artifact.get("path") as string;
  checkPath(path);
  checkDigests(artifact, "sha256");
  const url = artifact.get("source_url");
  if (typeof url === "string") checkSourceUrl(url, communityOf(profile).mirror);
  if (artifact.get("public") === true) {
    const isPrivate = path.split("/").some((part) => part.toLowerCase().startsWith("private"));
    if (isPrivate) refuse("path_private");
    scanPublic(artifact, profile.reservedWords);
  }
  return artifact;
}

/** The list is not empty and has every role that the community wants. */
export function checkRoles(
  record: JsonObject,
  field: string,
  roles: readonly string[],
): void {
  const credits = record.get(field) as readonly JsonValue[];
  const found = credits.map((credit) => (credit as JsonObject).get("role"));
  if (credits.length === 0 || !roles.every((role) => found.includes(role))) {
    refuse("contributor_roles_missing", field);
  }
}

/** A relative path without backslashes, empty, dot or hidden segments. Percent escapes are fine here. */
function checkPath(path: string): void {
  const isUnsafe = path.includes("\\") ||
    path.split("/").some((part) => part === "" || part.startsWith("."));
  if (isUnsafe) refuse("path_unsafe");
}

/** An address on the community's mirror at a full commit, whose path stays one however often it is decoded. */
function checkSourceUrl(url: string, mirror: string): void {
  const rest = mirror !== "" && url.startsWith(mirror) ? url.slice(mirror.length) : undefined;
  const [commit = "", ...segments] = rest?.split("/") ?? [];
  const isPlain = rest !== undefined && !/[?#]/.test(rest);
  const isPinned = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(commit);
  if (!isPlain || !isPinned || !segments[0]) refuse("source_url_invalid");
  const decoded = segments.map(decodeFully);
  if (decoded.some((segment) => segment === undefined || /[/\\]/.test(segment))) {
    refuse("source_url_invalid");
  }
  checkPath(decoded.join("/"));
}

/** Decodes until nothing changes; `undefined` when that takes more than three rounds. */
function decodeFully(segment: string): string | undefined {
  let current = segment;
  for (let round = 0; round < 4; round++) {
    const next = decodePercent(current);
    if (next === current) return current;
    current = next;
  }
  return undefined;
}
