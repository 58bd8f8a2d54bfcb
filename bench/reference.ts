/**
 * A plain verifier that does what `docs/spec/capsule.md` says, line by line, on the whole text at once: the oracle and
 * the measure of the real one. It knows no canaries and no payload table, which makes it a little faster than fair.
 *
 * @module
 */
import { createHash } from "node:crypto";

/** The head of a valid journal. Throws for any other. */
export function verifyPlainly(bytes: Uint8Array): { root: string; digest: string } {
  const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  if (!text.endsWith("\n")) throw new Error("truncated");
  let root = "0".repeat(64);
  text.slice(0, -1).split("\n").forEach((line, index) => {
    const entry = JSON.parse(line) as Record<string, unknown>;
    const { entry_hash, ...rest } = entry;
    if (sha256(canonical(rest)) !== entry_hash) throw new Error(`entry ${index}: hash`);
    if (entry["seq"] !== index || entry["parent_hash"] !== root) {
      throw new Error(`entry ${index}: link`);
    }
    if (canonical(entry) !== line) throw new Error(`entry ${index}: spelling`);
    root = entry_hash as string;
  });
  return { root, digest: sha256(bytes) };
}

function canonical(value: unknown): string {
  return JSON.stringify(sorted(value));
}

function sorted(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(sorted);
  return Object.fromEntries(
    Object.entries(value).sort(([a], [b]) => a < b ? -1 : 1).map((
      [name, member],
    ) => [name, sorted(member)]),
  );
}

function sha256(input: string | Uint8Array): string {
  return createHash("sha256").update(input).digest("hex");
}
