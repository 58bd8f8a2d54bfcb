/**
 * package.json and deno.json tell the same story: subpaths, versions, pins, and a top level that
 * holds nothing unexpected.
 *
 * @module
 */
import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { readText } from "../read.ts";
import { filesBelow, readDenoConfig, readPackage, root } from "./project.ts";

const topLevel = [
  ...["mod.ts", "src", "schemas", "vectors", "bench", "test", "docs", "examples", "scripts"],
  ...["deno.json", "package.json", "package-lock.json", "deno.lock", "README.md", "LICENSE"],
  ...["CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", ".gitignore", ".ci"],
];
const exact = /^\d+\.\d+\.\d+$/;

const maps = suite("export maps");

maps("package.json and deno.json list the same subpaths in the same order", async () => {
  const { exports } = await readPackage();
  const code = Object.keys(exports).filter((path) => typeof exports[path] === "object");
  assert.equal(code, Object.keys((await readDenoConfig()).exports));
});

maps("every subpath leads to the same source in both, types first", async () => {
  const { exports } = await readPackage();
  for (const [path, source] of Object.entries((await readDenoConfig()).exports)) {
    const built = `./dist/${source.slice(2).replace(/\.ts$/, "")}`;
    const wanted = [["types", `${built}.d.ts`], ["default", `${built}.js`]];
    assert.equal(Object.entries(exports[path] ?? {}), wanted, path);
    assert.ok(existsSync(root + source), `${path}: there is no ${source}`);
  }
});

maps("every area has its subpath, and every plain target exists", async () => {
  const { exports, bin } = await readPackage();
  const areas = (await filesBelow("src", "/mod.ts")).filter((file) => file.split("/").length === 3);
  for (const file of areas) assert.ok(exports[`./${file.split("/")[1]}`], `${file}: no subpath`);
  for (const target of Object.values(exports)) {
    if (typeof target !== "string") continue;
    assert.ok(existsSync(root + target.split("/*")[0]), `there is no ${target}`);
  }
  for (const target of Object.values(bin)) {
    const source = target.replace("./dist/", "").replace(/\.js$/, ".ts");
    assert.ok(existsSync(root + source), `there is no ${source}`);
    assert.match(await readText(source), /^#!\/usr\/bin\/env node\n/, `${source}: the first line`);
  }
});

maps.run();

const versions = suite("versions and pins");

versions("name, version and license agree", async () => {
  const npm = await readPackage();
  const jsr = await readDenoConfig();
  assert.is(jsr.name, `@${npm.name}/${npm.name}`);
  assert.is(jsr.version, npm.version);
  assert.is(jsr.license, npm.license);
  const lock = JSON.parse(await readText("package-lock.json"));
  assert.is(lock.version, npm.version);
  assert.ok((await readText("CHANGELOG.md")).includes(`## ${npm.version}`), "CHANGELOG.md");
});

versions("there are three dependencies, and every pin is exact", async () => {
  const { dependencies, devDependencies } = await readPackage();
  assert.equal(Object.keys(dependencies).sort(), ["hash-wasm", "valibot", "yaml"]);
  for (const [name, version] of Object.entries({ ...dependencies, ...devDependencies })) {
    assert.match(version, exact, name);
  }
});

versions("deno.json imports what package.json pins", async () => {
  const { dependencies, devDependencies } = await readPackage();
  const pins = { ...dependencies, ...devDependencies };
  const { imports } = await readDenoConfig();
  for (const name of Object.keys(dependencies)) assert.ok(imports[name], `${name} is missing`);
  for (const [specifier, target] of Object.entries(imports)) {
    const name = /^(?:@[^/]+[/])?[^/]+/.exec(specifier)?.[0] ?? "";
    assert.is(target, `npm:${name}@${pins[name]}${specifier.slice(name.length)}`);
  }
});

versions(
  "package-lock.json pins what package.json asks for, by digest and no address",
  async () => {
    const { packages } = JSON.parse(await readText("package-lock.json"));
    const { dependencies, devDependencies } = await readPackage();
    assert.equal(packages[""].dependencies, dependencies);
    assert.equal(packages[""].devDependencies, devDependencies);
    for (const [path, entry] of Object.entries<Record<string, unknown>>(packages)) {
      if (path === "") continue;
      assert.ok(entry["integrity"], `${path}: no integrity`);
      assert.is(entry["resolved"], undefined, `${path}: an address`);
    }
  },
);

versions.run();

const top = suite("top level");

top("nothing unexpected stands at the top level", async () => {
  const ignored = (await readText(".gitignore")).split("\n").filter((line) => line !== "");
  const isIgnored = (name: string): boolean =>
    ignored.some((line) => new RegExp(`^${globSource(line)}$`).test(name));
  const strangers = (await readdir(root)).filter((name) =>
    !topLevel.includes(name) && !/^tsconfig.*\.json$/.test(name) && name !== ".git" &&
    !isIgnored(name)
  );
  assert.equal(strangers, []);
});

top.run();

function globSource(line: string): string {
  return line.replace(/\/$/, "").replace(/[.+?^${}()|[\]\\]/g, "\\$&").replaceAll("*", ".*");
}
