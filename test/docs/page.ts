/**
 * Reads pages of the documentation: named fences, sections and table rows.
 *
 * @module
 */

/** The body of the one fence whose info string ends in this name. Throws when there is no such fence, or several. */
export function fence(page: string, name: string): string {
  const found = [...page.matchAll(/^```\w+ (\S+)\n([^]*?)^```$/gm)].filter(([, named]) =>
    named === name
  );
  if (found.length !== 1) throw new Error(`${found.length} fences are named "${name}"`);
  return found[0]?.[2] ?? "";
}

/** The text under a heading of the second level, up to the next one. Throws when there is none. */
export function section(page: string, heading: string): string {
  const start = page.indexOf(`\n## ${heading}\n`);
  if (start < 0) throw new Error(`No section is headed "${heading}"`);
  return page.slice(start + 1, page.indexOf("\n## ", start + 1) + 1 || undefined);
}

/** The cells of every table row of a text, without heads; `\|` stands for a bar. Throws when there is none. */
export function rowsOf(text: string): string[][] {
  const rows = text.split("\n").filter((line) => line.startsWith("| ")).map((line) =>
    line.slice(2, -2).split(/ \| /).map((cell) => cell.replaceAll("\\|", "|").trim())
  );
  const heads = rows.flatMap((row, at) =>
    row.every((cell) => /^-+$/.test(cell)) ? [at - 1, at] : []
  );
  const body = rows.filter((_, at) => !heads.includes(at));
  if (body.length === 0) throw new Error("The text has no table");
  return body;
}
