/**
 * The syntaxes that members of records have. Each is a full match.
 *
 * Rule: `docs/spec/records.md`, "Syntax".
 *
 * @module
 */

/** `sha256:` and 64 lower-case hexadecimal digits. */
export function isStrictDigest(value: unknown): value is string {
  return typeof value === "string" && /^sha256:[0-9a-f]{64}$/.test(value);
}

/** A digest with or without its prefix. */
export function isLaxDigest(value: unknown): value is string {
  return typeof value === "string" && /^(?:sha256:)?[0-9a-f]{64}$/.test(value);
}

/** An opaque id: 1 to 128 characters. */
export function isOpaqueId(value: unknown): value is string {
  return typeof value === "string" && /^[A-Za-z0-9][A-Za-z0-9._+-]{0,127}$/.test(value);
}

/** A code: 1 to 256 characters, among them `/`, `:` and `@`. */
export function isCode(value: unknown): value is string {
  return typeof value === "string" && /^[A-Za-z0-9][A-Za-z0-9._:/@+-]{0,255}$/.test(value);
}

/** A full Git id: 40 lower-case hexadecimal digits. */
export function isGitId(value: unknown): value is string {
  return typeof value === "string" && /^[0-9a-f]{40}$/.test(value);
}

/** A judge: `provider/model`, then perhaps `@` and an opaque id. */
export function isJudge(value: unknown): value is string {
  return typeof value === "string" &&
    /^[a-z0-9][a-z0-9._+-]{0,63}\/[a-z0-9][a-z0-9._+-]{0,127}(?:@[A-Za-z0-9][A-Za-z0-9._+-]{0,127})?$/
      .test(value);
}

/** A media type without parameters, in any case. */
export function isMediaType(value: unknown): value is string {
  return typeof value === "string" && /^[A-Za-z0-9!#$&^_.+-]+\/[A-Za-z0-9!#$&^_.+-]+$/.test(value);
}

/** `https://`, a lower-case host, and one or more path segments; nothing else of a URL. */
export function isRepository(value: unknown): value is string {
  const parts = typeof value === "string"
    ? /^https:\/\/([^/?#@:[\]\\]+)\/([^?#]+)$/.exec(value)
    : null;
  if (parts === null) return false;
  const [, host = "", path = ""] = parts;
  return host === host.toLowerCase() &&
    path.split("/").every((segment) =>
      /^[A-Za-z0-9._-]{1,100}$/.test(segment) && segment !== "." && segment !== ".."
    );
}
