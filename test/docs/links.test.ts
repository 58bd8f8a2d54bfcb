/**
 * Links between the documents lead somewhere: to a file of the project, and to a heading in it.
 *
 * @module
 */
import { stat } from "node:fs/promises";
import { join, posix } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { filesBelow, root } from "../house/project.ts";
import { readText } from "../read.ts";

const pages = [
  "README.md",
  "CHANGELOG.md",
  "CONTRIBUTING.md",
  "SECURITY.md",
  "bench/README.md",
  ...(await filesBelow("docs", ".md")).filter((file) => !file.startsWith("docs/api/")), // generated
  ...await filesBelow("vectors", ".md"),
];

/** Targets of the links of a page, but for those with a scheme. */
function targetsOf(text: string): string[] {
  const prose = text.replace(/^```[^]*?^```$/gm, "").replace(/`[^`\n]*`/g, "");
  return [...prose.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target]) => target ?? "")
    .filter((target) => !/^[a-z]+:/.test(target));
}

/** The anchors of a page's headings, as hosts of Markdown make them. */
function anchorsOf(text: string): string[] {
  const prose = text.replace(/^```[^]*?^```$/gm, "");
  return [...prose.matchAll(/^#+ (.+)$/gm)].map(([, heading]) =>
    (heading ?? "").toLowerCase().replace(/[^\p{L}\p{N} _-]/gu, "").replaceAll(" ", "-")
  );
}

/** What is wrong with a link, empty when it leads somewhere. */
async function problemOf(page: string, target: string): Promise<string> {
  const [path = "", anchor] = target.split("#");
  const file = path === "" ? page : posix.join(posix.dirname(page), path);
  const info = await stat(join(root, file)).catch(() => undefined);
  if (info === undefined) return `${page}: "${target}" leads nowhere`;
  if (anchor === undefined || anchorsOf(await readText(file)).includes(anchor)) return "";
  return `${page}: "${target}" has no such heading`;
}

const links = suite("links between documents");

links("every relative link of a page leads to a file, and to a heading of it", async () => {
  const problems: string[] = [];
  let count = 0;
  for (const page of pages) {
    for (const target of targetsOf(await readText(page))) {
      count++;
      problems.push(await problemOf(page, target));
    }
  }
  assert.equal(problems.filter((problem) => problem !== ""), []);
  assert.ok(count > 0, "no page has a link");
});

links("every page below docs/ can be reached from README.md", async () => {
  const reached = new Set<string>();
  const queue = ["README.md"];
  for (const page of queue) {
    if (reached.has(page)) continue;
    reached.add(page);
    const linked = targetsOf(await readText(page)).map((target) => target.split("#")[0] ?? "");
    queue.push(
      ...linked.filter((path) => path.endsWith(".md"))
        .map((path) => posix.join(posix.dirname(page), path)),
    );
  }
  assert.equal(pages.filter((page) => page.startsWith("docs/") && !reached.has(page)), []);
});

links.run();
