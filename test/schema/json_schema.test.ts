/**
 * The files of `schemas/` are what the sources give, and a validator of another make judges by them as the schemas of
 * `affidavit/schema` do.
 *
 * @module
 */
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { loadSha256 } from "../../src/hash/mod.ts";
import { SCHEMAS } from "../../src/schema/mod.ts";
import type { DocumentKind } from "../../src/schema/mod.ts";
import { root, runFile } from "../house/project.ts";
import { readText } from "../read.ts";
import { judgedDocuments } from "./documents.ts";
import { mutationsOf } from "./mutations.ts";

const script = `${root}scripts/schemas.ts`;
const kinds = Object.keys(SCHEMAS) as DocumentKind[];

const files = suite("files of schemas/");

files("scripts/schemas.ts --check finds every file as the sources give it", async () => {
  assert.equal(await runFile(script, ["--check"]), {
    status: 0,
    stdout: `${kinds.length} schemas are up to date\n`,
    stderr: "",
  });
});

files(
  "scripts/schemas.ts --check names files that differ, are missing or do not belong",
  async () => {
    const folder = await mkdtemp(join(tmpdir(), "affidavit-schemas-"));
    try {
      assert.is((await runFile(script, [folder])).status, 0);
      const [first = "", second = ""] = (await readdir(folder)).sort();
      await writeFile(join(folder, first), `${await readFile(join(folder, first), "utf8")} `);
      await rm(join(folder, second));
      await writeFile(join(folder, "zebra.json"), "{}\n");
      const wrong = [first, second, "zebra.json"];
      assert.equal(await runFile(script, ["--check", folder]), {
        status: 1,
        stdout: "",
        stderr: wrong.map((name) => `${name} is not what the sources give: npm run schemas\n`).join(
          "",
        ),
      });
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
);

files("every file says what it is, and describes every member it names", async () => {
  for (const kind of kinds) {
    const schema = JSON.parse(await readText(`schemas/${kind}.v1.schema.json`));
    assert.is(schema.$schema, "https://json-schema.org/draft/2020-12/schema");
    assert.is(schema.$id, `${kind}.v1.schema.json`);
    assert.match(schema.title, /^[A-Z].+[^.]$/);
    assert.match(schema.description, /Not said here: .+\.$/, kind);
    assert.equal(undescribed(schema), [], kind);
  }
});

files.run();

const verdicts = suite("verdicts by the files of schemas/");

verdicts(
  "an independent validator and the schemas agree on every document and change",
  async () => {
    const judged = await judgedDocuments(await loadSha256());
    const documents: Record<string, unknown[]> = {
      "vector-suite": [JSON.parse(await readText("vectors/capsule/gate-refusals.json"))],
      "vector-index": [JSON.parse(await readText("vectors/index.json"))],
    };
    for (const [kind, list] of Object.entries(judged)) {
      documents[kind] = list.map(({ value }) => value);
    }
    const ajv = new Ajv2020({ strict: true, strictRequired: true });
    for (const kind of kinds) {
      const conforms = ajv.compile(JSON.parse(await readText(`schemas/${kind}.v1.schema.json`)));
      const schema = SCHEMAS[kind]["~standard"];
      const counts = { taken: 0, refused: 0 };
      for (const document of documents[kind] ?? []) {
        for (const value of [document, ...mutationsOf(document)]) {
          const isFit = schema.validate(value).issues === undefined;
          if (conforms(value) !== isFit) assert.unreachable(`${kind}: ${JSON.stringify(value)}`);
          counts[isFit ? "taken" : "refused"]++;
        }
      }
      assert.ok(counts.taken > 10 && counts.refused > 100, `${kind}: ${JSON.stringify(counts)}`);
    }
  },
);

verdicts.run();

/** Members that a schema names and does not describe, as paths. */
function undescribed(schema: Record<string, unknown>, path = ""): string[] {
  const found: string[] = [];
  const { properties = {}, items } = schema as {
    properties?: Record<string, Record<string, unknown>>;
    items?: Record<string, unknown>;
  };
  for (const [name, member] of Object.entries(properties)) {
    if (typeof member["description"] !== "string") found.push(`${path}/${name}`);
    found.push(...undescribed(member, `${path}/${name}`));
  }
  if (items !== undefined) found.push(...undescribed(items, `${path}/*`));
  return found;
}
