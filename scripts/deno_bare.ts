/**
 * The library in Deno without any permission, apart from the test runner, which needs some itself:
 * `deno run --no-prompt scripts/deno_bare.ts`. A dependency that looks at the environment or the
 * disk while it hashes, canonicalises or verifies ends this with an error.
 *
 * @module
 */
import { loadSha256, PROFILES, verifyCapsule } from "../mod.ts";

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

function demand(what: string, found: unknown, wanted: unknown): void {
  if (found !== wanted) throw new Error(`${what}: found ${found}, wanted ${wanted}`);
}

const common = `"harness_version":"h","kind":"note","lineage":`;
const tail = `"run_id":"r","schema":"capsule-envelope/v1"`;
const stamp = `"task_family":"f","ts":"2026-09-02T00:00:01.000Z"`;
const first = "444c07fccb63a6b38a27a294acfb15bec02953ef8ed484730fbdcae0280ddc97";
const second = "6d5b47a69e60f534ecb93e593df244aff40d1d13210b07d104b230b4b48a8c9d";
const journal = `{"capsule_id":"c","effect_class":"SE0","entry_hash":"${first}",${common}"plan",` +
  `"parent_hash":"${"0".repeat(64)}","payload":{},${tail},"seq":0,${stamp}}\n` +
  `{"capsule_id":"c","effect_class":"SE0","entry_hash":"${second}",${common}"attempt",` +
  `"parent_hash":"${first}","payload":{},${tail},"seq":1,${stamp}}\n`;
const metadata = `{"schema":"capsule-envelope/v1","run_id":"r","capsule_id":"c",` +
  `"harness_version":"h","task_family":"f","created_at":"2026-09-02T00:00:00.000Z"}`;

const sha256 = await loadSha256();
const abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
demand("SHA-256 of abc", sha256.digest(encode("abc")), abc);
demand(
  "capsule-v1",
  PROFILES["capsule-v1"].format({ b: [1, "é"], a: null }),
  '{"a":null,"b":[1,"é"]}',
);

const whole = { journal: encode(journal), metadata: encode(metadata) };
const verdict = await verifyCapsule(whole, sha256);
demand("a capsule", verdict.code, "ok");
demand("its root", verdict.root_hash, second);

const changed = { ...whole, journal: encode(journal.replace("note", "vote")) };
const refused = await verifyCapsule(changed, sha256);
demand("a changed capsule", refused.ok, false);
demand("the entry that changed", refused.failed_at, 0);
console.log("Works without permissions");
