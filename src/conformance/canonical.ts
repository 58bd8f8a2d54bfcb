/**
 * Operations `canonical.*`.
 *
 * @module
 */
import { commit, digestValue, parseJson, parseStrictText, PROFILES } from "../canonical/mod.ts";
import type { CommitmentProfile } from "../canonical/mod.ts";
import { encodeUtf8, EvidenceError } from "../core/mod.ts";
import type { Result } from "../core/mod.ts";
import type { Sha256 } from "../hash/mod.ts";
import { readText } from "./input.ts";
import type { Input, Output } from "./input.ts";
import { attempt } from "./refusal.ts";
import { decodeTagged } from "./tagged.ts";
import type { Host } from "./workspace.ts";

/** The profiles that hash to commitments and read without loss, by the names that vector files give them. */
const COMMITMENTS: readonly string[] = [
  "value",
  "artifact",
  "ascii",
  "jcs",
] satisfies CommitmentProfile[];

/** `canonical.encode` */
export async function encode(input: Input, { sha256 }: Host): Promise<Output | undefined> {
  const [text, profile] = [readText(input, "value_json"), readText(input, "profile")];
  if (profile === "capsule") {
    return await attempt(() => encodeCapsule(required(parseJson(text)), sha256));
  }
  if (!COMMITMENTS.includes(profile)) return undefined;
  const output = await attempt(() => {
    const value = required(parseStrictText(text, { duplicateKeys: "last-wins", nonFinite: true }));
    return encodeCommitment(profile as CommitmentProfile, value, sha256);
  });
  // The kinds of the vectors are the codes without their area.
  return "code" in output
    ? { ...output, kind: String(output["code"]).replace("canonical.", "") }
    : output;
}

/** `canonical.encode_value` */
export async function encodeValue(input: Input, { sha256 }: Host): Promise<Output | undefined> {
  const value = decodeTagged(input["value_tagged"]);
  const profile = readText(input, "profile");
  if (profile === "capsule") return await attempt(() => encodeCapsule(value, sha256));
  if (!COMMITMENTS.includes(profile)) return undefined;
  return await attempt(() => encodeCommitment(profile as CommitmentProfile, value, sha256));
}

function encodeCapsule(value: unknown, sha256: Sha256): Output {
  const text = PROFILES["capsule-v1"].format(value);
  return {
    text,
    sha256: digestValue("capsule-v1", value, sha256),
    byte_length: encodeUtf8(text).length,
  };
}

function encodeCommitment(profile: CommitmentProfile, value: unknown, sha256: Sha256): Output {
  return { text: PROFILES[profile].format(value), sha256: commit(profile, value, sha256) };
}

function required<T>(result: Result<T, string>): T {
  if (result.ok) return result.value;
  throw new EvidenceError(result.code, result.reason);
}
