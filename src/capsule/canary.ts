/**
 * Text that is shaped like a secret. A hit refuses the text; no hit proves nothing.
 *
 * Each pattern is tried in time linear in the text. Eight of the published expressions are linear as they stand: where
 * one may start again inside its own run, that start is also a word boundary at which the earlier attempt could have
 * ended. The ninth, `jwt`, is quadratic on `eyJ-eyJ-…` and is matched in two steps instead.
 *
 * Rule: `docs/spec/capsule.md`, "Canaries".
 *
 * @module
 */

/** The canaries by name, in the order findings are listed. */
export const CANARIES = [
  "private_key_block",
  "aws_access_key",
  "openai_style_key",
  "github_token",
  "slack_token",
  "stripe_key",
  "bearer_header",
  "jwt",
  "env_assignment",
] as const;

/** The name of a canary. */
export type Canary = typeof CANARIES[number];

const TESTS: Readonly<Record<Canary, (text: string) => boolean>> = {
  private_key_block: matches(/-----BEGIN [A-Z ]*PRIVATE KEY-----/),
  aws_access_key: matches(/\bAKIA[0-9A-Z]{16}\b/),
  openai_style_key: matches(/\bsk-[A-Za-z0-9_-]{20,}\b/),
  github_token: matches(/\bgh[pousr]_[A-Za-z0-9]{30,}\b/),
  slack_token: matches(/\bxox[abpr]-[A-Za-z0-9-]{10,}\b/),
  stripe_key: matches(/\b[sr]k_(?:live|test)_[A-Za-z0-9]{16,}\b/),
  bearer_header: matches(/\bBearer\s+[A-Za-z0-9._~+/=-]{20,}/),
  jwt: hasJwt,
  env_assignment: matches(/\b(?:API_KEY|SECRET|TOKEN|PASSWORD|PASSWD)\s*=\s*\S{8,}/i),
};

/** The canaries a text trips, in table order. */
export function findCanaries(text: string): Canary[] {
  return CANARIES.filter((name) => TESTS[name](text));
}

function matches(pattern: RegExp): (text: string) => boolean {
  return (text) => pattern.test(text);
}

/**
 * `\beyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}\b`, without its restarts: the first part always
 * reaches to the end of its run of characters, so the first start in a run decides for all later ones.
 */
function hasJwt(text: string): boolean {
  const head = /\beyJ[A-Za-z0-9_-]{10,}/g;
  const tail = /\.[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}\b/y;
  while (head.test(text)) {
    tail.lastIndex = head.lastIndex;
    if (tail.test(text)) return true;
  }
  return false;
}
