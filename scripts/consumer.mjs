/**
 * A stranger's program, copied beside the installed package: `consumer.mjs import|require SUBPATH…`
 * loads every subpath and prints, as JSON, what came of it. Plain JavaScript, since it stands for
 * code that has neither our settings nor our tools.
 */
import { createRequire } from "node:module";
import process from "node:process";

const require = createRequire(import.meta.url);
const [way, ...subpaths] = process.argv.slice(2);
const load = async (name) => await (way === "require" ? require(name) : import(name));

const names = {};
for (const subpath of subpaths) {
  const { default: _, ...module } = await load(`affidavit${subpath.slice(1)}`);
  names[subpath] = Object.keys(module).sort();
}

const refused = [];
for (const path of ["dist/mod.js", "src/core/mod.ts", "capsule/chain", "no-such-area"]) {
  await load(`affidavit/${path}`).catch(() => refused.push(path));
}

const { loadSha256 } = await load("affidavit/hash");
const sha256 = await loadSha256();
const digest = sha256.digest(new TextEncoder().encode("abc"));
const { version } = require("affidavit/package.json");
const { implementation } = sha256;
console.log(JSON.stringify({ names, version, refused, implementation, digest }));
