/**
 * Faults of a test file that uvu passes over in silence: a suite that never runs because its
 * `.run()` was forgotten, a test that comes after it, an `.only` left behind, and a skip without a
 * name.
 *
 * @module
 */
import { scan } from "./scan.ts";

/** One sentence per fault, none when the file is sound. */
export function faultsOf(source: string): string[] {
  const { code } = scan(source);
  const faults: string[] = [];
  if (/\.only\s*\(/.test(code)) faults.push("an .only is left over");
  if (/\.skip\s*\(/.test(code)) faults.push("a test is skipped without skip() of test/skip.ts");
  for (const name of suitesOf(code)) {
    const afterRun = code.split(new RegExp(`(?<![\\w$.])${name}\\.run\\s*\\(`)).slice(1).at(-1);
    if (afterRun === undefined) faults.push(`suite "${name}" is never run: .run() is missing`);
    else if (new RegExp(`^\\s*${name}\\(`, "m").test(afterRun)) {
      faults.push(`suite "${name}" has a test after its .run()`);
    }
  }
  return faults;
}

function suitesOf(code: string): string[] {
  const made = [...code.matchAll(/(?:const|let|var)\s+(\w+)\s*=\s*suite\s*[(<]/g)];
  const names = made.map((found) => found[1] ?? "");
  const takesDefault = /import\s*\{[^}]*\btest\b(?!\s+as)[^}]*\}\s*from/.test(code);
  return takesDefault && !names.includes("test") ? [...names, "test"] : names;
}
